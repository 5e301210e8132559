// Separators separate any connected graph, are small where a small separator exists, and are the
// same every time; the cuts that they are made of are minimum cuts.

#include "core/separator/vertex_separator.hpp"

#include <gtest/gtest.h>

#include <array>
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

/// Fails the test if an edge joins left and right. Returns the number of nodes of the separator.
std::size_t checked_cut_size(const Piece& piece, const std::vector<Side>& sides) {
    EXPECT_EQ(sides.size(), piece.num_nodes());
    for (std::size_t v = 0; v < sides.size(); ++v) {
        for (auto e = piece.first_out[v]; e < piece.first_out[v + 1]; ++e) {
            const Side to =
                sides[static_cast<std::size_t>(piece.head[static_cast<std::size_t>(e)])];
            EXPECT_TRUE(sides[v] == to || sides[v] == Side::separator || to == Side::separator);
        }
    }
    return count_sides(sides)[static_cast<std::size_t>(Side::separator)];
}

/// The same for sides that must also be balanced.
std::size_t checked_separator_size(const Piece& piece, const std::vector<Side>& sides) {
    EXPECT_TRUE(is_balanced(count_sides(sides)));
    return checked_cut_size(piece, sides);
}

TEST(FlowSeparator, FindsTheMiddleOfALattice) {
    for (const auto& [width, height] :
         {std::pair{40, 9}, std::pair{9, 40}, std::pair{25, 25}, std::pair{500, 1}}) {
        const Piece piece = lattice(width, height);
        std::vector<Side> sides;
        SeparatorFinder().find(piece, kRecuts, sides);
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
    std::vector<Side> sides;
    SeparatorFinder().find(piece, kRecuts, sides);
    EXPECT_LE(checked_separator_size(piece, sides), 3U);
}

/// A connected graph of `least` to `most` nodes: a path with shortcuts, and random edges.
Piece random_piece(cairn::test::RandomMaps& random, int least, int most) {
    const int nodes = random.number(least, most);
    Edges edges;
    for (int v = 1; v < nodes; ++v) join(edges, v, random.number(v > 9 ? v - 9 : 0, v - 1));
    for (int i = random.number(0, nodes); i > 0; --i)
        join(edges, random.number(0, nodes - 1), random.number(0, nodes - 1));
    return piece_of(nodes, edges);
}

/// Gives the nodes points: all the same one, points of a small square, or any.
void add_points(Piece& piece, cairn::test::RandomMaps& random) {
    constexpr int kAny = 1 << 29;
    const int most = std::array{0, 9, kAny}[static_cast<std::size_t>(random.number(0, 2))];
    for (std::uint32_t v = 0; v < piece.num_nodes(); ++v)
        piece.points.push_back({random.number(-most, most), random.number(-most, most)});
}

TEST(FlowSeparator, SeparatesAnyConnectedGraphTheSameEveryTime) {
    constexpr int kLeast = SeparatorFinder::kLeast;
    SeparatorFinder finder;  // used again and again: what it keeps must not matter
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(600); ++seed) {
        cairn::test::RandomMaps random(seed);
        // Small pieces are the hardest to balance.
        Piece piece = random_piece(random, kLeast, seed % 4 == 0 ? 300 : kLeast + 20);
        if (seed % 2 == 0) add_points(piece, random);
        const int recuts = random.number(0, 3);
        std::vector<Side> sides;
        finder.find(piece, recuts, sides);
        checked_separator_size(piece, sides);
        std::vector<Side> again;
        SeparatorFinder().find(piece, recuts, again);
        EXPECT_EQ(again, sides);
    }
}

TEST(FlowSeparator, SeparatesStarsCliquesAndShortPaths) {
    Edges star;
    Edges double_star;
    join(double_star, 0, 1);
    for (int v = 1; v < 500; ++v) join(star, 0, v);
    for (int v = 2; v < 500; ++v) join(double_star, v % 2, v);
    std::vector<Piece> pieces{piece_of(500, star), piece_of(500, double_star), lattice(12, 12)};
    for (int nodes = SeparatorFinder::kLeast; nodes <= 100; ++nodes) {
        Edges clique;
        for (int a = 0; a < nodes; ++a) {
            for (int b = 0; b < a; ++b) join(clique, a, b);
        }
        pieces.push_back(piece_of(nodes, clique));
        pieces.push_back(lattice(nodes, 1));
    }
    for (const Piece& piece : pieces) {
        std::vector<Side> sides;
        SeparatorFinder().find(piece, kRecuts, sides);
        checked_separator_size(piece, sides);
    }
}

