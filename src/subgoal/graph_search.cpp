#include "subgoal/graph_search.hpp"

#include <algorithm>

namespace cairn::subgoal {

using grid::Point;

void GraphSearch::begin(const Snapshot& snapshot, Point goal, std::span<const Connector> from,
                        std::span<const Connector> to, Cost bound) {
    snapshot_ = &snapshot;
    goal_ = goal;
    best_ = std::min(bound, kInfinity);
    last_ = kNone;
    open_.clear();
    statistics_ = {};
    if (nodes_.size() < snapshot.bits.count()) nodes_.resize(snapshot.bits.count());
    if (++stamp_ == 0) {
        std::fill(nodes_.begin(), nodes_.end(), Node{});
        stamp_ = 1;
    }
    for (const auto& [node, cost] : to) {
        Node& n = touch(node);
        n.to_goal = std::min(n.to_goal, cost);
    }
    for (const auto& [node, cost] : from) reach(node, snapshot.bits.point(node), cost, kNone);
}

bool GraphSearch::advance(std::uint64_t budget) {
    const grid::Map& map = snapshot_->map;
    for (std::uint32_t u = 0;;) {
        if (budget == 0) return open_.least_f() < best_;
        if (!open_.pop(u) || open_.least_f() >= best_) {
            open_.clear();
            return false;
        }
        Node& node = nodes_[u];
        if ((node.parent & kClosed) != 0) continue;  // was improved after it was pushed
        node.parent |= kClosed;
        --budget;
        ++statistics_.expanded;
        statistics_.open_sum += open_.size();
        const Point p = map.point(node.cell);
        const Cost g = node.g;
        for (const grid::Cell cell : snapshot_->graph.neighbours(p.x, p.y)) {
            const Point q = map.point(cell);
            const Cost there = g + map.distance_bound(p, q);
            if (there < best_) reach(snapshot_->bits.number(q.x, q.y), q, there, u);
        }
    }
}

void GraphSearch::reach(std::uint32_t node, Point p, Cost g, std::uint32_t parent) {
    Node& n = touch(node);
    if (g >= n.g || (n.parent & kClosed) != 0) return;
    const Cost f = g + snapshot_->map.distance_bound(p, goal_);
    if (f >= best_) return;
    n.g = g;
    n.parent = parent;
    n.cell = snapshot_->map.cell(p);
    if (n.to_goal < best_ - g) {
        best_ = g + n.to_goal;
        last_ = node;
        if (f >= best_) return;
    }
    open_.push(node, f, g);
    ++statistics_.generated;
}

void GraphSearch::append_path(std::vector<grid::Cell>& out) const {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    for (std::uint32_t node = last_; node != kNone; node = nodes_[node].parent & ~kClosed) {
        out.push_back(nodes_[node].cell);
    }
    std::reverse(out.begin() + first, out.end());
}

}  // namespace cairn::subgoal
