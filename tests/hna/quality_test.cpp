// How long the pulled strings are, against those in the corridors of an exact search with the same
// costs.

#include <gtest/gtest.h>

#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "hna/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

using mesh::Scoring;

/// Open ground with blocks, merged to rectangles: long portals, many paths of about one length.
Mesh merged_ground(std::uint64_t seed, Scoring scoring) {
    RandomMaps random(seed);
    const int density = random.number(3, 20);
    const grid::Map map = random.noise({40, 40}, density);
    mesh::MeshOptions options;
    options.scoring = scoring;
    return mesh::mesh_from_grid(map, options).value();
}

/// Of all answers. Over the middles of whole portals, corridors of the same cost can differ by some
/// percent once pulled straight, and either search may have found the better one.
struct Lengths {
    double ours = 0;
    double exact = 0;
    int answers = 0;
    int longer = 0;  ///< by more than 2 %
};

class HnaQuality : public testing::Test {
protected:
    /// Asks in every way, and a search that knows nothing of clusters.
    void compare(const Index& index, RandomMaps& random, int pairs, Lengths& sum) {
        for (int i = 0; i < pairs; ++i) {
            Query query = random_query(index.mesh(), random);
            if (astar_.find_path(index.mesh(), query.start, query.goal, path_) != StatusCode::ok)
                continue;
            funnel_.pull(index.mesh(), query.start.point, query.goal.point, path_.links,
                         waypoints_);
            const double exact = mesh::length(waypoints_);
            for (const Way& way : ways(index)) {
                query.engine = way.engine;
                query.connect = way.connect;
                ASSERT_EQ(searcher_.find(index, query, answer_), StatusCode::ok);
                ASSERT_EQ(answer_.cost, path_.cost);
                const bool longer = answer_.length > exact * 1.02;
                ASSERT_FALSE(longer && index.mesh().options().scoring == Scoring::portal_parts)
                    << describe(query) << ": " << answer_.length << ", not " << exact;
                sum.longer += longer ? 1 : 0;
                ++sum.answers;
                sum.ours += answer_.length;
                sum.exact += exact;
            }
        }
    }

    static void expect_alike(const Lengths& sum) {
        EXPECT_GE(sum.answers, cairn::test::scale() < 1 ? 1 : 1000);
        EXPECT_LE(sum.longer, sum.answers / 100);
        EXPECT_LT(sum.ours, sum.exact * 1.001);
    }

    mesh::Astar astar_;
    mesh::Path path_;
    mesh::Funnel funnel_;
    std::vector<mesh::Waypoint> waypoints_;
    Searcher searcher_;
    Answer answer_;
};

TEST_F(HnaQuality, NeverMuchLongerThanInTheCorridorOfAnExactSearch) {
    const auto seeds = cairn::test::scaled(60);
    Lengths sum;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        for (const Scoring scoring : {Scoring::portal_midpoints, Scoring::portal_parts}) {
            Options options;
            options.levels = 1 + static_cast<int>(seed % 3);
            options.mu = 4 + static_cast<int>(seed % 5);
            const Index index = build(merged_ground(seed, scoring), options);
            RandomMaps random(seed);
            compare(index, random, 15, sum);
            ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
        }
    }
    expect_alike(sum);
}

TEST_F(HnaQuality, RandomMeshes) {
    const auto seeds = cairn::test::scaled(200);
    Lengths sum;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        Options options;
        options.levels = 1 + static_cast<int>(seed % 3);
        options.mu = 3 + static_cast<int>(seed % 5);
        compare(build(large_mesh(seed), options), random, 10, sum);
        ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
    }
    expect_alike(sum);
}

}  // namespace
}  // namespace cairn::hna::test
