// The components and reachability of polygons agree with a flood fill.

#include "cairn/mesh/reachability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

enum class FloodOver { open_links, links_open_either_way };

// Whether a flood fill from `start` reaches each polygon.
std::vector<bool> flood_fill(const Mesh& mesh, Polygon start, FloodOver over) {
    std::vector<bool> seen(mesh.num_polygons());
    if (mesh.blocked(start)) return seen;
    std::vector<Polygon> open{start};
    seen[start] = true;
    while (!open.empty()) {
        const Polygon p = open.back();
        open.pop_back();
        for (const Link link : mesh.links(p)) {
            const Polygon next = mesh.polygon_of(twin(link));
            const bool joined = mesh.open(link) ||
                                (over == FloodOver::links_open_either_way && mesh.open(twin(link)));
            if (!joined || seen[next]) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return seen;
}

void expect_agrees_with_flood_fill(const Mesh& mesh) {
    const Reachability reachability = Reachability::build(mesh).value();
    std::size_t counted = 0;
    for (Polygon a = 0; a < mesh.num_polygons(); ++a) {
        const std::vector<bool> reached = flood_fill(mesh, a, FloodOver::open_links);
        const std::vector<bool> joined = flood_fill(mesh, a, FloodOver::links_open_either_way);
        ASSERT_EQ(reachability.component(a) == kNone, mesh.blocked(a));
        ASSERT_EQ(reachability.components()[a], reachability.component(a));
        const bool first = std::find(joined.begin(), joined.end(), true) - joined.begin() == a;
        if (first) {
            ASSERT_EQ(reachability.component(a), counted);
            const auto size =
                static_cast<std::size_t>(std::count(joined.begin(), joined.end(), true));
            ASSERT_EQ(reachability.size(reachability.component(a)), size);
            ASSERT_LE(size, reachability.size(reachability.largest()));
            ++counted;
        }
        for (Polygon b = 0; b < mesh.num_polygons(); ++b) {
            ASSERT_EQ(reachability.reaches(a, b), reached[b]) << a << " to " << b;
            if (mesh.blocked(a) || mesh.blocked(b)) continue;
            ASSERT_EQ(reachability.component(a) == reachability.component(b), joined[b]);
        }
    }
    ASSERT_EQ(reachability.count(), counted);
}

TEST(ReachabilityTest, AgreesWithAFloodFill) {
    for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
        SCOPED_TRACE(seed);
        expect_agrees_with_flood_fill(test::random_mesh(seed));
    }
}

TEST(ReachabilityTest, AgreesWithAFloodFillOverManyOneWayLinks) {
    for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
        SCOPED_TRACE(seed);
        test::RandomMaps random(seed);
        test::MeshParts parts =
            test::mesh_of_kind(static_cast<test::MeshKind>(random.number(0, 4)), random);
        test::add_connections(parts, random);
        test::give_portals(parts, random, random.number(20, 100));
        expect_agrees_with_flood_fill(parts.build());
    }
}

// A long row of squares whose portals lead one way, except every hundredth. These are more strong
// components than the table holds (Reachability::kTabled), so a search answers.
TEST(ReachabilityTest, AnswersWithMoreStrongComponentsThanTheTableHolds) {
    constexpr std::uint32_t kCells = 6000;
    test::MeshParts parts;
    parts.portals_given = true;
    std::uint32_t before = parts.vertex(0, 0, 0);
    (void)parts.vertex(0, 0, 1);
    for (std::uint32_t i = 0; i < kCells; ++i) {
        const auto x = static_cast<float>(i + 1);
        const std::uint32_t next = parts.vertex(x, 0, 0);
        (void)parts.vertex(x, 0, 1);
        parts.polygon({before, next, next + 1, before + 1});
        before = next;
        if (i + 1 == kCells) break;
        parts.portals.push_back({i, i + 1, {x, 0, 0}, {x, 0, 1}, true, i % 100 == 0});
    }
    const Reachability row = Reachability::build(parts.build()).value();
    EXPECT_EQ(row.count(), 1U);
    for (const Polygon a : {0U, 1U, 2U, 100U, 101U, 3000U, kCells - 1}) {
        for (const Polygon b : {0U, 1U, 2U, 100U, 101U, 3000U, kCells - 1}) {
            const bool back = a == b + 1 && b % 100 == 0;
            EXPECT_EQ(row.reaches(a, b), a <= b || back) << a << " to " << b;
        }
    }
}

void expect_equal(const Reachability& found, const Reachability& expected) {
    ASSERT_TRUE(std::ranges::equal(found.components(), expected.components()));
    ASSERT_EQ(found.count(), expected.count());
    for (std::uint32_t i = 0; i < expected.count(); ++i) {
        ASSERT_EQ(found.size(i), expected.size(i));
        ASSERT_EQ(found.box(i), expected.box(i));
    }
}

