#include "io/subgoal_index_validator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/index_parts.hpp"

namespace cairn::io {
namespace {

std::string at(const grid::Map& map, grid::Cell cell, std::string_view fault) {
    const grid::Point p = map.point(cell);
    return fmt::format("the subgoal at ({}, {}): {}", p.x, p.y, fault);
}

}  // namespace

std::string graph_fault(const subgoal::Snapshot& snapshot) {
    const auto right = subgoal::SubgoalGraph::build(snapshot.bits, snapshot.options.edges, {});
    if (!right) return right.error().message;
    for (std::size_t tile = 0; tile < right->tile_count(); ++tile) {
        const RecordStore::Record expected = right->records()[tile];
        const RecordStore::Record record = snapshot.graph.records()[tile];
        if (!std::equal(record.begin(), record.end(), expected.begin(), expected.end())) {
            return fmt::format("subgoal graph, tile {}: the edges are not those of the map", tile);
        }
    }
    return {};
}

std::string level_fault(const subgoal::Snapshot& snapshot, const subgoal::Engines& engines) {
    const NLevelArrays& arrays = engines.levels.arrays();
    const std::uint32_t most = snapshot.options.levels;
    if (arrays.levels.size() != engines.cells.size()) {
        return "n-level graph: there are not as many vertices as subgoals";
    }
    if (most != 0 && engines.levels.num_levels() > most) {
        return "n-level graph: there are more levels than the options ask for";
    }
    const grid::Map& map = snapshot.map;
    for (std::size_t v = 0; v < engines.cells.size(); ++v) {
        const std::uint32_t first = arrays.vertices[v].first;
        const grid::Point from = map.point(engines.cells[v]);
        for (const NLevelArc& arc :
             arrays.arcs.subspan(first, arrays.vertices[v + 1].first - first)) {
            const grid::Point to = map.point(engines.cells[arc.head]);
            if (arc.head == v || arc.weight != map.distance_bound(from, to)) {
                return at(map, engines.cells[v], "an arc of the n-level graph has a wrong length");
            }
        }
    }
    return {};
}

std::string label_fault(const subgoal::Snapshot& snapshot, const subgoal::Engines& engines) {
    const CutLabelArrays& arrays = engines.labels.arrays();
    if (const auto fault = label_fault(arrays, engines.cells.size()); !fault.empty()) {
        return fmt::format("cut labels: {}", fault);
    }
    const grid::Map& map = snapshot.map;
    for (std::uint32_t node = 0; node < engines.cells.size(); ++node) {
        const grid::Point p = map.point(engines.cells[node]);
        const auto edges = snapshot.graph.neighbours(p.x, p.y);
        const auto fault = label_node_fault(arrays, node, [&](std::uint32_t other) {
            return std::binary_search(edges.begin(), edges.end(), engines.cells[other]);
        });
        if (!fault.empty()) {
            return at(map, engines.cells[node], fmt::format("cut labels: {}", fault));
        }
    }
    return {};
}

}  // namespace cairn::io
