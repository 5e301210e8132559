#pragma once
// Tests of Query::blocked, cells that are walls for one request, for any planner P on grids that
// has it (support/planner.hpp).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cairn/grid/dijkstra.hpp"
#include "support/ascii_map.hpp"
#include "support/planner.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::test {

template <class P>
class PlannerBlocked : public testing::Test {
protected:
    using Index = typename P::Index;
    using Query = typename P::Query;
    using Answer = typename P::Answer;
    using Detail = decltype(Query::detail);

    /// The map with walls on the blocked cells, except on the start.
    static grid::Map walled(const grid::Map& map, std::span<const grid::Cell> blocked,
                            grid::Point start) {
        std::vector<grid::TerrainEdit> walls;
        for (const grid::Cell cell : blocked) {
            if (cell >= map.size() || cell == map.cell(start)) continue;
            const grid::Point p = map.point(cell);
            walls.push_back({{p.x, p.y, 1, 1}, 0});
        }
        return map.edited(walls).value();
    }
    /// What is wrong with an answer, against Dijkstra's algorithm on the map with walls.
    static std::string fault(const Index& index, const Query& query, const Answer& answer) {
        const grid::Map& map = index.map();
        const grid::Map walls = walled(map, query.blocked, query.start);
        const auto expect = [&](StatusCode code) {
            return answer.status == code ? std::string()
                                         : std::string("status ") + name(answer.status).data();
        };
        if (!map.passable(map.cell(query.start))) return expect(StatusCode::start_blocked);
        if (!walls.passable(map.cell(query.goal))) return expect(StatusCode::goal_blocked);
        const Cost best =
            grid::dijkstra_distances(walls, query.start).value()[map.cell(query.goal)];
        if (best == kInfinity) return expect(StatusCode::no_path);
        if (answer.status != StatusCode::ok) return expect(StatusCode::ok);
        if (query.detail != Detail::path && !answer.cells.empty()) return "cells";
        if (static_cast<int>(query.detail) == 0 && !P::kExact) return "";  // reachable
        if (answer.cost < best || (P::kExact && answer.cost != best)) return "cost";
        if (query.detail != Detail::path) return "";
        if (grid::path_cost(walls, answer.cells) != answer.cost) return "path";
        if (answer.cells.front() != map.cell(query.start)) return "first cell";
        return answer.cells.back() == map.cell(query.goal) ? "" : "last cell";
    }
    /// Cells near a path, so that they stand in its way, and some anywhere.
    static std::vector<grid::Cell> some_blocked(RandomMaps& random, const grid::Map& map,
                                                const Answer& path, int most) {
        std::vector<grid::Cell> blocked;
        for (int count = random.number(1, most); count > 0; --count) {
            grid::Point p = random.point(map);
            if (!path.cells.empty() && random.chance(80)) {
                const auto last = static_cast<int>(path.cells.size()) - 1;
                p = map.point(path.cells[static_cast<std::size_t>(random.number(0, last))]);
                p.x += random.number(-1, 1);
                p.y += random.number(-1, 1);
            }
            if (map.contains(p)) blocked.push_back(map.cell(p));
        }
        if (random.chance(5)) blocked.push_back(static_cast<grid::Cell>(map.size()) + 3);
        std::sort(blocked.begin(), blocked.end());
        return blocked;
    }
    /// A query without limits whose path is asked for.
    static Query some_query(typename P::Random& random, const Index& index) {
        const grid::Point start = random.point(index.map());
        Query query = P::any_query(random, index, start, random.point(index.map()));
        query.nearest_reachable = false;
        query.detail = Detail::path;
        return query;
    }

    typename P::Searcher searcher_;
    Answer answer_;
};

TYPED_TEST_SUITE_P(PlannerBlocked);

TYPED_TEST_P(PlannerBlocked, PathsGoAroundWherePossible) {
    typename TypeParam::Random random(1821);
    auto& answer = this->answer_;
    int detours = 0;
    int cut_off = 0;
    for (auto maps = scaled(60); maps > 0; --maps) {
        const auto map = TypeParam::any_map(random, random.size(40));
        const auto first = TypeParam::any_index(random, map);
        const auto edited = first.edited(TypeParam::edits(random, first)).value_or(first);
        for (int queries = 25; queries > 0; --queries) {
            const auto& index = random.chance(50) ? first : edited;
            if (!TypeParam::complete(index) || !index.map().costs_fit()) continue;
            auto query = this->some_query(random, index);
            this->searcher_.find(index, query, answer);
            const auto blocked = this->some_blocked(random, index.map(), answer, 12);
            query.blocked = blocked;
            query.detail = static_cast<decltype(query.detail)>(
                random.number(0, static_cast<int>(decltype(query.detail)::path)));
            this->searcher_.find(index, query, answer);
            ASSERT_EQ(this->fault(index, query, answer), "")
                << map_text(this->walled(index.map(), blocked, query.start))
                << TypeParam::describe(index, query);
            detours += answer.detour && answer.status == StatusCode::ok ? 1 : 0;
            cut_off += answer.detour && answer.status == StatusCode::no_path ? 1 : 0;
            // The next query without them sees none.
            query.blocked = {};
            this->searcher_.find(index, query, answer);
            ASSERT_EQ(this->fault(index, query, answer), "");
            ASSERT_FALSE(answer.detour);
        }
    }
    EXPECT_GT(detours, 0);
    EXPECT_GT(cut_off, 0);
}

