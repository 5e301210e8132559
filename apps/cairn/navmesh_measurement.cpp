#include "navmesh_measurement.hpp"

#include <algorithm>
#include <array>
#include <random>

#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/reachability.hpp"

namespace cairn::app {
namespace {

using mesh::Mesh;
using mesh::Place;
using mesh::Polygon;

Place centre_of(const Mesh& mesh, Polygon polygon) { return {polygon, mesh.centre(polygon)}; }

/// Ways of asking an index.
struct Way {
    const char* name;
    hna::Engine engine;
    hna::ConnectBy connect;
    hna::Detail detail;
};

using hna::ConnectBy;
using hna::Detail;
constexpr std::array kWays{
    Way{"labels-cost", hna::Engine::cut_labels, ConnectBy::automatic, Detail::cost},
    Way{"labels", hna::Engine::cut_labels, ConnectBy::automatic, Detail::corridor},
    Way{"labels-path", hna::Engine::cut_labels, ConnectBy::automatic, Detail::path},
    Way{"hna", hna::Engine::astar, ConnectBy::automatic, Detail::corridor},
    Way{"hna-search", hna::Engine::astar, ConnectBy::search, Detail::corridor},
    Way{"levels", hna::Engine::levels, ConnectBy::automatic, Detail::corridor},
};

}  // namespace

std::vector<MeshPair> random_pairs(const Mesh& mesh, int count, std::uint64_t seed) {
    const auto reachability = mesh::Reachability::build(mesh);
    const std::uint32_t largest = reachability.largest();
    std::vector<Polygon> polygons;
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (!mesh.is_connection(p) && !mesh.blocked(p) && reachability.component(p) == largest)
            polygons.push_back(p);
    }
    std::vector<MeshPair> pairs;
    if (polygons.empty()) return pairs;
    std::mt19937_64 random(seed);
    const auto draw = [&] { return centre_of(mesh, polygons[random() % polygons.size()]); };
    for (int i = 0; i < count; ++i) {
        const Place start = draw();
        pairs.push_back({start, draw()});
    }
    return pairs;
}

std::vector<MeshPair> parted_pairs(const Mesh& mesh, int count, std::uint64_t seed) {
    const auto reachability = mesh::Reachability::build(mesh);
    std::vector<Polygon> polygons;
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (!mesh.is_connection(p) && !mesh.blocked(p)) polygons.push_back(p);
    }
    std::vector<MeshPair> pairs;
    if (reachability.count() < 2) return pairs;
    std::mt19937_64 random(seed);
    const auto draw = [&] { return polygons[random() % polygons.size()]; };
    while (static_cast<int>(pairs.size()) < count) {
        const Polygon start = draw();
        const Polygon goal = draw();
        if (reachability.component(start) != reachability.component(goal))
            pairs.push_back({centre_of(mesh, start), centre_of(mesh, goal)});
    }
    return pairs;
}

MeshPlanner polygon_astar(const Mesh& mesh) {
    struct State {
        mesh::Astar astar;
        mesh::Path path;
        mesh::Funnel funnel;
        std::vector<mesh::Waypoint> waypoints;
    };
    const auto state = std::make_shared<State>();
    const auto ask = [state, mesh](const MeshPair& pair) {
        state->astar.find_path(mesh, pair.start, pair.goal, state->path);
    };
    const auto reply = [state, mesh](const MeshPair& pair) {
        const mesh::Path& path = state->path;
        MeshReply result{path.status, path.cost, 0, path.statistics.expanded};
        if (path.status != StatusCode::ok) return result;
        state->funnel.pull(mesh, pair.start.point, pair.goal.point, path.links, state->waypoints);
        result.length = mesh::length(state->waypoints);
        return result;
    };
    return {"astar", ask, reply};
}

const std::vector<std::string>& mesh_planner_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        result.reserve(kWays.size());
        for (const Way& way : kWays) result.emplace_back(way.name);
        return result;
    }();
    return names;
}

std::optional<MeshPlanner> index_planner(const hna::Index& index, const std::string& name) {
    const auto way =
        std::find_if(kWays.begin(), kWays.end(), [&](const Way& w) { return name == w.name; });
    if (way == kWays.end()) return std::nullopt;
    if (way->engine == hna::Engine::cut_labels && !index.has_labels()) return std::nullopt;
    struct State {
        hna::Searcher searcher;
        hna::Query query;
        hna::Answer answer;
        mesh::Funnel funnel;
        std::vector<mesh::Waypoint> waypoints;
    };
    const auto state = std::make_shared<State>();
    state->query.engine = way->engine;
    state->query.connect = way->connect;
    state->query.detail = way->detail;
    const auto ask = [state, index](const MeshPair& pair) {
        state->query.start = pair.start;
        state->query.goal = pair.goal;
        state->searcher.find(index, state->query, state->answer);
    };
    const auto reply = [state, index](const MeshPair& pair) {
        const hna::Answer& answer = state->answer;
        const hna::QueryStatistics& effort = answer.statistics;
        MeshReply result{answer.status, answer.cost, 0,
                         effort.connect.expanded + effort.search.expanded};
        if (answer.status != StatusCode::ok || state->query.detail < Detail::corridor)
            return result;
        state->funnel.pull(index.mesh(), pair.start.point, pair.goal.point, answer.links,
                           state->waypoints);
        result.length = mesh::length(state->waypoints);
        return result;
    };
    return MeshPlanner{name, ask, reply};
}

PlannerRun measure_mesh(const MeshPlanner& planner, const std::vector<MeshPair>& pairs,
                        const PlannerRun* baseline, const MeasureOptions& options) {
    PlannerRun run;
    run.planner = planner.name;
    const std::vector<double> least =
        least_seconds({pairs.size(), [&](std::size_t i) { planner.ask(pairs[i]); }}, options);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        planner.ask(pairs[i]);
        const MeshReply reply = planner.reply(pairs[i]);
        if (reply.status != StatusCode::ok ||
            (baseline != nullptr && reply.cost < kInfinity && reply.cost != baseline->cost[i])) {
            ++run.wrong;
        }
        run.seconds.push_back(least[i]);
        run.cost.push_back(reply.cost);
        run.expanded.push_back(reply.expanded);
        run.length.push_back(reply.length);
        const bool comparable = baseline != nullptr && reply.length > 0 && baseline->length[i] > 0;
        run.error.push_back(comparable ? reply.length / baseline->length[i] - 1 : 0);
    }
    return run;
}

}  // namespace cairn::app
