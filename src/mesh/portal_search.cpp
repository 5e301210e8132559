#include "mesh/portal_search.hpp"

#include <algorithm>

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

void PortalSearch::reserve() {
    const std::size_t nodes = std::size_t{mesh_.num_portals()} + goals.all().size();
    if (labels_.size() < nodes) labels_.resize(nodes);
    stamp_ += 2;
    if (stamp_ != 0) return;
    labels_.assign(labels_.size(), Label{});
    stamp_ = 2;
}

void PortalSearch::begin(const Mesh& mesh, const Place& start, std::size_t num_goals, bool to_all,
                         Cost max_cost) {
    mesh_ = mesh;
    reserve();
    distances.assign(num_goals, kInfinity);
    open_.clear();
    statistics_ = {};
    start_ = start.polygon;
    max_cost_ = std::min(max_cost, kInfinity - 1);
    best_ = kInfinity;
    remaining_ = goals.all().size();
    to_all_ = to_all;
    pruned_ = false;
    expand_start(start);
}

void PortalSearch::expand_start(const Place& start) {
    const MeshData& mesh = mesh_.data();
    const Point anchor = mesh.anchor(start.polygon, start.point);
    const auto here = goals.in(start.polygon);
    for (const GoalSet::Goal& goal : here) {
        reach_goal(static_cast<std::size_t>(&goal - goals.all().data()),
                   mesh.direct_cost(start.polygon, anchor, goal.anchor), kNone);
    }
    if (!here.empty() && !to_all_ && goals.all().size() == 1) return;
    const auto links = mesh.links(start.polygon);
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        if (mesh.open[links[i]] == 0) continue;
        reach(twin(links[i]), mesh.end_cost(start.polygon, anchor, i), kNone);
    }
}

Outcome PortalSearch::expand(std::uint64_t budget) {
    const std::uint32_t portals = mesh_.num_portals();
    std::uint32_t node = 0;
    while (budget > 0) {
        if (!open_.pop(node)) return Outcome::exhausted;
        const Label& label = labels_[node];
        if (open_.least_f() != label.g + label.h) continue;  // an outdated entry
        if (node >= portals) {
            if (settle(node - portals)) return Outcome::found;
            continue;
        }
        ++statistics_.expanded;
        statistics_.open_sum += open_.size();
        --budget;
        expand_link(2 * node + (label.stamp & 1));
    }
    return Outcome::running;
}

void PortalSearch::expand_link(Link at) {
    const MeshData& mesh = mesh_.data();
    const Cost g = labels_[portal_of(at)].g;
    const Polygon polygon = mesh.polygon_of(at);
    meet_goals(polygon, at, g);
    const auto links = mesh.links(polygon);
    const auto count = static_cast<std::uint32_t>(links.size());
    const std::uint32_t place = mesh.place(at);
    const Cost* costs = mesh.inside_costs->data() + mesh.topology->first_cost[polygon];
    const Cost* const row = costs + MeshData::row(place);
    for (std::uint32_t i = 0; i < place; ++i) {
        if (mesh.open[links[i]] != 0) reach(twin(links[i]), g + row[i], at);
    }
    costs += MeshData::row(place + 1) + place;
    for (std::uint32_t i = place + 1; i < count; costs += i, ++i) {
        if (mesh.open[links[i]] != 0) reach(twin(links[i]), g + *costs, at);
    }
}

inline void PortalSearch::reach(Link at, Cost g, Link parent) {
    Label& label = labels_[portal_of(at)];
    const std::uint32_t stamp = stamp_ | (at & 1);
    const bool known = (label.stamp | 1) == (stamp | 1);
    if (known && g >= label.g) return;
    if (label.stamp != stamp) label.h = goals.bound(mesh_.data(), at);
    label.stamp = stamp;
    label.g = g;
    label.parent = parent;
    push(portal_of(at), g + label.h, g);
}

void PortalSearch::meet_goals(Polygon polygon, Link at, Cost g) {
    if (polygon == start_) return;  // the path from the start is straight
    const MeshData& mesh = mesh_.data();
    for (const GoalSet::Goal& goal : goals.in(polygon)) {
        const auto index = static_cast<std::size_t>(&goal - goals.all().data());
        reach_goal(index, g + mesh.end_cost(polygon, goal.anchor, mesh.place(at)), at);
    }
}

void PortalSearch::reach_goal(std::size_t goal, Cost g, Link parent) {
    const std::size_t node = mesh_.num_portals() + goal;
    Label& label = labels_[node];
    if (label.stamp == stamp_ && g >= label.g) return;
    label = {stamp_, g, 0, parent};
    push(static_cast<std::uint32_t>(node), g, g);
    if (!to_all_) best_ = std::min(best_, g);
}

void PortalSearch::push(std::uint32_t node, Cost f, Cost g) {
    if (f >= best_) return;
    if (f > max_cost_) {
        pruned_ = true;
        return;
    }
    open_.push(node, f, g);
    ++statistics_.generated;
}

bool PortalSearch::settle(std::size_t goal) {
    const GoalSet::Goal& settled = goals.all()[goal];
    settled_goal_ = goal;
    reached_ = settled.index;
    distances[reached_] = labels_[mesh_.num_portals() + goal].g;
    return --remaining_ == 0 || !to_all_;
}

void PortalSearch::append_links(std::vector<Link>& links) const {
    const std::size_t before = links.size();
    Link at = labels_[mesh_.num_portals() + settled_goal_].parent;
    for (; at != kNone; at = labels_[portal_of(at)].parent) links.push_back(twin(at));
    std::reverse(links.begin() + static_cast<std::ptrdiff_t>(before), links.end());
}

}  // namespace cairn::mesh
