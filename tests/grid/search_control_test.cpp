// Statuses, limits, cancelling, slices and memory, the same for A* and jump point search.

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "cairn/grid/astar.hpp"
#include "cairn/grid/jps.hpp"
#include "grid/scenes.hpp"
#include "support/allocation_counter.hpp"
#include "support/scale.hpp"

namespace cairn::grid {
namespace {

template <OpenList kOpen>
struct AstarCase {
    using Search = Astar;
    static constexpr unsigned kHeaviest = 4;
    static Map prepared(const Map& map) { return map; }
    static AstarOptions options() { return {kOpen, false}; }
    static AstarOptions cost_only() { return {kOpen, true}; }
};

struct JpsCase {
    using Search = Jps;
    static constexpr unsigned kHeaviest = 1;
    static JpsMap prepared(const Map& map) { return JpsMap::create(map).value(); }
    static JpsOptions options() { return {false}; }
    static JpsOptions cost_only() { return {true}; }
};

template <class Case>
class SearchControlTest : public testing::Test {
protected:
    // A square map with `blocked` per cent obstacles.
    static auto square_map(std::uint32_t seed, int side = 50, unsigned heaviest = 1,
                           unsigned blocked = 25) {
        std::mt19937 random(seed);
        return Case::prepared(test::random_map(random, side, side, {}, blocked, heaviest));
    }
    Point random_point(int side = 50) {
        const auto cell = static_cast<int>(random_() % static_cast<unsigned>(side * side));
        return {cell % side, cell / side};
    }

