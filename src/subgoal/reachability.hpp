#pragma once
// Which cells a start can reach, for choosing a goal among many: by components of the subgoal
// graph, found once for a snapshot.

#include <cstdint>
#include <vector>

#include "cairn/grid/line.hpp"
#include "core/memory.hpp"
#include "subgoal/connectors.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

class Reachability {
public:
    /// Takes a start, a free cell. O(subgoal graph) where the snapshot is another one than last
    /// time.
    void start_from(const Snapshot& snapshot, grid::Cell start);

    /// Whether a path leads from the start to `cell`. O(surroundings of the cell).
    [[nodiscard]] bool reaches(const Snapshot& snapshot, grid::Cell cell);

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(component_, open_, start_end_, end_, h_reach_);
    }

private:
    static constexpr std::uint32_t kNone = 0xffff'ffff;

    void find_components(const Snapshot& snapshot);
    /// The component of a cell's subgoals; kNone if it is none and sees none.
    [[nodiscard]] std::uint32_t component_of(const Snapshot& snapshot, grid::Cell cell,
                                             const Endpoint& end) const;

    std::uint64_t snapshot_id_ = 0;
    std::vector<std::uint32_t> component_;  // per subgoal
    std::vector<grid::Cell> open_;
    grid::Cell start_ = grid::kNoCell;
    Endpoint start_end_;
    Endpoint end_;
    grid::HReach h_reach_;
};

}  // namespace cairn::subgoal
