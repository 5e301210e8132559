// PathQuery against Detour's findPath on the published tile sets: it reaches the same polygons, its
// paths cost no more, and its straightened paths are no longer. "Theirs" is Detour, "ours" Cairn.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/detour/tile_set.hpp"
#include "cairn/index_file.hpp"
#include "detour_query.hpp"
#include "support/navmesh_files.hpp"
#include "support/scale.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::detour {
namespace {

/// Detour rounds portals on tile borders to 1/255 of the edge, so costs differ by that much.
constexpr double kRounding = 1e-3;

/// Sums over all compared paths. Costs are by Detour's rule.
struct Totals {
    std::size_t compared = 0;
    double sum_of_cost_ratios = 0;  // our cost / their cost
    std::size_t cheaper = 0;        // paths of ours
    std::size_t costlier = 0;       // paths of ours, beyond rounding
    double least_cost_ratio = 1;
    double sum_of_length_ratios = 0;  // our straight length / their straight length
    double our_straight = 0;          // lengths of Detour's straight paths in our corridors
    double their_straight = 0;        // lengths of Detour's straight paths in their corridors
    double our_string = 0;            // lengths of our string-pulled paths in our corridors
    std::size_t longer = 0;           // straight paths of ours, beyond rounding
    double greatest_length_ratio = 1;
};

/// Compares paths of PathQuery and of Detour on one mesh and sums up how they differ.
class Comparison {
public:
    Comparison(const dtNavMesh& nav_mesh, const dtQueryFilter& filter, const PathIndex& index)
        : nav_mesh_(nav_mesh),
          filter_(filter),
          their_query_(detour_query(nav_mesh)),
          our_query_(index) {}

    /// Fails the test if PathQuery does not reach what Detour reaches, or at a higher cost.
    void compare(const Ends& ends) {
        const Found theirs = find_path(*their_query_, ends, filter_);
        const Found ours = find_path(our_query_, ends, filter_);
        ASSERT_TRUE(dtStatusSucceed(ours.status));
        ASSERT_EQ(ours.complete(), theirs.complete()) << ends.start << " to " << ends.end;
        ASSERT_EQ(ours.path.front(), ends.start);
        if (ends.start != ends.end && passes(filter_, look_up(nav_mesh_, ends.start).poly->flags)) {
            EXPECT_EQ(ours.complete(), our_query_.index().reachable(ends.start, ends.end));
        }
        expect_linked(nav_mesh_, filter_, ours.path);
        if (ours.complete()) {
            ASSERT_EQ(ours.path.back(), ends.end);
            add(ends, ours.path, theirs.path);
        }
    }

    [[nodiscard]] std::string report(const std::string& name) const {
        const auto n = static_cast<double>(std::max<std::size_t>(totals_.compared, 1));
        const Totals& t = totals_;
        return fmt::format(
            "{}: {} paths; cost {:.5f} of Detour's at the mean, {} cheaper, {:.4f} at best, {} "
            "costlier; "
            "lengths {:.5f} at the mean, {:.5f} in sum, {} longer, {:.3f} at worst; own strings "
            "{:.6f} in sum\n",
            name, t.compared, t.sum_of_cost_ratios / n, t.cheaper, t.least_cost_ratio, t.costlier,
            t.sum_of_length_ratios / n, t.our_straight / t.their_straight, t.longer,
            t.greatest_length_ratio, t.our_string / t.their_straight);
    }
    [[nodiscard]] const Totals& totals() const { return totals_; }

private:
    /// Adds a pair of complete paths to the totals.
    void add(const Ends& ends, const std::vector<dtPolyRef>& ours,
             const std::vector<dtPolyRef>& theirs) {
        if (ends.start == ends.end) return;
        const double cost_ratio = detour_cost(nav_mesh_, filter_, ends, ours) /
                                  detour_cost(nav_mesh_, filter_, ends, theirs);
        EXPECT_LE(cost_ratio, 1 + kRounding) << ends.start << " to " << ends.end;
        const double our_straight = straight_length(*their_query_, ends, ours);
        const double their_straight = straight_length(*their_query_, ends, theirs);
        const double length_ratio = our_straight / their_straight;
        const auto point = [](const Position& p) { return mesh::Point{p[0], p[1], p[2]}; };
        ASSERT_EQ(our_query_.find(ends.start, ends.end, point(ends.from), point(ends.to), answer_),
                  StatusCode::ok);
        ++totals_.compared;
        totals_.sum_of_cost_ratios += cost_ratio;
        totals_.sum_of_length_ratios += length_ratio;
        totals_.our_straight += our_straight;
        totals_.their_straight += their_straight;
        totals_.our_string += answer_.length;
        totals_.cheaper += cost_ratio < 1 - 1e-6 ? 1 : 0;
        totals_.costlier += cost_ratio > 1 + kRounding ? 1 : 0;
        totals_.longer += length_ratio > 1 + kRounding ? 1 : 0;
        totals_.least_cost_ratio = std::min(totals_.least_cost_ratio, cost_ratio);
        totals_.greatest_length_ratio = std::max(totals_.greatest_length_ratio, length_ratio);
    }

