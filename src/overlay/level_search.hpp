#pragma once
// A* on one level of an overlay, over the whole level or confined to one cluster of the level
// above. Without a goal it is Dijkstra's algorithm.
//
// The search expands entries: nodes reached by an inter-edge. An expansion crosses the entry's
// cluster to every node of it (one row of the cost matrix) and leaves by these nodes' inter-edges
// to the next entries. The costs of a cluster are those of shortest paths inside it, so two
// intra-edges in a row are never needed: only entries are queued. A path without an inter-edge is
// not found; the caller knows its cost and passes it as the bound. A backward search goes against
// the direction of all moves.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/search_statistics.hpp"
#include "core/memory.hpp"
#include "core/nearest_open.hpp"
#include "core/search_observer.hpp"
#include "overlay/overlay.hpp"

namespace cairn {

/// The start or goal of a search: its cluster, and by slot the cost from the start to each node of
/// the cluster, or from each node to the goal (kInfinity if there is no path).
struct Terminal {
    std::uint32_t cluster = kNoCluster;
    std::span<const Cost> costs;
};

/// One per thread. Its memory is kept from search to search.
template <BaseGraph Base>
class LevelSearch {
public:
    struct Task {
        int level = 1;
        /// Stay inside this cluster of level + 1, or kNoCluster for the whole level.
        std::uint32_t confine = kNoCluster;
        Terminal start;
        /// Without a goal cluster the search expands all that it reaches, for exit_cost().
        Terminal goal;
        typename Base::Place goal_place{};  ///< for the heuristic
        Cost bound = kInfinity;             ///< only paths cheaper than this are wanted
        /// For a task without a goal: searches against the direction of moves. The start's costs
        /// are then those from its cluster's nodes to it, and exit_cost() is a cost to the start.
        bool backward = false;
    };
    enum class State : std::uint8_t { running, found, exhausted };

    /// Prepares a search; `advance` runs it. The overlay must outlive the search.
    void begin(const Overlay<Base>& overlay, const Task& task) {
        begin(overlay, task, NoObserver());
    }
    /// `observer`: see core/trace_recorder.hpp. Its nodes are the base nodes of entries.
    template <class Observer>
    void begin(const Overlay<Base>& overlay, const Task& task, const Observer& observer);

    /// Expands up to `budget` more entries.
    State advance(std::uint64_t budget = std::numeric_limits<std::uint64_t>::max()) {
        return advance(budget, NoObserver());
    }
    template <class Observer>
    State advance(std::uint64_t budget, const Observer& observer);

    /// Whether a path was found; after running there may be a cheaper one.
    [[nodiscard]] bool found() const noexcept { return last_ != kFromStart; }
    /// If one was found: the path's cost, below the task's bound.
    [[nodiscard]] Cost cost() const noexcept { return best_; }
    /// If one was found: the base node of the path's last entry.
    [[nodiscard]] std::uint32_t last_entry() const { return base_of(last_); }
    /// If one was found: appends the base nodes of the path's abstract nodes, without start and
    /// goal.
    void append_path(std::vector<std::uint32_t>& nodes) const { append_path_to(last_, nodes); }

    /// After running: no path of the level costs less.
    [[nodiscard]] Cost lower_bound() const noexcept {
        return heap_.empty() ? best_ : std::min(best_, static_cast<Cost>(heap_.front() >> 32));
    }
    /// After running: appends the base nodes of the path to the open entry nearest the goal,
    /// without the start.
    void append_partial_path(std::vector<std::uint32_t>& nodes) const;

    /// After exhausted, for a task without a goal: the cost to a node of the task's level.
    [[nodiscard]] Cost exit_cost(std::uint32_t cluster, std::uint32_t slot) const;

    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return statistics_; }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(nodes_, heap_, trail_); }

private:
    /// An entry.
    struct Node {
        std::uint32_t stamp = 0;  // differs from stamp_: not reached in this search
        Cost distance = 0;        // from the start
        NodeKey parent = 0;       // the entry before it, or kFromStart
        // The slot of the node by which the search left the parent's cluster, and kExpanded.
        std::uint32_t parent_slot = 0;
    };
    static constexpr NodeKey kFromStart = 0xffff'ffff;
    static constexpr std::uint32_t kExpanded = 0x8000'0000;

    void append_path_to(NodeKey last, std::vector<std::uint32_t>& nodes) const;
    template <class Observer>
    void expand(NodeKey key, Cost f, const Observer& observer);
    template <class Observer>
    void leave(const ClusterView& view, std::uint32_t slot, Cost distance, NodeKey parent,
               const Observer& observer);
    // The base node of an entry.
    [[nodiscard]] std::uint32_t base_of(NodeKey key) const {
        const int level = task_.level;
        const std::uint32_t cluster = overlay_->cluster_of_key(level, key);
        return overlay_->cluster(level, cluster).base(overlay_->slot_of_key(level, key));
    }
    [[nodiscard]] bool reached(NodeKey key) const noexcept { return nodes_[key].stamp == stamp_; }
    [[nodiscard]] bool backward() const noexcept {
        return overlay_->base.directed() && task_.backward;
    }
    // The cost of crossing a cluster from slot `a` to slot `b`, in the direction of the search.
    [[nodiscard]] Cost crossed(const ClusterView& view, std::uint32_t a,
                               std::uint32_t b) const noexcept {
        // Records of such a graph are never directed.
        if constexpr (kNeverDirected<Base>) return view.cost_both_ways(a, b);
        return backward() ? view.cost(b, a) : view.cost(a, b);
    }

    const Overlay<Base>* overlay_ = nullptr;
    Task task_;
    typename Base::Area area_{};  // where the search stays
    std::uint32_t stamp_ = 0;
    Cost best_ = kInfinity;               // of the best path so far, or the bound
    NodeKey last_ = kFromStart;           // the last entry of the best path; kFromStart if none
    std::vector<Node> nodes_;             // by NodeKey
    std::vector<std::uint64_t> heap_;     // the open list: f << 32 | key
    mutable std::vector<NodeKey> trail_;  // scratch of append_path
    SearchStatistics statistics_;
};

