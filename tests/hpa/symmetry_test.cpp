// Mirrored and turned maps. Costs need not be equal: clusters are counted from the top left, and
// the middle of an even entrance lies to the south or east of its centre. Where
// clusters divide the map and every tile of an entrance is a transition, they are.

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

class Symmetry : public testing::TestWithParam<MoveRules> {
protected:
    // Calls `check` with an index, its image and a pair of points, for all seven symmetries.
    template <class Check>
    void for_each_image(const Map& map, const Options& options, RandomCases& random,
                        Check&& check) {
        const Index index = build(map, options);
        const std::vector<Point> points = free_points(map);
        if (points.empty()) return;
        const auto any = [&] { return random.one_of(points); };
        for (int symmetry = 1; symmetry < 8; ++symmetry) {
            const int turns = symmetry % 4;
            const bool mirrored = symmetry >= 4;
            const Index image = build(transformed(map, turns, mirrored), options);
            for (int pairs = 0; pairs < 20 && !HasFailure(); ++pairs) {
                const Point a = any();
                const Point b = any();
                check(index, unsmoothed(a, b), image,
                      unsmoothed(transformed(map, a, turns, mirrored),
                                 transformed(map, b, turns, mirrored)));
            }
        }
    }
};

TEST_P(Symmetry, ReachabilityAndBoundsHold) {
    RandomCases random(70 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(20); maps > 0; --maps) {
        const Map map = random.map(random.size(40), GetParam());
        Options options = random.options();
        options.diagonals = DiagonalCrossings::needed;
        for_each_image(
            map, options, random,
            [](const Index& index, const Query& query, const Index& image,
               const Query& query_image) {
                const Map& m = index.map();
                const Cost optimum = grid::dijkstra_distances(m, query.start)[m.cell(query.goal)];
                EXPECT_EQ(index.reachable(query.start, query.goal), optimum < kInfinity);
                EXPECT_EQ(image.reachable(query_image.start, query_image.goal),
                          optimum < kInfinity);
                EXPECT_EQ(fault_of(image, query_image, answer_to(image, query_image), optimum), "")
                    << describe(image, query_image);
            });
    }
}

TEST_P(Symmetry, CostsAreEqualWhereNothingIsChosen) {
    RandomCases random(80 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(10); maps > 0; --maps) {
        Options options = random.options();
        options.transitions = Transitions::every;
        options.diagonals = DiagonalCrossings::needed;
        const Map map = random.map({options.cluster_size * random.number(1, 5),
                                    options.cluster_size * random.number(1, 5)},
                                   GetParam());
        for_each_image(
            map, options, random,
            [](const Index& index, const Query& query, const Index& image,
               const Query& query_image) {
                EXPECT_EQ(answer_to(index, query).cost, answer_to(image, query_image).cost)
                    << describe(index, query);
            });
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, Symmetry, testing::ValuesIn(kAllRules), case_name);

}  // namespace
}  // namespace cairn::hpa::test
