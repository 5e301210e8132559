#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "cairn/any_graph.hpp"
#include "cairn/planners.hpp"
#include "core/guarded.hpp"
#include "core/labels/separator_depths.hpp"
#if CAIRN_HAS_HPA
#include "cairn/hpa/abstract_graph.hpp"
#include "hpa/snapshot.hpp"
#endif
#if CAIRN_HAS_SUBGOAL
#include "subgoal/snapshot.hpp"
#endif
#if CAIRN_HAS_HNA
#include "hna/snapshot.hpp"
#endif

namespace cairn {
namespace {

[[maybe_unused]] Status no_level(int level, int levels) {
    return {StatusCode::bad_option, fmt::format("level {}: the index has 1 to {}", level, levels)};
}

/// Sets the depths of the graph's nodes from those of a closure, whose nodes have the ids
/// id_of(node).
template <class IdOf>
void set_depths(IndexGraph& graph, const Closure& closure, const IdOf& id_of) {
    graph.depths.assign(graph.ids.size(), IndexGraph::kNoDepth);
    if (closure.storage() == nullptr) return;
    const ClosureView view(*closure.storage());
    const std::vector<std::uint32_t> by_place = separator_depths(view);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> by_id;
    for (std::uint32_t place = 0; place < by_place.size(); ++place) {
        const std::uint32_t node = view.node(place).node;
        if (node != ClosureNode::kNone) by_id.emplace_back(id_of(node), by_place[place]);
    }
    std::sort(by_id.begin(), by_id.end());
    for (std::size_t i = 0; i < graph.ids.size(); ++i) {
        const auto found =
            std::lower_bound(by_id.begin(), by_id.end(), std::pair(graph.ids[i], std::uint32_t{0}));
        if (found != by_id.end() && found->first == graph.ids[i]) graph.depths[i] = found->second;
    }
}

/// The closure of a planner's labels, if it has one.
template <class LabelEngine>
Closure closure_of(const std::shared_ptr<const LabelEngine>& engine) {
    return engine ? engine->labels.closure() : Closure();
}

[[maybe_unused]] void add_cell(IndexGraph& graph, const grid::Map& map, grid::Cell cell,
                               int level) {
    const grid::Point p = map.point(cell);
    graph.places.push_back({static_cast<double>(p.x), static_cast<double>(p.y), 0});
    graph.ids.push_back(cell);
    graph.node_levels.push_back(static_cast<std::uint8_t>(level));
}

[[maybe_unused]] void add_edge(IndexGraph& graph, std::uint32_t a, std::uint32_t b, Cost cost,
                               GraphEdgeKind kind) {
    graph.edges.push_back({a, b});
    graph.costs.push_back(cost);
    graph.kinds.push_back(kind);
}

#if CAIRN_HAS_HPA

Result<IndexGraph> read_graph(const hpa::Index& index, int level) {
    const auto read = hpa::extract_abstract_graph(index, level);
    if (!read) return tl::unexpected(read.error());
    IndexGraph graph;
    graph.level = level;
    graph.levels = index.options().levels;
    for (const hpa::AbstractNode& node : read->nodes)
        add_cell(graph, index.map(), node.cell, node.level);
    for (const auto& [a, b, cost, of_level] : read->inter_edges)
        add_edge(graph, a, b, cost, GraphEdgeKind::inter);
    for (const auto& [a, b, cost] : read->intra_edges)
        add_edge(graph, a, b, cost, GraphEdgeKind::intra);
    graph.clusters = read->clusters;
    for (const hpa::Entrance& entrance : read->entrances) {
        const grid::Point p = index.map().point(entrance.first);
        const bool east = entrance.along == grid::kEast;
        graph.entrances.push_back(
            {p.x, p.y, east ? entrance.length : 2, east ? 2 : entrance.length});
    }
    const hpa::Snapshot& s = index.snapshot();
    set_depths(graph, closure_of(s.labels), [&](std::uint32_t node) { return s.nodes.cell(node); });
    return graph;
}

#endif
#if CAIRN_HAS_SUBGOAL

Result<IndexGraph> read_graph(const subgoal::Index& index, int level) {
    if (level != 1) return tl::unexpected(no_level(level, 1));
    const auto nodes = subgoal::subgoals(index);
    const auto edges = subgoal::edges(index);
    if (!nodes || !edges) return tl::unexpected(nodes ? edges.error() : nodes.error());
    const grid::Map& map = index.map();
    IndexGraph graph;
    for (const grid::Cell cell : *nodes) add_cell(graph, map, cell, 1);
    const auto position = [&](grid::Cell cell) {
        return static_cast<std::uint32_t>(std::lower_bound(nodes->begin(), nodes->end(), cell) -
                                          nodes->begin());
    };
    for (const auto& [a, b, taut] : *edges) {
        add_edge(graph, position(a), position(b), map.distance_bound(map.point(a), map.point(b)),
                 taut ? GraphEdgeKind::taut : GraphEdgeKind::subgoal);
    }
    const subgoal::Snapshot& s = index.snapshot();
    set_depths(graph, s.labels.closure(), [&](std::uint32_t node) { return s.nodes.cell(node); });
    return graph;
}

#endif
#if CAIRN_HAS_HNA

Result<IndexGraph> read_graph(const hna::Index& index, int level) {
    const hna::Snapshot& s = index.snapshot();
    if (level < 1 || level > s.top()) return tl::unexpected(no_level(level, s.top()));
    const mesh::Mesh& mesh = index.mesh();
    const hna::Hng hng(s.overlay, level);
    IndexGraph graph;
    graph.level = level;
    graph.levels = s.top();
    for (std::uint32_t v = 0; v < hng.size(); ++v) {
        const mesh::Link link = 2 * hng.portal(v);
        const mesh::Point p = mesh.midpoint(link);
        const mesh::Polygon a = mesh.polygon_of(link);
        const mesh::Polygon b = mesh.polygon_of(mesh::twin(link));
        int highest = level;
        while (highest < s.top() && index.cluster(highest + 1, a) != index.cluster(highest + 1, b))
            ++highest;
        graph.places.push_back({p.x, p.y, p.z});
        graph.ids.push_back(hng.portal(v));
        graph.node_levels.push_back(static_cast<std::uint8_t>(highest));
    }
    // An arc each way, and two pairs of them where two clusters share both portals.
    std::vector<std::tuple<std::uint32_t, std::uint32_t, Cost>> arcs;
    const hna::HngGraph own(s.overlay, hng);
    for (std::uint32_t side = 0; side < 2 * hng.size(); ++side) {
        own.for_each_arc(side, [&](std::uint32_t to, Cost cost) {
            if (to / 2 != side / 2 && cost < kInfinity)
                arcs.emplace_back(std::min(side, to) / 2, std::max(side, to) / 2, cost);
        });
    }
    std::sort(arcs.begin(), arcs.end());
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        const auto& [a, b, cost] = arcs[i];
        const bool again = i > 0 && std::get<0>(arcs[i - 1]) == a && std::get<1>(arcs[i - 1]) == b;
        if (!again) add_edge(graph, a, b, cost, GraphEdgeKind::intra);
    }
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p)
        graph.polygon_clusters.push_back(index.cluster(level, p));
    set_depths(graph, closure_of(s.labels),
               [&](std::uint32_t node) { return s.first_hng.portal(node); });
    return graph;
}

#endif

}  // namespace

Result<IndexGraph> graph_of(const AnyIndex& index, [[maybe_unused]] int level,
                            [[maybe_unused]] GraphAgent agent) noexcept try {
#if CAIRN_HAS_HPA
    if (const auto* const own = index.as<hpa::Planner>()) return read_graph(*own, level);
#endif
#if CAIRN_HAS_HAA
    if (const auto* const own = index.as<haa::Planner>())
        return own->view({agent.capability, agent.size}).and_then([&](const hpa::Index& view) {
            return read_graph(view, level);
        });
#endif
#if CAIRN_HAS_SUBGOAL
    if (const auto* const own = index.as<subgoal::Planner>()) return read_graph(*own, level);
#endif
#if CAIRN_HAS_HNA
    if (const auto* const own = index.as<hna::Planner>()) return read_graph(*own, level);
#endif
    return fail(StatusCode::unsupported,
                fmt::format("the planner {} has no index", index.planner().name));
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
