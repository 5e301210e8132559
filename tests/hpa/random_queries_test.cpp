// Random HPA* queries of every kind on random maps and indexes of every kind, against Dijkstra's
// algorithm.

#include <gtest/gtest.h>

#include "cairn/grid/dijkstra.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using grid::Map;
using grid::MoveRules;
using grid::Point;

class RandomQueries : public testing::TestWithParam<MoveRules> {};

// 25,000 queries between free cells for each move rule: 250 maps, 5 starts, 20 goals.
TEST_P(RandomQueries, HaveNoFault) {
    RandomCases random(7 + static_cast<std::uint64_t>(GetParam().corner) * 2 +
                       static_cast<std::uint64_t>(GetParam().neighbourhood));
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(250); maps > 0; --maps) {
        const Map map = random.map(random.size(64), GetParam());
        const std::vector<Point> points = free_points(map);
        if (points.empty()) continue;
        const Index index = build(map, random.options());
        for (int starts = 0; starts < 5; ++starts) {
            const Point start = random.one_of(points);
            const std::vector<Cost> optimum = grid::dijkstra_distances(map, start).value();
            for (int goals = 0; goals < 20; ++goals) {
                const Query query = random.query(start, random.one_of(points), index.has_labels());
                searcher.find(index, query, answer);
                ASSERT_EQ(fault_of(index, query, answer, optimum[map.cell(query.goal)]), "")
                    << describe(index, query);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, RandomQueries, testing::ValuesIn(kAllRules), case_name);

}  // namespace
}  // namespace cairn::hpa::test
