// The funnel pulls strings taut: they are as short as the shortest line through the same portals,
// found by trying every pair of portal ends at which a line may bend.

#include "cairn/mesh/funnel.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "cairn/mesh/astar.hpp"
#include "support/allocation_counter.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

using test::MeshParts;
using test::RandomMaps;

// A point or vector seen from above.
struct Flat {
    double x = 0;
    double z = 0;
};
Flat flat(const Point& p) { return {double{p.x}, double{p.z}}; }
Flat operator-(const Flat& a, const Flat& b) { return {a.x - b.x, a.z - b.z}; }
double cross(const Flat& a, const Flat& b) { return a.x * b.z - a.z * b.x; }
double dot(const Flat& a, const Flat& b) { return a.x * b.x + a.z * b.z; }
double length(const Flat& a) { return std::hypot(a.x, a.z); }

double flat_length(const std::vector<Waypoint>& waypoints) {
    double sum = 0;
    for (std::size_t i = 1; i < waypoints.size(); ++i)
        sum += length(flat(waypoints[i].point) - flat(waypoints[i - 1].point));
    return sum;
}

// A corridor, seen from above: the start, the portals in order, the goal.
class Corridor {
public:
    Corridor(const Mesh& mesh, const Point& start, const Point& goal,
             const std::vector<Link>& links) {
        ends_.push_back({flat(start), flat(start)});
        for (std::size_t i = 0; i < links.size(); ++i) {
            if (turns_back(mesh, links, i)) {
                const Flat middle = flat(mesh.midpoint(links[i]));
                ends_.push_back({middle, middle});
            } else {
                ends_.push_back({flat(mesh.left(links[i])), flat(mesh.right(links[i]))});
            }
        }
        ends_.push_back({flat(goal), flat(goal)});
    }

    // The length of the shortest line through it, by dynamic programming over all pairs of ends
    // that see each other.
    [[nodiscard]] double shortest() const {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        const std::size_t count = ends_.size();
        std::vector<std::array<double, 2>> least(count, {kInfinite, kInfinite});
        least[0] = {0, 0};
        for (std::size_t to = 1; to < count; ++to) {
            for (std::size_t from = 0; from < to; ++from) {
                for (std::size_t k = 0; k < 4; ++k) {
                    const Flat& a = ends_[from][k / 2];
                    const Flat& b = ends_[to][k % 2];
                    if (!sees(a, from, b, to)) continue;
                    double& best = least[to][k % 2];
                    best = std::min(best, least[from][k / 2] + length(b - a));
                }
            }
        }
        return least.back()[0];
    }

private:
    // Whether the path crosses divided portal i there and back, in any of its parts. Then it
    // crosses the middle of a part (Funnel::pull).
    [[nodiscard]] static bool turns_back(const Mesh& mesh, const std::vector<Link>& links,
                                         std::size_t i) {
        if (mesh.options().scoring != Scoring::portal_parts) return false;
        const auto undone = [&](Link a, Link b) {
            return mesh.polygon_of(a) == mesh.polygon_of(twin(b)) && mesh.left(a) == mesh.right(b);
        };
        return (i > 0 && undone(links[i - 1], links[i])) ||
               (i + 1 < links.size() && undone(links[i], links[i + 1]));
    }

    // Whether all portals between `from` and `to` pass through point a.
    [[nodiscard]] bool all_at(const Flat& a, std::size_t from, std::size_t to) const {
        return std::all_of(ends_.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                           ends_.begin() + static_cast<std::ptrdiff_t>(to), [&](const auto& ends) {
                               const auto& [left, right] = ends;
                               return length(left - a) + length(right - a) <=
                                      length(right - left) + 1e-6;
                           });
    }
    // Whether the line from a, an end of portal `from`, to b, an end of portal `to`, crosses the
    // portals between them in their order.
    [[nodiscard]] bool sees(const Flat& a, std::size_t from, const Flat& b, std::size_t to) const {
        const Flat along = b - a;
        if (length(along) < 1e-6) return all_at(a, from, to);
        const double noise = 1e-6 * (length(along) + 1e-3);
        double reached = 0;  // distance from a to the last crossing, times the length of the line
        for (std::size_t i = from + 1; i < to; ++i) {
            const auto& [left, right] = ends_[i];
            const double left_side = cross(along, left - a);
            const double right_side = cross(along, right - a);
            if (left_side < -noise || right_side > noise) return false;
            double first = 0;
            double last = 0;
            if (left_side - right_side > 2 * noise) {
                const double share = std::clamp(left_side / (left_side - right_side), 0.0, 1.0);
                const Flat crossing{left.x + (right.x - left.x) * share,
                                    left.z + (right.z - left.z) * share};
                first = last = dot(along, crossing - a);
            } else {  // the portal lies along the line
                first = std::min(dot(along, left - a), dot(along, right - a));
                last = std::max(dot(along, left - a), dot(along, right - a));
            }
            if (last < reached - noise || first > dot(along, along) + noise) return false;
            reached = std::max(reached, first);
        }
        return true;
    }

