#include "hna/hng_search.hpp"

#include <algorithm>

namespace cairn::hna {

void HngSearch::begin(const Hng& hng, const navmesh::MeshData& mesh, const Task& task) {
    hng_ = &hng;
    mesh_ = &mesh;
    anchor_ = task.anchor;
    best_ = task.bound;
    last_ = kNoVertex;
    statistics_ = {};
    open_.clear();
    if (nodes_.size() < hng.count()) nodes_.resize(hng.count());
    if (++stamp_ == 0) {
        std::fill(nodes_.begin(), nodes_.end(), Node{});
        stamp_ = 1;
    }
    for (const Connector& c : task.to) touch(c.node).to_goal = c.cost;
    for (const Connector& c : task.from) reach(c.node, c.cost, kNoVertex, task.start_cluster);
}

HngSearch::Node& HngSearch::touch(std::uint32_t vertex) noexcept {
    Node& node = nodes_[vertex];
    if (node.stamp != stamp_) {
        const navmesh::Link link = 2 * hng_->portal(vertex);
        // A portal is no nearer than the nearer one of its two links.
        const Cost bound =
            mesh_->options.scoring == navmesh::Scoring::portal_midpoints
                ? mesh_->bound(link, anchor_)
                : std::min(mesh_->bound(link, anchor_), mesh_->bound(navmesh::twin(link), anchor_));
        node = {stamp_, kInfinity, kNoVertex, bound, kInfinity};
    }
    return node;
}

// A vertex reached inside `cluster` is left on the other side.
void HngSearch::reach(std::uint32_t vertex, Cost g, std::uint32_t parent, std::uint32_t cluster) {
    Node& node = touch(vertex);
    if (g >= node.g || g + node.bound >= best_) return;
    node.g = g;
    node.parent = parent | ((*hng_)[vertex].cluster[0] == cluster ? 1U : 0U) << kSideAt;
    open_.push(vertex, g + node.bound, g);
    ++statistics_.generated;
}

bool HngSearch::advance(std::uint64_t budget) {
    std::uint32_t vertex = 0;
    while (open_.size() > 0) {
        if (budget == 0) return true;
        open_.pop(vertex);
        Node& node = nodes_[vertex];
        if (open_.least_f() >= best_) break;
        if ((node.parent & kClosed) != 0) continue;
        node.parent |= kClosed;
        --budget;
        ++statistics_.expanded;
        statistics_.open_sum += open_.size();
        const Cost g = node.g;
        if (node.to_goal < kInfinity && g + node.to_goal < best_) {
            best_ = g + node.to_goal;
            last_ = vertex;
        }
        const std::uint32_t side = node.parent >> kSideAt;
        const std::uint32_t cluster = (*hng_)[vertex].cluster[side];
        for (const Hng::Arc& arc : hng_->arcs(vertex, side))
            reach(arc.head, g + arc.cost, vertex, cluster);
    }
    open_.clear();
    return false;
}

void HngSearch::find_path(std::vector<std::uint32_t>& path) const {
    path.clear();
    for (std::uint32_t v = last_; v != kNoVertex; v = nodes_[v].parent & kNoVertex)
        path.push_back(v);
    std::reverse(path.begin(), path.end());
}

}  // namespace cairn::hna
