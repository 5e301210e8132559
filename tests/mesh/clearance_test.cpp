// Clearances, gates and cut meshes of random meshes, against slow and simple ones.

#include "cairn/mesh/clearance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "cairn/mesh/from_grid.hpp"
#include "cairn/mesh/reachability.hpp"
#include "support/clearance_oracle.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

using test::MeshKind;
using test::MeshParts;
using test::RandomMaps;

constexpr double kAsFarAsItIs = std::numeric_limits<double>::infinity();
constexpr std::array kFlatKinds{MeshKind::lattice, MeshKind::flat, MeshKind::islands,
                                MeshKind::corridors};

/// A mesh without storeys, with some one-way portals and blocked polygons.
MeshParts flat_parts(std::uint64_t seed, RandomMaps& random, int longest) {
    MeshParts parts = test::mesh_of_kind(kFlatKinds[seed % kFlatKinds.size()], random, longest);
    if (random.chance(30)) test::give_portals(parts, random, 30);
    for (Polygon p = 0; p < parts.num_polygons() && seed % 3 == 0; ++p) {
        if (random.chance(15)) parts.blocked.push_back(p);
    }
    return parts;
}

double area(const Mesh& mesh, Polygon polygon) {
    const auto corners = mesh.corners(polygon);
    double twice = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point& a = mesh.vertices()[corners[i]];
        const Point& b = mesh.vertices()[corners[(i + 1) % corners.size()]];
        twice += double{a.x} * double{b.z} - double{b.x} * double{a.z};
    }
    return twice / 2;
}

TEST(ClearanceTest, IsTheDistanceToTheNearestWall) {
    for (std::uint64_t seed = 0; seed < test::scaled(300); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = flat_parts(seed, random, 8).build();
        const auto clearance = Clearance::build(mesh).value();
        const auto walls = test::walls_of(mesh);
        for (int i = 0; i < 60; ++i) {
            const Place place = test::random_place(mesh, random);
            const Place in_piece = clearance.place(place);
            ASSERT_EQ(clearance.origin(in_piece.polygon), place.polygon);
            const double expected =
                mesh.blocked(place.polygon)
                    ? 0
                    : test::distance(walls, double{place.point.x}, double{place.point.z});
            ASSERT_NEAR(clearance.clearance(in_piece, kAsFarAsItIs), expected, 1e-5)
                << place.point.x << ", " << place.point.z;
            ASSERT_NEAR(clearance.clearance(in_piece, 0.3), std::min(expected, 0.3), 1e-5);
        }
    }
}

/// Compares the greatest radius between random places with that of steps over a fine grid.
void expect_agrees_with_grid(const Mesh& mesh, const std::vector<test::WallSegment>& walls,
                             double step, int pairs, RandomMaps& random) {
    const auto clearance = Clearance::build(mesh).value();
    const test::GridOracle oracle(mesh, walls, step);
    const Locator locator = Locator::create(mesh).value();
    if (oracle.points().empty()) return;
    const auto draw = [&] {
        const int last = static_cast<int>(oracle.points().size()) - 1;
        return oracle.points()[static_cast<std::size_t>(random.number(0, last))];
    };
    const auto place = [&](std::size_t i) {
        const Point p = oracle.point(i);
        return clearance.place({locator.find(mesh, p), p});
    };
    for (int i = 0; i < pairs; ++i) {
        const std::size_t a = draw();
        const std::size_t b = draw();
        const double found = test::most_radius(clearance, place(a), place(b),
                                               oracle.clearance(a) + oracle.clearance(b));
        const double here = oracle.most_radius(a, b);
        ASSERT_TRUE(oracle.agrees(found, here))
            << "(" << oracle.point(a).x << ", " << oracle.point(a).z << ") to ("
            << oracle.point(b).x << ", " << oracle.point(b).z << "): " << found
            << ", over the grid " << here;
        const double back = test::most_radius(clearance, place(b), place(a),
                                              oracle.clearance(a) + oracle.clearance(b));
        ASSERT_EQ(found, back);
    }
}