    std::vector<std::array<Flat, 2>> ends_;  // left and right of each portal
};

double distance_to_portal(const Mesh& mesh, Link link, const Point& p) {
    const Point left = mesh.left(link);
    const Point right = mesh.right(link);
    const Flat along = flat(right) - flat(left);
    const double squared = dot(along, along);
    const double share =
        squared > 0 ? std::clamp(dot(flat(p) - flat(left), along) / squared, 0.0, 1.0) : 0;
    const auto mix = [share](float a, float b) {
        return double{a} + (double{b} - double{a}) * share;
    };
    return std::hypot(mix(left.x, right.x) - double{p.x}, mix(left.y, right.y) - double{p.y},
                      mix(left.z, right.z) - double{p.z});
}

// Checks what Funnel::pull promises for all three kinds of crossings.
void check_string(const Mesh& mesh, const Point& start, const Point& goal,
                  const std::vector<Link>& links) {
    Funnel funnel;
    std::vector<Waypoint> corners;
    std::vector<Waypoint> areas;
    std::vector<Waypoint> all;
    funnel.pull(mesh, start, goal, links, corners);
    funnel.pull(mesh, start, goal, links, areas, Crossings::areas);
    funnel.pull(mesh, start, goal, links, all, Crossings::all);
    const double noise = 1e-5 * (1 + flat_length(corners));
    EXPECT_LE(flat_length(corners), Corridor(mesh, start, goal, links).shortest() + noise);
    EXPECT_NEAR(flat_length(areas), flat_length(corners), noise);
    EXPECT_NEAR(flat_length(all), flat_length(corners), noise);  // so it crosses the portals

    ASSERT_EQ(all.size(), links.size() + 2);
    EXPECT_EQ(all.front(), (Waypoint{start, kNone}));
    EXPECT_EQ(all.back(), (Waypoint{goal, kNone}));
    std::size_t area_changes = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
        EXPECT_EQ(all[i + 1].link, links[i]);
        EXPECT_LE(distance_to_portal(mesh, links[i], all[i + 1].point), 1e-5);
        const bool changes =
            mesh.area(mesh.polygon_of(links[i])) != mesh.area(mesh.polygon_of(twin(links[i])));
        if (changes) ++area_changes;
    }
    EXPECT_GE(areas.size(), area_changes + 2);
    const auto is_subsequence_of_all = [&](const std::vector<Waypoint>& waypoints) {
        auto next = all.begin();
        for (const Waypoint& waypoint : waypoints) {
            next = std::find_if(next, all.end(), [&](const Waypoint& w) {
                return w.link == waypoint.link &&
                       length(flat(w.point) - flat(waypoint.point)) <= noise;
            });
            if (next == all.end()) return false;
            ++next;
        }
        return true;
    };
    EXPECT_TRUE(is_subsequence_of_all(areas));
    EXPECT_TRUE(is_subsequence_of_all(corners));
    EXPECT_LE(corners.size(), areas.size());
}

// Checks the strings of a cheapest path on a random mesh.
void check_cheapest_path(std::uint64_t seed) {
    SCOPED_TRACE(seed);
    RandomMaps random(seed);
    const Mesh mesh = test::random_mesh(seed);
    const Place start = test::random_place(mesh, random);
    const Place goal = test::random_place(mesh, random);
    Path path;
    if (Astar().find_path(mesh, start, goal, path) != StatusCode::ok) return;
    check_string(mesh, start.point, goal.point, path.links);
}

TEST(Funnel, PullsCheapestPathsTaut) {
    for (std::uint64_t seed = 0; seed < test::scaled(1500) && !HasFailure(); ++seed)
        check_cheapest_path(seed);
}

