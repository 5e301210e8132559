#pragma once
// Search on one level of an overlay, over the whole level or confined to one cluster of the level
// above.
//
// The search runs over entries: nodes reached by an inter-edge. Taking one off the open list
// crosses its cluster to every node (one row of the cost matrix) and leaves through those nodes'
// inter-edges. Crossing a cluster twice in a row never pays, since its costs are shortest paths, so
// the nodes in between need not be queued.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/grid/path.hpp"
#include "overlay/overlay.hpp"

namespace cairn {

inline constexpr std::uint32_t kNoCluster = 0xffff'ffff;

/// One end of a search: the cluster it lies in and its cost to or from each node of it (kInfinity
/// where there is none).
struct Terminal {
    std::uint32_t cluster = kNoCluster;
    std::span<const Cost> costs;
};

class LevelSearch {
public:
    struct Task {
        int level = 1;
        /// Stay inside this cluster of level + 1, or kNoCluster for the whole level.
        std::uint32_t confine = kNoCluster;
        Terminal start;
        /// Without a goal cluster the search settles everything it may reach (`exit_costs` reads
        /// the result).
        Terminal goal;
        grid::Point goal_point;  ///< for the heuristic
        Cost bound = kInfinity;  ///< only paths cheaper than this are wanted
    };
    enum class State : std::uint8_t { running, found, exhausted };

    /// Prepares a search; `advance` runs it. The overlay must outlive the search.
    void begin(const Overlay& overlay, const Task& task);

    /// Expands up to `budget` entries more.
    State advance(std::uint64_t budget = std::numeric_limits<std::uint64_t>::max());

    /// After found: the path's cost, below the task's bound.
    [[nodiscard]] Cost cost() const noexcept { return best_; }
    /// After found: appends the base nodes of the path's abstract nodes, terminals excluded.
    void append_path(std::vector<grid::Cell>& nodes) const;

    /// After exhausted, for a task without goal: the cost to a node of the task's level.
    [[nodiscard]] Cost exit_cost(std::uint32_t cluster, std::uint32_t slot) const;

    [[nodiscard]] const grid::SearchStatistics& statistics() const noexcept { return statistics_; }

private:
    struct Node {
        std::uint32_t stamp = 0;
        Cost distance = 0;
        NodeKey parent = 0;  // entry from which its cluster was crossed, or kFromStart
        std::uint32_t parent_slot =
            0;  // slot, in the parent's cluster, of the node it left through; and kExpanded
    };
    static constexpr NodeKey kFromStart = 0xffff'ffff;
    static constexpr std::uint32_t kExpanded = 0x8000'0000;

    void expand(NodeKey key);
    void leave(const ClusterView& view, std::uint32_t slot, Cost distance, NodeKey parent);
    void push(NodeKey key, Cost f);
    [[nodiscard]] bool reached(NodeKey key) const noexcept { return nodes_[key].stamp == stamp_; }

    const Overlay* overlay_ = nullptr;
    Task task_;
    grid::Rect area_;
    std::uint32_t stamp_ = 0;
    Cost best_ = kInfinity;
    NodeKey last_ = kFromStart;
    std::vector<Node> nodes_;
    std::vector<std::uint64_t> heap_;  // f << 32 | key
    mutable std::vector<NodeKey> trail_;
    grid::SearchStatistics statistics_;
};

}  // namespace cairn