    std::mt19937 random_{1};
    typename Case::Search search_;
    Path path_;
};

using Cases = testing::Types<AstarCase<OpenList::heap>, AstarCase<OpenList::buckets>, JpsCase>;
TYPED_TEST_SUITE(SearchControlTest, Cases);

TYPED_TEST(SearchControlTest, TheStatusTellsWhyThereIsNoPath) {
    const auto map = TypeParam::prepared(test::scene({"..@.", "@.@."}));
    Path& path = this->path_;
    const auto code = [&](Point a, Point b) {
        return this->search_.find_path(map, a, b, path, TypeParam::options());
    };
    EXPECT_EQ(code({0, 0}, {1, 1}), StatusCode::ok);
    EXPECT_EQ(code({-1, 0}, {9, 9}), StatusCode::start_outside);
    EXPECT_EQ(path.cost, kInfinity);
    EXPECT_TRUE(path.cells.empty());
    EXPECT_EQ(path.statistics.expanded, 0U);
    EXPECT_EQ(code({0, 1}, {0, 2}), StatusCode::start_blocked);
    EXPECT_EQ(code({0, 1}, {2, 0}), StatusCode::start_blocked);
    EXPECT_EQ(code({0, 0}, {0, 2}), StatusCode::goal_outside);
    EXPECT_EQ(code({0, 0}, {2, 0}), StatusCode::goal_blocked);
    EXPECT_EQ(code({0, 0}, {3, 1}), StatusCode::no_path);
    EXPECT_EQ(code({std::numeric_limits<int>::min(), 0}, {0, std::numeric_limits<int>::max()}),
              StatusCode::start_outside);

    EXPECT_EQ(code({3, 1}, {3, 1}), StatusCode::ok);
    EXPECT_EQ(path.cost, 0U);
    EXPECT_EQ(path.cells, std::vector<Cell>{7});
    EXPECT_EQ(path.statistics.expanded, 0U);
}

TYPED_TEST(SearchControlTest, CostOnlyLeavesThePathEmpty) {
    const auto map = this->square_map(1);
    Path cost_only;
    for (int i = 0; i < 50; ++i) {
        const Point a = this->random_point();
        const Point b = this->random_point();
        this->search_.find_path(map, a, b, this->path_, TypeParam::options());
        this->search_.find_path(map, a, b, cost_only, TypeParam::cost_only());
        EXPECT_EQ(this->path_.cost, cost_only.cost);
        EXPECT_TRUE(cost_only.cells.empty());
    }
}

TYPED_TEST(SearchControlTest, ALimitStopsASearchOnlyBelowWhatItNeeds) {
    const auto map = this->square_map(2);
    Path& path = this->path_;
    for (int i = 0; i < 200; ++i) {
        const Point a = this->random_point();
        const Point b = this->random_point();
        const auto search = [&](const SearchLimits& limits) {
            return this->search_.find_path(map, a, b, path, TypeParam::options(), limits);
        };
        if (search({}) != StatusCode::ok) continue;
        const Path full = path;

        SearchLimits limits;
        limits.max_cost = full.cost;
        EXPECT_EQ(search(limits), StatusCode::ok);
        EXPECT_EQ(path.cost, full.cost);
        limits = {};
        limits.max_expanded = full.statistics.expanded;
        EXPECT_EQ(search(limits), StatusCode::ok);
        EXPECT_EQ(path.cells, full.cells);
        if (full.cost == 0) continue;

        limits.max_expanded = full.statistics.expanded - 1;
        EXPECT_EQ(search(limits), StatusCode::budget_exhausted);
        EXPECT_EQ(path.statistics.expanded, limits.max_expanded);
        EXPECT_EQ(path.cost, kInfinity);
        limits = {};
        limits.max_cost = full.cost - 1;
        EXPECT_EQ(search(limits), StatusCode::over_cost_limit);
    }
}

TYPED_TEST(SearchControlTest, ACancelledSearchExpandsNothing) {
    for (const unsigned blocked : {0U, 25U}) {
        const auto map = this->square_map(3, 50, 1, blocked);
        CancelFlag flag;
        SearchLimits limits;
        limits.cancel = &flag;
        const auto search = [&] {
            return this->search_.find_path(map, {0, 0}, {49, 49}, this->path_, TypeParam::options(),
                                           limits);
        };
        EXPECT_EQ(search(), StatusCode::ok);
        flag.cancel();
        EXPECT_EQ(search(), StatusCode::cancelled);
        EXPECT_EQ(this->path_.statistics.expanded, 0U);
        EXPECT_EQ(this->path_.cost, kInfinity);
    }
}

TYPED_TEST(SearchControlTest, ASearchAfterItsDeadlineExpandsNothing) {
    const auto map = this->square_map(3, 50, 1, 25);
    SearchLimits limits;
    const auto search = [&](std::uint64_t microseconds) {
        limits.deadline = Deadline::in_microseconds(microseconds);
        return this->search_.find_path(map, {0, 0}, {49, 49}, this->path_, TypeParam::options(),
                                       limits);
    };
    EXPECT_EQ(search(3'600'000'000), StatusCode::ok);
    EXPECT_EQ(search(~std::uint64_t{0}), StatusCode::ok);
    EXPECT_EQ(search(0), StatusCode::budget_exhausted);
    EXPECT_EQ(this->path_.statistics.expanded, 0U);
    EXPECT_EQ(this->path_.cost, kInfinity);
}

TYPED_TEST(SearchControlTest, SlicingDoesNotChangeTheResult) {
    typename TypeParam::Search sliced;
    Path whole;
    Path& path = this->path_;
    for (std::uint64_t i = 0; i < cairn::test::scaled(200); ++i) {
        const auto map = this->square_map(static_cast<std::uint32_t>(i), 30,
                                          i % 4 < 2 ? 1 : TypeParam::kHeaviest);
        const Point a = this->random_point(30);
        const Point b = this->random_point(30);
        this->search_.find_path(map, a, b, whole, TypeParam::options());
        sliced.begin(map, a, b, TypeParam::options());
        const std::uint64_t slice = 1 + this->random_() % (i % 2 == 0 ? 5 : 20);
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

TYPED_TEST(SearchControlTest, APartialPathIsLegalAndAStoppedSearchProvesABound) {
    Path& path = this->path_;
    Path whole;
    int partial = 0;
    for (std::uint32_t i = 0; i < cairn::test::scaled(100, 20); ++i) {
        const Map map =
            test::random_map(this->random_, 30, 30, {}, 30, i % 2 == 0 ? 1 : TypeParam::kHeaviest);
        const auto prepared = TypeParam::prepared(map);
        const Point a = this->random_point(30);
        const Point b = this->random_point(30);
        if (this->search_.find_path(prepared, a, b, whole, TypeParam::options()) != StatusCode::ok)
            continue;
        Cost proved = 0;
        SearchLimits limits;
        limits.partial_path = true;
        for (limits.max_expanded = 0; limits.max_expanded < whole.statistics.expanded;
             ++limits.max_expanded) {
            ASSERT_EQ(this->search_.find_path(prepared, a, b, path, TypeParam::options(), limits),
                      StatusCode::budget_exhausted);
            EXPECT_EQ(path.cost, kInfinity);
            EXPECT_GE(path.lower_bound, proved);
            EXPECT_LE(path.lower_bound, whole.cost);
            proved = path.lower_bound;
            ASSERT_EQ(path.cells.front(), map.cell(a));
            const Point end = map.point(path.cells.back());
            const Cost g = path_cost(map, path.cells);
            ASSERT_LT(g, kInfinity);
            // Each open node has an f of at least the bound.
            EXPECT_GE(g + map.distance_bound(end, b), proved);
            ++partial;
        }
        EXPECT_EQ(whole.lower_bound, whole.cost);
        SearchLimits without = limits;
        without.max_expanded = 0;
        EXPECT_EQ(this->search_.find_path(prepared, a, b, path, TypeParam::cost_only(), without),
                  a == b ? StatusCode::ok : StatusCode::budget_exhausted);
        EXPECT_TRUE(path.cells.empty());
        without.partial_path = false;
        this->search_.find_path(prepared, a, b, path, TypeParam::options(), without);
        EXPECT_TRUE(a == b || path.cells.empty());
    }
    EXPECT_GT(partial, 0);
}

// A dead end nearer the goal than the way around it: once it is searched, the path leaves it.
TYPED_TEST(SearchControlTest, APartialPathLeavesADeadEnd) {
    const Map map = test::scene({
        "........",
        ".@@@@@..",
        "......@.",
        "......@.",
        "......@.",
        ".@@@@@@.",
        "........",
    });
    const auto prepared = TypeParam::prepared(map);
    const Point start{2, 3};
    const Point goal{7, 3};
    Path& path = this->path_;
    SearchLimits limits;
    limits.partial_path = true;
    bool in_dead_end = false;
    std::vector<Cell> ends;
    for (limits.max_expanded = 1;
         this->search_.find_path(prepared, start, goal, path, TypeParam::options(), limits) !=
         StatusCode::ok;
         ++limits.max_expanded)
        ends.push_back(path.cells.back());
    for (const Cell end : ends) {
        const Point p = map.point(end);
        in_dead_end |= p.x > 2 && p.x < 6 && p.y > 1 && p.y < 5;
    }
    EXPECT_EQ(in_dead_end, (!std::is_same_v<TypeParam, JpsCase>)) << "jumps pass the dead end";
    const Point last = map.point(ends.back());
    EXPECT_FALSE(last.x > 0 && last.x < 6 && last.y > 1 && last.y < 5);
}

TYPED_TEST(SearchControlTest, WarmedQueriesAllocateNothing) {
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    const auto map = this->square_map(7, 100);
    std::vector<std::pair<Point, Point>> queries;
    for (int i = 0; i < 100; ++i) {
        const Point start = this->random_point(100);
        queries.emplace_back(start, this->random_point(100));
    }
    const auto search_all = [&] {
        for (const auto& [a, b] : queries) {
            this->search_.find_path(map, a, b, this->path_, TypeParam::options());
        }
    };
    search_all();
    const std::uint64_t before = cairn::test::allocations();
    search_all();
    EXPECT_EQ(cairn::test::allocations(), before);
}

}  // namespace
}  // namespace cairn::grid