// In this mesh a connection begins on a portal, close to a bend; rounding puts its begin a little
// behind the portal.
TEST(Funnel, PullsTautWhereAConnectionBeginsOnAPortal) { check_cheapest_path(185'411); }

// A random walk of at most `longest` open links that never goes straight back through a portal.
std::vector<Link> random_walk(const Mesh& mesh, Polygon from, int longest, RandomMaps& random) {
    std::vector<Link> walk;
    for (Polygon at = from; static_cast<int>(walk.size()) < longest;) {
        std::vector<Link> choices;
        for (const Link link : mesh.links(at)) {
            if (mesh.open(link) && (walk.empty() || link != twin(walk.back())))
                choices.push_back(link);
        }
        if (choices.empty()) break;
        walk.push_back(choices[static_cast<std::size_t>(
            random.number(0, static_cast<int>(choices.size()) - 1))]);
        at = mesh.polygon_of(twin(walk.back()));
    }
    return walk;
}

TEST(Funnel, PullsAnyWalkTaut) {
    for (std::uint64_t seed = 0; seed < test::scaled(1500); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = test::random_mesh(seed);
        const Place start = test::random_place(mesh, random);
        const std::vector<Link> walk =
            random_walk(mesh, start.polygon, random.number(1, 25), random);
        const Polygon end = walk.empty() ? start.polygon : mesh.polygon_of(twin(walk.back()));
        if (mesh.is_connection(end)) continue;
        const Place goal = test::random_place(mesh, end, random);
        check_string(mesh, start.point, goal.point, walk);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
}

// The string of the cheapest path between two places, as "x,z x,z ...".
std::string pulled(const Mesh& mesh, const Place& start, const Place& goal) {
    Astar search;
    Path path;
    EXPECT_EQ(search.find_path(mesh, start, goal, path), StatusCode::ok);
    std::vector<Waypoint> waypoints;
    Funnel().pull(mesh, start.point, goal.point, path.links, waypoints);
    std::string text;
    for (const Waypoint& w : waypoints)
        text += fmt::format("{}{:g},{:g}", text.empty() ? "" : " ", w.point.x, w.point.z);
    return text;
}

TEST(Funnel, TurnsAtCornersOnly) {
    // Numbered row by row: a 0, b 1, c 2, e 3, d 4.
    const Mesh mesh = test::drawn_mesh({"aab.", "..c.", "edd."});
    EXPECT_EQ(pulled(mesh, {0, {0, 0, 0}}, {0, {2, 0, 1}}), "0,0 2,1");
    EXPECT_EQ(pulled(mesh, {0, {0, 0, 0.5F}}, {1, {3, 0, 0.5F}}), "0,0.5 3,0.5");
    EXPECT_EQ(pulled(mesh, {0, {0, 0, 0.5F}}, {2, {2.5F, 0, 1.5F}}), "0,0.5 2,1 2.5,1.5");
    EXPECT_EQ(pulled(mesh, {0, {0, 0, 0.5F}}, {3, {0, 0, 2.5F}}), "0,0.5 2,1 2,2 0,2.5");
}

TEST(Funnel, ServesStartsAndGoalsOnCornersAndBorders) {
    const Mesh mesh = test::drawn_mesh({"aab.", "..c.", "edd."});
    EXPECT_EQ(pulled(mesh, {0, {2, 0, 1}}, {2, {2, 0, 2}}), "2,1 2,2");
    EXPECT_EQ(pulled(mesh, {0, {0, 0, 1}}, {2, {2, 0, 1}}), "0,1 2,1");
    EXPECT_EQ(pulled(mesh, {0, {0, 0, 0}}, {3, {1, 0, 3}}), "0,0 2,1 2,2 1,3");
    EXPECT_EQ(pulled(mesh, {1, {2, 0, 1}}, {4, {2, 0, 2}}), "2,1 2,2");
}

// From room to room through the hall a. The string turns round the wall between the doors and runs
// along it.
TEST(Funnel, TurnsRoundAlongAWall) {
    const Mesh mesh = test::drawn_mesh({"aaaaa", "b.c.d"});
    ASSERT_EQ(mesh.num_portals(), 3U);
    EXPECT_EQ(pulled(mesh, {1, {0.5F, 0, 2}}, {3, {4.5F, 0, 2}}), "0.5,2 1,1 4,1 4.5,2");
    EXPECT_EQ(pulled(mesh, {1, {0, 0, 1}}, {3, {5, 0, 1}}), "0,1 5,1");
    EXPECT_EQ(pulled(mesh, {1, {0.25F, 0, 1}}, {2, {2.5F, 0, 1.5F}}), "0.25,1 2,1 2.5,1.5");
}

// A connection leads straight up by 5 to a second square.
TEST(Funnel, ConnectionsAreWaypoints) {
    MeshParts parts = test::drawn_parts({"aa"});
    const std::uint32_t first = parts.vertex(0, 5, 0);
    parts.vertex(2, 5, 0);
    parts.vertex(2, 5, 1);
    parts.vertex(0, 5, 1);
    parts.polygon({first, first + 1, first + 2, first + 3});
    parts.connections.push_back({0, 1, {1, 0, 0.5F}, {1, 5, 0.5F}, 0, true});
    const Mesh mesh = parts.build();
    Astar search;
    Path path;
    const Place start{0, {0.5F, 0, 0.5F}};
    const Place goal{1, {1.5F, 5, 0.5F}};
    ASSERT_EQ(search.find_path(mesh, start, goal, path), StatusCode::ok);
    ASSERT_EQ(path.links.size(), 2U);
    std::vector<Waypoint> out;
    Funnel().pull(mesh, start.point, goal.point, path.links, out);
    const std::vector<Waypoint> expected{{start.point, kNone},
                                         {{1, 0, 0.5F}, path.links[0]},
                                         {{1, 5, 0.5F}, path.links[1]},
                                         {goal.point, kNone}};
    EXPECT_EQ(out, expected);
    EXPECT_DOUBLE_EQ(length(out), 6);
}

// Where tiles meet, rounding can put a portal a little behind the one before it: here the second
// portal, by kError.
TEST(Funnel, SmallErrorsOfPortalsAddNoTurn) {
    constexpr float kError = 4e-6F;
    MeshParts parts;
    const auto polygon = [&parts](std::initializer_list<Flat> corners) {
        for (const Flat& c : corners) {
            parts.corners.push_back(
                parts.vertex(static_cast<float>(c.x), 0, static_cast<float>(c.z)));
        }
        parts.first_corner.push_back(static_cast<std::uint32_t>(parts.corners.size()));
    };
    polygon({{0, 10}, {-10, 10}, {-12, 0.3}, {0, 0}});
    polygon({{0, 0}, {-12, 0.3}, {-14, 0}});
    polygon({{0, 0}, {-14, 0}, {-14, -10}, {0, -10}});
    polygon({{-14, 0}, {-24, 0}, {-24, -10}, {-14, -10}});
    parts.portals = {{0, 1, {-12, 0, 0.3F}, {0, 0, 0}},
                     {1, 2, {-14, 0, kError}, {0, 0, kError}},
                     {2, 3, {-14, 0, 0}, {-14, 0, -10}}};
    parts.portals_given = true;
    const Mesh mesh = parts.build();
    EXPECT_EQ(pulled(mesh, {0, {-1, 0, 9}}, {3, {-20, 0, -5}}), "-1,9 -12,0.3 -20,-5");
}

// Neighbouring tiles round a corner differently: a start there can lie a little beyond the portal
// over which it leaves.
TEST(Funnel, StartsALittleBeyondTheFirstPortalStillTurn) {
    constexpr float kError = 6e-5F;
    MeshParts parts;
    parts.corners = {parts.vertex(kError, 0, 0),  parts.vertex(10, 0, 0),  parts.vertex(10, 0, 10),
                     parts.vertex(kError, 0, 10), parts.vertex(0, 0, 0),   parts.vertex(0, 0, 10),
                     parts.vertex(-10, 0, 10),    parts.vertex(-10, 0, 0), parts.vertex(-10, 0, 10),
                     parts.vertex(0, 0, 10),      parts.vertex(0, 0, 20),  parts.vertex(-10, 0, 20),
                     parts.vertex(0, 0, 12),      parts.vertex(10, 0, 12), parts.vertex(10, 0, 20),
                     parts.vertex(0, 0, 20)};
    parts.first_corner = {0, 4, 8, 12, 16};
    parts.portals = {{0, 1, {kError, 0, 0}, {kError, 0, 10}},
                     {1, 2, {-10, 0, 10}, {0, 0, 10}},
                     {2, 3, {0, 0, 12}, {0, 0, 20}}};
    parts.portals_given = true;
    const Mesh mesh = parts.build();
    EXPECT_EQ(pulled(mesh, {0, {0, 0, 0}}, {3, {9, 0, 13}}), "0,0 0,10 0,12 9,13");
}

TEST(Funnel, CorridorWithoutLinksIsStraight) {
    std::vector<Waypoint> out;
    Funnel().pull(Mesh(), {1, 2, 3}, {4, 2, 7}, {}, out, Crossings::all);
    EXPECT_EQ(out, (std::vector<Waypoint>{{{1, 2, 3}, kNone}, {{4, 2, 7}, kNone}}));
    EXPECT_DOUBLE_EQ(length(out), 5);
}

TEST(Funnel, AllocatesNothingOnceWarm) {
    if (!test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    RandomMaps random(1);
    const Mesh mesh = test::drawn_mesh({"aab.", "..c.", "edd."});
    const std::vector<Link> walk = random_walk(mesh, 0, 40, random);
    Funnel funnel;
    std::vector<Waypoint> out;
    funnel.pull(mesh, {}, {2, 0, 2}, walk, out, Crossings::all);
    const std::uint64_t before = test::allocations();
    funnel.pull(mesh, {}, {2, 0, 2}, walk, out, Crossings::all);
    EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace cairn::mesh