// Chains of edits, some of which cut or join components, or block the lowest polygon.
TEST(ReachabilityTest, ChangedEqualsBuilt) {
    for (std::uint64_t seed = 0; seed < test::scaled(150); ++seed) {
        SCOPED_TRACE(seed);
        test::RandomMaps random(seed);
        Mesh mesh = test::random_mesh(seed);
        Reachability reach = Reachability::build(mesh).value();
        for (int step = 0; step < 12; ++step) {
            std::vector<PolygonEdit> edits;
            std::vector<Polygon> touched;
            const int polygons = static_cast<int>(mesh.num_polygons());
            for (int i = random.chance(70) ? 1 : random.number(2, 12); i > 0; --i) {
                const auto p =
                    static_cast<Polygon>(random.chance(15) ? 0 : random.number(0, polygons - 1));
                edits.push_back({p, mesh.area(p), random.chance(50)});
                touched.push_back(p);
            }
            const Mesh edited = mesh.edited(edits).value();
            reach = reach.changed(mesh, edited, touched).value();
            expect_equal(reach, Reachability::build(edited).value());
            mesh = edited;
        }
    }
}

// A ring of 12,000 cells: blocking one leaves it whole, by a way around that is too long to be
// followed; blocking a second one cuts it.
TEST(ReachabilityTest, ALongWayAroundIsFound) {
    constexpr std::uint32_t kLength = 6'000;
    test::MeshParts parts;
    for (std::uint32_t row = 0; row < 2; ++row) {
        for (std::uint32_t i = 0; i <= kLength; ++i) {
            (void)parts.vertex(static_cast<float>(i), 0, static_cast<float>(3 * row));
            (void)parts.vertex(static_cast<float>(i), 0, static_cast<float>(3 * row + 1));
        }
    }
    const auto corner = [](std::uint32_t row, std::uint32_t i, std::uint32_t high) {
        return row * 2 * (kLength + 1) + 2 * i + high;
    };
    for (std::uint32_t row = 0; row < 2; ++row) {
        for (std::uint32_t i = 0; i < kLength; ++i)
            parts.polygon({corner(row, i, 0), corner(row, i + 1, 0), corner(row, i + 1, 1),
                           corner(row, i, 1)});
    }
    for (const std::uint32_t i : {0U, kLength - 1})  // the two ends of the ring
        parts.polygon({corner(0, i, 1), corner(0, i + 1, 1), corner(1, i + 1, 0), corner(1, i, 0)});
    const Mesh ring = parts.build();
    const Reachability whole = Reachability::build(ring).value();
    ASSERT_EQ(whole.count(), 1U);
    const std::array<Polygon, 2> cuts{kLength / 2, kLength + kLength / 2};
    const Mesh once = ring.edited(std::array{PolygonEdit{cuts[0], 0, true}}).value();
    const Reachability open = whole.changed(ring, once, cuts).value();
    EXPECT_EQ(open.count(), 1U);
    expect_equal(open, Reachability::build(once).value());
    const Mesh twice = once.edited(std::array{PolygonEdit{cuts[1], 0, true}}).value();
    const Reachability cut = open.changed(once, twice, cuts).value();
    EXPECT_EQ(cut.count(), 2U);
    expect_equal(cut, Reachability::build(twice).value());
}

// The largest component has the box that holds everything.
TEST(ReachabilityTest, BoxesHoldTheirComponents) {
    for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
        SCOPED_TRACE(seed);
        const Mesh mesh = test::random_mesh(seed);
        const Reachability reach = Reachability::build(mesh).value();
        for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
            if (reach.component(p) == kNone) continue;
            const Box& box = reach.box(reach.component(p));
            for (const std::uint32_t corner : mesh.corners(p)) {
                const Point& point = mesh.vertices()[corner];
                ASSERT_TRUE(box.low_x <= point.x && point.x <= box.high_x);
                ASSERT_TRUE(box.low_z <= point.z && point.z <= box.high_z);
            }
        }
        for (std::uint32_t i = 0; i < reach.count(); ++i)
            ASSERT_EQ(reach.box(i) == Box{}, i == reach.largest());
    }
}

TEST(ReachabilityTest, AMeshWithoutPolygonsHasNoComponents) {
    const Reachability none = Reachability::build({}).value();
    EXPECT_EQ(none.count(), 0U);
    EXPECT_EQ(none.largest(), kNone);
    EXPECT_TRUE(none.components().empty());
    EXPECT_GT(none.bytes(), 0U);
}

}  // namespace
}  // namespace cairn::mesh
