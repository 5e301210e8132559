#include "hna/verify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/mesh/from_grid.hpp"
#include "core/separator/connected_parts.hpp"
#include "support/planner.hpp"

namespace cairn::hna::test {

using mesh::Link;
using mesh::twin;

std::vector<SearchMode> search_modes(const Index& index) {
    std::vector<SearchMode> modes{{Engine::automatic, ConnectBy::automatic},
                                  {Engine::astar, ConnectBy::automatic},
                                  {Engine::astar, ConnectBy::search},
                                  {Engine::astar, ConnectBy::automatic, SearchLevel::first},
                                  {Engine::astar, ConnectBy::automatic, SearchLevel::top},
                                  {Engine::astar, ConnectBy::search, SearchLevel::top}};
    if (index.has_labels()) modes.push_back({Engine::cut_labels, ConnectBy::automatic});
    if (index.has_closure()) modes.push_back({Engine::climb, ConnectBy::automatic});
    if (index.options().pccp == Pccp::none) return modes;
    modes.push_back({Engine::astar, ConnectBy::tables});
    modes.push_back({Engine::astar, ConnectBy::portals, SearchLevel::top});
    return modes;
}

namespace {

// The links of a path that lead from one cluster of the level to another, each with its twin.
std::vector<Link> border_links(const Index& index, int level, const std::vector<Link>& links) {
    std::vector<Link> found;
    for (const Link link : links) {
        const Polygon from = index.mesh().polygon_of(link);
        const Polygon to = index.mesh().polygon_of(twin(link));
        if (index.cluster(level, from) == index.cluster(level, to)) continue;
        found.push_back(link);
        found.push_back(twin(link));
    }
    return found;
}

std::string fault_of_nodes(const Index& index, const Answer& answer) {
    if (answer.abstract_level == 0)
        return answer.abstract_nodes.empty() ? "" : "inter-edges on level 0";
    return answer.abstract_nodes == border_links(index, answer.abstract_level, answer.links)
               ? ""
               : "the inter-edges are not those that the links cross";
}

std::string fault_of_corridor(const Index& index, const Answer& answer) {
    const Mesh& mesh = index.mesh();
    if (answer.polygons.size() != answer.links.size() + 1) return "polygons and links differ";
    if (answer.polygons.front() != answer.start.polygon) return "the corridor does not begin at S";
    for (std::size_t i = 0; i < answer.links.size(); ++i) {
        if (answer.polygons[i + 1] != mesh.polygon_of(twin(answer.links[i])))
            return fmt::format("link {} does not lead to the next polygon", i);
    }
    return fault_of_nodes(index, answer);
}

std::string fault_of_waypoints(const Query& query, const Answer& answer) {
    const auto& points = answer.waypoints;
    if (points.size() < 2 || points.front().point != answer.start.point ||
        points.back().point != answer.goal.point) {
        return "the waypoints do not lead from S to G";
    }
    const std::size_t all_crossings = answer.links.size() + 2;  // with S and G
    if (points.size() > all_crossings) return "too many waypoints";
    if (query.crossings == mesh::Crossings::all && points.size() != all_crossings)
        return "too few waypoints";
    return answer.length == mesh::length(points) ? "" : "the length is not that of the waypoints";
}

}  // namespace

std::string fault_of(const Index& index, const Query& query, const Answer& answer, Cost best) {
    if (answer.snapshot_id != index.snapshot_id()) return "the id of another snapshot";
    if (best == kInfinity) {
        if (answer.status != StatusCode::no_path)
            return fmt::format("{} where there is no path", name(answer.status));
        const bool empty =
            answer.links.empty() && answer.polygons.empty() && answer.waypoints.empty();
        return empty && answer.cost == kInfinity ? "" : "no_path with a path";
    }
    if (answer.status != StatusCode::ok)
        return fmt::format("{}, the best path costs {}", name(answer.status), best);
    if (query.detail == Detail::reachable) return "";
    if (answer.cost != best) return fmt::format("cost {}, the best is {}", answer.cost, best);
    if (query.detail < Detail::corridor)
        return answer.links.empty() ? "" : "links that the query does not ask for";
    const MeshDijkstra oracle(index.mesh());
    const Cost links_cost = oracle.cost_of(answer.start, answer.goal, answer.links);
    if (links_cost != best) return fmt::format("the links cost {}, not {}", links_cost, best);
    std::string fault = fault_of_corridor(index, answer);
    if (!fault.empty()) return fault;
    if (query.detail < Detail::path)
        return answer.waypoints.empty() ? "" : "waypoints that the query does not ask for";
    return fault_of_waypoints(query, answer);
}

std::string fault_of_any_mode(const Index& index, Query query, Cost best, Searcher& searcher,
                              Answer& answer) {
    for (const SearchMode& mode : search_modes(index)) {
        query.engine = mode.engine;
        query.connect = mode.connect;
        query.search_level = mode.level;
        for (const Detail detail : {Detail::path, Detail::cost}) {
            query.detail = detail;
            searcher.find(index, query, answer);
            const std::string fault = fault_of(index, query, answer, best);
            if (!fault.empty()) return fault + describe(query);
        }
    }
    return "";
}

std::string fault_of_random_pairs(const Index& index, int pairs, RandomMaps& random,
                                  Searcher& searcher) {
    const Mesh& mesh = index.mesh();
    const MeshDijkstra oracle(mesh);
    Answer answer;
    for (int i = 0; i < pairs; ++i) {
        const Query query = random_query(mesh, random);
        if (mesh.blocked(query.start.polygon) || mesh.blocked(query.goal.polygon)) {
            searcher.find(index, query, answer);
            const StatusCode status = mesh.blocked(query.start.polygon) ? StatusCode::start_blocked
                                                                        : StatusCode::goal_blocked;
            if (answer.status != status) return "a path from or to a blocked polygon";
            continue;
        }
        std::string fault =
            fault_of_any_mode(index, query, oracle.cost(query.start, query.goal), searcher, answer);
        if (!fault.empty()) return fault;
    }
    return "";
}

std::string describe(const Query& query) {
    const auto place = [](const Place& p) {
        return fmt::format("{} ({}, {}, {})", p.polygon, p.point.x, p.point.y, p.point.z);
    };
    return fmt::format(" from {} to {}, engine {}, connect {}, level {}, detail {}",
                       place(query.start), place(query.goal), static_cast<int>(query.engine),
                       static_cast<int>(query.connect), static_cast<int>(query.search_level),
                       static_cast<int>(query.detail));
}

Index build(const Mesh& mesh, const Options& options) {
    return cairn::test::value_or_abort(Index::build(mesh, options, cairn::test::one_thread()));
}

Index with_labels(const Index& index) {
    return cairn::test::value_or_abort(index.with_labels(cairn::test::one_thread()));
}

Answer answer_to(const Index& index, const Query& query) {
    Searcher searcher;
    Answer answer;
    searcher.find(index, query, answer);
    return answer;
}

Query query_of(const Place& start, const Place& goal, Engine engine) {
    Query query;
    query.start = start;
    query.goal = goal;
    query.engine = engine;
    return query;
}

Query random_query(const mesh::Mesh& mesh, cairn::test::RandomMaps& random, Engine engine) {
    const Place goal = cairn::test::random_place(mesh, random);
    const Place start = cairn::test::random_place(mesh, random);
    return query_of(start, goal, engine);
}

bool ranks_by_centres(const Mesh& mesh) {
    return mesh.options().scoring == mesh::Scoring::polygon_centres && !mesh.directed();
}

Options any_options(const Mesh& mesh, RandomMaps& random) {
    Options options;
    options.levels = random.number(1, 4);
    options.mu = random.chance(20) ? random.number(7, 40) : random.number(2, 6);
    if (random.chance(30) && has_metis()) options.partitioner = Partitioner::multilevel;
    options.pccp = random.chance(25) ? Pccp::none : Pccp::portals;
    if (ranks_by_centres(mesh)) options.pccp = static_cast<Pccp>(random.number(0, 3));  // any
    options.labels = random.chance(70);
    if (random.chance(20)) options.label_bytes = 10;  // only the closure
    return options;
}

Query any_query(const Index& index, RandomMaps& random) {
    Query query = random_query(index.mesh(), random);
    const std::vector<SearchMode> modes = search_modes(index);
    const SearchMode& mode =
        modes[static_cast<std::size_t>(random.number(0, static_cast<int>(modes.size()) - 1))];
    query.engine = mode.engine;
    query.connect = mode.connect;
    query.search_level = mode.level;
    query.detail = static_cast<Detail>(random.number(1, 4));  // any but `reachable`
    query.crossings = static_cast<mesh::Crossings>(random.number(0, 2));
    query.nearest_reachable = random.chance(20);
    return query;
}

std::vector<mesh::PolygonEdit> any_edits(const Mesh& mesh, RandomMaps& random, int most) {
    std::vector<mesh::PolygonEdit> edits(static_cast<std::size_t>(random.number(1, most)));
    for (mesh::PolygonEdit& edit : edits) {
        edit.polygon =
            static_cast<Polygon>(random.number(0, static_cast<int>(mesh.num_polygons()) - 1));
        edit.area = random.chance(60) ? mesh.area(edit.polygon)
                                      : static_cast<std::uint8_t>(random.number(0, 3));
        edit.blocked = random.chance(45);
    }
    return edits;
}

Mesh large_mesh(std::uint64_t seed) {
    cairn::test::RandomMeshOptions options;
    options.longest = 16;
    return random_mesh(seed, options);
}

Mesh serpentine(int rows) {
    constexpr int kWidth = 20;
    const int height = 2 * rows - 1;
    std::vector<std::uint8_t> terrain(static_cast<std::size_t>(kWidth * height), '.');
    for (int y = 1; y < height; y += 2) {
        const int first = y % 4 == 1 ? 0 : 1;  // the gap is at the right end, or at the left
        for (int x = first; x < first + kWidth - 1; ++x)
            terrain[static_cast<std::size_t>(y * kWidth + x)] = '@';
    }
    const auto map = grid::Map::create(kWidth, height, terrain);
    return cairn::test::value_or_abort(mesh::mesh_from_grid(cairn::test::value_or_abort(map)));
}

}  // namespace cairn::hna::test
