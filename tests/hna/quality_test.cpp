// The lengths of HNA* paths in mesh units, after the funnel, against those of A* over the polygons.
// Both searches find corridors of the same cost.

#include <gtest/gtest.h>

#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "hna/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

using mesh::Scoring;

/// A 40 x 40 grid with single blocked cells, whose free cells are merged to rectangles: long
/// portals, and many paths of about equal length.
Mesh merged_grid(std::uint64_t seed, Scoring scoring) {
    RandomMaps random(seed);
    const int density = random.number(3, 20);
    const grid::Map map = random.noise({40, 40}, density);
    mesh::MeshOptions options;
    options.scoring = scoring;
    if (scoring == Scoring::portal_parts) options.longest_part = 0.5;
    return mesh::mesh_from_grid(map, options).value();
}

/// Sums over all answers. If portals are scored by their midpoints, the paths in two corridors of
/// the same cost can differ in length by some percent, and either search may find the shorter one.
struct Lengths {
    double by_hna = 0;    ///< in mesh units
    double by_astar = 0;  ///< in mesh units
    int answers = 0;
    int longer = 0;  ///< answers whose path is more than 2 % longer than that of A*
};

class HnaQuality : public testing::Test {
protected:
    /// Searches in every mode and by A*, and adds the lengths to `sum`.
    void compare(const Index& index, RandomMaps& random, int pairs, Lengths& sum) {
        for (int i = 0; i < pairs; ++i) {
            Query query = random_query(index.mesh(), random);
            if (astar_.find_path(index.mesh(), query.start, query.goal, path_) != StatusCode::ok)
                continue;
            funnel_.pull(index.mesh(), query.start.point, query.goal.point, path_.links,
                         waypoints_);
            const double astar_length = mesh::length(waypoints_);
            for (const SearchMode& mode : search_modes(index)) {
                query.engine = mode.engine;
                query.connect = mode.connect;
                query.search_level = mode.level;
                ASSERT_EQ(searcher_.find(index, query, answer_), StatusCode::ok);
                ASSERT_EQ(answer_.cost, path_.cost);
                const bool longer = answer_.length > astar_length * 1.02;
                ASSERT_FALSE(longer && index.mesh().options().scoring == Scoring::portal_parts)
                    << describe(query) << ": " << answer_.length << ", not " << astar_length;
                sum.longer += longer ? 1 : 0;
                ++sum.answers;
                sum.by_hna += answer_.length;
                sum.by_astar += astar_length;
            }
        }
    }

    static void expect_about_equal(const Lengths& sum) {
        EXPECT_GE(sum.answers, cairn::test::scale() < 1 ? 1 : 1000);
        EXPECT_LE(sum.longer, sum.answers / 100);
        EXPECT_LT(sum.by_hna, sum.by_astar * 1.001);
    }

    mesh::Astar astar_;
    mesh::Path path_;
    mesh::Funnel funnel_;
    std::vector<mesh::Waypoint> waypoints_;
    Searcher searcher_;
    Answer answer_;
};

TEST_F(HnaQuality, OnMergedGridsPathsAreAboutAsLongAsThoseOfAstar) {
    const auto seeds = cairn::test::scaled(60);
    Lengths sum;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        for (const Scoring scoring : {Scoring::portal_midpoints, Scoring::portal_parts}) {
            Options options;
            options.levels = 1 + static_cast<int>(seed % 3);
            options.mu = 4 + static_cast<int>(seed % 5);
            const Index index = build(merged_grid(seed, scoring), options);
            RandomMaps random(seed);
            compare(index, random, 15, sum);
            ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
        }
    }
    expect_about_equal(sum);
}

TEST_F(HnaQuality, OnRandomMeshesPathsAreAboutAsLongAsThoseOfAstar) {
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
    expect_about_equal(sum);
}

}  // namespace
}  // namespace cairn::hna::test
