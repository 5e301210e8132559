#pragma once
// The refine step: from an abstract path down to cells (HPA* paper, sections 3.2.2 and 3.4).

#include <vector>

#include "cairn/grid/path.hpp"
#include "core/memory.hpp"
#include "hpa/connect.hpp"
#include "hpa/snapshot.hpp"
#include "overlay/refine.hpp"

namespace cairn::hpa {

/// Refines legs of any level. The path of a leg is known to exist. Use one per thread.
class Refine {
public:
    /// Refines legs of level 2 and above to legs of lower levels.
    [[nodiscard]] LevelRefine<GridBase>& levels() noexcept { return levels_; }

    /// Appends the cells of a leg of level 1 without its first cell. The leg is a move across a
    /// border, or a shortest path inside a cluster, found by a move table or by `inside`.
    static void to_cells(const Snapshot& snapshot, Leg leg, const Endpoint& start,
                         const Endpoint& goal, ClusterSearch& inside,
                         std::vector<grid::Cell>& cells, grid::SearchStatistics& effort);

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(levels_); }

private:
    LevelRefine<GridBase> levels_;
};

}  // namespace cairn::hpa
