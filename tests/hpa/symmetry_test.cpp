// Mirrored and turned maps. In general costs differ: clusters start at the top left corner, and the
// middle of an even entrance lies to the south or east of its centre. Costs are equal if all
// clusters are of full size and every tile of an entrance is a transition.

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
    // For each of the seven mirrored or turned images of the map: calls check(index, query, image,
    // query_image) with 20 random queries.
    template <class Check>
    void for_each_image(const Map& map, const Options& options, RandomCases& random,
                        Check&& check) {
        const Index index = build(map, options);
        const std::vector<Point> points = free_points(map);
        if (points.empty()) return;
        for (int symmetry = 1; symmetry < 8; ++symmetry) {  // 0 is the map itself
            const int turns = symmetry % 4;
            const bool mirrored = symmetry >= 4;
            const Index image = build(transformed(map, turns, mirrored), options);
            for (int pairs = 0; pairs < 20 && !HasFailure(); ++pairs) {
                const Point a = random.one_of(points);
                const Point b = random.one_of(points);
                check(index, unsmoothed(a, b), image,
                      unsmoothed(transformed(map, a, turns, mirrored),
                                 transformed(map, b, turns, mirrored)));
            }
        }
    }
};

TEST_P(Symmetry, ImagesHaveTheSameReachabilityAndNoFault) {
    RandomCases random(70 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(20); maps > 0; --maps) {
        const Map map = random.map(random.size(40), GetParam());
        Options options = random.options();
        options.diagonals = DiagonalCrossings::needed;
        for_each_image(
            map, options, random,
            [](const Index& index, const Query& query, const Index& image,
               const Query& query_image) {
                const std::vector<Cost> costs =
                    grid::dijkstra_distances(index.map(), query.start).value();
                const Cost optimum = costs[index.map().cell(query.goal)];
                EXPECT_EQ((index.reachable(query.start, query.goal) == StatusCode::ok),
                          optimum < kInfinity);
                EXPECT_EQ((image.reachable(query_image.start, query_image.goal) == StatusCode::ok),
                          optimum < kInfinity);
                EXPECT_EQ(fault_of(image, query_image, answer_to(image, query_image), optimum), "")
                    << describe(image, query_image);
            });
    }
}

TEST_P(Symmetry, CostsAreEqualIfEveryTileIsATransition) {
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
