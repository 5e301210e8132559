// hpa::LazyPath: abstract paths that are refined one abstract edge at a time.

#include <gtest/gtest.h>

#include "cairn/hpa/lazy_path.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using grid::Cell;
using grid::Map;
using grid::Point;

std::vector<Cell> remaining_cells(LazyPath& path) {
    std::vector<Cell> cells;
    while (const auto cell = path.next()) cells.push_back(*cell);
    return cells;
}

class Lazy : public testing::TestWithParam<grid::MoveRules> {};

// For an abstract path of any level, the cells are those of the path that is refined at once, in
// the same order (section 3.2.2).
TEST_P(Lazy, GivesTheCellsOfTheUnsmoothedPath) {
    RandomCases random(31 + static_cast<std::uint64_t>(GetParam().corner));
    Searcher searcher;
    Answer answer;
    LazyPath path;
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const Map map = random.map(random.size(70), GetParam());
        const Index index = build(map, random.options());
        for (int i = 0; i < 20; ++i) {
            Query query = random.plain_query(map);
            if (i % 2 == 0) query.engine = Engine::levels;
            query.try_direct_line = i % 3 == 0;
            const Answer whole = answer_to(index, query);
            query.detail = Detail::abstract_path;
            searcher.find(index, query, answer);
            ASSERT_EQ(path.begin(index, answer), answer.status);
            if (answer.status != StatusCode::ok) {
                ASSERT_FALSE(path.next());
                continue;
            }
            ASSERT_EQ(path.cost(), whole.cost);
            ASSERT_EQ(remaining_cells(path), whole.cells) << describe(index, query);
            ASSERT_FALSE(path.next());
            ASSERT_EQ(path.walked(), whole.cost);  // the cost of the cells so far
        }
    }
}

// A LazyPath connects the start by ConnectRule::all. So after another rule the path may be cheaper
// than the answer's.
TEST_P(Lazy, RefinesAnswersOfAnyConnectRule) {
    RandomCases random(35 + static_cast<std::uint64_t>(GetParam().corner));
    LazyPath path;
    for (auto maps = cairn::test::scaled(40); maps > 0; --maps) {
        const Map map = random.map(random.size(70), GetParam());
        const Index index = build(map, random.options());
        for (int i = 0; i < 20; ++i) {
            Query query = random.query(map, index.has_labels());
            query.detail = Detail::abstract_path;
            const Answer answer = answer_to(index, query);
            if (answer.status != StatusCode::ok) continue;
            ASSERT_EQ(path.begin(index, answer), StatusCode::ok);
            const std::vector<Cell> cells = remaining_cells(path);
            ASSERT_EQ(cells.front(), map.cell(query.start));
            ASSERT_EQ(cells.back(), map.cell(query.goal));
            ASSERT_EQ(grid::path_cost(map, cells), path.walked()) << describe(index, query);
            ASSERT_LE(path.walked(), answer.cost) << describe(index, query);
        }
    }
}

// A unit walks some steps of its path, a wall is built somewhere, and the unit queries a new path.
// In the end it has arrived, or its last query agrees with Index::reachable (section 3.2).
TEST_P(Lazy, ReplanningFollowsTheEditedMap) {
    RandomCases random(38);
    Searcher searcher;
    int broken = 0;
    int kept = 0;
    for (auto maps = cairn::test::scaled(20); maps > 0; --maps) {
        const Map map = random.map({random.number(20, 50), random.number(20, 50)}, GetParam());
        Options options = random.options();
        options.labels = false;
        options.diagonals = DiagonalCrossings::needed;
        Index index = build(map, options);
        const std::vector<Point> points = free_points(map);
        if (points.empty()) continue;
        Cell at = map.cell(points.front());
        const Point goal = points.back();
        bool arrived = false;
        for (int plans = 0; plans < 60 && !arrived; ++plans) {
            Query query = unsmoothed(index.map().point(at), goal);
            query.detail = Detail::abstract_path;
            Answer answer;
            searcher.find(index, query, answer);
            if (answer.status != StatusCode::ok) break;
            LazyPath path;
            ASSERT_EQ(path.begin(index, answer), StatusCode::ok);
            ASSERT_EQ(path.next(), at);
            for (int steps = random.number(1, 15); steps > 0; --steps) {
                const auto next = path.next();
                if (!next) break;
                ASSERT_TRUE(index.map().passable(*next));
                at = *next;
            }
            EXPECT_FALSE(path.stale(index));
            arrived = at == index.map().cell(goal);
            const Point wall = random.point(map);
            const int length = std::min(random.number(1, 12), map.width() - wall.x);
            const auto covers = [&](Point p) {
                return p.y == wall.y && p.x >= wall.x && p.x < wall.x + length;
            };
            if (covers(map.point(at)) || covers(goal)) continue;
            const grid::TerrainEdit edit{{wall.x, wall.y, length, 1}, '@'};
            index = *index.edited({&edit, 1});
            // It is stale exactly if the rest of it can no longer be walked.
            const bool stale = path.stale(index);
            std::vector<Cell> rest{at};
            while (const auto next = path.next()) rest.push_back(*next);
            EXPECT_EQ(stale, path_cost(index.map(), rest) == kInfinity);
            (stale ? broken : kept) += 1;
        }
        if (arrived) continue;
        const Query last = unsmoothed(index.map().point(at), goal);
        EXPECT_EQ(answer_to(index, last).status == StatusCode::ok,
                  (index.reachable(last.start, goal) == StatusCode::ok));
    }
    EXPECT_GT(broken, 0);
    EXPECT_GT(kept, 0);
}

INSTANTIATE_TEST_SUITE_P(Rules, Lazy, testing::ValuesIn(kAllRules), case_name);

TEST(LazyPathStatus, RefusesAnswersThatItCannotRefine) {
    RandomCases random(39);
    const Map map = random.map({40, 40}, {});
    Options options;
    options.levels = 2;
    const Index index = build(map, options);
    const std::vector<Point> points = free_points(map);
    ASSERT_FALSE(points.empty());
    LazyPath path;
    EXPECT_FALSE(path.next());
    EXPECT_TRUE(path.stale(index));

    Query query = unsmoothed(points.front(), points.front());
    query.detail = Detail::cost;
    EXPECT_EQ(path.begin(index, answer_to(index, query)), StatusCode::unsupported);
    query.goal = {-1, 0};
    EXPECT_EQ(path.begin(index, answer_to(index, query)), StatusCode::goal_outside);

    query.goal = points.front();
    query.detail = Detail::abstract_path;
    const Answer answer = answer_to(index, query);
    const grid::TerrainEdit edit{{0, 0, 1, 1}, '@'};
    const Index edited = *index.edited({&edit, 1});
    EXPECT_EQ(path.begin(edited, answer), StatusCode::stale_index);
    EXPECT_FALSE(path.next());
    EXPECT_EQ(path.begin(index, answer), StatusCode::ok);
    EXPECT_FALSE(path.stale(index));
    EXPECT_EQ(path.stale(edited), !edited.map().passable(map.cell(points.front())));
    EXPECT_EQ(path.next(), map.cell(points.front()));
    EXPECT_FALSE(path.next());
    // Without its labels an index is still the same snapshot.
    EXPECT_FALSE(path.stale(index.without_labels().value()));
}

}  // namespace
}  // namespace cairn::hpa::test
