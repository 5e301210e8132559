#pragma once
// Tests which cells a start can reach, to choose the nearest reachable goal. Uses the connected
// components of the subgoal graph, which are found once for each snapshot.

#include <cstdint>
#include <vector>

#include "cairn/grid/line.hpp"
#include "core/memory.hpp"
#include "subgoal/connectors.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

/// One object per thread. Call both functions with the same snapshot.
class Reachability {
public:
    /// Sets the start, a free cell. O(subgoal graph) if the snapshot is not that of the last call.
    void start_from(const Snapshot& snapshot, grid::Cell start);

    /// Whether a path leads from the start to `cell`, which may be blocked. O(its surroundings).
    [[nodiscard]] bool reaches(const Snapshot& snapshot, grid::Cell cell);

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(component_, open_, from_, to_, h_reach_);
    }

private:
    static constexpr std::uint32_t kNone = 0xffff'ffff;

    void find_components(const Snapshot& snapshot);
    /// The component of an endpoint; kNone if it is not a subgoal and has no connectors.
    [[nodiscard]] std::uint32_t component_of(const Snapshot& snapshot, const Endpoint& end) const;

    std::uint64_t snapshot_id_ = 0;
    std::vector<std::uint32_t> component_;  // per subgoal
    std::vector<grid::Cell> open_;          // subgoals to expand
    Endpoint from_;                         // the start
    Endpoint to_;                           // the last cell tested
    grid::HReach h_reach_;
};

}  // namespace cairn::subgoal
