// Every engine, number of levels and way of connecting gives the least cost there is, and a
// corridor that has it (CHECKLIST D4, D17, D19, D20).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "cairn/hna/searcher.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::hna {
namespace {

using navmesh::Mesh;
using navmesh::Place;

struct Way {
    Engine engine;
    ConnectBy connect;
};

std::vector<Way> ways(const Index& index) {
    std::vector<Way> result{{Engine::levels, ConnectBy::automatic},
                            {Engine::astar, ConnectBy::automatic},
                            {Engine::astar, ConnectBy::search}};
    if (index.has_labels()) result.push_back({Engine::cut_labels, ConnectBy::automatic});
    if (index.has_table()) {
        result.push_back({Engine::top_table, ConnectBy::automatic});
        result.push_back({Engine::top_table, ConnectBy::search});
    }
    if (index.options().pccp != Pccp::none) result.push_back({Engine::astar, ConnectBy::tables});
    return result;
}

/// What is wrong with an answer to which the best cost is known; empty if nothing is.
std::string fault(const test::MeshDijkstra& oracle, const Query& query, const Answer& answer,
                  Cost best) {
    if (best == kInfinity)
        return answer.status == StatusCode::no_path ? "" : "a path where there is none";
    if (answer.status != StatusCode::ok) return fmt::format("status {}", name(answer.status));
    if (answer.cost != best) return fmt::format("cost {}, the best is {}", answer.cost, best);
    const Cost own = oracle.cost_of(query.start, query.goal, answer.links);
    if (own != best) return fmt::format("its links cost {}, not {}", own, best);
    if (answer.polygons.size() != answer.links.size() + 1) return "polygons and links differ";
    return "";
}

void check_pair(const Index& index, const test::MeshDijkstra& oracle, Query query, Cost best,
                Searcher& searcher, Answer& answer) {
    for (const Way& way : ways(index)) {
        query.engine = way.engine;
        query.connect = way.connect;
        query.detail = Detail::path;
        searcher.find(index, query, answer);
        ASSERT_EQ(fault(oracle, query, answer, best), "")
            << "engine " << static_cast<int>(way.engine) << " connect "
            << static_cast<int>(way.connect) << " from " << query.start.polygon << " to "
            << query.goal.polygon;
        query.detail = Detail::cost;
        searcher.find(index, query, answer);
        ASSERT_EQ(answer.cost, best);
    }
}

Options some_options(const Mesh& mesh, std::uint64_t seed) {
    Options options;
    options.levels = 1 + static_cast<int>(seed % 4);
    options.mu = 2 + static_cast<int>(seed / 4 % 5);
    options.partitioner = seed % 3 == 0 ? Partitioner::growing : Partitioner::multilevel;
    options.pccp = seed % 7 == 0 ? Pccp::none : Pccp::portals;
    if (mesh.options().scoring == navmesh::Scoring::polygon_centres && !mesh.directed())
        options.pccp = static_cast<Pccp>(seed / 5 % 4);
    options.top_table = true;
    return options;
}

TEST(HnaExactTest, AllPairsOfRandomMeshes) {
    Searcher searcher;
    Answer answer;
    const auto seeds = static_cast<std::uint64_t>(test::scaled(300));
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const Mesh mesh = test::random_mesh(seed);
        const auto index = Index::build(mesh, some_options(mesh, seed));
        ASSERT_TRUE(index) << index.error().message;
        const test::MeshDijkstra oracle(mesh);
        test::RandomMaps random(seed);
        for (navmesh::Polygon from = 0; from < mesh.num_polygons(); ++from) {
            if (mesh.blocked(from) || mesh.is_connection(from)) continue;
            Query query;
            query.start = test::random_place(mesh, from, random);
            const std::vector<Cost> costs = oracle.costs_from(query.start);
            for (navmesh::Polygon to = 0; to < mesh.num_polygons(); ++to) {
                if (mesh.blocked(to) || mesh.is_connection(to)) continue;
                query.goal = test::random_place(mesh, to, random);
                const Cost best = from == to ? oracle.direct(query.start, query.goal)
                                             : oracle.cost_at(costs, query.goal);
                check_pair(*index, oracle, query, best, searcher, answer);
                if (HasFatalFailure()) FAIL() << "seed " << seed;
            }
        }
    }
}

}  // namespace
}  // namespace cairn::hna
