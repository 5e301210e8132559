#include "subgoal/engines.hpp"

#include "core/labels/planner_labels.hpp"
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

namespace {

Result<Engines> build_engines(const Snapshot& snapshot, const Graph& graph,
                              const std::vector<grid::Cell>& cells, const BuildControl& control) {
    Engines engines;
    engines.taut_edges = graph.num_arcs() / 2;
    NLevelOptions options;
    options.max_levels = snapshot.options.levels;
    options.order = snapshot.options.order;
    auto levels =
        NLevelGraph::build(graph, options, h_reachable_property(snapshot, cells), control);
    if (!levels) return tl::unexpected(levels.error());
    engines.levels = std::move(*levels);
    find_turns(snapshot, engines);
    return engines;
}

std::uint64_t most_label_bytes(const Snapshot& snapshot) {
    return cairn::most_label_bytes(snapshot.options.label_bytes, snapshot.map.size());
}

Status keep_labels(Snapshot& snapshot, Result<CutLabels> labels) {
    if (labels) {
        snapshot.labels = std::move(*labels);
        snapshot.labels_status = status_of_labels(snapshot.labels, most_label_bytes(snapshot));
        return {};
    }
    if (labels.error().code != StatusCode::too_large) return std::move(labels.error());
    snapshot.labels = {};
    snapshot.labels_status = std::move(labels.error());
    return {};
}

Status add_labels(Snapshot& snapshot, const Graph& graph, const BuildControl& control) {
    if (snapshot.options.labels) {
        return keep_labels(snapshot, build_labels(graph, snapshot.nodes.node_points(),
                                                  most_label_bytes(snapshot), control));
    }
    snapshot.labels = {};
    snapshot.labels_status = {StatusCode::unsupported, "the options ask for no labels"};
    return {};
}

}  // namespace

Status repair_labels(Snapshot& snapshot, const BuildControl& control) {
    return keep_labels(snapshot,
                       repaired_labels(snapshot.labels, most_label_bytes(snapshot), control));
}

Status complete(Snapshot& snapshot, const BuildControl& control) {
    // The progress when a step ends: the share of the whole time that it has taken by then.
    const double labels_from = snapshot.options.levels == 1 ? 0.1 : 0.6;
    const auto graph = taut_graph(snapshot);
    if (!graph) return graph.error();
    if (control.cancelled()) return {StatusCode::cancelled, {}};
    const std::vector<grid::Cell> cells = snapshot.nodes.cells();
    auto engines = build_engines(snapshot, *graph, cells,
                                 part_of(control, 0, snapshot.options.labels ? labels_from : 1));
    if (!engines) return std::move(engines.error());
    if (Status s = add_labels(snapshot, *graph, part_of(control, labels_from, 1)); !s.ok())
        return s;
    snapshot.engines = std::make_shared<const Engines>(std::move(*engines));
    if (control.progress) control.progress(1);
    return {};
}

}  // namespace cairn::subgoal
