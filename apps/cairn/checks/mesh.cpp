#include "checks/mesh.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/mesh/dijkstra.hpp"
#include "report/index.hpp"

namespace cairn::app {
namespace {

using hna::ConnectBy;
using hna::Engine;
using mesh::Link;
using mesh::Mesh;
using mesh::Place;
using mesh::Point;
using mesh::Polygon;

double distance(const Point& a, const Point& b) {
    const double x = double{a.x} - b.x;
    const double y = double{a.y} - b.y;
    const double z = double{a.z} - b.z;
    return std::sqrt(x * x + y * y + z * z);
}

double flat_distance(const Point& a, const Point& b) {
    return distance({a.x, 0, a.z}, {b.x, 0, b.z});
}

/// The cost of an answer's corridor; kInfinity if it is not one.
Cost corridor_cost(const Mesh& mesh, const hna::Answer& answer) {
    const auto anchor = [&](const Place& p) { return mesh.anchor(p.polygon, p.point); };
    const Point start = anchor(answer.start);
    const Point goal = anchor(answer.goal);
    if (answer.polygons.size() != answer.links.size() + 1) return kInfinity;
    if (answer.polygons.front() != answer.start.polygon) return kInfinity;
    if (answer.polygons.back() != answer.goal.polygon) return kInfinity;
    if (answer.links.empty()) return mesh.direct_cost(answer.start.polygon, start, goal);
    Cost cost = mesh.end_cost(answer.start.polygon, start, mesh.place(answer.links.front()));
    for (std::size_t i = 0; i < answer.links.size(); ++i) {
        const Link link = answer.links[i];
        const Link in = mesh::twin(link);
        if (!mesh.open(link) || mesh.polygon_of(link) != answer.polygons[i] ||
            mesh.polygon_of(in) != answer.polygons[i + 1])
            return kInfinity;
        if (i + 1 < answer.links.size()) {
            const Link out = answer.links[i + 1];
            if (mesh.polygon_of(out) != mesh.polygon_of(in)) return kInfinity;
            cost += mesh.inside_cost(mesh.polygon_of(in), mesh.place(in), mesh.place(out));
        } else {
            cost += mesh.end_cost(answer.goal.polygon, goal, mesh.place(in));
        }
    }
    return cost;
}

/// The least cost to a goal, from what Dijkstra found over every link.
Cost least_cost(const Mesh& mesh, const std::vector<Cost>& over, const Place& start,
                const Place& goal) {
    const Point anchor = mesh.anchor(goal.polygon, goal.point);
    if (start.polygon == goal.polygon) {
        return mesh.direct_cost(goal.polygon, mesh.anchor(start.polygon, start.point), anchor);
    }
    Cost best = kInfinity;
    for (const Link link : mesh.links(goal.polygon)) {
        const Cost cost = over[mesh::twin(link)];
        if (cost >= kInfinity) continue;
        best = std::min(best, cost + mesh.end_cost(goal.polygon, anchor, mesh.place(link)));
    }
    return best;
}

std::vector<hna::Query> ways_of(const hna::Index& index) {
    std::vector<hna::Query> out;
    for (const Engine engine :
         {Engine::automatic, Engine::astar, Engine::levels, Engine::cut_labels}) {
        if (engine == Engine::cut_labels && !index.has_labels()) continue;
        for (const ConnectBy connect : {ConnectBy::automatic, ConnectBy::search}) {
            hna::Query query;
            query.engine = engine;
            query.connect = connect;
            // One method computes the whole path; for the others the corridor is enough.
            if (engine != Engine::automatic) query.detail = hna::Detail::corridor;
            out.push_back(query);
        }
    }
    return out;
}

}  // namespace

Check check_mesh(const Mesh& mesh) {
    Check check{"the mesh's links, costs and bounds fit together"};
    for (Link link = 0; link < mesh.num_links(); ++link) {
        const Polygon polygon = mesh.polygon_of(link);
        const auto links = mesh.links(polygon);
        const std::uint32_t place = mesh.place(link);
        const Point there = mesh.anchor(polygon, mesh.midpoint(link));
        const bool listed = place < links.size() && links[place] == link;
        bool costs = listed;
        for (std::uint32_t i = 0; costs && i < links.size(); ++i) {
            const Cost inside = mesh.inside_cost(polygon, place, i);
            costs = inside == mesh.inside_cost(polygon, i, place) && inside < kInfinity &&
                    (i != place || inside == 0);
        }
        const bool twins = mesh.left(link) == mesh.right(mesh::twin(link)) &&
                           (!mesh.open(link) ||
                            (!mesh.blocked(polygon) && !mesh.blocked(mesh.polygon_of(link ^ 1U))));
        const bool bounds =
            listed && mesh.bound(link, there) <= mesh.end_cost(polygon, there, place);
        check.expect(costs && twins && bounds, [&] { return fmt::format("link {}", link); });
    }
    return check;
}

void NavmeshChecks::aim_at(const hna::Index& index) {
    index_.assign(1, index);
    ways_ = ways_of(index);
    free_.clear();
    const Mesh& mesh = index.mesh();
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (!mesh.is_connection(p) && !mesh.blocked(p)) free_.push_back(p);
    }
}

