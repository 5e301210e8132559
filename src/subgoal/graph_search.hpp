#pragma once
// A* on the simple subgoal graph as it is stored, so on any snapshot (section 15.3.2).

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/grid/path.hpp"
#include "core/open_heap.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

/// Resumable. One per thread; memory for each subgoal of the largest graph is kept.
///
/// Ties: of equal f the larger g is expanded first; of equal paths the one met first wins.
class GraphSearch {
public:
    /// Prepares a search for paths that cost less than `bound`; connectors by subgoal number, as
    /// connect_all gives them. The snapshot must outlive it.
    void begin(const Snapshot& snapshot, grid::Point goal, std::span<const Connector> from,
               std::span<const Connector> to, Cost bound);
    /// Expands up to `budget` subgoals more; true if that was not enough.
    bool advance(std::uint64_t budget);

    /// After the end: the least cost below the bound; kInfinity if there is none.
    [[nodiscard]] Cost cost() const noexcept { return last_ == kNone ? kInfinity : best_; }
    /// After the end, appends the cells of the subgoals on that path.
    void append_path(std::vector<grid::Cell>& out) const;
    [[nodiscard]] const grid::SearchStatistics& statistics() const noexcept { return statistics_; }

private:
    static constexpr std::uint32_t kNone = 0x7fff'ffff;
    static constexpr std::uint32_t kClosed = 0x8000'0000;
    struct Node {
        std::uint32_t stamp = 0;
        Cost g = 0;
        std::uint32_t parent = 0;  ///< kNone for a start; and kClosed
        Cost to_goal = 0;          ///< by a goal connector
        grid::Cell cell = 0;
    };

    Node& touch(std::uint32_t node) noexcept {
        Node& n = nodes_[node];
        if (n.stamp != stamp_) n = {stamp_, kInfinity, kNone, kInfinity, 0};
        return n;
    }
    void reach(std::uint32_t node, grid::Point p, Cost g, std::uint32_t parent);

    const Snapshot* snapshot_ = nullptr;
    grid::Point goal_;
    std::uint32_t stamp_ = 0;
    Cost best_ = 0;  ///< only cheaper paths are still wanted
    std::uint32_t last_ = kNone;
    std::vector<Node> nodes_;
    OpenHeap open_;
    grid::SearchStatistics statistics_;
};

}  // namespace cairn::subgoal
