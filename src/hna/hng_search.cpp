#include "hna/hng_search.hpp"

#include <algorithm>

namespace cairn::hna {

void HngSearch::reserve(const Hng& hng) {
    if (labels_.size() < hng.count()) {
        labels_.resize(hng.count());
        to_goal_.resize(hng.count());
    }
    stamp_ += 4;
    if (stamp_ != 0) return;
    std::fill(labels_.begin(), labels_.end(), Label{});
    stamp_ = 4;
}

void HngSearch::begin(const Hng& hng, const navmesh::MeshData& mesh, const Task& task) {
    hng_ = &hng;
    mesh_ = &mesh;
    anchor_ = task.anchor;
    best_ = task.bound;
    last_ = kNoVertex;
    statistics_ = {};
    open_.clear();
    reserve(hng);
    for (const Connector& c : task.to) {
        labels_[c.node] = {stamp_ | kConnected, kInfinity, 0, kNoVertex};
        to_goal_[c.node] = c.cost;
    }
    for (const Connector& c : task.from)
        reach(hng.side_across(c.node, task.start_cluster), c.cost, kNoVertex);
}

// Let a vertex be reached in one cluster at cost g and in the other at g' >= g. What g' leads to
// lies in the first, where the way that gave g gets at no more than g plus the cost inside: so one
// label a vertex is enough.
inline void HngSearch::reach(std::uint32_t side, Cost g, std::uint32_t parent) {
    Label& label = labels_[side / 2];
    const bool known = (label.stamp & ~(kSide | kConnected)) == stamp_;
    if (known && g >= label.g) return;
    const std::uint32_t connected = known ? label.stamp & kConnected : 0;
    const std::uint32_t stamp = stamp_ | connected | (side & kSide);
    if (label.stamp != stamp || label.g == kInfinity) {
        const Hng::Aim& aim = hng_->aim(side);
        label.h = aim.half + mesh_->least_cost(navmesh::distance(aim.point, anchor_));
    }
    label.stamp = stamp;
    label.g = g;
    label.parent = parent;
    if (connected != 0 && g + to_goal_[side / 2] < best_) {
        best_ = g + to_goal_[side / 2];
        last_ = side / 2;
    }
    if (g + label.h >= best_) return;
    open_.push(side / 2, g + label.h, g);
    ++statistics_.generated;
}

bool HngSearch::advance(std::uint64_t budget) {
    std::uint32_t vertex = 0;
    while (open_.size() > 0) {
        if (budget == 0) return true;
        open_.pop(vertex);
        if (open_.least_f() >= best_) break;
        const Label& label = labels_[vertex];
        if (open_.least_f() != label.g + label.h) continue;  // put there again since
        --budget;
        ++statistics_.expanded;
        statistics_.open_sum += open_.size();
        const Cost g = label.g;
        for (const Hng::Arc& arc : hng_->arcs(2 * vertex + (label.stamp & kSide)))
            reach(arc.head, g + arc.cost, vertex);
    }
    open_.clear();
    return false;
}

void HngSearch::find_path(std::vector<std::uint32_t>& path) const {
    path.clear();
    for (std::uint32_t v = last_; v != kNoVertex; v = labels_[v].parent) path.push_back(v);
    std::reverse(path.begin(), path.end());
}

}  // namespace cairn::hna
