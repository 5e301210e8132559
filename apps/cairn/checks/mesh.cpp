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

/// The distance seen from above.
double flat_distance(const Point& a, const Point& b) {
    return std::hypot(double{a.x} - b.x, double{a.z} - b.z);
}

/// The cost of an answer's corridor, summed link by link; kInfinity if the polygons and links do
/// not join start and goal.
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

/// The least cost to a goal. `link_costs`: the result of mesh::costs_from the start.
Cost least_cost(const Mesh& mesh, const std::vector<Cost>& link_costs, const Place& start,
                const Place& goal) {
    const Point anchor = mesh.anchor(goal.polygon, goal.point);
    if (start.polygon == goal.polygon) {
        return mesh.direct_cost(goal.polygon, mesh.anchor(start.polygon, start.point), anchor);
    }
    Cost best = kInfinity;
    for (const Link link : mesh.links(goal.polygon)) {
        const Cost cost = link_costs[mesh::twin(link)];
        if (cost >= kInfinity) continue;
        best = std::min(best, cost + mesh.end_cost(goal.polygon, anchor, mesh.place(link)));
    }
    return best;
}

std::vector<hna::Query> methods_of(const hna::Index& index) {
    std::vector<hna::Query> out;
    for (const Engine engine :
         {Engine::automatic, Engine::astar, Engine::cut_labels, Engine::climb}) {
        if (engine == Engine::cut_labels && !index.has_labels()) continue;
        if (engine == Engine::climb && !index.has_closure()) continue;
        for (const ConnectBy connect : {ConnectBy::automatic, ConnectBy::search}) {
            hna::Query query;
            query.engine = engine;
            query.connect = connect;
            // Whole paths with one engine only: the others find corridors of the same cost.
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
        const Point midpoint = mesh.anchor(polygon, mesh.midpoint(link));
        const bool listed = place < links.size() && links[place] == link;
        bool costs = listed;
        for (std::uint32_t i = 0; costs && i < links.size(); ++i) {
            const Cost inside = mesh.inside_cost(polygon, place, i);
            costs = inside == mesh.inside_cost(polygon, i, place) && inside < kInfinity &&
                    (i == place) == (inside == 0);
        }
        const bool twins = mesh.left(link) == mesh.right(mesh::twin(link)) &&
                           (!mesh.open(link) || (!mesh.blocked(polygon) &&
                                                 !mesh.blocked(mesh.polygon_of(mesh::twin(link)))));
        const bool bounds = listed && mesh.end_cost(polygon, midpoint, place) > 0 &&
                            mesh.bound(link, midpoint) <= mesh.end_cost(polygon, midpoint, place);
        check.expect(costs && twins && bounds, [&] { return fmt::format("link {}", link); });
    }
    return check;
}

void NavmeshChecks::set_index(const hna::Index& index) {
    index_ = index;
    methods_ = methods_of(index);
    free_.clear();
    const Mesh& mesh = index.mesh();
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (!mesh.is_connection(p) && !mesh.blocked(p)) free_.push_back(p);
    }
}

Place NavmeshChecks::draw() {
    const Mesh& mesh = index_->mesh();
    const Polygon polygon = free_[random_() % free_.size()];
    double x = 0;
    double y = 0;
    double z = 0;
    double sum = 0;
    for (const std::uint32_t corner : mesh.corners(polygon)) {
        const double weight = static_cast<double>(random_() >> 11) + 1;  // 53 bits, exact
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
    const auto polygon = static_cast<Polygon>(random_() % index_->mesh().num_polygons());
    return {polygon, static_cast<std::uint8_t>(random_() % 4), random_() % 3 == 0};
}

bool NavmeshChecks::run(int count) {
    if (free_.empty()) return false;
    const Mesh& mesh = index_->mesh();
    const Place start = draw();
    const std::vector<Cost> link_costs = mesh::costs_from(mesh, start).value();
    for (int i = 0; i < count; ++i) {
        const Place goal = draw();
        run_pair(start, goal, least_cost(mesh, link_costs, start, goal));
    }
    return true;
}

void NavmeshChecks::run_pair(const Place& start, const Place& goal, Cost optimum) {
    const hna::Index& index = *index_;
    std::string ends = fmt::format("{} in #{} to {} in #{}", point_text(start.point), start.polygon,
                                   point_text(goal.point), goal.polygon);
    const bool connected = optimum != kInfinity;
    const bool reachable = index.reachable(start.polygon, goal.polygon) == StatusCode::ok;
    reachability_.expect(reachable == connected, [&] { return ends; });
    for (std::size_t method = 0; method < methods_.size(); ++method) {
        const std::string which = fmt::format("method {}: {}", method, ends);
        hna::Query query = methods_[method];
        query.start = start;
        query.goal = goal;
        const StatusCode code = searcher_.find(index, query, answer_);
        reachability_.expect(code == (connected ? StatusCode::ok : StatusCode::no_path),
                             [&] { return fmt::format("{}: {}", which, name(code)); });
        if (code != StatusCode::ok) continue;
        costs_.expect(answer_.cost == optimum, [&] {
            return fmt::format("{}: {} instead of {}", which, answer_.cost, optimum);
        });
        check_answer(answer_, which);
    }
    if (connected) ++paths_;
}

void NavmeshChecks::check_answer(const hna::Answer& answer, const std::string& query) {
    const Mesh& mesh = index_->mesh();
    corridors_.expect(corridor_cost(mesh, answer) == answer.cost, [&] { return query; });
    if (answer.waypoints.empty()) return;
    constexpr double kRounding = 1e-6;
    double over_midpoints = 0;  // the length from start to goal over the portals' midpoints
    double over_waypoints = 0;
    Point last = answer.start.point;
    for (const Link link : answer.links) {
        over_midpoints += flat_distance(last, mesh.midpoint(link));
        last = mesh.midpoint(link);
    }
    over_midpoints += flat_distance(last, answer.goal.point);
    for (std::size_t i = 1; i < answer.waypoints.size(); ++i)
        over_waypoints += flat_distance(answer.waypoints[i - 1].point, answer.waypoints[i].point);
    const bool ends = answer.waypoints.front().point == answer.start.point &&
                      answer.waypoints.back().point == answer.goal.point;
    waypoints_.expect(ends && over_waypoints <= over_midpoints * (1 + kRounding) + kRounding,
                      [&] { return query; });
}

}  // namespace cairn::app
