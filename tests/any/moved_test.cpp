// Searchers and answers that are moved go on where they were.

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "cairn/any.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/grid/corridor.hpp"
#include "cairn/grid/jps.hpp"
#include "cairn/hpa/lazy_path.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/n_level_graph.hpp"
#include "cairn/planners.hpp"
#include "support/random_maps.hpp"
#include "support/random_meshes.hpp"

namespace cairn {
namespace {

using grid::Point;

constexpr Point kStart{0, 0};
constexpr Point kGoal{37, 29};

/// A map of open ground with a few obstacles, none at the ends.
const grid::Map& open_map() {
    static const grid::Map map = [] {
        grid::TerrainImage image{40, 30, std::vector<std::uint8_t>(1200, '.')};
        for (std::size_t cell = 7; cell + 60 < image.terrain.size(); cell += 11)
            image.terrain[cell] = '@';
        return grid::make_map(image).value();
    }();
    return map;
}

/// Begins a search, moves the searcher twice, and goes on: the path must be that of a searcher that
/// stays where it is. Then the searcher moved last serves another query.
template <class Search, class PathOf, class Map, class Place>
void expect_search_goes_on(const Map& map, const Place& start, const Place& goal) {
    Search still;
    PathOf expected;
    ASSERT_EQ(still.find_path(map, start, goal, expected), StatusCode::ok);
    Search first;
    first.begin(map, start, goal);
    first.advance(5);
    Search second(std::move(first));
    second.advance(5);
    Search third;
    auto path = expected;
    third.find_path(map, goal, start, path);
    third = std::move(second);
    while (third.advance(5) == decltype(third.advance(5))::running) {
    }
    ASSERT_EQ(third.take(path), StatusCode::ok);
    EXPECT_EQ(path.cost, expected.cost);
    EXPECT_EQ(third.statistics().expanded, still.statistics().expanded);
    ASSERT_EQ(third.find_path(map, start, goal, path), StatusCode::ok);
    EXPECT_EQ(path.cost, expected.cost);
}

TEST(Moved, SearchesGoOnWhereTheyWere) {
    expect_search_goes_on<grid::Astar, grid::Path>(open_map(), kStart, kGoal);
    expect_search_goes_on<grid::Jps, grid::Path>(grid::JpsMap::create(open_map()).value(), kStart,
                                                 kGoal);
    const mesh::Mesh mesh = mesh::mesh_from_grid(open_map()).value();
    const mesh::Polygon last = mesh.num_polygons() - 1;
    expect_search_goes_on<mesh::Astar, mesh::Path>(mesh, mesh::Place{0, mesh.centre(0)},
                                                   mesh::Place{last, mesh.centre(last)});
}

TEST(Moved, CorridorSearchesServeTheNextQuery) {
    grid::Corridor corridor;
    corridor.reset(open_map().width(), open_map().height(), 5);
    EXPECT_EQ(corridor.block_size(), 5);
    corridor.add(kStart);
    corridor.widen(9);
    const auto cost_by = [&](grid::CorridorSearch& search) {
        grid::Path path;
        EXPECT_EQ(search.find_path(open_map(), corridor, kStart, kGoal, kInfinity, path),
                  StatusCode::ok);
        return path.cost;
    };
    grid::CorridorSearch first;
    const Cost cost = cost_by(first);
    grid::CorridorSearch second(std::move(first));
    EXPECT_EQ(cost_by(second), cost);
    grid::CorridorSearch third;
    third = std::move(second);
    EXPECT_GT(third.memory(), 0U);
    EXPECT_EQ(cost_by(third), cost);
}

TEST(Moved, LazyPathsGoOnWhereTheyWere) {
    hpa::Options options;
    options.move_tables = false;  // so that refining searches
    const auto index = hpa::Index::build(open_map(), options).value();
    hpa::Query query;
    query.start = kStart;
    query.goal = kGoal;
    query.detail = hpa::Detail::abstract_path;
    query.try_direct_line = false;
    hpa::Answer answer;
    ASSERT_EQ(hpa::Searcher().find(index, query, answer), StatusCode::ok);
    const auto rest_of = [](hpa::LazyPath& path) {
        std::vector<grid::Cell> cells;
        while (const auto cell = path.next()) cells.push_back(*cell);
        return cells;
    };
    hpa::LazyPath still;
    EXPECT_EQ(still.statistics().expanded, 0U);
    ASSERT_EQ(still.begin(index, answer), StatusCode::ok);
    const std::vector<grid::Cell> expected = rest_of(still);
    EXPECT_GT(still.statistics().expanded, 0U);

    hpa::LazyPath first;
    ASSERT_EQ(first.begin(index, answer), StatusCode::ok);
    std::vector<grid::Cell> cells{first.next().value(), first.next().value()};
    hpa::LazyPath second(std::move(first));
    cells.push_back(second.next().value());
    hpa::LazyPath third;
    third = std::move(second);
    for (const grid::Cell cell : rest_of(third)) cells.push_back(cell);
    EXPECT_EQ(cells, expected);
}

TEST(Moved, AnySearchersAndAnswersKeepWhatTheyHold) {
    const AnyMap map = open_map();
    const auto index = AnyIndex::build("subgoal", map).value();
    const auto query = index.query().value();
    EXPECT_EQ(query.planner().name, "subgoal");
    AnySearcher first;
    AnyAnswer answer;
    ASSERT_EQ(first.find(index, query, kStart, kGoal, answer), StatusCode::ok);
    const Cost cost = answer.cost();
    const std::size_t bytes = first.memory();
    AnyAnswer other(std::move(answer));
    EXPECT_EQ(other.cost(), cost);
    answer = std::move(other);
    EXPECT_EQ(answer.cost(), cost);
    EXPECT_GT(answer.details().cells.size(), 30U);
    AnySearcher second(std::move(first));
    AnySearcher third;
    third = std::move(second);
    EXPECT_EQ(third.memory(), bytes);
    ASSERT_EQ(third.find(index, query, kStart, kGoal, answer), StatusCode::ok);
    EXPECT_EQ(answer.cost(), cost);
}

template <class P>
class MovedBatch : public testing::Test {};
using GridPlanners = testing::Types<hpa::Planner, subgoal::Planner, grid::AstarPlanner>;
TYPED_TEST_SUITE(MovedBatch, GridPlanners);

TYPED_TEST(MovedBatch, SearchersServeTheNextBatch) {
    using P = TypeParam;
    const auto index = P::build(open_map()).value();
    std::vector<typename P::Request> requests(9);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        requests[i].start = kStart;
        requests[i].goal = {kGoal.x, static_cast<int>(3 * i)};
    }
    const auto costs_by = [&](batch::Searcher<P>& searcher) {
        typename P::Paths paths;
        EXPECT_TRUE(searcher.find_paths(index, requests, paths).ok());
        return std::vector<Cost>(paths.cost.begin(), paths.cost.end());
    };
    batch::Searcher<P> first;
    const auto costs = costs_by(first);
    const std::size_t bytes = first.memory();
    batch::Searcher<P> second(std::move(first));
    EXPECT_EQ(second.memory(), bytes);
    batch::Searcher<P> third;
    third = std::move(second);
    EXPECT_EQ(costs_by(third), costs);
}

TEST(Moved, DeviceSearchersServeTheNextBatch) {
    batch::DeviceOptions options;
    options.kind = batch::DeviceKind::host;
    options.gpu = -1;
    EXPECT_EQ(batch::Device::open(options).error().message, "GPU -1: must be 0 or more");
    options.gpu = 0;
    const auto device = batch::Device::open(options).value();
    const auto index = subgoal::Index::build(open_map()).value();
    const auto loaded = batch::DeviceGridIndex::load(device, index).value();
    EXPECT_EQ(loaded.map().fingerprint(), open_map().fingerprint());
    const std::vector<grid::Request> requests(4, {kStart, kGoal});
    const auto costs_by = [&](batch::DeviceSearcher& searcher) {
        const auto paths = searcher.find_paths(loaded, requests).value();
        return std::vector<Cost>(paths.cost.begin(), paths.cost.end());
    };
    batch::DeviceSearcher first(device);
    const auto costs = costs_by(first);
    batch::DeviceSearcher second(std::move(first));
    EXPECT_EQ(costs_by(second), costs);
    batch::DeviceSearcher third(device);
    third = std::move(second);
    EXPECT_EQ(costs_by(third), costs);
}

TEST(Moved, ScratchOfNLevelGraphsServesTheNextQuery) {
    std::vector<Edge> edges;
    for (std::uint32_t v = 0; v + 1 < 40; ++v) edges.push_back({v, v + 1, 3});
    const auto levels = NLevelGraph::build(graph_from_edges(40, edges).value()).value();
    const std::array from{Connector{2, 0}};
    const std::array to{Connector{32, 0}};
    NLevelScratch first;
    EXPECT_EQ(levels.distance(from, to, first), 90U);
    NLevelScratch second(std::move(first));
    EXPECT_EQ(levels.distance(from, to, second), 90U);
    NLevelScratch third;
    third = std::move(second);
    EXPECT_EQ(levels.distance(to, from, third), 90U);
}

}  // namespace
}  // namespace cairn