TEST(ClearanceTest, GreatestRadiiAgreeWithAGridOverLattices) {
    for (std::uint64_t seed = 0; seed < test::scaled(120); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        MeshParts parts = test::mesh_of_kind(kFlatKinds[seed % kFlatKinds.size()], random, 8);
        for (Polygon p = 0; p < parts.num_polygons() && seed % 3 == 0; ++p) {
            if (random.chance(15)) parts.blocked.push_back(p);
        }
        const Mesh mesh = parts.build();
        expect_agrees_with_grid(mesh, test::walls_of(mesh), 0.08, 60, random);
    }
}

/// A map of rectangular obstacles as a mesh, under a linear map of the plane.
struct Drawn {
    Mesh mesh;
    std::vector<test::WallSegment> walls;
};
Drawn drawn(RandomMaps& random, int side, const std::array<double, 4>& linear) {
    const auto moved = [&](double x, double z) {
        return Point{static_cast<float>(linear[0] * x + linear[1] * z), 0,
                     static_cast<float>(linear[2] * x + linear[3] * z)};
    };
    const auto cells = static_cast<std::size_t>(side);
    std::vector<std::uint8_t> terrain(cells * cells, '.');
    for (int i = random.number(5, 25); i > 0; --i) {
        const int x = random.number(0, side - 1);
        const int z = random.number(0, side - 1);
        const bool single = random.chance(30);
        const int width = single ? 1 : random.number(1, 4);
        const int depth = single ? 1 : random.number(1, 4);
        for (int to_z = z; to_z < std::min(side, z + depth); ++to_z) {
            for (int to_x = x; to_x < std::min(side, x + width); ++to_x)
                terrain[static_cast<std::size_t>(to_z * side + to_x)] = '@';
        }
    }
    const auto map = grid::Map::create(side, side, terrain).value();
    const Mesh upright = mesh_from_grid(map).value();
    MeshParts parts;
    parts.portals_given = true;
    for (const Point& p : upright.vertices())
        parts.vertices.push_back(moved(double{p.x}, double{p.z}));
    for (Polygon p = 0; p < upright.num_polygons(); ++p) {
        const auto corners = upright.corners(p);
        parts.polygon({corners[0], corners[1], corners[2], corners[3]});
    }
    for (Link link = 0; link < upright.num_links(); link += 2) {
        const Point a = upright.left(link);
        const Point b = upright.right(link);
        parts.portals.push_back({upright.polygon_of(link), upright.polygon_of(twin(link)),
                                 moved(double{a.x}, double{a.z}), moved(double{b.x}, double{b.z})});
    }
    Drawn result{parts.build(), {}};
    const auto free = [&](int x, int z) {
        return x >= 0 && z >= 0 && x < side && z < side && map.passable(map.cell({x, z}));
    };
    const auto add = [&](const Point& a, const Point& b) {
        result.walls.push_back({a.x, a.z, b.x, b.z});
    };
    for (int z = 0; z <= side; ++z) {
        for (int x = 0; x <= side; ++x) {
            if (free(x, z) != free(x, z - 1)) add(moved(x, z), moved(x + 1, z));
            if (free(x, z) != free(x - 1, z)) add(moved(x, z), moved(x, z + 1));
        }
    }
    return result;
}

constexpr std::array<std::array<double, 4>, 3> kLinearMaps{
    {{1, 0, 0, 1}, {1.1, 0.37, -0.21, 0.93}, {0.8, -0.6, 0.6, 0.8}}};

TEST(ClearanceTest, GreatestRadiiAgreeWithAGridOverDrawnMaps) {
    for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Drawn scene = drawn(random, 16, kLinearMaps[seed % kLinearMaps.size()]);
        expect_agrees_with_grid(scene.mesh, scene.walls, 0.12, 100, random);
    }
}

constexpr std::array kRadii{0.0, 0.02, 0.1, 0.2, 0.35, 0.5, 0.8};

