// Every number and enumerator of a public struct that is out of its range is refused as bad_option
// by the calls that take the struct.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cairn/batch/device.hpp"
#include "cairn/cairn.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "support/ascii_map.hpp"
#include "support/planner.hpp"

namespace cairn {
namespace {

/// Calls `check(changed, what)` for copies of `good` with one field out of its range.
template <class T, class Check>
void for_each_out_of_range(const T& good, Check&& check) {
    for (const Field& field : T::fields()) {
        std::vector<double> values;
        if (field.type == FieldType::choice) values = {-1, 99};
        if (field.type == FieldType::integer) values = {field.least - 1, field.most + 1};
        if (field.type == FieldType::number)
            values = {std::nan(""), field.least - 1, 2 * field.most};
        for (const double value : values) {
            T changed = good;
            field.set(&changed, value);
            // The member's type may not hold the value.
            if (!std::isnan(value) && check_fields(changed).ok()) continue;
            check(changed, std::string(field.name) + " " + std::to_string(value));
        }
    }
}

template <class P>
typename P::Map small_map() {
    const grid::Map map = test::ascii_map({".....", ".@...", "...@."});
    if constexpr (std::same_as<typename P::Map, grid::Map>) {
        return map;
    } else if constexpr (std::same_as<typename P::Map, haa::AnnotatedMap>) {
        grid::TerrainImage image{map.width(), map.height(), {}};
        for (grid::Cell cell = 0; cell < map.size(); ++cell)
            image.terrain.push_back(map.terrain(cell));
        return haa::AnnotatedMap::create(image).value();
    } else {
        return mesh::mesh_from_grid(map).value();
    }
}

template <class P>
typename P::Query good_query() {
    typename P::Query query;
    if constexpr (std::same_as<typename P::Place, mesh::Place>) {
        query.start = {0, {0.5F, 0, 0.5F}};
        query.goal = {0, {0.6F, 0, 0.5F}};
    }
    return query;
}

template <class P>
class Ranges : public testing::Test {};
using AllPlanners = testing::Types<grid::AstarPlanner, grid::JpsPlanner, hpa::Planner, haa::Planner,
                                   subgoal::Planner, mesh::AstarPlanner, hna::Planner>;
TYPED_TEST_SUITE(Ranges, AllPlanners);

TYPED_TEST(Ranges, OfOptionsAreCheckedByBuild) {
    using P = TypeParam;
    const auto map = small_map<P>();
    ASSERT_TRUE(P::build(map, {}, test::one_thread()));
    for_each_out_of_range(typename P::Options{}, [&](const auto& options, const std::string& what) {
        const auto index = P::build(map, options, test::one_thread());
        ASSERT_FALSE(index) << what;
        EXPECT_EQ(index.error().code, StatusCode::bad_option) << what;
    });
    if constexpr (!std::same_as<typename P::Options, NoOptions>) {
        for (const int threads : {-1, 1025, 1'000'000, std::numeric_limits<int>::max()}) {
            BuildControl control;
            control.threads = threads;
            const auto index = P::build(map, {}, control);
            ASSERT_FALSE(index) << threads;
            EXPECT_EQ(index.error().code, StatusCode::bad_option) << threads;
        }
    }
}

TYPED_TEST(Ranges, OfQueriesAreCheckedByAllCalls) {
    using P = TypeParam;
    const auto index = P::build(small_map<P>(), {}, test::one_thread()).value();
    Searcher<P> searcher;
    typename P::Answer answer;
    const auto good = good_query<P>();
    ASSERT_EQ(searcher.find(index, good, answer), StatusCode::ok);
    const std::vector<typename P::Place> goals{good.goal};
    std::vector<Cost> costs(1);
    std::size_t nearest = 0;
    for_each_out_of_range(good, [&](const auto& query, const std::string& what) {
        constexpr StatusCode kBad = StatusCode::bad_option;
        EXPECT_EQ(searcher.find(index, query, answer), kBad) << what;
        EXPECT_EQ(answer.status, kBad) << what;
        searcher.begin(index, good, answer);
        EXPECT_EQ(searcher.begin(index, query, answer), kBad) << what;
        EXPECT_FALSE(searcher.advance()) << what;
        EXPECT_EQ(answer.status, kBad) << what;
        EXPECT_EQ(searcher.costs(index, query, goals, costs), kBad) << what;
        EXPECT_EQ(searcher.find_nearest(index, query, goals, answer, nearest), kBad) << what;
        batch::Searcher<P> batch;
        typename P::Paths paths;
        typename P::Request request;
        request.start = good.start;
        request.goal = good.goal;
        if constexpr (requires { request.agent = query.agent; }) request.agent = query.agent;
        ASSERT_TRUE(
            batch.find_paths(index, {&request, 1}, paths, query, {}, test::one_thread()).ok());
        EXPECT_EQ(paths.status[0], kBad) << what;
        ASSERT_EQ(searcher.find(index, good, answer), StatusCode::ok) << what;
    });
}

TYPED_TEST(Ranges, OfBatchOptionsAreChecked) {
    using P = TypeParam;
    const auto index = P::build(small_map<P>(), {}, test::one_thread()).value();
    batch::Searcher<P> batch;
    typename P::Paths paths;
    const auto code = [&](const batch::Options& options) {
        return batch.find_paths(index, {}, paths, {}, options, test::one_thread()).code;
    };
    EXPECT_EQ(code({}), StatusCode::ok);
    EXPECT_EQ(code({.cells = static_cast<batch::Cells>(99)}), StatusCode::bad_option);
}

TEST(RangesOf, MapsAreChecked) {
    const std::vector<std::uint8_t> terrain(4, '.');
    const auto code = [&](const grid::MapOptions& options) {
        const auto map = grid::Map::create(2, 2, terrain, options);
        return map ? StatusCode::ok : map.error().code;
    };
    EXPECT_EQ(code({}), StatusCode::ok);
    grid::MapOptions options;
    options.rules.corner = static_cast<grid::CornerRule>(3);
    EXPECT_EQ(code(options), StatusCode::bad_option);
    options = {};
    options.rules.neighbourhood = static_cast<grid::Neighbourhood>(2);
    EXPECT_EQ(code(options), StatusCode::bad_option);

    const auto annotated = [&](const haa::AnnotationOptions& with) {
        const auto map = haa::AnnotatedMap::create({2, 2, terrain}, with);
        return map ? StatusCode::ok : map.error().code;
    };
    haa::AnnotationOptions annotation;
    EXPECT_EQ(annotated(annotation), StatusCode::ok);
    annotation.anchor = static_cast<haa::Anchor>(2);
    EXPECT_EQ(annotated(annotation), StatusCode::bad_option);
    annotation = {};
    annotation.rules.corner = static_cast<grid::CornerRule>(99);
    EXPECT_EQ(annotated(annotation), StatusCode::bad_option);

    grid::GenerateOptions generate;
    generate.kind = static_cast<grid::MapKind>(99);
    EXPECT_EQ(grid::generate(generate).error().code, StatusCode::bad_option);
    EXPECT_EQ(name(generate.kind), "unknown");

    mesh::MeshOptions mesh;
    mesh.scoring = static_cast<mesh::Scoring>(3);
    EXPECT_EQ(mesh::mesh_from_grid(grid::Map::create(2, 2, terrain).value(), mesh).error().code,
              StatusCode::bad_option);
}

TEST(RangesOf, SearchesWithoutASearcherAreChecked) {
    const grid::Map map = test::ascii_map({"..."});
    const grid::AstarOptions options{.open = static_cast<grid::OpenList>(2)};
    grid::Astar astar;
    grid::Path path;
    EXPECT_EQ(astar.find_path(map, {0, 0}, {2, 0}, path, options), StatusCode::bad_option);
    const std::vector<grid::Point> goals{{2, 0}};
    std::vector<Cost> costs(1);
    std::size_t reached = 0;
    EXPECT_EQ(astar.find_nearest(map, {0, 0}, goals, path, reached, options),
              StatusCode::bad_option);
    EXPECT_EQ(astar.distances(map, {0, 0}, goals, costs, options), StatusCode::bad_option);
}

TEST(RangesOf, DevicesAreChecked) {
    batch::DeviceOptions options;
    options.kind = static_cast<batch::DeviceKind>(3);
    EXPECT_EQ(batch::Device::open(options).error().code, StatusCode::bad_option);
    options.kind = batch::DeviceKind::host;
    const batch::Device device = batch::Device::open(options).value();
    batch::DeviceSearcher searcher(device);

    const auto map = test::ascii_map({"....", ".@.."});
    const auto index = hpa::Index::build(map, {}, test::one_thread()).value();
    const auto on_device = batch::DeviceGridIndex::load(device, index).value();
    const std::vector<grid::Request> requests{{{0, 0}, {3, 1}}};
    const batch::DeviceGridQuery cells{.cells = static_cast<batch::Cells>(2)};
    EXPECT_EQ(searcher.find_paths(on_device, requests, cells).error().code, StatusCode::bad_option);
    const batch::DeviceGridQuery engine{.engine = static_cast<batch::DeviceGridEngine>(3)};
    EXPECT_EQ(searcher.find_paths(on_device, requests, engine).error().code,
              StatusCode::bad_option);

    const auto mesh = mesh::mesh_from_grid(map).value();
    const auto hna = hna::Index::build(mesh, {}, test::one_thread()).value();
    const auto mesh_on_device = batch::DeviceIndex::load(device, hna).value();
    const std::vector<mesh::Request> mesh_requests(1);
    for (const batch::DeviceQuery& query :
         {batch::DeviceQuery{.engine = static_cast<batch::DeviceEngine>(5)},
          batch::DeviceQuery{.reach = -1}, batch::DeviceQuery{.reach = 2e30},
          batch::DeviceQuery{.reach = std::nan("")}}) {
        EXPECT_EQ(searcher.find_paths(mesh_on_device, mesh_requests, query).error().code,
                  StatusCode::bad_option);
    }
}

}  // namespace
}  // namespace cairn