/// The most vertex-disjoint paths from sources to sinks, one augmenting path after another in the
/// graph whose arcs are node -> node and, for each node v, arrival 2v -> departure 2v + 1.
std::size_t most_disjoint_paths(const Piece& piece, const std::vector<DisjointPaths::Role>& role) {
    using Role = DisjointPaths::Role;
    const std::size_t states = 2 * piece.num_nodes();
    std::set<std::pair<std::size_t, std::size_t>> flow;  // arcs that carry a path
    const auto find_path = [&] {
        std::vector<std::size_t> parent(states, states);
        std::vector<std::size_t> queue;
        const auto reach = [&](std::size_t from, std::size_t to) {
            if (parent[to] != states) return;
            parent[to] = from;
            queue.push_back(to);
        };
        const auto starts_path = [&](std::size_t v) { return flow.count({states, 2 * v}) != 0; };
        for (std::size_t v = 0; v < piece.num_nodes(); ++v) {
            if (role[v] == Role::source && !starts_path(v)) reach(2 * v, 2 * v);
        }
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const std::size_t state = queue[i];
            const std::size_t v = state / 2;
            if (state % 2 == 0) {
                if (flow.count({state, state + 1}) == 0) reach(state, state + 1);
                for (const auto from : piece.neighbours(v)) {
                    const std::size_t leave = 2 * static_cast<std::size_t>(from) + 1;
                    if (flow.count({leave, state}) != 0) reach(state, leave);
                }
                continue;
            }
            if (role[v] == Role::sink && flow.count({state, states}) == 0) {
                flow.insert({state, states});
                std::size_t to = state;
                for (; parent[to] != to; to = parent[to]) {
                    if (flow.erase({to, parent[to]}) == 0) flow.insert({parent[to], to});
                }
                flow.insert({states, to});
                return true;
            }
            if (flow.count({state - 1, state}) != 0) reach(state, state - 1);
            for (const auto to : piece.neighbours(v))
                reach(state, 2 * static_cast<std::size_t>(to));
        }
        return false;
    };
    std::size_t count = 0;
    while (find_path()) ++count;
    return count;
}

TEST(DisjointPaths, CutsAreMinimumCutsAndNearestToTheirEnds) {
    DisjointPaths paths;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(600); ++seed) {
        cairn::test::RandomMaps random(seed);
        const Piece piece = random_piece(random, 3, 60);
        const std::size_t nodes = piece.num_nodes();
        paths.role.assign(nodes, DisjointPaths::Role::middle);
        const int share = random.number(1, 9);
        for (DisjointPaths::Role& role : paths.role) {
            const int number = random.number(0, 19);
            if (number < share) role = DisjointPaths::Role::source;
            if (number >= 20 - share) role = DisjointPaths::Role::sink;
        }
        const std::size_t most = most_disjoint_paths(piece, paths.role);
        if (most > 0) {
            EXPECT_FALSE(paths.run(piece, most - 1)) << seed;
        }
        ASSERT_TRUE(paths.run(piece, most)) << seed;
        std::vector<Side> low(nodes);
        std::vector<Side> high(nodes);
        paths.cut_at_sinks(high);
        paths.cut_at_sources(low);
        EXPECT_EQ(checked_cut_size(piece, low), most) << seed;
        EXPECT_EQ(checked_cut_size(piece, high), most) << seed;
        for (std::size_t v = 0; v < nodes; ++v) {
            const bool source = paths.role[v] == DisjointPaths::Role::source;
            const bool sink = paths.role[v] == DisjointPaths::Role::sink;
            for (const auto& sides : {low, high})
                EXPECT_FALSE((source && sides[v] == Side::right) ||
                             (sink && sides[v] == Side::left));
            EXPECT_TRUE(low[v] != Side::left || high[v] == Side::left) << seed;
            EXPECT_TRUE(high[v] != Side::right || low[v] == Side::right) << seed;
        }
    }
}

}  // namespace
}  // namespace cairn
