#pragma once
// The refine step (section 15.4.2): from the stops of a path, which are S, subgoals and G, to all
// its cells.

#include <span>
#include <vector>

#include "cairn/grid/line.hpp"
#include "core/memory.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

/// Follows direct edges, whose moves cannot be blocked, so nothing is tested. Writes all cells of
/// the path to `cells`, replacing its contents. Each edge is followed diagonally first, but the
/// last one straight first, as G's connectors are reached from G. False, and nothing done, if the
/// edges' lengths do not add up to `cost`: then the index contradicts itself. O(path).
[[nodiscard]] bool follow_direct_edges(const grid::Map& map, std::span<const grid::Point> stops,
                                       Cost cost, std::vector<grid::Cell>& cells);

/// Edges that need only be h-reachable: a free line with one turn, or what a search finds. One per
/// thread.
class Refine {
public:
    /// Into `cells` (replacing what is there) all cells of the path. False if an edge is not
    /// h-reachable: the index contradicts itself.
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
