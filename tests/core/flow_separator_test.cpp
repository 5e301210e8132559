// Separators by maximum flows: they separate any connected graph, are small where a small separator
// exists, and are the same every time.

#include "core/separator/vertex_separator.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn {
namespace {

using Edges = std::set<std::pair<int, int>>;  // each edge in both directions
constexpr int kRecuts = 2;

Piece piece_of(int nodes, const Edges& edges) {
    Piece piece;
    piece.first_out.push_back(0);
    auto edge = edges.begin();
    for (int v = 0; v < nodes; ++v) {
        for (; edge != edges.end() && edge->first == v; ++edge) piece.head.push_back(edge->second);
        piece.first_out.push_back(static_cast<std::int32_t>(piece.head.size()));
    }
    return piece;
}

void join(Edges& edges, int a, int b) {
    if (a == b) return;
    edges.insert({a, b});
    edges.insert({b, a});
}

Piece lattice(int width, int height) {
    Edges edges;
    for (int v = 0; v < width * height; ++v) {
        if (v % width + 1 < width) join(edges, v, v + 1);
        if (v / width + 1 < height) join(edges, v, v + width);
    }
    return piece_of(width * height, edges);
}

/// Fails the test if an edge joins left and right or the sides are not fair. Returns the number of
/// nodes of the separator.
std::size_t checked_separator_size(const Piece& piece, const std::vector<Side>& sides) {
    EXPECT_EQ(sides.size(), piece.num_nodes());
    for (std::size_t v = 0; v < sides.size(); ++v) {
        for (auto e = piece.first_out[v]; e < piece.first_out[v + 1]; ++e) {
            const Side to =
                sides[static_cast<std::size_t>(piece.head[static_cast<std::size_t>(e)])];
            EXPECT_TRUE(sides[v] == to || sides[v] == Side::separator || to == Side::separator);
        }
    }
    EXPECT_TRUE(is_balanced(count_sides(sides)));
    return count_sides(sides)[static_cast<std::size_t>(Side::separator)];
}

TEST(FlowSeparator, FindsTheMiddleOfALattice) {
    for (const auto& [width, height] :
         {std::pair{40, 9}, std::pair{9, 40}, std::pair{25, 25}, std::pair{500, 1}}) {
        const Piece piece = lattice(width, height);
        std::vector<Side> sides(piece.num_nodes());
        ASSERT_TRUE(flow_separator(piece, kRecuts, sides));
        EXPECT_LE(checked_separator_size(piece, sides),
                  static_cast<std::size_t>(std::min(width, height)));
    }
}

TEST(FlowSeparator, FindsANarrowBridge) {
    // Two dense halves, and three nodes that join them.
    Edges edges;
    cairn::test::RandomMaps random(5);
    constexpr int kHalf = 120;
    for (int i = 0; i < 6 * kHalf; ++i) {
        join(edges, random.number(0, kHalf - 1), random.number(0, kHalf - 1));
        join(edges, kHalf + random.number(0, kHalf - 1), kHalf + random.number(0, kHalf - 1));
    }
    for (int v = 0; v + 1 < kHalf; ++v) {
        join(edges, v, v + 1);
        join(edges, kHalf + v, kHalf + v + 1);
    }
    for (int bridge = 0; bridge < 3; ++bridge) {
        join(edges, 2 * kHalf + bridge, random.number(0, kHalf - 1));
        join(edges, 2 * kHalf + bridge, kHalf + random.number(0, kHalf - 1));
    }
    const Piece piece = piece_of(2 * kHalf + 3, edges);
    std::vector<Side> sides(piece.num_nodes());
    ASSERT_TRUE(flow_separator(piece, kRecuts, sides));
    EXPECT_LE(checked_separator_size(piece, sides), 3U);
}

TEST(FlowSeparator, SeparatesAnyConnectedGraphTheSameEveryTime) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(300); ++seed) {
        cairn::test::RandomMaps random(seed);
        const int nodes = random.number(3, 300);
        Edges edges;
        for (int v = 1; v < nodes; ++v) join(edges, v, random.number(v > 9 ? v - 9 : 0, v - 1));
        for (int i = random.number(0, nodes); i > 0; --i)
            join(edges, random.number(0, nodes - 1), random.number(0, nodes - 1));
        const Piece piece = piece_of(nodes, edges);
        const std::vector<Side> before(piece.num_nodes(), Side::left);
        std::vector<Side> sides = before;
        const bool found = flow_separator(piece, random.number(0, 3), sides);
        if (found) {
            checked_separator_size(piece, sides);
        } else {
            EXPECT_EQ(sides, before);
        }
        std::vector<Side> once = before;
        std::vector<Side> again = before;
        EXPECT_EQ(flow_separator(piece, kRecuts, once), flow_separator(piece, kRecuts, again));
        EXPECT_EQ(once, again);
    }
}

}  // namespace
}  // namespace cairn
