#include "hna/hng_search.hpp"

#include <algorithm>

namespace cairn::hna {

void HngSearch::reserve(const Hng& hng) {
    if (labels_.size() < hng.count()) {
        labels_.resize(hng.count());
        to_goal_.resize(hng.count());
    }
    stamp_ += Search::kNextStamp;
    if (stamp_ != 0) return;
    std::fill(labels_.begin(), labels_.end(), HngLabel{});
    stamp_ = Search::kNextStamp;
}

void HngSearch::begin(const Hng& hng, const mesh::MeshData& mesh, const Task& task) {
    reserve(hng);
    astar_.begin(hng.view(), {labels_.data(), to_goal_.data(), stamp_},
                 {task.anchor, mesh.least_factor, mesh.units}, task.bound);
    for (const Connector& c : task.to) astar_.add_goal(c.node, c.cost);
    for (const Connector& c : task.from)
        astar_.add_start(hng.side_across(c.node, task.start_cluster), c.cost);
}

void HngSearch::find_path(std::vector<std::uint32_t>& path) const {
    path.clear();
    for (std::uint32_t v = astar_.last(); v != Search::kNoVertex; v = astar_.before(v))
        path.push_back(v);
    std::reverse(path.begin(), path.end());
}

}  // namespace cairn::hna
