#include "index_file/subgoal_validator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "index_file/frame.hpp"

namespace cairn::index_file {
namespace {

std::string at(const grid::Map& map, grid::Cell cell, std::string_view fault) {
    const grid::Point p = map.point(cell);
    return fmt::format("the subgoal at ({}, {}): {}", p.x, p.y, fault);
}

std::string at_tile(std::size_t tile, std::string_view fault) {
    return fmt::format("subgoal graph, tile {}: {}", tile, fault);
}

std::string direct_fault(const subgoal::SubgoalGraph& graph, const subgoal::SubgoalGraph& right) {
    for (std::size_t tile = 0; tile < right.tile_count(); ++tile) {
        const RecordStore::Record expected = right.records()[tile];
        const RecordStore::Record record = graph.records()[tile];
        if (!std::equal(record.begin(), record.end(), expected.begin(), expected.end())) {
            return at_tile(tile, "the edges are not those of the map");
        }
    }
    return {};
}

// Whether the nodes of a tile's record are subgoals.
bool are_subgoals(const subgoal::SubgoalBits& bits, grid::Point corner,
                  RecordStore::Record record) {
    constexpr int kSide = subgoal::SubgoalGraph::kTileSide;
    const auto nodes = record.empty() ? record : record.subspan(1, record[0]);
    return std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t node) {
        const int local = static_cast<int>(node & 0xff);
        const int x = corner.x + local % kSide;
        const int y = corner.y + local / kSide;
        return x < bits.width() && y < bits.height() && bits.is_subgoal(x, y);
    });
}

// All h-reachable edges can be a great many more than a file that lies about its options has: they
// are found one subgoal after the other, up to the first fault.
std::string h_reachable_fault(const subgoal::Snapshot& snapshot,
                              const subgoal::SubgoalGraph& direct) {
    const subgoal::SubgoalGraph& graph = snapshot.graph;
    std::size_t nodes = 0;
    for (std::size_t tile = 0; tile < graph.tile_count(); ++tile) {
        const RecordStore::Record record = graph.records()[tile];
        if (!subgoal::SubgoalGraph::well_formed(record)) {
            return at_tile(tile, "its record has a wrong shape");
        }
        if (!are_subgoals(snapshot.bits, snapshot.graph.tile_corner(tile), record)) {
            return at_tile(tile, "the nodes are not the subgoals of the map");
        }
        nodes += record.empty() ? 0 : record[0];
    }
    if (nodes != snapshot.bits.count()) return "subgoal graph: there are subgoals missing";
    subgoal::HReachableEdges wider(snapshot.bits, direct);
    std::vector<std::uint32_t> expected;
    for (const grid::Cell cell : subgoal::subgoal_cells(snapshot.bits)) {
        const grid::Point p = snapshot.map.point(cell);
        wider.find(p.x, p.y, expected);
        const auto edges = graph.neighbours(p.x, p.y);
        if (!std::equal(edges.begin(), edges.end(), expected.begin(), expected.end())) {
            return at(snapshot.map, cell, "the edges are not those of the map");
        }
    }
    return {};
}

}  // namespace

std::string graph_fault(const subgoal::Snapshot& snapshot) {
    const auto direct = subgoal::SubgoalGraph::build(snapshot.bits, subgoal::Edges::direct, {});
    if (!direct) return direct.error().message;
    return snapshot.options.edges == subgoal::Edges::direct ? direct_fault(snapshot.graph, *direct)
                                                            : h_reachable_fault(snapshot, *direct);
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

}  // namespace cairn::index_file