TEST(ClearanceTest, ReachableIsReachabilityOfTheCutMeshForTheRadius) {
    int one_way = 0;
    for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = test::random_mesh(seed);
        const auto clearance = Clearance::build(mesh).value();
        const Mesh& cut = clearance.mesh();
        std::vector<Place> places;
        for (int i = 0; i < 12; ++i)
            places.push_back(clearance.place(test::random_place(mesh, random)));
        const Reachability whole = Reachability::build(mesh).value();
        std::vector<StatusCode> before;
        for (const double radius : kRadii) {
            const Mesh narrowed = cut.with_radius(radius).value();
            const Reachability reach = Reachability::build(narrowed).value();
            const auto stands = [&](const Place& p) {
                return !cut.blocked(p.polygon) &&
                       (radius == 0 || clearance.clearance(p, radius) >= radius);
            };
            std::vector<StatusCode> now;
            for (const Place& from : places) {
                for (const Place& to : places) {
                    const StatusCode code = clearance.reachable(from, to, radius);
                    now.push_back(code);
                    const StatusCode expected = !stands(from) ? StatusCode::start_blocked
                                                : !stands(to) ? StatusCode::goal_blocked
                                                : reach.reaches(from.polygon, to.polygon)
                                                    ? StatusCode::ok
                                                    : StatusCode::no_path;
                    ASSERT_EQ(code, expected)
                        << from.polygon << " to " << to.polygon << ", radius " << radius;
                    if (radius == 0) {
                        ASSERT_EQ(code == StatusCode::ok,
                                  whole.reaches(clearance.origin(from.polygon),
                                                clearance.origin(to.polygon)));
                    }
                    const StatusCode back = clearance.reachable(to, from, radius);
                    const bool both = (code == StatusCode::ok) == (back == StatusCode::ok);
                    ASSERT_TRUE(mesh.directed() || both);
                    one_way += both ? 0 : 1;
                }
            }
            for (std::size_t i = 0; i < before.size(); ++i)
                ASSERT_TRUE(now[i] != StatusCode::ok || before[i] == StatusCode::ok) << "monotone";
            before = std::move(now);
        }
    }
    EXPECT_GT(one_way, 0);
}

TEST(ClearanceTest, DiscsAreMovedToWhereTheyCanStand) {
    int stayed = 0;
    int moved = 0;
    int refused = 0;
    for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = test::random_mesh(seed);
        const auto clearance = Clearance::build(mesh).value();
        for (int i = 0; i < 40; ++i) {
            const Place place = test::random_place(mesh, random);
            const double radius = random.number(1, 80) / 100.0;
            const double reach = random.number(0, 100) / 100.0;
            const auto room = [&](const Place& p) {
                return clearance.clearance(clearance.place(p), radius);
            };
            const auto found = clearance.make_room(place, radius, reach);
            if (!found) {
                ASSERT_LT(room(place), radius);
                ++refused;
                continue;
            }
            ASSERT_GE(room(*found), radius);
            ASSERT_LE(std::hypot(double{found->point.x} - double{place.point.x},
                                 double{found->point.z} - double{place.point.z}),
                      reach);
            if (room(place) >= radius) {
                ASSERT_EQ(*found, place);
                ++stayed;
                continue;
            }
            ++moved;
            ASSERT_EQ(*clearance.make_room(*found, radius, 0), *found);
            const Place before = clearance.place(place);
            const Place after = clearance.place(*found);
            ASSERT_EQ(clearance.reachable(before, after, 0), StatusCode::ok);
            ASSERT_EQ(clearance.reachable(after, before, 0), StatusCode::ok);
        }
    }
    EXPECT_GT(stayed, 0);
    EXPECT_GT(moved, 0);
    EXPECT_GT(refused, 0);
}