Place NavmeshChecks::draw() {
    const Mesh& mesh = index_.front().mesh();
    const Polygon polygon = free_[random_() % free_.size()];
    double x = 0;
    double y = 0;
    double z = 0;
    double sum = 0;
    for (const std::uint32_t corner : mesh.corners(polygon)) {
        const double weight = static_cast<double>(random_() >> 11) + 1;
        const Point& p = mesh.vertices()[corner];
        x += weight * p.x;
        y += weight * p.y;
        z += weight * p.z;
        sum += weight;
    }
    return {
        polygon,
        {static_cast<float>(x / sum), static_cast<float>(y / sum), static_cast<float>(z / sum)}};
}

mesh::PolygonEdit NavmeshChecks::random_edit() {
    const auto polygon = static_cast<Polygon>(random_() % index_.front().mesh().num_polygons());
    return {polygon, static_cast<std::uint8_t>(random_() % 4), random_() % 3 == 0};
}

bool NavmeshChecks::ask(int count) {
    if (free_.empty()) return false;
    const Mesh& mesh = index_.front().mesh();
    const Place start = draw();
    const std::vector<Cost> over = mesh::costs_from(mesh, start);
    for (int i = 0; i < count; ++i) {
        const Place goal = draw();
        ask_one(start, goal, least_cost(mesh, over, start, goal));
    }
    return true;
}

void NavmeshChecks::ask_one(const Place& start, const Place& goal, Cost optimum) {
    const hna::Index& index = index_.front();
    std::string ends = fmt::format("{} in #{} to {} in #{}", point_text(start.point), start.polygon,
                                   point_text(goal.point), goal.polygon);
    const bool there = optimum != kInfinity;
    reachability_.expect(index.reachable(start.polygon, goal.polygon) == there,
                         [&] { return ends; });
    for (std::size_t way = 0; way < ways_.size(); ++way) {
        const std::string which = fmt::format("way {}: {}", way, ends);
        hna::Query query = ways_[way];
        query.start = start;
        query.goal = goal;
        const StatusCode code = searcher_.find(index, query, answer_);
        reachability_.expect(code == (there ? StatusCode::ok : StatusCode::no_path),
                             [&] { return fmt::format("{}: {}", which, name(code)); });
        if (code != StatusCode::ok) continue;
        costs_.expect(answer_.cost == optimum, [&] {
            return fmt::format("{}: {} instead of {}", which, answer_.cost, optimum);
        });
        check_answer(answer_, which);
    }
    if (there) ++paths_;
}

void NavmeshChecks::check_answer(const hna::Answer& answer, const std::string& which) {
    const Mesh& mesh = index_.front().mesh();
    corridors_.expect(corridor_cost(mesh, answer) == answer.cost, [&] { return which; });
    if (answer.waypoints.empty()) return;
    double over_portals = 0;
    double pulled = 0;
    Point last = answer.start.point;
    for (const Link link : answer.links) {
        over_portals += flat_distance(last, mesh.midpoint(link));
        last = mesh.midpoint(link);
    }
    over_portals += flat_distance(last, answer.goal.point);
    for (std::size_t i = 1; i < answer.waypoints.size(); ++i)
        pulled += flat_distance(answer.waypoints[i - 1].point, answer.waypoints[i].point);
    const bool ends = answer.waypoints.front().point == answer.start.point &&
                      answer.waypoints.back().point == answer.goal.point;
    strings_.expect(ends && pulled <= over_portals * (1 + 1e-6) + 1e-6, [&] { return which; });
}

}  // namespace cairn::app
