// Query::blocked: cells that are walls for one request.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cairn/grid/dijkstra.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "subgoal/verify.hpp"
#include "support/ascii_map.hpp"
#include "support/planner.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::ascii_map;
using cairn::test::RandomMaps;
using cairn::test::scaled;
using grid::Cell;
using grid::Map;
using grid::Point;

/// The map with walls on the blocked cells, except on the start.
Map walled(const Map& map, std::span<const Cell> blocked, Point start) {
    std::vector<grid::TerrainEdit> walls;
    for (const Cell cell : blocked) {
        if (cell >= map.size() || cell == map.cell(start)) continue;
        const Point p = map.point(cell);
        walls.push_back({{p.x, p.y, 1, 1}, 0});
    }
    return map.edited(walls).value();
}

/// What is wrong with an answer, against Dijkstra's algorithm on the map with walls.
std::string fault(const Index& index, const Query& query, const Answer& answer) {
    const Map& map = index.map();
    const Map walls = walled(map, query.blocked, query.start);
    if (!map.passable(map.cell(query.start)))
        return answer.status == StatusCode::start_blocked ? "" : "start";
    if (!walls.passable(map.cell(query.goal)))
        return answer.status == StatusCode::goal_blocked ? "" : "goal";
    const Cost best = grid::dijkstra_distances(walls, query.start).value()[map.cell(query.goal)];
    if (best == kInfinity) return answer.status == StatusCode::no_path ? "" : "no path";
    if (answer.status != StatusCode::ok) return "status";
    if (answer.cost != best) return "cost " + std::to_string(answer.cost) + " " + std::to_string(best) + (answer.detour ? " detour" : "") + " engine " + std::to_string(int(query.engine)) + " detail " + std::to_string(int(query.detail));
    if (query.detail < Detail::path) return answer.cells.empty() ? "" : "cells";
    if (grid::path_cost(walls, answer.cells) != best) return "path";
    if (answer.cells.front() != map.cell(query.start)) return "front";
    if (answer.cells.back() != map.cell(query.goal)) return "back";
    if (answer.subgoals.front() != map.cell(query.start)) return "first subgoal";
    return answer.subgoals.back() == map.cell(query.goal) ? "" : "last subgoal";
}

/// Cells near a path, so that they stand in its way, and some anywhere.
std::vector<Cell> some_blocked(RandomMaps& random, const Map& map, const Answer& path, int most) {
    std::vector<Cell> blocked;
    for (int count = random.number(0, most); count > 0; --count) {
        Point p = random.point(map);
        if (!path.cells.empty() && random.chance(80)) {
            const auto last = static_cast<int>(path.cells.size()) - 1;
            p = map.point(path.cells[static_cast<std::size_t>(random.number(0, last))]);
            p.x += random.number(-1, 1);
            p.y += random.number(-1, 1);
        }
        if (map.contains(p)) blocked.push_back(map.cell(p));
    }
    if (random.chance(5)) blocked.push_back(static_cast<Cell>(map.size()) + 3);
    std::sort(blocked.begin(), blocked.end());
    return blocked;
}

Index index_of(const Map& map, bool labels, bool prune) {
    Options options;
    options.labels = labels;
    options.prune = prune;
    return Index::build(map, options, cairn::test::one_thread()).value();
}

TEST(SubgoalBlocked, PathsAroundAreShortest) {
    RandomMaps random(1821);
    Searcher searcher;
    Answer answer;
    int detours = 0;
    int cut_off = 0;
    for (auto maps = scaled(60); maps > 0; --maps) {
        const Map map = random.uniform_map(random.size(40));
        const Index first = index_of(map, random.chance(70), random.chance(80));
        const Index edited = first.edited(random.edits(map)).value_or(first);
        for (int queries = 25; queries > 0; --queries) {
            const Index& index = random.chance(50) ? first : edited;
            Query query;
            query.start = random.point(map);
            query.goal = random.point(map);
            if (random.chance(20)) query.engine = Engine::astar;
            searcher.find(index, query, answer);
            const std::vector<Cell> blocked = some_blocked(random, map, answer, 12);
            query.blocked = blocked;
            query.detail = static_cast<Detail>(random.number(0, 2));
            searcher.find(index, query, answer);
            ASSERT_EQ(fault(index, query, answer), "")
                << cairn::test::map_text(walled(index.map(), blocked, query.start)) << query.start.x
                << ',' << query.start.y << " to " << query.goal.x << ',' << query.goal.y;
            detours += answer.detour && answer.status == StatusCode::ok ? 1 : 0;
            cut_off += answer.status == StatusCode::no_path ? 1 : 0;
            // The next query without them is not affected.
            query.blocked = {};
            searcher.find(index, query, answer);
            ASSERT_EQ(fault(index, query, answer), "");
            ASSERT_FALSE(answer.detour);
        }
    }
    EXPECT_GT(detours, 0);
    EXPECT_GT(cut_off, 0);
}

