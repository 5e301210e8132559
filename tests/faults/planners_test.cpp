// Whatever allocation fails in a public call of a planner, the call says out_of_memory.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "../../fuzz/haa_index_cases.hpp"
#include "../../fuzz/hna_index_cases.hpp"
#include "../../fuzz/hpa_index_cases.hpp"
#include "../../fuzz/subgoal_index_cases.hpp"
#include "cairn/any_graph.hpp"
#include "cairn/grid/components.hpp"
#include "cairn/grid/planners.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/hpa/lazy_path.hpp"
#include "cairn/mesh/planner.hpp"
#include "cairn/planners.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "faults/planner_faults.hpp"
#include "support/random_maps.hpp"

namespace cairn::test {
namespace {

using grid::Point;
using grid::TerrainEdit;

/// The first and the last free cell that are connected, and a few cells between them.
struct Ends {
    Point start;
    Point goal;
    std::vector<Point> goals;
};
Ends ends_of(const grid::Map& map) {
    const auto components = grid::Components::build(map).value();
    std::vector<Point> cells;
    for (const Point p : free_points(map)) {
        if (components.of(map.cell(p)) == components.largest()) cells.push_back(p);
    }
    const std::size_t n = cells.size();
    return {cells.front(), cells.back(), {cells[n / 4], cells[n / 2], cells[3 * n / 4]}};
}

template <class Query, class Engine>
Query query_of(const Ends& ends, Engine engine) {
    Query query;
    query.start = ends.start;
    query.goal = ends.goal;
    query.engine = engine;
    return query;
}

TEST(AllocationFaults, OfHpaSayOutOfMemory) {
    FaultCase<hpa::Planner, TerrainEdit> c{fuzz::hpa_index_map(), {}, {}, {}, {}};
    c.options = fuzz::hpa_index_cases().back().options;  // of several levels, tables and labels
    c.edits = {{{2, 1, 3, 2}, '@'}, {{7, 5, 2, 2}, '.'}};
    c.later = {{{4, 4, 2, 1}, '@'}};
    const Ends ends = ends_of(c.map);
    for (const auto engine :
         {hpa::Engine::astar, hpa::Engine::levels, hpa::Engine::cut_labels, hpa::Engine::climb}) {
        auto query = query_of<hpa::Query>(ends, engine);
        query.try_direct_line = false;
        c.queries.push_back(query);
        query.detail = hpa::Detail::abstract_path;
        query.nearest_reachable = true;
        c.queries.push_back(query);
    }
    c.goals = ends.goals;
    expect_planner_survives(c);
}

TEST(AllocationFaults, OfHpaUnderOtherWeightsSayOutOfMemory) {
    const auto index = fuzz::build(fuzz::hpa_index_cases().back());
    grid::TerrainWeights weights = index.map().options().weights;
    for (std::uint8_t& weight : weights.weight) weight = static_cast<std::uint8_t>(2 * weight);
    const std::vector<TerrainEdit> edits{{{2, 1, 3, 2}, '@'}, {{7, 5, 2, 2}, '.'}};
    for (const auto& before : {index, index.edited(edits).value()}) {
        expect_survives(
            "hpa with_costs", [&] { return before.with_costs(weights, on_one_thread()); },
            [](const Result<hpa::Index>& after) { return digest_of_index(*after); });
    }
    weights.weight['.'] = 0;
    expect_error_survives("hpa with_costs of other moves", StatusCode::bad_option,
                          [&] { return index.with_costs(weights); });
}

TEST(AllocationFaults, OfHaaUnderOtherCostsSayOutOfMemory) {
    const haa::Index index = fuzz::build(fuzz::haa_index_cases().back());
    const std::vector<TerrainEdit> edits{{{2, 1, 3, 2}, '@'}};
    std::vector<haa::Capability> costs = index.map().options().capabilities;
    for (haa::Capability& c : costs) c.weight.fill(4);
    const haa::Agent agent;
    for (const auto& before : {index, index.edited(edits).value()}) {
        ASSERT_TRUE(before.with_labels({&agent, 1}));
        expect_survives(
            "haa with_costs", [&] { return before.with_costs(costs, on_one_thread()); },
            [](const Result<haa::Index>& after) { return digest_of_index(*after); });
    }
    costs.pop_back();
    expect_error_survives("haa with_costs of other terrains", StatusCode::bad_option,
                          [&] { return index.with_costs(costs); });
}

TEST(AllocationFaults, OfTheGraphOfAnIndexSayOutOfMemory) {
    const std::array indexes{
        AnyIndex::of<hpa::Planner>(fuzz::build(fuzz::hpa_index_cases().back())).value(),
        AnyIndex::of<haa::Planner>(fuzz::build(fuzz::haa_index_cases().back())).value(),
        AnyIndex::of<subgoal::Planner>(fuzz::build(fuzz::subgoal_index_cases().back())).value(),
        AnyIndex::of<hna::Planner>(fuzz::build(fuzz::hna_index_cases().back())).value(),
    };
    for (const AnyIndex& index : indexes) {
        expect_survives(
            std::string("graph_of ") + std::string(index.planner().name),
            [&] { return graph_of(index); },
            [](const Result<IndexGraph>& graph) {
                return graph->edges.size() + graph->ids.size();
            });
    }
    grid::TerrainWeights weights = fuzz::hpa_index_map().options().weights;
    for (std::uint8_t& weight : weights.weight) weight = static_cast<std::uint8_t>(2 * weight);
    expect_survives(
        "AnyIndex with_costs", [&] { return indexes[0].with_costs(weights, on_one_thread()); },
        [](const Result<AnyIndex>& after) { return after->memory(); });
}

void expect_lazy_path_survives(const hpa::Index& index) {
    const Ends ends = ends_of(index.map());
    auto query = query_of<hpa::Query>(ends, hpa::Engine::astar);
    query.detail = hpa::Detail::abstract_path;
    query.try_direct_line = false;
    hpa::Answer answer;
    ASSERT_EQ(hpa::Searcher().find(index, query, answer), StatusCode::ok);
    std::vector<grid::Cell> expected;
    hpa::LazyPath path;
    ASSERT_EQ(path.begin(index, answer), StatusCode::ok);
    while (const auto cell = path.next()) expected.push_back(*cell);
    ASSERT_GT(expected.size(), 5U);

    std::vector<grid::Cell> got;
    got.reserve(expected.size() + 1);
    for (std::uint64_t first = 1; first <= 200; ++first) {
        hpa::LazyPath lazy;
        {
            const FailingAllocations failing(first);
            if (lazy.begin(index, answer) == StatusCode::out_of_memory) continue;
        }
        got.clear();
        for (std::uint64_t step = 1;; ++step) {
            const auto cell = [&] {
                const FailingAllocations failing(1 + (first + step) % 3);
                return lazy.next();
            }();
            if (cell) {
                got.push_back(*cell);
            } else if (lazy.status() == StatusCode::ok) {
                break;
            } else {
                ASSERT_EQ(lazy.status(), StatusCode::out_of_memory);
                ASSERT_LT(step, 10'000U);
                const auto now = lazy.next();  // with enough memory
                if (!now) break;
                got.push_back(*now);
            }
        }
        ASSERT_EQ(got, expected) << first;
    }
}

TEST(AllocationFaults, OfLazyPathsLeaveThemWhereTheyWere) {
    expect_lazy_path_survives(fuzz::build(fuzz::hpa_index_cases().back()));
}

// The first cluster is a corridor, the others are open: refining needs more memory than connecting.
TEST(AllocationFaults, OfLazyPathsWithoutMoveTablesLeaveThemWhereTheyWere) {
    std::vector<std::uint8_t> terrain(60 * 20, '.');
    for (int y = 0; y < 20; ++y) {
        for (int x = 0; x < 20; ++x) {
            if (y != 10) terrain[static_cast<std::size_t>(y * 60 + x)] = '@';
        }
    }
    hpa::Options options;
    options.cluster_size = 20;
    options.move_tables = options.labels = false;
    const auto map = grid::Map::create(60, 20, terrain).value();
    expect_lazy_path_survives(hpa::Index::build(map, options).value());
}

TEST(AllocationFaults, OfReachableSayOutOfMemory) {
    const auto value = [](StatusCode code) { return static_cast<int>(code); };
    const auto hpa = fuzz::build(fuzz::hpa_index_cases().back());
    const Ends ends = ends_of(hpa.map());
    expect_survives(
        "hpa reachable", [&] { return hpa.reachable(ends.start, ends.goal); }, value);
    const auto subgoal = fuzz::build(fuzz::subgoal_index_cases().back());
    const Ends of_subgoal = ends_of(subgoal.map());
    expect_survives(
        "subgoal reachable", [&] { return subgoal.reachable(of_subgoal.start, of_subgoal.goal); },
        value);
}

TEST(AllocationFaults, OfSubgoalGraphsSayOutOfMemory) {
    FaultCase<subgoal::Planner, TerrainEdit> c{fuzz::subgoal_index_map(), {}, {}, {}, {}};
    const std::uint8_t wall = c.map.terrain(0);
    c.edits = {{{2, 2, 1, 1}, wall}};
    c.later = {{{4, 3, 1, 1}, wall}};
    const Ends ends = ends_of(c.map);
    for (const auto engine : {subgoal::Engine::astar, subgoal::Engine::levels,
                              subgoal::Engine::cut_labels, subgoal::Engine::climb})
        c.queries.push_back(query_of<subgoal::Query>(ends, engine));
    c.goals = ends.goals;
    expect_planner_survives(c);
}

TEST(AllocationFaults, OfHaaSayOutOfMemory) {
    const grid::TerrainImage image = fuzz::haa_index_image();
    const haa::AnnotationOptions annotation;
    const auto map = haa::AnnotatedMap::create(image, annotation).value();
    FaultCase<haa::Planner, TerrainEdit> c{map, {}, {}, {}, {}};
    c.options.cluster_size = 5;
    c.edits = {{{1, 1, 1, 1}, map.terrain(0)}};
    const haa::Agent agent = map.agent(0);
    const Ends ends = ends_of(map.class_map(agent).value());
    for (const auto engine : {haa::Engine::astar, haa::Engine::automatic}) {
        auto query = query_of<haa::Query>(ends, engine);
        query.agent = agent;
        c.queries.push_back(query);
    }
    c.goals = ends.goals;
    expect_planner_survives(c);

    expect_survives(
        "AnnotatedMap::create", [&] { return haa::AnnotatedMap::create(image, annotation); },
        [](const auto& made) { return made->fingerprint(); });
    expect_survives(
        "AnnotatedMap::edited", [&] { return map.edited(c.edits); },
        [](const auto& made) { return made->fingerprint(); });
    expect_survives(
        "class_map", [&] { return map.class_map(agent); },
        [](const auto& made) { return made->fingerprint(); });
    const haa::AnnotatedMap edited = map.edited(c.edits).value();
    const grid::Map class_map = map.class_map(agent).value();
    const std::vector<grid::Rect> areas{map.anchors_over(c.edits[0].area)};
    expect_survives(
        "edited_class_map", [&] { return edited.edited_class_map(class_map, agent, {}, areas); },
        [](const auto& made) { return made->fingerprint(); });
    const auto index = haa::Index::build(map, c.options, on_one_thread()).value();
    // A fresh copy of the index for each call: copies share their views.
    const auto bytes = std::make_shared<const std::string>(to_bytes(index).value());
    const auto fresh = [&] {
        return from_bytes<haa::Index>(std::as_bytes(std::span(*bytes)), bytes, "test").value();
    };
    std::vector<haa::Index> indexes(3000, fresh());
    for (haa::Index& i : indexes) i = fresh();
    std::size_t next = 0;
    expect_survives(
        "view", [&] { return indexes[next++].view(agent); },
        [](const auto& view) { return view->map().fingerprint(); });
    expect_survives(
        "with_labels of an agent",
        [&] { return indexes[next++].with_labels(std::span(&agent, 1)); },
        [&](const auto& made) { return made->has_labels(agent) ? 1 : 0; });
}

TEST(AllocationFaults, OfHnaSayOutOfMemory) {
    const mesh::MeshImage image = fuzz::hna_index_image();
    const auto mesh = mesh::Mesh::build(image.source()).value();
    FaultCase<hna::Planner, mesh::PolygonEdit> c{mesh, {}, {}, {}, {}};
    c.options.mu = 3;
    c.options.levels = 2;
    c.options.partitioner = hna::Partitioner::growing;
    c.edits = {{2, 0, true}};
    c.later = {{5, 0, true}};
    const auto place = [&](mesh::Polygon p) { return mesh::Place{p, mesh.centre(p)}; };
    for (const auto engine : {hna::Engine::astar, hna::Engine::cut_labels, hna::Engine::climb}) {
        hna::Query query;
        query.start = place(0);
        query.goal = place(15);
        query.engine = engine;
        c.queries.push_back(query);
        query.shorten = true;
        c.queries.push_back(query);
    }
    c.goals = {place(4), place(9), place(12)};
    expect_planner_survives(c);

    const hna::Index index = hna::Index::build(mesh, c.options, on_one_thread()).value();
    expect_survives(
        "hna rebuilt", [&] { return index.rebuilt(on_one_thread()); },
        [](const auto& made) { return digest_of_index(*made); });
    const std::vector<mesh::Polygon> removed{3};
    mesh::MeshChange change;
    change.removed = removed;
    expect_survives(
        "hna changed", [&] { return index.changed(change); },
        [](const auto& made) { return made->mesh().fingerprint(); });
    expect_survives(
        "Mesh::build", [&] { return mesh::Mesh::build(image.source()); },
        [](const auto& made) { return made->fingerprint(); });
    expect_survives(
        "Mesh::edited", [&] { return mesh.edited(c.edits); },
        [](const auto& made) { return made->fingerprint(); });
    expect_survives(
        "Mesh::changed", [&] { return mesh.changed(change); },
        [](const auto& made) { return made->fingerprint(); });
    std::vector<mesh::AstarPlanner::Query> queries(1);
    queries[0].start = place(0);
    queries[0].goal = place(15);
    expect_queries_survive<mesh::AstarPlanner>(mesh, queries, c.goals);
}

TEST(AllocationFaults, OfSearchesOnMapsSayOutOfMemory) {
    const grid::Map map = fuzz::subgoal_index_map();
    const Ends ends = ends_of(map);
    std::vector<grid::AstarPlanner::Query> astar(1);
    astar[0].start = ends.start;
    astar[0].goal = ends.goal;
    expect_queries_survive<grid::AstarPlanner>(map, astar, ends.goals);
    std::vector<grid::JpsPlanner::Query> jps(1);
    jps[0].start = ends.start;
    jps[0].goal = ends.goal;
    const auto bits = grid::JpsMap::create(map).value();
    expect_queries_survive<grid::JpsPlanner>(bits, jps, ends.goals);
    expect_survives(
        "find_path", [&] { return find_path(map, ends.start, ends.goal); },
        [](const auto& path) { return digest_of(path->cells); });
}

}  // namespace
}  // namespace cairn::test
