#pragma once
// The refine step (section 15.4.2): from the stops of a path (S, its subgoals, G) to all its cells.

#include <span>
#include <vector>

#include "cairn/grid/line.hpp"
#include "core/memory.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

/// Replaces `cells` by the cells of a path. Each part between two stops is followed diagonally
/// first, the last one straight first, because G's connectors are found from G. All that must be
/// free, and is not tested. False, and `cells` unchanged, if the parts' lengths do not add up to
/// `cost`: then the index contradicts itself. O(path).
[[nodiscard]] bool follow_lines(const grid::Map& map, std::span<const grid::Point> stops, Cost cost,
                                std::vector<grid::Cell>& cells);

/// Refines paths over edges between h-reachable cells. Follows each edge along a free line with at
/// most one turn, or else along any path of octile length. One object per thread.
class Refine {
public:
    /// Replaces `cells` by the cells of the path. False if an edge is not h-reachable: then the
    /// index contradicts itself.
    [[nodiscard]] bool run(const Snapshot& snapshot, std::span<const grid::Point> stops,
                           std::vector<grid::Cell>& cells);

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(h_reach_); }

private:
    [[nodiscard]] bool add_edge(const Snapshot& snapshot, grid::Point from, grid::Point to,
                                std::vector<grid::Cell>& cells);

    grid::HReach h_reach_;
};

}  // namespace cairn::subgoal