// All maps of 3 x 4 cells, with blocked cells drawn for each.
TEST(SubgoalBlocked, SmallMapsHaveNoFault) {
    RandomMaps random(1822);
    Searcher searcher;
    Answer answer;
    for (std::uint64_t free = 0; free < 1U << 12; free += cairn::test::stride(1)) {
        const Map map = cairn::test::small_map(4, 3, free);
        const Index index = index_of(map, true, true);
        std::vector<Cell> blocked;
        for (Cell cell = 0; cell < map.size(); ++cell) {
            if (random.chance(25)) blocked.push_back(cell);
        }
        Query query;
        query.blocked = blocked;
        for (Cell start = 0; start < map.size(); ++start) {
            query.start = map.point(start);
            query.goal = random.point(map);
            searcher.find(index, query, answer);
            ASSERT_EQ(fault(index, query, answer), "") << cairn::test::map_text(map);
        }
    }
}

TEST(SubgoalBlocked, AreWallsThatOneRequestSees) {
    const Map map = ascii_map({
        ".......",
        ".@@.@@.",
        ".......",
    });
    const Index index = index_of(map, true, true);
    Searcher searcher;
    Answer answer;
    Query query;
    query.start = {3, 0};
    query.goal = {3, 2};
    searcher.find(index, query, answer);
    const Cost through = answer.cost;
    // A unit in the door, and the one that asks, which lists itself.
    const std::vector<Cell> units{map.cell({3, 0}), map.cell({3, 1})};
    query.blocked = units;
    ASSERT_EQ(searcher.find(index, query, answer), StatusCode::ok);
    EXPECT_TRUE(answer.detour);
    EXPECT_GT(answer.cost, 3 * through);
    query.limits.max_cost = answer.cost - 1;
    EXPECT_EQ(searcher.find(index, query, answer), StatusCode::over_cost_limit);
    query.limits = {};
    query.limits.max_expanded = 1;
    EXPECT_EQ(searcher.find(index, query, answer), StatusCode::budget_exhausted);
    EXPECT_TRUE(answer.cells.empty());
    query.limits = {};

    const std::vector<Cell> all{map.cell({0, 1}), map.cell({3, 1}), map.cell({6, 1})};
    query.blocked = all;
    EXPECT_EQ(searcher.find(index, query, answer), StatusCode::no_path);
    const std::vector<Cell> at_goal{map.cell(query.goal)};
    query.blocked = at_goal;
    EXPECT_EQ(searcher.find(index, query, answer), StatusCode::goal_blocked);
    const std::vector<Cell> falling{map.cell({3, 1}), map.cell({0, 0})};
    query.blocked = falling;
    EXPECT_EQ(searcher.find(index, query, answer), StatusCode::bad_option);
}

TEST(SubgoalBlocked, SlicesAndCostsAgree) {
    RandomMaps random(1823);
    Searcher searcher;
    Answer whole;
    Answer sliced;
    for (int maps = 20; maps > 0; --maps) {
        const Map map = random.uniform_map({40, 40});
        const Index index = index_of(map, random.chance(50), true);
        Query query;
        query.start = random.point(map);
        query.goal = random.point(map);
        searcher.find(index, query, whole);
        const std::vector<Cell> blocked = some_blocked(random, map, whole, 20);
        query.blocked = blocked;
        searcher.find(index, query, whole);
        searcher.begin(index, query, sliced);
        while (searcher.advance(1)) {
        }
        ASSERT_EQ(sliced.status, whole.status);
        ASSERT_EQ(sliced.cells, whole.cells);
        ASSERT_EQ(sliced.subgoals, whole.subgoals);
        std::vector<Cost> costs(1);
        const StatusCode code = searcher.costs(index, query, {&query.goal, 1}, costs);
        if (code == StatusCode::ok) {
            ASSERT_EQ(costs[0], whole.cost);
        }
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
