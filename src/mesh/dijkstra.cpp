#include "cairn/mesh/dijkstra.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "core/guarded.hpp"
#include "mesh/endpoints.hpp"

namespace cairn::mesh {
namespace {

using Entry = std::pair<Cost, Link>;
using Open = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

void improve(std::vector<Cost>& costs, Open& open, Link link, Cost cost) {
    if (cost >= costs[link]) return;
    costs[link] = cost;
    open.emplace(cost, link);
}

}  // namespace

Result<std::vector<Cost>> costs_from(const Mesh& mesh, const Place& start) noexcept try {
    std::vector<Cost> costs(mesh.num_links(), kInfinity);
    if (!usable(mesh, start)) return costs;
    Open open;
    const Point anchor = mesh.anchor(start.polygon, start.point);
    for (const Link link : mesh.links(start.polygon)) {
        if (!mesh.open(link)) continue;
        improve(costs, open, link, mesh.end_cost(start.polygon, anchor, mesh.place(link)));
    }
    while (!open.empty()) {
        const auto [cost, link] = open.top();
        open.pop();
        if (cost != costs[link]) continue;
        const Link entry = twin(link);
        const Polygon polygon = mesh.polygon_of(entry);
        for (const Link exit : mesh.links(polygon)) {
            if (exit == entry || !mesh.open(exit)) continue;
            improve(costs, open, exit,
                    cost + mesh.inside_cost(polygon, mesh.place(entry), mesh.place(exit)));
        }
    }
    return costs;
} catch (...) {
    return out_of_memory();
}

Result<std::vector<Cost>> costs_to(const Mesh& mesh, const Place& goal) noexcept try {
    std::vector<Cost> costs(mesh.num_links(), kInfinity);
    if (!usable(mesh, goal)) return costs;
    Open open;
    const Point anchor = mesh.anchor(goal.polygon, goal.point);
    for (const Link entry : mesh.links(goal.polygon))
        improve(costs, open, entry, mesh.end_cost(goal.polygon, anchor, mesh.place(entry)));
    while (!open.empty()) {
        const auto [cost, entry] = open.top();
        open.pop();
        if (cost != costs[entry] || !mesh.open(twin(entry))) continue;
        const Link exit = twin(entry);
        const Polygon polygon = mesh.polygon_of(exit);
        for (const Link link : mesh.links(polygon)) {
            if (link == exit) continue;
            improve(costs, open, link,
                    cost + mesh.inside_cost(polygon, mesh.place(link), mesh.place(exit)));
        }
    }
    return costs;
} catch (...) {
    return out_of_memory();
}

Result<Cost> path_cost(const Mesh& mesh, const Place& start, const Place& goal) noexcept try {
    if (!usable(mesh, start) || !usable(mesh, goal)) return kInfinity;
    if (start.polygon == goal.polygon)
        return mesh.direct_cost(start.polygon, mesh.anchor(start.polygon, start.point),
                                mesh.anchor(goal.polygon, goal.point));
    const std::vector<Cost> costs = value_of(costs_from(mesh, start));
    const Point anchor = mesh.anchor(goal.polygon, goal.point);
    Cost best = kInfinity;
    for (const Link entry : mesh.links(goal.polygon)) {
        const Cost before = costs[twin(entry)];
        if (before == kInfinity) continue;
        best = std::min(best, before + mesh.end_cost(goal.polygon, anchor, mesh.place(entry)));
    }
    return best;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::mesh