    const dtNavMesh& nav_mesh_;
    const dtQueryFilter& filter_;
    NavMeshQuery their_query_;
    PathQuery our_query_;
    hna::Answer answer_;
    Totals totals_;
};

/// Compares `random_pairs` random pairs. They often lie in different components: goes on with
/// reachable ones to 1000 paths.
void compare_pairs(Comparison& comparison, const PathIndex& index, std::uint64_t random_pairs) {
    std::mt19937 random(5);
    for (std::uint64_t i = 0; i < random_pairs; ++i) {
        comparison.compare(random_ends(index, random));
        if (testing::Test::HasFatalFailure()) return;
    }
    while (comparison.totals().compared < test::scaled(1000)) {
        const Ends ends = random_ends(index, random);
        if (index.reachable(ends.start, ends.end)) comparison.compare(ends);
        if (testing::Test::HasFatalFailure()) return;
    }
}

using PathQueryPublished = test::NavmeshFiles;

TEST_F(PathQueryPublished, FindsWhatDetourFinds) {
    for (const auto& path : files("detour", ".bin")) {
        const auto nav_mesh = read_tile_set(path);
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        const dtQueryFilter filter;
        const auto index = PathIndex::build(**nav_mesh, filter);
        ASSERT_TRUE(index) << index.error().message;
        Comparison comparison(**nav_mesh, filter, *index);
        compare_pairs(comparison, *index, test::scaled(500));
        if (HasFatalFailure()) FAIL() << path;
        fmt::print("{}", comparison.report(path.filename().string()));
        const auto n = static_cast<double>(comparison.totals().compared);
        EXPECT_LE(comparison.totals().sum_of_cost_ratios / n, 1) << path;
        // The cheapest path by portal midpoints is not always the shortest once pulled straight.
        const Totals& t = comparison.totals();
        EXPECT_LE(t.our_string / t.their_straight, 1.0005) << path;
    }
}

// These sets have odd polygons (mesh::OddPolygons). Their indexes are saved and loaded, too.
TEST_F(PathQueryPublished, FindsWhatDetourFindsOverOddPolygons) {
    for (const auto& path : files("refused", ".bin")) {
        const auto nav_mesh = read_tile_set(path);
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        const dtQueryFilter filter;
        const auto index = PathIndex::build(**nav_mesh, filter);
        ASSERT_TRUE(index) << index.error().message;
        const auto report = index->report();
        ASSERT_TRUE(report);
        EXPECT_FALSE(report->odd_polygons.empty()) << path;
        Comparison comparison(**nav_mesh, filter, *index);
        compare_pairs(comparison, *index, test::scaled(1000));
        if (HasFatalFailure()) FAIL() << path;
        fmt::print("{}{} odd polygons, {} portals that are points\n",
                   comparison.report(path.filename().string()), report->odd_polygons.size(),
                   report->point_portals);

        const test::ScratchFolder folder;
        const std::string file = (folder.path() / "odd.index").string();
        ASSERT_TRUE(save(index->index(), file).ok());
        const auto loaded = load<hna::Index>(file);
        ASSERT_TRUE(loaded) << loaded.error().message;
        EXPECT_TRUE(*loaded == index->index());
        EXPECT_EQ(loaded->mesh().num_odd(), report->odd_polygons.size());
        EXPECT_TRUE(PathIndex::adopt(*loaded, **nav_mesh, filter));
    }
}

/// The sum of the lengths of our paths as Detour straightens them, and of Detour's own, over
/// `paths` random pairs.
std::pair<double, double> sum_of_lengths(const dtNavMesh& nav_mesh, const PathIndex& index,
                                         PathQuery& ours, std::uint64_t paths) {
    const dtQueryFilter filter;
    const NavMeshQuery theirs = detour_query(nav_mesh);
    std::mt19937 random(7);
    std::pair<double, double> sums;
    while (paths > 0) {
        const Ends ends = random_ends(index, random);
        if (!index.reachable(ends.start, ends.end)) continue;
        const Found found = find_path(ours, ends, filter);
        EXPECT_TRUE(found.complete());
        expect_linked(nav_mesh, filter, found.path);
        sums.first += straight_length(*theirs, ends, found.path);
        sums.second += straight_length(*theirs, ends, find_path(*theirs, ends, filter).path);
        --paths;
    }
    return sums;
}

// Scoring by portal parts does not minimise Detour's cost but the length of the straight path.
TEST_F(PathQueryPublished, PathsScoredByPortalPartsAreNoLonger) {
    PathIndexOptions options;
    options.hna.labels = false;
    options.mesh.scoring = mesh::Scoring::portal_parts;
    for (const auto& path : files("detour", ".bin")) {
        const auto nav_mesh = read_tile_set(path);
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        const auto index = PathIndex::build(**nav_mesh, dtQueryFilter(), options);
        ASSERT_TRUE(index) << index.error().message;
        PathQuery query(*index);
        const auto [ours, theirs] = sum_of_lengths(**nav_mesh, *index, query, test::scaled(200));
        fmt::print("{}: {:.5f} of Detour's lengths in sum\n", path.filename().string(),
                   ours / theirs);
        if (test::scale() >= 1) {
            EXPECT_LE(ours, 1.0001 * theirs) << path;
        }
    }
}

TEST_F(PathQueryPublished, ShortenedPathsAreNoLonger) {
    for (const char* folder : {"detour", "refused"}) {
        for (const auto& path : files(folder, ".bin")) {
            const auto nav_mesh = read_tile_set(path);
            ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
            const auto index = PathIndex::build(**nav_mesh, dtQueryFilter());
            ASSERT_TRUE(index) << index.error().message;
            PathQuery query(*index);
            const std::uint64_t paths = test::scaled(1000);
            const double plain = sum_of_lengths(**nav_mesh, *index, query, paths).first;
            query.set_shorten(true);
            const auto [ours, theirs] = sum_of_lengths(**nav_mesh, *index, query, paths);
            fmt::print("{}: shortened {:.5f} of Detour's lengths in sum\n",
                       path.filename().string(), ours / theirs);
            EXPECT_LE(ours, plain) << path;
            if (test::scale() >= 1) {
                EXPECT_LE(ours, theirs * (1 + 1e-9)) << path;
            }
        }
    }
}

TEST_F(PathQueryPublished, FindsWhatDetourFindsUnderRandomAreasAndFlags) {
    for (const auto& path : files("detour", ".bin")) {
        const auto nav_mesh = read_tile_set(path);
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        dtQueryFilter filter;
        for (const int area : {0, 1, 2, 3})
            filter.setAreaCost(area, static_cast<float>(1 + 2 * area));
        filter.setExcludeFlags(2);
        const auto before =
            PathIndex::build(**nav_mesh, filter, {.hna = {.labels = false}, .mesh = {}});
        ASSERT_TRUE(before) << before.error().message;
        std::mt19937 random(6);
        for (mesh::Polygon p = 0; p < before->refs().num_polygons(); ++p) {
            const dtPolyRef ref = before->refs().ref(p);
            (*nav_mesh)->setPolyArea(ref, static_cast<std::uint8_t>(random() % 4));
            (*nav_mesh)->setPolyFlags(ref, random() % 30 == 0 ? 3 : 1);
        }
        const auto index = before->updated(**nav_mesh);
        ASSERT_TRUE(index) << index.error().message;
        Comparison comparison(**nav_mesh, filter, *index);
        for (std::uint64_t i = 0; i < test::scaled(100); ++i) {
            comparison.compare(random_ends(*index, random));
            if (HasFatalFailure()) FAIL() << path;
        }
        fmt::print("{}", comparison.report(path.filename().string()));
    }
}

}  // namespace
}  // namespace cairn::detour