TEST(ClearanceTest, PiecesFillTheirPolygons) {
    for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
        SCOPED_TRACE(seed);
        const Mesh mesh = test::random_mesh(seed);
        const auto clearance = Clearance::build(mesh).value();
        const Mesh& cut = clearance.mesh();
        ASSERT_TRUE(clearance.whole() == mesh);
        ASSERT_EQ(cut.num_odd(), 0U);
        ASSERT_EQ(cut.directed(), mesh.directed());
        std::size_t pieces = 0;
        for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
            double sum = 0;
            for (const Polygon piece : clearance.pieces(p)) {
                ++pieces;
                ASSERT_EQ(clearance.origin(piece), p);
                ASSERT_EQ(cut.is_connection(piece), mesh.is_connection(p));
                ASSERT_EQ(cut.area(piece), mesh.area(p));
                ASSERT_EQ(cut.blocked(piece), mesh.blocked(p));
                if (!mesh.is_connection(p)) sum += area(cut, piece);
            }
            if (!mesh.is_connection(p)) {
                ASSERT_NEAR(sum, area(mesh, p), 1e-5) << "polygon " << p;
            }
        }
        ASSERT_EQ(pieces, cut.num_polygons());
    }
}

TEST(ClearanceTest, GatesAreDiametersOfDiscsWithoutWallsAndDoNotCross) {
    std::size_t found = 0;
    std::size_t twice = 0;  // gates along several openings, found from both ends
    for (std::uint64_t seed = 0; seed < test::scaled(300); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = flat_parts(seed, random, 10).build();
        const auto clearance = Clearance::build(mesh).value();
        const auto gates = clearance.gates();
        const auto walls = test::walls_of(mesh);
        found += gates.size();
        for (std::size_t i = 0; i < gates.size(); ++i) {
            const Gate& a = gates[i];
            ASSERT_NEAR(a.width, std::hypot(a.end_x - a.begin_x, a.end_z - a.begin_z), 1e-9);
            ASSERT_TRUE(i == 0 || gates[i - 1].width <= a.width);
            const double at_middle =
                test::distance(walls, (a.begin_x + a.end_x) / 2, (a.begin_z + a.end_z) / 2);
            ASSERT_NEAR(at_middle, a.width / 2, 1e-4);
            ASSERT_LE(test::distance(walls, a.begin_x, a.begin_z), 1e-5);
            ASSERT_LE(test::distance(walls, a.end_x, a.end_z), 1e-5);
            for (std::size_t j = 0; j < i; ++j) {
                const Gate& b = gates[j];
                const auto side = [](const Gate& g, double x, double z) {
                    return ((g.end_x - g.begin_x) * (z - g.begin_z) -
                            (g.end_z - g.begin_z) * (x - g.begin_x)) /
                           g.width;
                };
                constexpr double kOff = 1e-4;
                const auto apart = [&](const Gate& g, const Gate& other) {
                    const double begin = side(g, other.begin_x, other.begin_z);
                    const double end = side(g, other.end_x, other.end_z);
                    return std::min(begin, end) < -kOff && std::max(begin, end) > kOff;
                };
                // The diagonals of a rectangle of corners may cross at a corner of polygons.
                ASSERT_TRUE(!apart(a, b) || !apart(b, a) || a.width - b.width < kOff)
                    << "gates " << j << " and " << i;
                const bool same = a.begin_x == b.begin_x && a.begin_z == b.begin_z &&
                                  a.end_x == b.end_x && a.end_z == b.end_z;
                twice += same ? 1 : 0;
            }
        }
    }
    EXPECT_GT(found, 1000 * test::scale());
    EXPECT_LT(twice, found / 50);
}

/// A lattice whose coordinates are multiples of 1/1024, so that moved ones are exact. Rounding may
/// bend a polygon: then none.
std::optional<MeshParts> rounded_lattice(RandomMaps& random) {
    MeshParts parts = test::mesh_of_kind(MeshKind::lattice, random, 8);
    for (Point& p : parts.vertices) {
        p.x = std::round(p.x * 1024) / 1024;
        p.z = std::round(p.z * 1024) / 1024;
    }
    if (!Mesh::build(parts.source())) return std::nullopt;
    return parts;
}
template <class Move>
Clearance clearance_of(MeshParts parts, Move&& move) {
    for (Point& p : parts.vertices) p = move(p);
    return Clearance::build(parts.build()).value();
}

