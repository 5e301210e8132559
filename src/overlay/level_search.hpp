#pragma once
// Search on one level of an overlay, over the whole level or confined to one cluster of the level
// above.
//
// The search runs over entries: nodes reached by an inter-edge. Taking one off the open list
// crosses its cluster to every node (one row of the cost matrix) and leaves through those nodes'
// inter-edges. As the costs of a cluster are those of shortest paths, crossing it twice in a row is
// useless, so the nodes in between are not queued. A backward search does the same against the
// direction of all moves.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/search_statistics.hpp"
#include "core/memory.hpp"
#include "overlay/overlay.hpp"

namespace cairn {

/// The start or goal of a search: its cluster and the cost to or from each node of it (kInfinity
/// where there is no path).
struct Terminal {
    std::uint32_t cluster = kNoCluster;
    std::span<const Cost> costs;
};

template <BaseGraph Base>
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
        typename Base::Place goal_place{};  ///< for the heuristic
        Cost bound = kInfinity;             ///< only paths cheaper than this are wanted
        /// Searches against the direction of moves: the start's costs are those from its nodes to
        /// it, and the search finds costs to the start. For a task without goal.
        bool backward = false;
    };
    enum class State : std::uint8_t { running, found, exhausted };

    /// Prepares a search; `advance` runs it. The overlay must outlive the search.
    void begin(const Overlay<Base>& overlay, const Task& task);

    /// Expands up to `budget` entries more.
    State advance(std::uint64_t budget = std::numeric_limits<std::uint64_t>::max());

    /// After found: the path's cost, below the task's bound.
    [[nodiscard]] Cost cost() const noexcept { return best_; }
    /// After found: appends the base nodes of the path's abstract nodes, terminals excluded.
    void append_path(std::vector<std::uint32_t>& nodes) const;

    /// After exhausted, for a task without goal: the cost to a node of the task's level.
    [[nodiscard]] Cost exit_cost(std::uint32_t cluster, std::uint32_t slot) const;

    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return statistics_; }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(nodes_, heap_, trail_); }

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
    [[nodiscard]] bool backward() const noexcept {
        return overlay_->base.directed() && task_.backward;
    }
    // The cost of crossing a cluster from node `a`, in the direction of the search.
    [[nodiscard]] Cost crossed(const ClusterView& view, std::uint32_t a,
                               std::uint32_t b) const noexcept {
        // No record of such a graph is directed.
        if constexpr (kNeverDirected<Base>) return view.cost_both_ways(a, b);
        return backward() ? view.cost(b, a) : view.cost(a, b);
    }

    const Overlay<Base>* overlay_ = nullptr;
    Task task_;
    typename Base::Area area_{};
    std::uint32_t stamp_ = 0;
    Cost best_ = kInfinity;
    NodeKey last_ = kFromStart;
    std::vector<Node> nodes_;
    std::vector<std::uint64_t> heap_;  // f << 32 | key
    mutable std::vector<NodeKey> trail_;
    SearchStatistics statistics_;
};

template <BaseGraph Base>
void LevelSearch<Base>::begin(const Overlay<Base>& overlay, const Task& task) {
    overlay_ = &overlay;
    task_ = task;
    area_ = task.confine == kNoCluster ? overlay.base.everywhere()
                                       : overlay.base.area(task.level + 1, task.confine);
    const std::size_t keys = overlay.key_count(task.level);
    if (nodes_.size() < keys) nodes_.resize(keys);
    if (++stamp_ == 0) {
        std::fill(nodes_.begin(), nodes_.end(), Node{});
        stamp_ = 1;
    }
    heap_.clear();
    best_ = task.bound;
    last_ = kFromStart;
    statistics_ = {};

    const ClusterView view = overlay.cluster(task.level, task.start.cluster);
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        const Cost cost = task.start.costs[slot];
        if (cost < kInfinity) leave(view, slot, cost, kFromStart);
    }
}

template <BaseGraph Base>
typename LevelSearch<Base>::State LevelSearch<Base>::advance(std::uint64_t budget) {
    while (!heap_.empty()) {
        const auto f = static_cast<Cost>(heap_.front() >> 32);
        if (f >= best_) break;
        if (budget-- == 0) return State::running;
        const auto key = static_cast<NodeKey>(heap_.front());
        statistics_.open_sum += heap_.size();
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
        heap_.pop_back();
        expand(key);
    }
    heap_.clear();
    return last_ == kFromStart ? State::exhausted : State::found;
}

