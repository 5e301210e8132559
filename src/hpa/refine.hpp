#pragma once
// The refine step: from an abstract path down, level by level, to cells (HPA* paper, sections 3.2.2
// and 3.4).

#include <span>
#include <vector>

#include "cairn/grid/path.hpp"
#include "grid/local_search.hpp"
#include "hpa/connect.hpp"
#include "hpa/snapshot.hpp"
#include "overlay/level_search.hpp"

namespace cairn::hpa {

/// Replaces abstract edges by paths of the level below. Never backtracks: every edge's path is
/// known to exist in the snapshot that it came from (CHECKLIST A3.7). One per thread.
class Refine {
public:
    /// One abstract edge or connection to refine: from a node or S to a node or G, all of one
    /// level.
    struct Leg {
        grid::Cell from = grid::kNoCell;  ///< node, or kNoCell for S
        grid::Cell to = grid::kNoCell;    ///< node, or kNoCell for G
    };

    /// Appends to `nodes` the nodes of `level` - 1 that lead along `leg`, a leg of `level` > 1: its
    /// first node left out, its last one included where that is not G. `start` and `goal` are
    /// connected up to `level`.
    void to_level_below(const Snapshot& snapshot, int level, Leg leg, const End& start,
                        const End& goal, std::vector<grid::Cell>& nodes,
                        grid::SearchStatistics& effort);

    /// Appends the cells of a leg of level 1, its first cell left out: a move across a border, or a
    /// shortest path inside a cluster, by its move table or one search.
    void to_cells(const Snapshot& snapshot, Leg leg, const End& start, const End& goal,
                  std::vector<grid::Cell>& cells, grid::SearchStatistics& effort);

private:
    Terminal node_terminal(const Overlay& overlay, int level, grid::Cell node,
                           std::vector<Cost>& costs);
    void walk_table(const Snapshot& snapshot, std::uint32_t cluster, grid::Cell from,
                    grid::Cell node, std::vector<grid::Cell>& cells);
    void walk_search(const Snapshot& snapshot, std::uint32_t cluster, grid::Cell from,
                     grid::Cell to, std::vector<grid::Cell>& cells, grid::SearchStatistics& effort);

    LevelSearch search_;
    grid::LocalSearch local_;
    std::vector<Cost> from_costs_;
    std::vector<Cost> to_costs_;
};

}  // namespace cairn::hpa