TEST(ClearanceTest, GatesTurnWithTheMesh) {
    using Move = Point (*)(const Point&);
    constexpr std::array<Move, 3> kMoves{[](const Point& p) {
                                             return Point{-p.x, p.y, p.z};
                                         },
                                         [](const Point& p) {
                                             return Point{-p.z, p.y, p.x};
                                         },
                                         [](const Point& p) {
                                             return Point{-p.x, p.y, -p.z};
                                         }};
    for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const auto parts = rounded_lattice(random);
        if (!parts) continue;
        const auto clearance = clearance_of(*parts, [](const Point& p) { return p; });
        for (const Move move : kMoves) {
            const auto moved = clearance_of(*parts, move);
            ASSERT_EQ(moved.gates().size(), clearance.gates().size());
            for (const Gate& gate : clearance.gates()) {
                const auto at = [&](double x, double z, double to_x, double to_z) {
                    const Point p = move({static_cast<float>(x), 0, static_cast<float>(z)});
                    return std::hypot(double{p.x} - to_x, double{p.z} - to_z) < 1e-5;
                };
                const auto same = [&](const Gate& g) {
                    return (at(gate.begin_x, gate.begin_z, g.begin_x, g.begin_z) &&
                            at(gate.end_x, gate.end_z, g.end_x, g.end_z)) ||
                           (at(gate.begin_x, gate.begin_z, g.end_x, g.end_z) &&
                            at(gate.end_x, gate.end_z, g.begin_x, g.begin_z));
                };
                ASSERT_TRUE(std::any_of(moved.gates().begin(), moved.gates().end(), same))
                    << gate.begin_x << ", " << gate.begin_z << " to " << gate.end_x << ", "
                    << gate.end_z;
            }
        }
    }
}

TEST(ClearanceTest, GreatestRadiiStayWhereTheMeshIsMoved) {
    const auto move = [](const Point& p) { return Point{p.x + 50, p.y, p.z - 30}; };
    for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const auto parts = rounded_lattice(random);
        if (!parts) continue;
        const auto clearance = clearance_of(*parts, [](const Point& p) { return p; });
        const auto moved = clearance_of(*parts, move);
        for (int i = 0; i < 20; ++i) {
            const Place a = test::random_place(clearance.whole(), random);
            const Place b = test::random_place(clearance.whole(), random);
            const auto radius = [&](const Clearance& c, const Place& from, const Place& to) {
                return test::most_radius(c, c.place(from), c.place(to), 4);
            };
            ASSERT_NEAR(radius(moved, {a.polygon, move(a.point)}, {b.polygon, move(b.point)}),
                        radius(clearance, a, b), 1e-3);
        }
    }
}

TEST(ClearanceTest, MostRadiusLeavesOutWiderGatesOnly) {
    for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = test::random_mesh(seed);
        const auto all = Clearance::build(mesh).value();
        ClearanceOptions options;
        options.most_radius = 0.35;
        const auto some = Clearance::build(mesh, options).value();
        ASSERT_EQ(some.options().most_radius, 0.35);
        ASSERT_LE(some.mesh().num_polygons(), all.mesh().num_polygons());
        for (const Gate& gate : some.gates()) ASSERT_LT(gate.width, 0.7);
        for (int i = 0; i < 100; ++i) {
            const Place a = test::random_place(mesh, random);
            const Place b = test::random_place(mesh, random);
            for (const double radius : {0.0, 0.1, 0.2, 0.35})
                ASSERT_EQ(some.reachable(some.place(a), some.place(b), radius),
                          all.reachable(all.place(a), all.place(b), radius))
                    << radius;
            ASSERT_EQ(some.reachable(some.place(a), some.place(b), 0.36), StatusCode::bad_option);
        }
    }
}

}  // namespace
}  // namespace cairn::mesh
