#include "subgoal/engines.hpp"

#include "core/labels/earlier_labels.hpp"
#include "core/parallel_loop.hpp"
#include "subgoal/octants.hpp"
#include "subgoal/taut_graph.hpp"

namespace cairn::subgoal {
namespace {

// The paper's property P: p and q are h-reachable. `length` is that of a path on the map, by way of
// the contracted subgoal. So P holds if it equals the octile distance.
ExtraEdgeProperty h_reachable_property(const Snapshot& snapshot,
                                       const std::vector<grid::Cell>& cells) {
    if (snapshot.options.extra_edges == ExtraEdges::none) return {};
    return [&](std::uint32_t p, std::uint32_t q, Cost length) {
        const grid::Map& map = snapshot.map;
        return length == map.distance_bound(map.point(cells[p]), map.point(cells[q]));
    };
}

}  // namespace

Status add_connectors(Snapshot& snapshot, const BuildControl& control) {
    const bool prune = snapshot.options.prune;
    const std::vector<Octants> useful =
        prune ? useful_octants(snapshot.bits)
              : std::vector<Octants>(snapshot.bits.count(), kAllOctants);
    snapshot.nodes = Nodes(snapshot.bits, useful);
    snapshot.diagonals = DiagonalBits(snapshot.bits);
    auto connectors =
        ConnectorTable::build(snapshot.bits, snapshot.diagonals, snapshot.nodes, control);
    if (connectors) {
        snapshot.connectors = std::move(*connectors);
    } else if (connectors.error().code != StatusCode::too_large) {
        return connectors.error();
    }
    return {};
}

void find_turns(const Snapshot& snapshot, Engines& engines) {
    const bool extra_edges = snapshot.options.levels != 1;
    if (snapshot.options.edges == Edges::direct && !extra_edges) return;
    engines.turns =
        EdgeTurns(snapshot.map, snapshot.bits, snapshot.diagonals, engines.levels, snapshot.nodes);
}

Result<Engines> build_engines(const Snapshot& snapshot, const BuildControl& control) {
    // The progress when a step ends: the share of the whole time that it has taken by then.
    const bool with_labels = snapshot.options.labels;
    const double labels_from = snapshot.options.levels == 1 ? 0.1 : 0.6;
    Engines engines;
    auto graph = taut_graph(snapshot);
    if (!graph) return tl::unexpected(graph.error());
    engines.taut_edges = graph->num_arcs() / 2;
    if (control.cancelled()) return fail(StatusCode::cancelled);
    const std::vector<grid::Cell> cells = snapshot.nodes.cells();
    NLevelOptions level_options;
    level_options.max_levels = snapshot.options.levels;
    level_options.order = snapshot.options.order;
    auto levels = NLevelGraph::build(*graph, level_options, h_reachable_property(snapshot, cells),
                                     part_of(control, 0, with_labels ? labels_from : 1));
    if (!levels) return tl::unexpected(levels.error());
    engines.levels = std::move(*levels);
    find_turns(snapshot, engines);
    if (!with_labels) {
        engines.labels_status = {StatusCode::unsupported, "the options ask for no labels"};
        return engines;
    }
    std::vector<NodePoint> points;
    points.reserve(cells.size());
    for (const grid::Point p : snapshot.nodes.points()) points.push_back({p.x, p.y});
    const Engines* const earlier = snapshot.earlier.engines.get();
    const bool has_earlier = earlier != nullptr && earlier->has_labels();
    auto labels = build_labels(
        *graph, points, has_earlier ? &earlier->labels : nullptr,
        [&](std::span<std::uint32_t> old_node) {
            match_earlier(cells, snapshot.earlier.nodes.cells(), 0, old_node);
        },
        snapshot.options.label_bytes, part_of(control, labels_from, 1));
    if (labels) {
        engines.labels = std::move(*labels);
        engines.labels_status = status_of_labels(engines.labels, snapshot.options.label_bytes);
    } else if (labels.error().code == StatusCode::too_large) {
        engines.labels_status = labels.error();
        if (control.progress) control.progress(1);
    } else {
        return tl::unexpected(labels.error());
    }
    return engines;
}

}  // namespace cairn::subgoal