template <BaseGraph Base>
template <class Observer>
void LevelSearch<Base>::begin(const Overlay<Base>& overlay, const Task& task,
                              const Observer& observer) {
    observer.began();
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
        if (cost < kInfinity) leave(view, slot, cost, kFromStart, observer.on(task.level));
    }
}

template <BaseGraph Base>
template <class Observer>
typename LevelSearch<Base>::State LevelSearch<Base>::advance(std::uint64_t budget,
                                                             const Observer& observer) {
    while (!heap_.empty()) {
        const auto f = static_cast<Cost>(heap_.front() >> 32);
        if (f >= best_) break;
        if (budget-- == 0) return State::running;
        const auto key = static_cast<NodeKey>(heap_.front());
        statistics_.open_sum += heap_.size();
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
        heap_.pop_back();
        expand(key, f, observer.on(task_.level));
    }
    heap_.clear();
    return found() ? State::found : State::exhausted;
}

template <BaseGraph Base>
template <class Observer>
void LevelSearch<Base>::expand(NodeKey key, Cost f, const Observer& observer) {
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
    observer.expanded(view.base(entry), distance, f);
    if (cluster == task_.goal.cluster) {
        const Cost total = distance + task_.goal.costs[entry];
        if (total < best_) {
            best_ = total;
            last_ = key;
        }
    }
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        // Below best_, and therefore below kInfinity, so that costs of crossings can be added.
        const Cost cost = distance + crossed(view, entry, slot);
        if (cost < best_) leave(view, slot, cost, key, observer);
    }
}

// Relaxes a node's inter-edges inside the search area; `distance`: from the start to the node.
template <BaseGraph Base>
template <class Observer>
void LevelSearch<Base>::leave(const ClusterView& view, std::uint32_t slot, Cost distance,
                              NodeKey parent, const Observer& observer) {
    const int level = task_.level;
    const Base& base = overlay_->base;
    const std::uint32_t from = view.base(slot);
    const std::uint32_t crossings = view.crossings(slot);
    for (std::uint32_t c = backward() ? base.entries(crossings) : base.exits(crossings); c != 0;
         c &= c - 1) {
        const int crossing = std::countr_zero(c);
        const Cost distance_to = distance + base.crossing_cost(from, crossing);
        if (distance_to >= best_) continue;
        const std::uint32_t to = base.across(from, crossing);
        const typename Base::Place place = base.place(to);
        if (!base.contains(area_, place)) continue;

        const std::uint32_t target = base.cluster_at(level, place);
        const NodeKey key = overlay_->key(level, target, overlay_->cluster(level, target).find(to));
        Node& node = nodes_[key];
        if (node.stamp == stamp_ && node.distance <= distance_to) continue;
        node = {stamp_, distance_to, parent, slot};
        const Cost f = task_.goal.cluster == kNoCluster
                           ? distance_to
                           : distance_to + base.bound(place, task_.goal_place);
        if (f >= best_) continue;
        heap_.push_back(static_cast<std::uint64_t>(f) << 32 | key);
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
        ++statistics_.generated;
        if constexpr (!std::same_as<Observer, NoObserver>) {
            if (parent == kFromStart) {
                observer.generated(to, distance_to, f);
            } else {
                observer.generated(to, base_of(parent), distance_to, f);
            }
        }
    }
}

template <BaseGraph Base>
void LevelSearch<Base>::append_partial_path(std::vector<std::uint32_t>& nodes) const {
    NearestOpen nearest;
    for (const std::uint64_t entry : heap_) {
        const auto key = static_cast<NodeKey>(entry);
        const Node& node = nodes_[key];
        if ((node.parent_slot & kExpanded) != 0) continue;
        const Cost f = static_cast<Cost>(entry >> 32);
        nearest.offer(key, f - node.distance, node.distance);
    }
    if (nearest.node() != NearestOpen::kNone) append_path_to(nearest.node(), nodes);
}

template <BaseGraph Base>
void LevelSearch<Base>::append_path_to(NodeKey last, std::vector<std::uint32_t>& nodes) const {
    const int level = task_.level;
    trail_.clear();
    for (NodeKey key = last; key != kFromStart; key = nodes_[key].parent) trail_.push_back(key);

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
