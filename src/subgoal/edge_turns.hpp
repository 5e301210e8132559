#pragma once
// Where the paths of an N-level graph turn. The edges of the subgoal graph are free in any order of
// their moves. Extra edges join h-reachable subgoals: some order of their moves is free, but not
// every one. So that refining need not test them, building does.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/grid/moves.hpp"
#include "cairn/n_level_graph.hpp"
#include "subgoal/line_test.hpp"
#include "subgoal/nodes.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

/// Immutable; const members may be called from any thread.
class EdgeTurns {
public:
    /// For a graph without extra edges.
    EdgeTurns() = default;
    /// The most cells swept for each cell of the map. Graphs of real maps needed at most a third of
    /// them; without a limit a forged file could take hours to read.
    static constexpr std::uint64_t kMostSwept = 4096;

    /// Tests the edges of `levels`, a graph of `nodes`. Two bits an arc; for an edge whose
    /// path turns more than once also 8 bytes, and 4 a turn. Time: four scans along lines an edge,
    /// and a sweep over the cells between the ends of those that turn more than once, 64 cells at a
    /// time. Edges beyond `most_swept` are left out.
    EdgeTurns(const grid::Map& map, const SubgoalBits& bits, const DiagonalBits& diagonals,
              const NLevelGraph& levels, const Nodes& nodes, std::uint64_t most_swept = kMostSwept);

    /// An edge of a path.
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
    };
    /// Appends the turns of a free path of octile length along an edge of `levels`, and then the
    /// edge's end. Every part of it is then free diagonally first. False, and no turns, if no such
    /// path is known: the edge is not h-reachable, and the index contradicts itself, or the
    /// constructor had to leave it out. O(arcs of a node).
    [[nodiscard]] bool append(const grid::Map& map, const NLevelGraph& levels, const Nodes& nodes,
                              Edge edge, std::vector<grid::Point>& stops) const;

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    /// The free lines of an edge, from the node that it belongs to: a bit each.
    static constexpr unsigned kDiagonalFirst = 1;
    static constexpr unsigned kStraightFirst = 2;
    static constexpr std::uint32_t kArcsInByte = 4;

    [[nodiscard]] unsigned lines(std::uint32_t arc) const noexcept {
        return free_[arc / kArcsInByte] >> 2 * (arc % kArcsInByte) & 3U;
    }
    /// The turns of an edge that has no free line; empty if they are not known.
    [[nodiscard]] std::span<const grid::Cell> turns(std::uint32_t arc) const noexcept;

    // An edge between two nodes of a level has two arcs. Only one of them is used here.
    std::vector<std::uint8_t> free_;      // lines() of four arcs a byte; empty: all are free
    std::vector<std::uint32_t> winding_;  // the arcs with turns in turns_, in ascending order
    std::vector<std::uint32_t> first_;    // per winding arc, and one more: its first turn
    std::vector<grid::Cell> turns_;
};

}  // namespace cairn::subgoal
