// PathQuery::findStraightPath beside Detour's, in the same corridors.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "cairn/detour/tile_set.hpp"
#include "detour_query.hpp"
#include "small_tile_sets.hpp"
#include "support/allocation_counter.hpp"
#include "support/navmesh_files.hpp"
#include "support/scale.hpp"

namespace cairn::detour {
namespace {

using mesh::Polygon;
using ::testing::ElementsAre;

constexpr dtStatus kInvalid = DT_FAILURE | DT_INVALID_PARAM;

/// What findStraightPath returned and wrote.
struct Straight {
    dtStatus status = 0;
    std::vector<Position> points;
    std::vector<unsigned char> flags;
    std::vector<dtPolyRef> refs;

    [[nodiscard]] double length() const {
        double sum = 0;
        for (std::size_t i = 1; i < points.size(); ++i) sum += distance(points[i - 1], points[i]);
        return sum;
    }
};

/// Calls findStraightPath of a dtNavMeshQuery or a PathQuery.
template <class Query>
Straight straight_path(Query& query, const Ends& ends, const std::vector<dtPolyRef>& path,
                       int options = 0, int room = -1) {
    if (room < 0) room = static_cast<int>(2 * path.size() + 2);
    std::vector<float> points(3 * static_cast<std::size_t>(room));
    Straight result;
    result.flags.resize(static_cast<std::size_t>(room));
    result.refs.resize(static_cast<std::size_t>(room));
    int count = -1;
    result.status = query.findStraightPath(
        ends.from.data(), ends.to.data(), path.data(), static_cast<int>(path.size()), points.data(),
        result.flags.data(), result.refs.data(), &count, room, options);
    const auto written = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < written; ++i)
        result.points.push_back({points[3 * i], points[3 * i + 1], points[3 * i + 2]});
    result.flags.resize(written);
    result.refs.resize(written);
    return result;
}

/// The length seen from above.
double length_from_above(Straight path) {
    for (Position& point : path.points) point[1] = 0;
    return path.length();
}

Ends random_ends_in(const PathIndex& index, Polygon start, Polygon end, std::mt19937& random) {
    const mesh::Mesh& mesh = index.index().mesh();
    return {index.refs().ref(start), index.refs().ref(end), random_point(mesh, start, random),
            random_point(mesh, end, random)};
}

class StraightPaths : public testing::Test {
protected:
    NavMesh nav_mesh_ = two_islands();
    PathIndex index_ = index_of(*nav_mesh_, dtQueryFilter());
    NavMeshQuery theirs_ = detour_query(*nav_mesh_);
    PathQuery ours_{index_};
};

TEST_F(StraightPaths, AreDetours) {
    const Polygon count = index_.refs().num_polygons();
    std::mt19937 random(1);
    for (Polygon i = 0; i < count * count; ++i) {
        const Ends ends = random_ends_in(index_, i / count, i % count, random);
        const auto corridor = find_path(ours_, ends, dtQueryFilter()).path;
        for (const int options : {0, 1, 2, 3}) {
            SCOPED_TRACE(testing::Message() << i / count << " to " << i % count << ", " << options);
            const Straight ours = straight_path(ours_, ends, corridor, options);
            const Straight theirs = straight_path(*theirs_, ends, corridor, options);
            EXPECT_EQ(ours.status, theirs.status);
            EXPECT_EQ(ours.flags, theirs.flags);
            EXPECT_EQ(ours.refs, theirs.refs);
            ASSERT_EQ(ours.points.size(), theirs.points.size());
            for (std::size_t p = 0; p < ours.points.size(); ++p)
                EXPECT_LT(distance(ours.points[p], theirs.points[p]), 1e-3) << p;
        }
    }
}

TEST_F(StraightPaths, AreCutToTheRoomGiven) {
    const Ends ends{index_.refs().ref(1), index_.refs().ref(19), {8, 0, 1}, {29, 0, 29}};
    const auto corridor = find_path(ours_, ends, dtQueryFilter()).path;
    const Straight whole = straight_path(ours_, ends, corridor, DT_STRAIGHTPATH_ALL_CROSSINGS);
    ASSERT_GT(whole.points.size(), 4U);
    for (int room = 1; room <= static_cast<int>(whole.points.size()) + 1; ++room) {
        const Straight ours =
            straight_path(ours_, ends, corridor, DT_STRAIGHTPATH_ALL_CROSSINGS, room);
        const Straight theirs =
            straight_path(*theirs_, ends, corridor, DT_STRAIGHTPATH_ALL_CROSSINGS, room);
        EXPECT_EQ(ours.status, theirs.status) << room;
        EXPECT_EQ(ours.flags, theirs.flags) << room;
        EXPECT_EQ(ours.refs, theirs.refs) << room;
    }
}

TEST_F(StraightPaths, GoByConnections) {
    const dtPolyRef ladder = index_.refs().ref(20);
    const Ends ends{index_.refs().ref(3), index_.refs().ref(7), {9, 0, 6}, {16, 0, 18}};
    const auto corridor = find_path(ours_, ends, dtQueryFilter()).path;
    ASSERT_THAT(corridor, ElementsAre(ends.start, ladder, ends.end));
    const Straight path = straight_path(ours_, ends, corridor);
    EXPECT_THAT(path.flags, ElementsAre(DT_STRAIGHTPATH_START, DT_STRAIGHTPATH_OFFMESH_CONNECTION,
                                        0, DT_STRAIGHTPATH_END));
    EXPECT_THAT(path.refs, ElementsAre(ends.start, ladder, ends.end, 0));
    EXPECT_EQ(path.points[1], (Position{7, 0, 7}));
    EXPECT_EQ(path.points[2], (Position{17, 0, 17}));
}

TEST(StraightPath, AConnectionWithBothEndsInAPolygonIsWalkedFromEndToEnd) {
    const NavMesh nav_mesh =
        nav_mesh_of({{.x = 0, .y = 0, .connections = {{.ends = {1, 0, 1, 4, 0, 4}}}}});
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    PathQuery query(index);
    const dtPolyRef floor = index.refs().ref(0);
    const dtPolyRef ladder = index.refs().ref(4);
    const Straight path =
        straight_path(query, {floor, floor, {1, 0, 2}, {4, 0, 3}}, {floor, ladder, floor});
    EXPECT_THAT(path.points, ElementsAre(Position{1, 0, 2}, Position{1, 0, 1}, Position{4, 0, 4},
                                         Position{4, 0, 3}));
}

TEST_F(StraightPaths, StartAndEndAreMovedIntoTheirPolygons) {
    const Ends ends{index_.refs().ref(0), index_.refs().ref(1), {-3, 0, 2}, {9, 7, -4}};
    const std::vector<dtPolyRef> corridor{ends.start, ends.end};
    const Straight ours = straight_path(ours_, ends, corridor);
    EXPECT_EQ(ours.points, straight_path(*theirs_, ends, corridor).points);
    EXPECT_THAT(ours.points, ElementsAre(Position{0, 0, 2}, Position{9, 0, 0}));
    EXPECT_EQ(straight_path(ours_, {0, 0, {2, 0, 2}, {2, 0, 2}}, {ends.start}).points.size(), 1U);
}

TEST_F(StraightPaths, ABrokenCorridorGivesAPartialPath) {
    const auto ref = [&](Polygon p) { return index_.refs().ref(p); };
    const Ends ends{ref(0), ref(15), {1, 0, 1}, {9, 0, 9}};
    for (const auto& corridor : std::vector<std::vector<dtPolyRef>>{
             {ref(0), ref(1), ref(15)}, {ref(0), 99, ref(15)}, {ref(0), ref(0)}}) {
        const Straight ours = straight_path(ours_, ends, corridor);
        const Straight theirs = straight_path(*theirs_, ends, corridor);
        EXPECT_EQ(ours.status, DT_SUCCESS | DT_PARTIAL_RESULT);
        EXPECT_EQ(ours.status, theirs.status);
        EXPECT_EQ(ours.refs, theirs.refs);
        EXPECT_EQ(ours.flags, theirs.flags);
        EXPECT_EQ(ours.points, theirs.points);
    }
}

TEST_F(StraightPaths, RefuseWhatDetourRefuses) {
    const dtPolyRef good = index_.refs().ref(0);
    std::array<float, 12> points{};
    int count = 0;
    const auto expect_refused = [&](const float* from, const float* to, const dtPolyRef* path,
                                    int size, int* room_count, int room) {
        count = -1;
        EXPECT_EQ(ours_.findStraightPath(from, to, path, size, points.data(), nullptr, nullptr,
                                         room_count, room),
                  kInvalid);
        const int our_count = count;
        count = -1;
        EXPECT_EQ(theirs_->findStraightPath(from, to, path, size, points.data(), nullptr, nullptr,
                                            room_count, room),
                  kInvalid);
        EXPECT_EQ(our_count, count);
    };
    const Position at{1, 0, 1};
    const Position broken{1, std::numeric_limits<float>::quiet_NaN(), 1};
    const std::array<dtPolyRef, 2> first_missing{0, good};
    const std::array<dtPolyRef, 2> last_missing{good, ~dtPolyRef{0}};
    expect_refused(nullptr, at.data(), &good, 1, &count, 4);
    expect_refused(at.data(), nullptr, &good, 1, &count, 4);
    expect_refused(broken.data(), at.data(), &good, 1, &count, 4);
    expect_refused(at.data(), broken.data(), &good, 1, &count, 4);
    expect_refused(at.data(), at.data(), nullptr, 1, &count, 4);
    expect_refused(at.data(), at.data(), &good, 0, &count, 4);
    expect_refused(at.data(), at.data(), &good, 1, nullptr, 4);
    expect_refused(at.data(), at.data(), &good, 1, &count, 0);
    expect_refused(at.data(), at.data(), first_missing.data(), 2, &count, 4);
    expect_refused(at.data(), at.data(), last_missing.data(), 2, &count, 4);
    EXPECT_EQ(ours_.findStraightPath(at.data(), at.data(), &good, 1, nullptr, nullptr, nullptr,
                                     &count, 4),
              kInvalid);
}

TEST_F(StraightPaths, DoNotDisturbAPathInSlices) {
    PathIndexOptions options;
    options.hna.labels = false;
    options.hna.mu = 3;
    const PathIndex index = PathIndex::build(*nav_mesh_, dtQueryFilter(), options).value();
    PathQuery query(index);
    const Ends ends{index.refs().ref(0), index.refs().ref(15), {1, 0, 1}, {19, 0, 19}};
    const auto path = find_path(query, ends, dtQueryFilter()).path;
    ASSERT_EQ(
        query.initSlicedFindPath(ends.start, ends.end, ends.from.data(), ends.to.data(), nullptr),
        DT_IN_PROGRESS);
    EXPECT_EQ(straight_path(query, ends, path).status, DT_SUCCESS);
    while (dtStatusInProgress(query.updateSlicedFindPath(1, nullptr))) {
    }
    std::vector<dtPolyRef> sliced(64);
    int count = 0;
    EXPECT_EQ(query.finalizeSlicedFindPath(sliced.data(), &count, 64), DT_SUCCESS);
    sliced.resize(static_cast<std::size_t>(count));
    EXPECT_EQ(sliced, path);
}

TEST_F(StraightPaths, WarmedCallsAllocateNothing) {
    if (!test::counts_allocations()) GTEST_SKIP() << "allocations are not counted";
    const Ends ends{index_.refs().ref(1), index_.refs().ref(19), {8, 0, 1}, {29, 0, 29}};
    const auto corridor = find_path(ours_, ends, dtQueryFilter()).path;
    std::array<float, 192> points{};
    int count = 0;
    const auto pull = [&] {
        return ours_.findStraightPath(ends.from.data(), ends.to.data(), corridor.data(),
                                      static_cast<int>(corridor.size()), points.data(), nullptr,
                                      nullptr, &count, 64, DT_STRAIGHTPATH_ALL_CROSSINGS);
    };
    EXPECT_EQ(pull(), DT_SUCCESS);
    const std::uint64_t before = test::allocations();
    EXPECT_EQ(pull(), DT_SUCCESS);
    EXPECT_EQ(test::allocations(), before);
}

using StraightPathsPublished = test::NavmeshFiles;

constexpr double kRoundedLength = 1e-3;

TEST_F(StraightPathsPublished, AreNoLongerThanDetours) {
    for (const char* folder : {"detour", "refused"}) {
        for (const auto& file : files(folder, ".bin")) {
            const auto nav_mesh = read_tile_set(file);
            ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
            const auto index = PathIndex::build(**nav_mesh, dtQueryFilter());
            ASSERT_TRUE(index) << index.error().message;
            const NavMeshQuery theirs = detour_query(**nav_mesh);
            PathQuery ours(*index);
            std::mt19937 random(8);
            std::uint64_t compared = 0;
            std::uint64_t same = 0;
            std::uint64_t longer = 0;
            std::size_t our_points = 0;
            std::size_t their_points = 0;
            double our_length = 0;
            double their_length = 0;
            double worst = 1;
            while (compared < test::scaled(1000, 500)) {
                const Ends ends = random_ends(*index, random);
                if (ends.start == ends.end || !index->reachable(ends.start, ends.end)) continue;
                // Corridors of both planners.
                const auto corridor = compared % 2 == 0
                                          ? find_path(ours, ends, dtQueryFilter()).path
                                          : find_path(*theirs, ends, dtQueryFilter()).path;
                ++compared;
                const Straight our = straight_path(ours, ends, corridor);
                const Straight their = straight_path(*theirs, ends, corridor);
                ASSERT_EQ(our.status, DT_SUCCESS);
                ASSERT_EQ(their.status, DT_SUCCESS);
                EXPECT_EQ(our.flags.front(), DT_STRAIGHTPATH_START);
                EXPECT_EQ(our.flags.back(), DT_STRAIGHTPATH_END);
                const double ratio = length_from_above(our) / length_from_above(their);
                worst = std::max(worst, ratio);
                longer += ratio > 1 + kRoundedLength ? 1 : 0;
                same += our.flags == their.flags && our.refs == their.refs ? 1 : 0;
                our_points += our.points.size();
                their_points += their.points.size();
                our_length += length_from_above(our);
                their_length += length_from_above(their);
            }
            fmt::print(
                "{}: {:.6f} of Detour's lengths in sum, {:.4f} at worst, {} longer; {} points, "
                "Detour's {}; {} of {} with the same flags and polygons\n",
                file.filename().string(), our_length / their_length, worst, longer, our_points,
                their_points, same, compared);
            EXPECT_LE(our_length, their_length * 1.0001) << file;
            // Some portals of odd polygons count as points.
            if (index->index().mesh().num_odd() == 0) {
                EXPECT_EQ(longer, 0U) << file;
            }
        }
    }
}

}  // namespace
}  // namespace cairn::detour
