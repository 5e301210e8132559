#include "subgoal/engines.hpp"

#include "core/labels/earlier_labels.hpp"
#include "core/parallel_loop.hpp"
#include "subgoal/octants.hpp"

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

Result<Engines> begin_engines(const Snapshot& snapshot, const BuildControl& control) {
    Engines engines;
    engines.cells = subgoal_cells(snapshot.bits);
    engines.places.reserve(engines.cells.size());
    for (const grid::Cell cell : engines.cells) engines.places.push_back(snapshot.map.point(cell));
    engines.useful = snapshot.options.prune
                         ? useful_octants(snapshot.bits)
                         : std::vector<Octants>(engines.cells.size(), kAllOctants);
    engines.diagonals = DiagonalBits(snapshot.bits);
    auto connectors =
        ConnectorTable::build(snapshot.bits, engines.diagonals, engines.useful, control);
    if (connectors) {
        engines.connectors = std::move(*connectors);
    } else if (connectors.error().code != StatusCode::too_large) {
        return tl::unexpected(connectors.error());
    }
    return engines;
}

Result<Graph> taut_graph(const Snapshot& snapshot, const std::vector<grid::Cell>& cells,
                         const std::vector<Octants>& useful) {
    const grid::Map& map = snapshot.map;
    std::vector<std::uint32_t> first_out{0};
    std::vector<std::uint32_t> head;
    std::vector<Cost> weight;
    first_out.reserve(cells.size() + 1);
    for (std::uint32_t node = 0; node < cells.size(); ++node) {
        const grid::Point p = map.point(cells[node]);
        for (const grid::Cell cell : snapshot.graph.neighbours(p.x, p.y)) {
            const grid::Point q = map.point(cell);
            const std::uint32_t to = snapshot.bits.number(q.x, q.y);
            if (!is_taut(useful, node, to, octants_between(q.x - p.x, q.y - p.y))) continue;
            const Cost cost = map.distance_bound(p, q);
            if (cost == kInfinity) continue;  // no path can use it
            head.push_back(to);
            weight.push_back(cost);
        }
        first_out.push_back(static_cast<std::uint32_t>(head.size()));
    }
    return make_graph(std::move(first_out), std::move(head), std::move(weight));
}

void find_turns(const Snapshot& snapshot, Engines& engines) {
    const bool extra_edges = snapshot.options.levels != 1;
    if (snapshot.options.edges == Edges::direct && !extra_edges) return;
    engines.turns =
        EdgeTurns(snapshot.map, snapshot.bits, engines.diagonals, engines.levels, engines.places);
}

Result<Engines> build_engines(const Snapshot& snapshot, const Engines* earlier,
                              const BuildControl& control) {
    // The progress when a step ends: the share of the whole time that it has taken by then.
    const bool with_labels = snapshot.options.labels;
    const double begun = with_labels ? 0.05 : 0.5;
    const double labels_from = snapshot.options.levels == 1 ? begun + 0.1 : 0.6;
    auto built = begin_engines(snapshot, part_of(control, 0, begun));
    if (!built) return tl::unexpected(built.error());
    Engines& engines = *built;
    if (control.cancelled()) return fail(StatusCode::cancelled);
    auto graph = taut_graph(snapshot, engines.cells, engines.useful);
    if (!graph) return tl::unexpected(graph.error());
    engines.taut_edges = graph->num_arcs() / 2;
    if (control.cancelled()) return fail(StatusCode::cancelled);
    NLevelOptions level_options;
    level_options.max_levels = snapshot.options.levels;
    level_options.order = snapshot.options.order;
    auto levels =
        NLevelGraph::build(*graph, level_options, h_reachable_property(snapshot, engines.cells),
                           part_of(control, begun, with_labels ? labels_from : 1));
    if (!levels) return tl::unexpected(levels.error());
    engines.levels = std::move(*levels);
    find_turns(snapshot, engines);
    if (!with_labels) {
        engines.labels_status = {StatusCode::unsupported, "the options ask for no labels"};
        return built;
    }
    std::vector<NodePoint> points;
    points.reserve(engines.places.size());
    for (const grid::Point p : engines.places) points.push_back({p.x, p.y});
    const bool has_earlier = earlier != nullptr && earlier->has_labels();
    auto labels = build_labels(
        *graph, points, has_earlier ? &earlier->labels : nullptr,
        [&](std::span<std::uint32_t> old_node) {
            match_earlier(engines.cells, earlier->cells, 0, old_node);
        },
        snapshot.options.label_bytes, part_of(control, labels_from, 1));
    if (labels) {
        engines.labels = std::move(*labels);
    } else if (labels.error().code == StatusCode::too_large) {
        engines.labels_status = labels.error();
        if (control.progress) control.progress(1);
    } else {
        return tl::unexpected(labels.error());
    }
    return built;
}

}  // namespace cairn::subgoal
