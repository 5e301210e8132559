// What does not change the cost of an answer: the engine, the number of levels, move tables, the
// sparse connect rule, the threads of the build, and the earlier queries of a searcher.

#include <gtest/gtest.h>

#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using grid::Map;
using grid::MoveRules;
using grid::Point;

class Invariance : public testing::TestWithParam<MoveRules> {
protected:
    // Calls prepare(map, options) for each of `maps` random maps, and then check(start, goal) for
    // `pairs` random pairs of its free cells.
    template <class Prepare, class Check>
    void for_each_case(std::uint64_t maps, int pairs, Prepare&& prepare, Check&& check) {
        RandomCases random(100 + static_cast<std::uint64_t>(GetParam().corner));
        for (maps = cairn::test::scaled(maps); maps > 0 && !HasFailure(); --maps) {
            const Map map = random.map(random.size(72), GetParam());
            const std::vector<Point> points = free_points(map);
            if (points.empty()) continue;
            prepare(map, random.options());
            for (int i = 0; i < pairs && !HasFailure(); ++i) {
                const Point start = random.one_of(points);
                check(start, random.one_of(points));
            }
        }
    }
    Searcher searcher_;
    Answer answer_;
};

// The number of levels changes no cost (section 4.2), and all engines are exact on the abstract
// graph.
TEST_P(Invariance, CostIsTheSameForAllLevelsAndEngines) {
    std::vector<Index> indexes;
    for_each_case(
        25, 40,
        [&](const Map& map, Options options) {
            indexes.clear();
            options.labels = true;
            for (options.levels = 1; options.levels <= 5; ++options.levels)
                indexes.push_back(build(map, options));
        },
        [&](Point start, Point goal) {
            searcher_.find(indexes[0], unsmoothed(start, goal, Engine::astar), answer_);
            const StatusCode status = answer_.status;
            const Cost cost = answer_.cost;
            for (const Index& index : indexes) {
                for (const Engine engine :
                     {Engine::astar, Engine::levels, Engine::cut_labels, Engine::climb}) {
                    const Query query = unsmoothed(start, goal, engine);
                    searcher_.find(index, query, answer_);
                    ASSERT_EQ(answer_.status, status) << describe(index, query);
                    ASSERT_EQ(answer_.cost, cost) << describe(index, query);
                    if (status != StatusCode::ok) continue;
                    ASSERT_EQ(grid::path_cost(index.map(), answer_.cells), cost)
                        << describe(index, query);
                }
            }
        });
}

TEST_P(Invariance, TablesGiveTheSameCellsAsSearching) {
    std::vector<Index> indexes;
    for_each_case(
        50, 40,
        [&](const Map& map, Options options) {
            options.move_tables = true;
            indexes.assign(1, build(map, options));
            options.move_tables = false;
            indexes.push_back(build(map, options));
        },
        [&](Point start, Point goal) {
            const Query query = unsmoothed(start, goal);
            searcher_.find(indexes[0], query, answer_);
            const Answer other = answer_to(indexes[1], query);
            ASSERT_EQ(answer_.status, other.status);
            ASSERT_EQ(answer_.cost, other.cost);
            ASSERT_EQ(answer_.abstract_nodes, other.abstract_nodes);
            ASSERT_EQ(answer_.cells, other.cells) << describe(indexes[0], query);
        });
}

// The first idea of section 5: S is connected to some of its cluster's nodes only.
TEST_P(Invariance, SparseConnectionsLoseNothing) {
    std::vector<Index> indexes;
    for_each_case(
        40, 40,
        [&](const Map& map, Options options) {
            options.labels = true;
            indexes.assign(1, build(map, options));
        },
        [&](Point start, Point goal) {
            for (const Engine engine :
                 {Engine::astar, Engine::levels, Engine::cut_labels, Engine::climb}) {
                Query query = unsmoothed(start, goal, engine);
                searcher_.find(indexes[0], query, answer_);
                const Cost cost = answer_.cost;
                query.connect = ConnectRule::sparse;
                searcher_.find(indexes[0], query, answer_);
                ASSERT_EQ(answer_.cost, cost) << describe(indexes[0], query);
            }
        });
}

// The second idea of section 5: paths may be longer, but are found wherever there are some.
TEST_P(Invariance, ConnectionsTowardsTheGoalLoseNoPath) {
    std::vector<Index> indexes;
    for_each_case(
        40, 40,
        [&](const Map& map, const Options& options) { indexes.assign(1, build(map, options)); },
        [&](Point start, Point goal) {
            Query query = unsmoothed(start, goal);
            searcher_.find(indexes[0], query, answer_);
            const Answer all = answer_;
            query.connect = ConnectRule::towards_goal;
            searcher_.find(indexes[0], query, answer_);
            ASSERT_EQ(answer_.status, all.status) << describe(indexes[0], query);
            ASSERT_GE(answer_.cost, all.cost) << describe(indexes[0], query);
        });
}

// An answer depends on the index and the query alone: not on earlier queries, nor on how many
// connected endpoints the searcher keeps.
TEST_P(Invariance, AUsedSearcherAnswersAsAFreshOne) {
    std::vector<Index> indexes;
    Searcher small_cache(0);  // keeps the last two endpoints
    for_each_case(
        40, 40,
        [&](const Map& map, const Options& options) {
            indexes.push_back(build(map, options));
            if (indexes.size() > 2) indexes.erase(indexes.begin());  // alternates between two
        },
        [&](Point start, Point goal) {
            for (const Index& index : indexes) {
                if (!index.map().contains(start) || !index.map().contains(goal)) continue;
                Query query = unsmoothed(start, goal);
                query.smoothing = goal.x % 2 == 0 ? Smoothing::corridor : Smoothing::band;
                const Answer fresh = answer_to(index, query);
                for (Searcher* searcher : {&searcher_, &small_cache}) {
                    searcher->find(index, query, answer_);
                    ASSERT_EQ(answer_.status, fresh.status);
                    ASSERT_EQ(answer_.abstract_nodes, fresh.abstract_nodes);
                    ASSERT_EQ(answer_.cells, fresh.cells) << describe(index, query);
                }
            }
        });
}

TEST_P(Invariance, ABuildDoesNotDependOnItsWorkers) {
    RandomCases random(9);
    for (auto maps = cairn::test::scaled(3); maps > 0; --maps) {
        const Map map = random.map({random.number(100, 200), random.number(100, 200)}, GetParam());
        const Options options = random.options();
        BuildControl control;
        control.threads = 1;
        const Index by_one = *Index::build(map, options, control);
        control.threads = 4;
        const Index by_four = *Index::build(map, options, control);
        EXPECT_TRUE(by_one == by_four);
        EXPECT_EQ(by_one.snapshot_id(), by_four.snapshot_id());
        EXPECT_TRUE(by_one == *Index::build(map, options));
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, Invariance, testing::ValuesIn(kAllRules), case_name);

}  // namespace
}  // namespace cairn::hpa::test
