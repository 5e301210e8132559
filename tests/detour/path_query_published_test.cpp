// On the published tile sets: what Detour's findPath reaches is reached, by paths that cost no more
// and are no longer once they are pulled straight.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/detour/tile_set.hpp"
#include "detour_query.hpp"
#include "support/navmesh_files.hpp"
#include "support/scale.hpp"

namespace cairn::detour {
namespace {

/// Detour's costs and ours at a tile border differ by its rounding of a shared edge to 1/255.
constexpr double kRounding = 1e-3;

struct Totals {
    std::size_t compared = 0;
    double cost = 0;  // sum of ours by Detour's rule, each divided by that of Detour's path
    std::size_t cheaper = 0;
    std::size_t costlier = 0;  // beyond rounding
    double least_cost = 1;
    double ratio = 0;   // sum of lengths in our corridor, each divided by that in Detour's
    double ours = 0;    // lengths of Detour's straight paths in our corridors
    double theirs = 0;  // and in its own
    double string = 0;  // lengths of our strings in our corridors
    std::size_t longer = 0;
    double most_length = 1;
};

class Comparison {
public:
    Comparison(const dtNavMesh& nav_mesh, const dtQueryFilter& filter, const PathIndex& index)
        : nav_mesh_(nav_mesh), filter_(filter), theirs_(detour_query(nav_mesh)), ours_(index) {}

    void compare(const Ends& ends) {
        const Found theirs = find_path(*theirs_, ends, filter_);
        const Found ours = find_path(ours_, ends, filter_);
        ASSERT_TRUE(dtStatusSucceed(ours.status));
        ASSERT_EQ(ours.complete(), theirs.complete()) << ends.start << " to " << ends.end;
        ASSERT_EQ(ours.path.front(), ends.start);
        if (ends.start != ends.end && passes(filter_, look_up(nav_mesh_, ends.start).poly->flags)) {
            EXPECT_EQ(ours.complete(), ours_.index().reachable(ends.start, ends.end));
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
            name, t.compared, t.cost / n, t.cheaper, t.least_cost, t.costlier, t.ratio / n,
            t.ours / t.theirs, t.longer, t.most_length, t.string / t.theirs);
    }
    [[nodiscard]] const Totals& totals() const { return totals_; }

private:
    void add(const Ends& ends, const std::vector<dtPolyRef>& ours,
             const std::vector<dtPolyRef>& theirs) {
        if (ends.start == ends.end) return;
        const double cost = detour_cost(nav_mesh_, filter_, ends, ours) /
                            detour_cost(nav_mesh_, filter_, ends, theirs);
        EXPECT_LE(cost, 1 + kRounding) << ends.start << " to " << ends.end;
        const double straight = straight_length(*theirs_, ends, ours);
        const double their_straight = straight_length(*theirs_, ends, theirs);
        const double length = straight / their_straight;
        const auto point = [](const Position& p) { return mesh::Point{p[0], p[1], p[2]}; };
        ASSERT_EQ(ours_.find(ends.start, ends.end, point(ends.from), point(ends.to), answer_),
                  StatusCode::ok);
        ++totals_.compared;
        totals_.cost += cost;
        totals_.ratio += length;
        totals_.ours += straight;
        totals_.theirs += their_straight;
        totals_.string += answer_.length;
        totals_.cheaper += cost < 1 - 1e-6 ? 1 : 0;
        totals_.costlier += cost > 1 + kRounding ? 1 : 0;
        totals_.longer += length > 1 + kRounding ? 1 : 0;
        totals_.least_cost = std::min(totals_.least_cost, cost);
        totals_.most_length = std::max(totals_.most_length, length);
    }

    const dtNavMesh& nav_mesh_;
    const dtQueryFilter& filter_;
    NavMeshQuery theirs_;
    PathQuery ours_;
    hna::Answer answer_;
    Totals totals_;
};

using PathQueryPublished = test::NavmeshFiles;

TEST_F(PathQueryPublished, FindsWhatDetourFinds) {
    for (const auto& path : files("detour", ".bin")) {
        const auto nav_mesh = read_tile_set(path);
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        const dtQueryFilter filter;
        const auto index = PathIndex::build(**nav_mesh, filter);
        ASSERT_TRUE(index) << index.error().message;
        Comparison comparison(**nav_mesh, filter, *index);
        std::mt19937 random(5);
        for (std::uint64_t i = 0; i < test::scaled(500); ++i) {
            comparison.compare(random_ends(*index, random));
            if (HasFatalFailure()) FAIL() << path;
        }
        // And until there are as many paths as there should be, within components.
        while (comparison.totals().compared < test::scaled(1000)) {
            const Ends ends = random_ends(*index, random);
            if (index->reachable(ends.start, ends.end)) comparison.compare(ends);
            if (HasFatalFailure()) FAIL() << path;
        }
        fmt::print("{}", comparison.report(path.filename().string()));
        const auto n = static_cast<double>(comparison.totals().compared);
        EXPECT_LE(comparison.totals().cost / n, 1) << path;
        // Least by the middles of portals is not always least once pulled straight.
        const Totals& t = comparison.totals();
        EXPECT_LE(t.string / t.theirs, 1.0005) << path;
    }
}

// Not the least by Detour's rule, but what is shorter to walk.
TEST_F(PathQueryPublished, OverPartsOfPortalsPathsAreNoLonger) {
    PathIndexOptions options;
    options.hna.labels = false;
    options.mesh.scoring = mesh::Scoring::portal_parts;
    for (const auto& path : files("detour", ".bin")) {
        const auto nav_mesh = read_tile_set(path);
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        const dtQueryFilter filter;
        const auto index = PathIndex::build(**nav_mesh, filter, options);
        ASSERT_TRUE(index) << index.error().message;
        const NavMeshQuery theirs = detour_query(**nav_mesh);
        PathQuery ours(*index);
        std::mt19937 random(7);
        double their_length = 0;
        double our_length = 0;
        for (std::uint64_t paths = 0; paths < test::scaled(200);) {
            const Ends ends = random_ends(*index, random);
            if (!index->reachable(ends.start, ends.end)) continue;
            const Found found = find_path(ours, ends, filter);
            ASSERT_TRUE(found.complete());
            expect_linked(**nav_mesh, filter, found.path);
            our_length += straight_length(*theirs, ends, found.path);
            their_length += straight_length(*theirs, ends, find_path(*theirs, ends, filter).path);
            ++paths;
        }
        fmt::print("{}: {:.5f} of Detour's lengths in sum\n", path.filename().string(),
                   our_length / their_length);
        if (test::scale() >= 1) {
            EXPECT_LE(our_length, 1.0001 * their_length) << path;
        }
    }
}

TEST_F(PathQueryPublished, UnderRandomAreasAndFlags) {
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
