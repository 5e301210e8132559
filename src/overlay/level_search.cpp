#include "overlay/level_search.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace cairn {

void LevelSearch::begin(const Overlay& overlay, const Task& task) {
    overlay_ = &overlay;
    task_ = task;
    area_ = task.confine == kNoCluster ? grid::Rect{0, 0, overlay.map.width(), overlay.map.height()}
                                       : overlay.partition.rect(task.level + 1, task.confine);
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

LevelSearch::State LevelSearch::advance(std::uint64_t budget) {
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

void LevelSearch::expand(NodeKey key) {
    const int level = task_.level;
    const std::uint32_t cluster = overlay_->cluster_of_key(level, key);
    const std::uint32_t entry = overlay_->slot_of_key(level, key);
    const ClusterView view = overlay_->cluster(level, cluster);
    Node& node = nodes_[key];
    // An improved entry is queued again; the older copy finds the mark of the newer.
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
        const Cost cost = view.cost(entry, slot);
        if (cost < kInfinity) leave(view, slot, distance + cost, key);
    }
}

// Takes every inter-edge of a node that stays inside the search area.
void LevelSearch::leave(const ClusterView& view, std::uint32_t slot, Cost distance,
                        NodeKey parent) {
    const int level = task_.level;
    const grid::Map& map = overlay_->map;
    const grid::Cell from = view.base(slot);
    for (std::uint32_t crossings = view.crossings(slot); crossings != 0;
         crossings &= crossings - 1) {
        const int direction = std::countr_zero(crossings);
        const Cost reached_at = distance + map.move_cost(from, direction);
        if (reached_at >= best_) continue;
        const grid::Cell to = map.step(from, direction);
        const grid::Point p = map.point(to);
        if (!inside(area_, p)) continue;

        const std::uint32_t target = overlay_->partition.cluster(level, p);
        const NodeKey key = overlay_->key(level, target, overlay_->cluster(level, target).find(to));
        Node& node = nodes_[key];
        if (node.stamp == stamp_ && node.distance <= reached_at) continue;
        node = {stamp_, reached_at, parent, slot};
        const Cost f = task_.goal.cluster == kNoCluster
                           ? reached_at
                           : reached_at + map.distance_bound(p, task_.goal_point);
        if (f >= best_) continue;
        push(key, f);
    }
}

void LevelSearch::push(NodeKey key, Cost f) {
    heap_.push_back(static_cast<std::uint64_t>(f) << 32 | key);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
    ++statistics_.generated;
}

void LevelSearch::append_path(std::vector<grid::Cell>& nodes) const {
    const int level = task_.level;
    trail_.clear();
    for (NodeKey key = last_; key != kFromStart; key = nodes_[key].parent) trail_.push_back(key);

    std::uint32_t cluster = task_.start.cluster;
    for (auto key = trail_.rbegin(); key != trail_.rend(); ++key) {
        const ClusterView left = overlay_->cluster(level, cluster);
        const grid::Cell exit = left.base(nodes_[*key].parent_slot & ~kExpanded);
        if (nodes.empty() || nodes.back() != exit) nodes.push_back(exit);
        cluster = overlay_->cluster_of_key(level, *key);
        nodes.push_back(overlay_->cluster(level, cluster).base(overlay_->slot_of_key(level, *key)));
    }
}

Cost LevelSearch::exit_cost(std::uint32_t cluster, std::uint32_t slot) const {
    const ClusterView view = overlay_->cluster(task_.level, cluster);
    Cost cost = cluster == task_.start.cluster ? task_.start.costs[slot] : kInfinity;
    for (std::uint32_t entry = 0; entry < view.count(); ++entry) {
        const NodeKey key = overlay_->key(task_.level, cluster, entry);
        if (reached(key)) cost = std::min(cost, nodes_[key].distance + view.cost(entry, slot));
    }
    return cost;
}

}  // namespace cairn
