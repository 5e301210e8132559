// The scan for direct-h-reachable subgoals and the edges of subgoal graphs, against the definitions
// (sections 15.3.1 and 15.3.3).

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "subgoal/direct_scan.hpp"
#include "subgoal/naive.hpp"
#include "subgoal/snapshot.hpp"
#include "subgoal/verify.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::ascii_map;
using cairn::test::small_map;
using grid::Cell;
using grid::Map;
using grid::Point;

// Direct-h-reachable subgoals, each with the octants of the moves to it.
using SeenSubgoals = std::map<Cell, Octants>;

SeenSubgoals scanned(const Map& map, const SubgoalBits& bits, Cell from) {
    SeenSubgoals out;
    const Point p = map.point(from);
    for_each_direct(bits, p.x, p.y, [&](int x, int y, Octants octants) {
        const bool is_new = out.emplace(map.cell({x, y}), octants).second;
        EXPECT_TRUE(is_new) << "the scan finds a subgoal twice";
    });
    return out;
}

SeenSubgoals by_definition(const Map& map, const Naive& naive, const std::vector<Cell>& subgoals,
                           Cell from) {
    SeenSubgoals out;
    for (const Cell cell : subgoals) {
        if (cell == from || !naive.direct_h_reachable(from, cell)) continue;
        out.emplace(cell, naive.octants(from, cell));
        const Point p = map.point(from);
        const Point q = map.point(cell);
        EXPECT_EQ(octants_between(q.x - p.x, q.y - p.y), naive.octants(from, cell));
        EXPECT_EQ(reversed(naive.octants(from, cell)), naive.octants(cell, from));
    }
    return out;
}

// Without tautness, as edges_of.
std::vector<SubgoalEdge> edges_by_definition(const Naive& naive, const std::vector<Cell>& subgoals,
                                             Edges kind) {
    std::vector<SubgoalEdge> out;
    for (const Cell a : subgoals) {
        for (const Cell b : subgoals) {
            const bool joined = a < b && (kind == Edges::direct ? naive.direct_h_reachable(a, b)
                                                                : naive.h_reachable(a, b));
            if (joined) out.push_back({a, b, false});
        }
    }
    return out;
}

std::vector<SubgoalEdge> edges_of(const Map& map, Edges kind) {
    Options options;
    options.edges = kind;
    options.labels = false;
    std::vector<SubgoalEdge> out = edges(build(map, options)).value();
    for (SubgoalEdge& edge : out) edge.taut = false;
    return out;
}

// Checks the connections of every free cell, and both kinds of edges.
void check_map(const Map& map) {
    const SubgoalBits bits(map);
    const std::vector<Cell> subgoals = subgoal_cells(bits);
    const Naive naive(map);
    for (const Point p : free_points(map)) {
        const Cell from = map.cell(p);
        ASSERT_EQ(scanned(map, bits, from), by_definition(map, naive, subgoals, from))
            << describe(build(map), query_of(p, p));
    }
    for (const Edges kind : {Edges::direct, Edges::h_reachable}) {
        ASSERT_TRUE(edges_of(map, kind) == edges_by_definition(naive, subgoals, kind))
            << describe(build(map), {});
    }
}

TEST(SubgoalConnection, OfSmallGridsIsThatOfTheDefinitions) {
    const std::uint64_t stride = cairn::test::stride(0.06);
    for (std::uint64_t i = 0; i < 1U << 16; i += stride) {
        check_map(small_map(4, 4, mixed_grid(i, 16)));
        if (HasFatalFailure()) return;
    }
}

TEST(SubgoalConnection, OfRandomMapsIsThatOfTheDefinitions) {
    RandomMaps random(41);
    for (auto maps = cairn::test::scaled(250); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(16);
        check_map(random.chance(60) ? random.noise(size, random.number(0, 40))
                                    : random.uniform_map(size));
        if (HasFatalFailure()) return;
    }
}

// Rows or columns of 60 to 68 cells: scans go over the border between two 64-bit words.
TEST(SubgoalConnection, AcrossWordsIsThatOfTheDefinitions) {
    RandomMaps random(42);
    for (auto maps = cairn::test::scaled(12); maps > 0; --maps) {
        const bool wide = random.chance(50);
        const int length = random.number(60, 68);
        const int breadth = random.number(2, 5);
        check_map(random.noise(strip(wide, length, breadth), random.number(3, 25)));
        if (HasFatalFailure()) return;
    }
}

// Seen from (0, 0): (4, 2) is h-reachable, but over (2, 2). (4, 4) is not h-reachable, because the
// obstacle is on the diagonal.
TEST(SubgoalConnection, ASubgoalHidesThoseBehindIt) {
    const Map map = ascii_map({"......",  //
                               "......",  //
                               "......",  //
                               "...@..",  //
                               "......"});
    const SubgoalBits bits(map);
    const SeenSubgoals seen = scanned(map, bits, map.cell({0, 0}));
    EXPECT_TRUE(seen.contains(map.cell({2, 2})));
    EXPECT_FALSE(seen.contains(map.cell({4, 2})));
    EXPECT_FALSE(seen.contains(map.cell({4, 4})));
}

TEST(SubgoalConnection, DirectEdgesAreAmongTheHReachableOnes) {
    RandomMaps random(43);
    for (auto maps = cairn::test::scaled(30); maps > 0; --maps) {
        const Map map = random.uniform_map(random.size(60));
        const auto direct = edges_of(map, Edges::direct);
        const auto all = edges_of(map, Edges::h_reachable);
        const auto less = [](const SubgoalEdge& a, const SubgoalEdge& b) {
            return a.a != b.a ? a.a < b.a : a.b < b.b;
        };
        ASSERT_TRUE(std::is_sorted(direct.begin(), direct.end(), less));
        ASSERT_TRUE(std::is_sorted(all.begin(), all.end(), less));
        ASSERT_TRUE(std::includes(all.begin(), all.end(), direct.begin(), direct.end(), less));
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