// All maps of 4 x 3 cells, with blocked cells drawn for each.
TYPED_TEST_P(PlannerBlocked, SmallMapsHaveNoFault) {
    typename TypeParam::Random random(1822);
    for (std::uint64_t free = 0; free < 1U << 12; free += stride(1)) {
        const auto map = small_map(4, 3, free);
        const auto index = TypeParam::build(map, TypeParam::variant(0));
        std::vector<grid::Cell> blocked;
        for (grid::Cell cell = 0; cell < map.size(); ++cell) {
            if (random.chance(25)) blocked.push_back(cell);
        }
        for (grid::Cell start = 0; start < map.size(); ++start) {
            const grid::Point goal = random.point(index.map());
            auto query = TypeParam::query(map.point(start), goal, TypeParam::kEngines[0]);
            query.blocked = blocked;
            this->searcher_.find(index, query, this->answer_);
            ASSERT_EQ(this->fault(index, query, this->answer_), "")
                << map_text(index.map()) << TypeParam::describe(index, query);
        }
    }
}

TYPED_TEST_P(PlannerBlocked, SlicesAgreeWithWholeQueries) {
    typename TypeParam::Random random(1823);
    typename TypeParam::Searcher searcher;
    typename TypeParam::Answer sliced;
    for (int maps = 20; maps > 0; --maps) {
        const auto map = TypeParam::any_map(random, {40, 40});
        const auto index = TypeParam::any_index(random, map);
        auto query = this->some_query(random, index);
        this->searcher_.find(index, query, this->answer_);
        const auto blocked = this->some_blocked(random, index.map(), this->answer_, 20);
        query.blocked = blocked;
        this->searcher_.find(index, query, this->answer_);
        searcher.begin(index, query, sliced);
        while (searcher.advance(1)) {
        }
        ASSERT_TRUE(TypeParam::essence(sliced) == TypeParam::essence(this->answer_));
    }
}

TYPED_TEST_P(PlannerBlocked, LimitsAreKept) {
    const auto map = ascii_map({
        ".......",
        ".@@.@@.",
        ".......",
    });
    typename TypeParam::Random random(1824);
    const auto index = TypeParam::build(map, TypeParam::variant(0));
    auto& answer = this->answer_;
    auto query = TypeParam::query({3, 0}, {3, 2}, TypeParam::kEngines[0]);
    const auto find = [&] { return this->searcher_.find(index, query, answer); };
    find();
    const Cost through = answer.cost;
    // A unit in the door, and the one that asks, which lists itself.
    const std::vector<grid::Cell> units{map.cell({3, 0}), map.cell({3, 1})};
    query.blocked = units;
    ASSERT_EQ(find(), StatusCode::ok);
    EXPECT_TRUE(answer.detour);
    EXPECT_GT(answer.cost, 3 * through);
    query.limits.max_cost = answer.cost - 1;
    EXPECT_EQ(find(), StatusCode::over_cost_limit);
    query.limits = {};
    query.limits.max_expanded = 1;
    EXPECT_EQ(find(), StatusCode::budget_exhausted);
    EXPECT_EQ(answer.cost, kInfinity);
    EXPECT_TRUE(answer.cells.empty());
    query.limits.partial_path = true;
    for (query.limits.max_expanded = 0; find() != StatusCode::ok; ++query.limits.max_expanded) {
        ASSERT_EQ(answer.status, StatusCode::budget_exhausted);
        ASSERT_FALSE(answer.cells.empty());
        EXPECT_EQ(answer.cells.front(), map.cell(query.start));
        EXPECT_LT(grid::path_cost(this->walled(map, units, query.start), answer.cells), kInfinity);
    }
    query.limits = {};

    const std::vector<grid::Cell> all{map.cell({0, 1}), map.cell({3, 1}), map.cell({6, 1})};
    query.blocked = all;
    EXPECT_EQ(find(), StatusCode::no_path);
    const std::vector<grid::Cell> at_goal{map.cell(query.goal)};
    query.blocked = at_goal;
    EXPECT_EQ(find(), StatusCode::goal_blocked);
    const std::vector<grid::Cell> falling{map.cell({3, 1}), map.cell({0, 0})};
    query.blocked = falling;
    EXPECT_EQ(find(), StatusCode::bad_option);
}

REGISTER_TYPED_TEST_SUITE_P(PlannerBlocked, PathsGoAroundWherePossible, SmallMapsHaveNoFault,
                            SlicesAgreeWithWholeQueries, LimitsAreKept);

}  // namespace cairn::test
