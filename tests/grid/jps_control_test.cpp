// What surrounds jump point search: maps refused, statuses, limits, slices, memory, golden answers.

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "cairn/grid/generate.hpp"
#include "cairn/grid/jps.hpp"
#include "grid/scenes.hpp"
#include "support/allocation_counter.hpp"
#include "support/hash.hpp"
#include "support/scale.hpp"

namespace cairn::grid {
namespace {

JpsMap open_map(std::uint32_t seed, int side = 50) {
    std::mt19937 random(seed);
    return JpsMap::create(test::random_map(random, side, side, {}, 25)).value();
}

Point random_point(std::mt19937& random, const JpsMap& map) {
    return map.map().point(static_cast<Cell>(random() % map.map().size()));
}

TEST(JpsMapTest, RefusesWhatItCannotServe) {
    const auto refusal = [](const Map& map) {
        const Result<JpsMap> result = JpsMap::create(map);
        if (result) return std::string();
        EXPECT_EQ(result.error().code, StatusCode::unsupported);
        return result.error().message;
    };
    const auto says = [&](const Map& map, const char* words) {
        return refusal(map).find(words) != std::string::npos;
    };
    EXPECT_TRUE(says(test::scene({".."}, {Neighbourhood::four, CornerRule::strict}), "four"));
    EXPECT_TRUE(says(test::scene({".."}, {Neighbourhood::eight, CornerRule::free}), "corner"));
    EXPECT_TRUE(
        says(test::scene({".."}, {Neighbourhood::eight, CornerRule::both_blocked}), "corner"));
    EXPECT_TRUE(says(test::scene({".2"}), "weights"));
    for (const CostModel costs : {CostModel{10, 10}, CostModel{10, 20}}) {
        MapOptions options;
        options.costs = costs;
        EXPECT_TRUE(says(cairn::test::ascii_map({".."}, options), "costs"));
    }
    EXPECT_EQ(refusal(test::scene({".."})), "");
    EXPECT_EQ(refusal(test::scene({"22", "@2"})), "");
    EXPECT_EQ(refusal(test::scene({"@"})), "");
}

TEST(JpsMapTest, RefusesEditsItCannotServe) {
    const JpsMap map = JpsMap::create(test::scene({"...", "..."})).value();
    const auto code = [&](const TerrainEdit& edit) {
        const Result<JpsMap> result = map.edited({&edit, 1});
        return result ? StatusCode::ok : result.error().code;
    };
    EXPECT_EQ(code({{0, 0, 1, 1}, '3'}), StatusCode::unsupported);
    EXPECT_EQ(code({{0, 0, 3, 2}, '3'}), StatusCode::ok);
    EXPECT_EQ(code({{0, 0, 4, 1}, '@'}), StatusCode::bad_option);
    EXPECT_EQ(code({{2, 1, 1, 1}, '@'}), StatusCode::ok);
    EXPECT_GT(map.bytes(), 0U);
}

TEST(JpsControlTest, Statuses) {
    const JpsMap map = JpsMap::create(test::scene({"..@.", "@.@."})).value();
    Jps jps;
    Path path;
    const auto code = [&](Point a, Point b) { return jps.find_path(map, a, b, path); };
    EXPECT_EQ(code({0, 0}, {1, 1}), StatusCode::ok);
    EXPECT_EQ(code({-1, 0}, {9, 9}), StatusCode::start_outside);
    EXPECT_EQ(path.cost, kInfinity);
    EXPECT_TRUE(path.cells.empty());
    EXPECT_EQ(path.statistics.expanded, 0U);
    EXPECT_EQ(code({0, 1}, {0, 2}), StatusCode::goal_outside);
    EXPECT_EQ(code({0, 1}, {2, 0}), StatusCode::start_blocked);
    EXPECT_EQ(code({0, 0}, {2, 0}), StatusCode::goal_blocked);
    EXPECT_EQ(code({0, 0}, {3, 1}), StatusCode::no_path);
    EXPECT_EQ(code({std::numeric_limits<int>::min(), 0}, {0, std::numeric_limits<int>::max()}),
              StatusCode::start_outside);

    EXPECT_EQ(code({3, 1}, {3, 1}), StatusCode::ok);
    EXPECT_EQ(path.cost, 0U);
    EXPECT_EQ(path.cells, std::vector<Cell>{7});
    EXPECT_EQ(path.statistics.expanded, 0U);
}

TEST(JpsControlTest, CostOnlyLeavesThePathEmpty) {
    const JpsMap map = open_map(1);
    std::mt19937 random(1);
    Jps jps;
    Path path;
    Path cost;
    for (int i = 0; i < 50; ++i) {
        const Point a = random_point(random, map);
        const Point b = random_point(random, map);
        jps.find_path(map, a, b, path);
        jps.find_path(map, a, b, cost, {true});
        EXPECT_EQ(path.cost, cost.cost);
        EXPECT_TRUE(cost.cells.empty());
    }
}

TEST(JpsControlTest, LimitsHoldExactly) {
    const JpsMap map = open_map(2);
    std::mt19937 random(2);
    Jps jps;
    Path path;
    for (int i = 0; i < 200; ++i) {
        const Point a = random_point(random, map);
        const Point b = random_point(random, map);
        if (jps.find_path(map, a, b, path) != StatusCode::ok) continue;
        const Path full = path;

        SearchLimits limits;
        limits.max_cost = full.cost;
        EXPECT_EQ(jps.find_path(map, a, b, path, {}, limits), StatusCode::ok);
        EXPECT_EQ(path.cost, full.cost);
        limits = {};
        limits.max_expanded = full.statistics.expanded;
        EXPECT_EQ(jps.find_path(map, a, b, path, {}, limits), StatusCode::ok);
        EXPECT_EQ(path.cells, full.cells);
        if (full.cost == 0) continue;

        limits.max_expanded = full.statistics.expanded - 1;
        EXPECT_EQ(jps.find_path(map, a, b, path, {}, limits), StatusCode::budget_exhausted);
        EXPECT_EQ(path.statistics.expanded, limits.max_expanded);
        EXPECT_EQ(path.cost, kInfinity);
        limits = {};
        limits.max_cost = full.cost - 1;
        EXPECT_EQ(jps.find_path(map, a, b, path, {}, limits), StatusCode::over_cost_limit);
    }
}

TEST(JpsControlTest, Cancelled) {
    std::mt19937 random(3);
    const JpsMap map = JpsMap::create(test::random_map(random, 50, 50, {}, 0)).value();
    CancelFlag flag;
    SearchLimits limits;
    limits.cancel = &flag;
    Jps jps;
    Path path;
    EXPECT_EQ(jps.find_path(map, {0, 0}, {49, 49}, path, {}, limits), StatusCode::ok);
    flag.cancel();
    EXPECT_EQ(jps.find_path(map, {0, 0}, {49, 49}, path, {}, limits), StatusCode::cancelled);
    EXPECT_EQ(path.statistics.expanded, 0U);
    EXPECT_EQ(path.cost, kInfinity);
}

TEST(JpsControlTest, SlicingDoesNotChangeTheResult) {
    std::mt19937 random(4);
    Jps jps;
    Jps sliced;
    Path whole;
    Path path;
    for (std::uint64_t i = 0; i < cairn::test::scaled(200); ++i) {
        const JpsMap map = open_map(static_cast<std::uint32_t>(i), 30);
        const Point a = random_point(random, map);
        const Point b = random_point(random, map);
        jps.find_path(map, a, b, whole);
        sliced.begin(map, a, b);
        const std::uint64_t slice = 1 + random() % 5;
        std::uint64_t slices = 0;
        while (sliced.advance(slice) == Progress::running) {
            ASSERT_EQ(sliced.statistics().expanded, ++slices * slice);
            ASSERT_EQ(sliced.take(path), StatusCode::budget_exhausted);
        }
        ASSERT_EQ(sliced.take(path), whole.status);
        EXPECT_EQ(path.cost, whole.cost);
        EXPECT_EQ(path.cells, whole.cells);
        EXPECT_EQ(path.statistics.expanded, whole.statistics.expanded);
        EXPECT_EQ(path.statistics.generated, whole.statistics.generated);
    }
}

TEST(JpsControlTest, WarmedQueriesAllocateNothing) {
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    const JpsMap map = open_map(7, 100);
    std::mt19937 random(7);
    std::vector<std::pair<Point, Point>> queries;
    for (int i = 0; i < 100; ++i) {
        queries.emplace_back(random_point(random, map), random_point(random, map));
    }
    Jps jps;
    Path path;
    const auto ask_all = [&] {
        for (const auto& [a, b] : queries) jps.find_path(map, a, b, path);
    };
    ask_all();
    const std::uint64_t before = cairn::test::allocations();
    ask_all();
    EXPECT_EQ(cairn::test::allocations(), before);
}

// Where an intended change alters paths, the failure prints the hash to put here.
TEST(JpsGoldenTest, Answers) {
    cairn::test::Hash costs;
    cairn::test::Hash paths;
    std::mt19937 random(2011);
    Jps jps;
    Path path;
    for (const MapKind kind : {MapKind::rooms, MapKind::caves, MapKind::random}) {
        GenerateOptions options;
        options.kind = kind;
        options.width = 150;
        options.height = 130;
        options.seed = 2011;
        const TerrainImage image = generate(options).value();
        const JpsMap map =
            JpsMap::create(Map::create(image.width, image.height, image.terrain).value()).value();
        for (int i = 0; i < 200; ++i) {
            const Point a = random_point(random, map);
            const Point b = random_point(random, map);
            jps.find_path(map, a, b, path);
            costs.add(path.cost);
            for (const Cell cell : path.cells) paths.add(cell);
        }
    }
    EXPECT_EQ(costs.text(), "cfa8a778a9e3a340");
    EXPECT_EQ(paths.text(), "756d399429d137c9");
}

}  // namespace
}  // namespace cairn::grid
