// Polylines of lines for discs, against circles computed by angles.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cairn/mesh/disc_string.hpp"
#include "support/allocation_faults.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

/// A line of one arc around a corner, and what it was made from.
struct Arc {
    explicit Arc(test::RandomMaps& random)
        : radius(random.number(1, 400) / 100.0),
          from(random.number(-314, 314) / 100.0),
          turn((random.chance(50) ? 1 : -1) * random.number(1, 314) / 100.0) {
        const auto on_circle = [&](double angle, float y) {
            return Point{static_cast<float>(corner.x + radius * std::cos(angle)), y,
                         static_cast<float>(corner.z + radius * std::sin(angle))};
        };
        line = {{on_circle(from, 1), 0, turn > 0 ? Onwards::arc_left : Onwards::arc_right, corner},
                {on_circle(from + turn, 3), 0, Onwards::straight, {}},
                {{20, 3, 20}, 0, Onwards::straight, {}}};
    }
    Point corner{4, 1, -2};
    double radius;
    double from;
    double turn;
    std::vector<DiscWaypoint> line;
};

TEST(DiscPolyline, ChordsAreAsNearToTheArcAsWanted) {
    test::RandomMaps random(5);
    std::vector<LinePoint> line;
    std::size_t one = 0;
    std::size_t many = 0;
    for (std::uint64_t i = 0; i < test::scaled(2000) + 200; ++i) {
        const Arc arc(random);
        const double tolerance = arc.radius * std::pow(10, -random.number(0, 50) / 10.0);
        ASSERT_EQ(polyline(arc.line, tolerance, line), StatusCode::ok);
        ASSERT_GE(line.size(), 3U);
        const std::size_t chords = line.size() - 2;
        // A chord over an angle is radius * (1 - cos(angle / 2)) away from its arc.
        const auto away = [&](double number) {
            return arc.radius * (1 - std::cos(arc.turn / number / 2));
        };
        const auto number = static_cast<double>(chords);
        EXPECT_LE(away(number), tolerance + 1e-6);
        if (chords > 1) {
            EXPECT_GT(away(number / 2), tolerance - 1e-6);
        }
        (chords > 1 ? many : one) += 1;
        for (std::size_t k = 0; k <= chords; ++k) {
            const double share = static_cast<double>(k) / number;
            const double angle = arc.from + arc.turn * share;
            EXPECT_NEAR(line[k].x, arc.corner.x + arc.radius * std::cos(angle), 1e-5);
            EXPECT_NEAR(line[k].z, arc.corner.z + arc.radius * std::sin(angle), 1e-5);
            EXPECT_NEAR(line[k].y, 1 + 2 * share, 1e-9);
        }
        EXPECT_EQ(line.back(), (LinePoint{20, 3, 20}));
    }
    EXPECT_GT(one, 0U);
    EXPECT_GT(many, 0U);
}

TEST(DiscPolyline, ItsLengthTendsToThatOfTheLine) {
    test::RandomMaps random(6);
    std::vector<LinePoint> line;
    for (int i = 0; i < 200; ++i) {
        const Arc arc(random);
        ASSERT_EQ(polyline(arc.line, 1e-7, line), StatusCode::ok);
        double sum = 0;
        for (std::size_t k = 1; k < line.size(); ++k)
            sum += std::hypot(line[k].x - line[k - 1].x, line[k].z - line[k - 1].z);
        EXPECT_NEAR(sum, length(arc.line), 1e-5);
        EXPECT_LE(sum, length(arc.line) + 1e-6);
    }
}

TEST(DiscPolyline, AnArcHasAtMost4096Chords) {
    const std::vector<DiscWaypoint> line{{{2, 0, 0}, 0, Onwards::arc_left, {}},
                                         {{-2, 0, 0}, 0, Onwards::straight, {}}};
    std::vector<LinePoint> points;
    ASSERT_EQ(polyline(line, std::numeric_limits<double>::min(), points), StatusCode::ok);
    EXPECT_EQ(points.size(), 4097U);
    ASSERT_EQ(polyline(line, 2.001, points), StatusCode::ok);  // half a circle
    EXPECT_EQ(points.size(), 2U);
    ASSERT_EQ(polyline(line, 1.999, points), StatusCode::ok);
    ASSERT_EQ(points.size(), 3U);
    EXPECT_NEAR(points[1].z, 2, 1e-9);
}

TEST(DiscPolyline, AnyNumbersGiveAResult) {
    std::vector<LinePoint> points{{1, 2, 3}};
    for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
        points.resize(1);
        EXPECT_EQ(polyline({}, wrong, points), StatusCode::bad_option);
        EXPECT_TRUE(points.empty());
    }
    EXPECT_EQ(polyline({}, 1, points), StatusCode::ok);
    EXPECT_TRUE(points.empty());
    constexpr float kNumbers[] = {0, -1, 1e30F, std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN()};
    for (const float a : kNumbers) {
        for (const float b : kNumbers) {
            for (const float c : kNumbers) {
                const std::vector<DiscWaypoint> line{{{a, 0, b}, 0, Onwards::arc_right, {c, 0, a}},
                                                     {{b, a, c}, 0, Onwards::arc_left, {}}};
                EXPECT_EQ(polyline(line, 1e-3, points), StatusCode::ok);
                EXPECT_GE(points.size(), 2U);
                EXPECT_LE(points.size(), 4097U);
            }
        }
    }
}

TEST(DiscPolyline, SurvivesFailedAllocations) {
    test::RandomMaps random(7);
    const Arc arc(random);
    std::vector<LinePoint> points;
    test::expect_survives(
        "mesh::polyline",
        [&] {
            points = {};
            return polyline(arc.line, 1e-6, points);
        },
        [&](StatusCode) { return points.size(); });
}

}  // namespace
}  // namespace cairn::mesh
