// Smoothing::band, against a search of its own over the same cells.

#include <gtest/gtest.h>

#include <functional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "cairn/grid/dijkstra.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using grid::Cell;
using grid::Map;
using grid::Point;

constexpr int kSide = 5;  // of a square of the band, in cells

// The squares that a path passes, and the eight around each of them.
std::set<std::pair<int, int>> band_of(const Map& map, const std::vector<Cell>& path) {
    std::set<std::pair<int, int>> squares;
    for (const Cell cell : path) {
        const Point p = map.point(cell);
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) squares.insert({p.x / kSide + dx, p.y / kSide + dy});
        }
    }
    return squares;
}

// The least cost of a path inside the squares.
Cost cost_inside(const Map& map, const std::set<std::pair<int, int>>& squares, Point start,
                 Point goal) {
    using Entry = std::pair<std::uint64_t, Cell>;
    std::vector<std::uint64_t> best(map.size(), kInfinity);
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    best[map.cell(start)] = 0;
    open.emplace(0, map.cell(start));
    while (!open.empty()) {
        const auto [cost, cell] = open.top();
        open.pop();
        if (cost > best[cell]) continue;
        for (int d = 0; d < grid::kDirections; ++d) {
            if ((map.moves(cell) >> d & 1) == 0) continue;
            const Cell to = map.step(cell, d);
            const Point p = map.point(to);
            const std::uint64_t through = cost + map.move_cost(cell, d);
            if (through >= best[to] || !squares.contains({p.x / kSide, p.y / kSide})) continue;
            best[to] = through;
            open.emplace(through, to);
        }
    }
    return static_cast<Cost>(best[map.cell(goal)]);
}

TEST(Band, HoldsTheCheapestPathOfItsCells) {
    RandomCases random(301);
    Searcher searcher;
    int shortened = 0;
    for (auto maps = cairn::test::scaled(200); maps > 0; --maps) {
        const Map map = random.map(random.size(90), kAllRules[maps % 4]);
        const std::vector<Point> points = free_points(map);
        if (points.empty()) continue;
        const Index index = build(map, random.options());
        for (int pairs = 0; pairs < 10; ++pairs) {
            Query query = unsmoothed(random.one_of(points), random.one_of(points));
            query.smoothing = Smoothing::straight_lines;
            Answer lines;
            if (searcher.find(index, query, lines) != StatusCode::ok) continue;
            query.smoothing = Smoothing::band;
            Answer band;
            ASSERT_EQ(searcher.find(index, query, band), StatusCode::ok);
            ASSERT_EQ(band.cost,
                      cost_inside(map, band_of(map, lines.cells), query.start, query.goal))
                << describe(index, query);
            const Cost optimum =
                grid::dijkstra_distances(map, query.start).value()[map.cell(query.goal)];
            ASSERT_EQ(fault_of(index, query, band, optimum), "") << describe(index, query);
            ASSERT_EQ(band.abstract_cost, lines.abstract_cost);
            shortened += band.cost < lines.cost ? 1 : 0;
        }
    }
    EXPECT_GT(shortened, 0);
}

// A band and a corridor by turns, on two maps of different sizes: each has squares of its own.
TEST(Band, AndCorridorShareASearcher) {
    RandomCases random(302);
    Searcher searcher;
    for (auto rounds = cairn::test::scaled(20); rounds > 0; --rounds) {
        const Index index = build(random.map(random.size(60), kAllRules[rounds % 4]));
        const std::vector<Point> points = free_points(index.map());
        if (points.empty()) continue;
        for (int pairs = 0; pairs < 6; ++pairs) {
            Query query = unsmoothed(random.one_of(points), random.one_of(points));
            query.smoothing = pairs % 2 == 0 ? Smoothing::band : Smoothing::corridor;
            Answer answer;
            searcher.find(index, query, answer);
            const Answer fresh = answer_to(index, query);
            ASSERT_EQ(answer.cells, fresh.cells) << describe(index, query);
            ASSERT_EQ(answer.lower_bound, fresh.lower_bound);
        }
    }
}

// A search that the budget ends leaves the path as it was.
TEST(Band, EndsWithTheBudgetOfTheQuery) {
    RandomCases random(303);
    for (auto maps = cairn::test::scaled(20); maps > 0; --maps) {
        const Index index = build(random.map({60, 60}, kAllRules[maps % 4]));
        const std::vector<Point> points = free_points(index.map());
        if (points.empty()) continue;
        Query query = unsmoothed(random.one_of(points), random.one_of(points));
        query.smoothing = Smoothing::straight_lines;
        const Answer lines = answer_to(index, query);
        if (lines.status != StatusCode::ok) continue;
        const QueryStatistics& effort = lines.statistics;
        query.limits.max_expanded =
            effort.connect.expanded + effort.search.expanded + effort.refine.expanded + 1;
        query.smoothing = Smoothing::band;
        const Answer band = answer_to(index, query);
        ASSERT_EQ(band.status, StatusCode::ok);
        ASSERT_LE(band.cost, lines.cost);
        if (lines.cells.size() > 3) {
            ASSERT_EQ(band.cells, lines.cells);
        }
    }
}

}  // namespace
}  // namespace cairn::hpa::test