template <BaseGraph Base>
void LevelSearch<Base>::expand(NodeKey key) {
    const int level = task_.level;
    const std::uint32_t cluster = overlay_->cluster_of_key(level, key);
    const std::uint32_t entry = overlay_->slot_of_key(level, key);
    const ClusterView view = overlay_->cluster(level, cluster);
    Node& node = nodes_[key];
    // An improved entry is queued again; its older copy is skipped here.
    if ((node.parent_slot & kExpanded) != 0) return;
    node.parent_slot |= kExpanded;
    ++statistics_.expanded;

    const Cost distance = node.distance;
    if (cluster == task_.goal.cluster) {
        const Cost total = distance + task_.goal.costs[entry];
        if (total < best_) {
            best_ = total;
            last_ = key;
        }
    }
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        const Cost cost = crossed(view, entry, slot);
        if (cost < kInfinity) leave(view, slot, distance + cost, key);
    }
}

// Takes every inter-edge of a node that stays inside the search area.
template <BaseGraph Base>
void LevelSearch<Base>::leave(const ClusterView& view, std::uint32_t slot, Cost distance,
                              NodeKey parent) {
    const int level = task_.level;
    const Base& base = overlay_->base;
    const std::uint32_t from = view.base(slot);
    const std::uint32_t crossings = view.crossings(slot);
    for (std::uint32_t c = backward() ? base.entries(crossings) : base.exits(crossings); c != 0;
         c &= c - 1) {
        const int crossing = std::countr_zero(c);
        const Cost reached_at = distance + base.crossing_cost(from, crossing);
        if (reached_at >= best_) continue;
        const std::uint32_t to = base.across(from, crossing);
        const typename Base::Place place = base.place(to);
        if (!base.contains(area_, place)) continue;

        const std::uint32_t target = base.cluster_at(level, place);
        const NodeKey key = overlay_->key(level, target, overlay_->cluster(level, target).find(to));
        Node& node = nodes_[key];
        if (node.stamp == stamp_ && node.distance <= reached_at) continue;
        node = {stamp_, reached_at, parent, slot};
        const Cost f = task_.goal.cluster == kNoCluster
                           ? reached_at
                           : reached_at + base.bound(place, task_.goal_place);
        if (f >= best_) continue;
        push(key, f);
    }
}

template <BaseGraph Base>
void LevelSearch<Base>::push(NodeKey key, Cost f) {
    heap_.push_back(static_cast<std::uint64_t>(f) << 32 | key);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
    ++statistics_.generated;
}

template <BaseGraph Base>
void LevelSearch<Base>::append_path(std::vector<std::uint32_t>& nodes) const {
    const int level = task_.level;
    trail_.clear();
    for (NodeKey key = last_; key != kFromStart; key = nodes_[key].parent) trail_.push_back(key);

    std::uint32_t cluster = task_.start.cluster;
    for (auto key = trail_.rbegin(); key != trail_.rend(); ++key) {
        const ClusterView left = overlay_->cluster(level, cluster);
        const std::uint32_t exit = left.base(nodes_[*key].parent_slot & ~kExpanded);
        if (nodes.empty() || nodes.back() != exit) nodes.push_back(exit);
        cluster = overlay_->cluster_of_key(level, *key);
        nodes.push_back(overlay_->cluster(level, cluster).base(overlay_->slot_of_key(level, *key)));
    }
}

template <BaseGraph Base>
Cost LevelSearch<Base>::exit_cost(std::uint32_t cluster, std::uint32_t slot) const {
    const ClusterView view = overlay_->cluster(task_.level, cluster);
    Cost cost = cluster == task_.start.cluster ? task_.start.costs[slot] : kInfinity;
    for (std::uint32_t entry = 0; entry < view.count(); ++entry) {
        const NodeKey key = overlay_->key(task_.level, cluster, entry);
        if (reached(key)) {
            cost = std::min(cost, nodes_[key].distance + crossed(view, entry, slot));
        }
    }
    return cost;
}

}  // namespace cairn
