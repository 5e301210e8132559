#pragma once
// Reference costs of paths over a mesh: Dijkstra's algorithm on the graph of links, with costs
// computed from points as defined by mesh::Scoring. Shares no code with the library's searches.

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cairn/mesh/mesh.hpp"

namespace cairn::test {

class MeshDijkstra {
public:
    explicit MeshDijkstra(const mesh::Mesh& mesh) : mesh_(mesh) {}

    /// The least cost of a path; kInfinity if there is none or an end is blocked.
    [[nodiscard]] Cost cost(const mesh::Place& start, const mesh::Place& goal) const {
        if (mesh_.blocked(start.polygon) || mesh_.blocked(goal.polygon)) return kInfinity;
        if (start.polygon == goal.polygon) return direct(start, goal);
        return cost_at(costs_from(start), goal);
    }
    /// Per link: the least cost to enter its polygon through its portal.
    [[nodiscard]] std::vector<Cost> costs_from(const mesh::Place& start) const {
        std::vector<Cost> costs(mesh_.num_links(), kInfinity);
        Queue queue;
        const auto cross = [&](mesh::Link link, Cost cost) {
            const mesh::Link entered = mesh::twin(link);
            if (!mesh_.open(link) || cost >= costs[entered]) return;
            costs[entered] = cost;
            queue.emplace(cost, entered);
        };
        for (const mesh::Link link : mesh_.links(start.polygon)) cross(link, end(start, link));
        while (!queue.empty()) {
            const auto [cost, link] = queue.top();
            queue.pop();
            if (cost != costs[link]) continue;
            for (const mesh::Link next : mesh_.links(mesh_.polygon_of(link)))
                cross(next, cost + inside(link, next));
        }
        return costs;
    }
    /// The least cost to `goal`, given costs_from(start) for a start in another polygon.
    [[nodiscard]] Cost cost_at(const std::vector<Cost>& costs, const mesh::Place& goal) const {
        Cost best = kInfinity;
        for (const mesh::Link link : mesh_.links(goal.polygon)) {
            if (costs[link] != kInfinity) best = std::min(best, costs[link] + end(goal, link));
        }
        return best;
    }
    /// The cost of the path that crosses `links` in order; kInfinity if they do not lead from start
    /// to goal.
    [[nodiscard]] Cost cost_of(const mesh::Place& start, const mesh::Place& goal,
                               std::span<const mesh::Link> links) const {
        if (links.empty()) return start.polygon == goal.polygon ? direct(start, goal) : kInfinity;
        mesh::Polygon polygon = start.polygon;
        Cost cost = end(start, links.front());
        for (std::size_t i = 0; i < links.size(); ++i) {
            if (mesh_.polygon_of(links[i]) != polygon || !mesh_.open(links[i])) return kInfinity;
            if (i > 0) cost += inside(mesh::twin(links[i - 1]), links[i]);
            polygon = mesh_.polygon_of(mesh::twin(links[i]));
        }
        if (polygon != goal.polygon) return kInfinity;
        return cost + end(goal, mesh::twin(links.back()));
    }

    /// The cost between two links of one polygon.
    [[nodiscard]] Cost inside(mesh::Link from, mesh::Link to) const {
        if (from == to) return 0;
        if (scores_centres()) return half_way(from) + half_way(to);
        return at_least_one(priced(middle(from), middle(to), mesh_.polygon_of(from)));
    }
    /// The cost between a place and a link of its polygon.
    [[nodiscard]] Cost end(const mesh::Place& place, mesh::Link link) const {
        if (scores_centres()) return half_way(link);
        return at_least_one(priced(place.point, middle(link), place.polygon));
    }
    /// The cost between two places of one polygon.
    [[nodiscard]] Cost direct(const mesh::Place& a, const mesh::Place& b) const {
        return scores_centres() ? 0 : priced(a.point, b.point, a.polygon);
    }

private:
    using Entry = std::pair<Cost, mesh::Link>;
    using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

    [[nodiscard]] bool scores_centres() const {
        return mesh_.options().scoring == mesh::Scoring::polygon_centres;
    }
    [[nodiscard]] mesh::Point middle(mesh::Link link) const {
        if (mesh_.options().scoring == mesh::Scoring::portal_parts) return mesh_.midpoint(link);
        const mesh::Point a = mesh_.left(link);
        const mesh::Point b = mesh_.right(link);
        const auto mean = [](float p, float q) {
            return static_cast<float>((double{p} + double{q}) / 2);
        };
        return {mean(a.x, b.x), mean(a.y, b.y), mean(a.z, b.z)};
    }
    [[nodiscard]] static double distance(const mesh::Point& a, const mesh::Point& b) {
        const double x = double{a.x} - double{b.x};
        const double y = double{a.y} - double{b.y};
        const double z = double{a.z} - double{b.z};
        return std::sqrt(x * x + y * y + z * z);
    }
    [[nodiscard]] Cost units(double length, mesh::Polygon polygon) const {
        const double factor = double{mesh_.options().area_costs[mesh_.area(polygon)]};
        return static_cast<Cost>(std::ceil(length * factor * mesh_.units_per_length()));
    }
    [[nodiscard]] static Cost at_least_one(Cost cost) { return std::max<Cost>(1, cost); }
    [[nodiscard]] Cost priced(const mesh::Point& a, const mesh::Point& b,
                              mesh::Polygon polygon) const {
        return units(distance(a, b), polygon);
    }
    /// Half the distance between the centres of the polygons on both sides of a link's portal, at
    /// the area cost of the link's own polygon.
    [[nodiscard]] Cost half_way(mesh::Link link) const {
        const mesh::Polygon here = mesh_.polygon_of(link);
        const mesh::Polygon there = mesh_.polygon_of(mesh::twin(link));
        return at_least_one(units(distance(mesh_.centre(here), mesh_.centre(there)) / 2, here));
    }

    const mesh::Mesh& mesh_;
};

/// What is wrong with a path over `links` said to cost `cost`; empty if that is its cost and the
/// least of any path.
[[nodiscard]] inline std::string check_corridor(const mesh::Mesh& mesh, const mesh::Place& start,
                                                const mesh::Place& goal,
                                                std::span<const mesh::Link> links, Cost cost) {
    const MeshDijkstra oracle(mesh);
    const Cost actual = oracle.cost_of(start, goal, links);
    if (actual == kInfinity) return "the links do not lead from the start to the goal";
    if (actual != cost) return fmt::format("the links cost {}, not {}", actual, cost);
    const Cost least = oracle.cost(start, goal);
    return actual == least ? "" : fmt::format("the path costs {}, the best one {}", actual, least);
}

}  // namespace cairn::test
