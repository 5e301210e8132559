// The sizes of the abstract graph, against a count over the map and against the worst case of the
// HPA* paper (section 3.6.1, table 2).

#include <gtest/gtest.h>

#include <set>

#include "cairn/hpa/worst_case.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using grid::Cell;
using grid::Map;
using grid::Point;

// Counts the nodes and edges of an index with Transitions::every by their definitions, cell by
// cell.
class Census {
public:
    Census(const Map& map, const Options& options) : map_(map), options_(options) {}

    LevelStatistics level(int level) const {
        LevelStatistics result;
        for (Cell cell = 0; cell < map_.size(); ++cell) {
            int highest = 0;  // level of the cell's inter-edges; 0 if it has none
            for (int d = 0; d < grid::kDirections; ++d) {
                if (!is_transition(cell, d)) continue;
                const int edge_level = level_of(cell, map_.step(cell, d));
                highest = std::max(highest, edge_level);
                if (edge_level == level && map_.step(cell, d) > cell) ++result.inter_edges;
            }
            if (highest == level) ++result.nodes;
        }
        result.intra_edges = intra_edges(level);
        return result;
    }

private:
    int side(int level) const {
        int side = options_.cluster_size;
        for (; level > 1; --level) side *= options_.branching;
        return side;
    }
    bool same_cluster(int level, Cell a, Cell b) const {
        const Point p = map_.point(a);
        const Point q = map_.point(b);
        return p.x / side(level) == q.x / side(level) && p.y / side(level) == q.y / side(level);
    }
    // Whether the move is a transition: legal, straight, and over a border of 1-clusters.
    bool is_transition(Cell cell, int d) const {
        return (map_.moves(cell) >> d & 1) != 0 && !grid::is_diagonal(d) &&
               !same_cluster(1, cell, map_.step(cell, d));
    }
    // The level of the inter-edge between two cells: the highest one whose border it crosses.
    int level_of(Cell a, Cell b) const {
        int level = 1;
        while (level < options_.levels && !same_cluster(level + 1, a, b)) ++level;
        return level;
    }
    bool is_node(int level, Cell cell) const {
        for (int d = 0; d < grid::kDirections; ++d) {
            if (is_transition(cell, d) && level_of(cell, map_.step(cell, d)) >= level) return true;
        }
        return false;
    }
    // Pairs of nodes that are connected inside their cluster, by a flood fill from each node.
    std::size_t intra_edges(int level) const {
        std::size_t pairs = 0;
        for (Cell from = 0; from < map_.size(); ++from) {
            if (!is_node(level, from)) continue;
            std::set<Cell> seen{from};
            std::vector<Cell> open{from};
            while (!open.empty()) {
                const Cell cell = open.back();
                open.pop_back();
                for (int d = 0; d < grid::kDirections; ++d) {
                    if ((map_.moves(cell) >> d & 1) == 0) continue;
                    const Cell to = map_.step(cell, d);
                    if (same_cluster(level, cell, to) && seen.insert(to).second) open.push_back(to);
                }
            }
            for (const Cell to : seen) pairs += to > from && is_node(level, to) ? 1 : 0;
        }
        return pairs;
    }

    const Map& map_;
    const Options& options_;
};

TEST(Statistics, AreTheCountsOfTheDefinitions) {
    RandomCases random(51);
    for (auto maps = cairn::test::scaled(12); maps > 0; --maps) {
        for (const grid::MoveRules& rules : kAllRules) {
            const Map map = random.map(random.size(24), rules);
            Options options = random.options();
            options.transitions = Transitions::every;
            options.diagonals = DiagonalCrossings::none;
            const IndexStatistics statistics = build(map, options).statistics().value();
            const Census census(map, options);
            std::size_t intra_edges = 0;
            ASSERT_EQ(statistics.levels.size(), static_cast<std::size_t>(options.levels));
            for (const LevelStatistics& level : statistics.levels) {
                const LevelStatistics expected = census.level(level.level);
                EXPECT_EQ(level.nodes, expected.nodes) << level.level;
                EXPECT_EQ(level.inter_edges, expected.inter_edges) << level.level;
                EXPECT_EQ(level.intra_edges, expected.intra_edges) << level.level;
                intra_edges += expected.intra_edges;
            }
            EXPECT_EQ(statistics.intra_edges, intra_edges);
            EXPECT_EQ(statistics.map_nodes, map.free_cells());
            EXPECT_EQ(statistics.map_edges, map.edge_count());
            if (map.free_cells() > 0) {
                EXPECT_DOUBLE_EQ(statistics.overhead_percent,
                                 100.0 * static_cast<double>(intra_edges) /
                                     static_cast<double>(map.free_cells() + map.edge_count()));
            }
        }
    }
}

// An open map of 10 x 10 clusters has two transitions over each of the 180 borders between
// clusters. A corner cluster has 3 nodes: two transitions share its inner corner cell. Others
// have 4.
TEST(Statistics, InterEdgesShareNodes) {
    const std::vector<std::uint8_t> terrain(100 * 100, '.');
    Options options;
    options.cluster_size = 10;
    options.transitions = Transitions::by_width;
    const IndexStatistics statistics =
        build(*Map::create(100, 100, terrain), options).statistics().value();
    EXPECT_EQ(statistics.inter_edges, 2 * 180U);
    EXPECT_EQ(statistics.abstract_nodes, 4 * 3U + 32 * 4U + 64 * 4U);
    EXPECT_LT(statistics.abstract_nodes, 2 * statistics.inter_edges);
    EXPECT_GT(statistics.graph_bytes, 0U);
    EXPECT_GT(statistics.table_bytes, 0U);
    EXPECT_GT(statistics.label_bytes, 0U);
    EXPECT_GT(statistics.closure_bytes, 0U);
}

// worst_case against a sum over c x c clusters of n x n tiles. A cluster has n / 2 nodes at each
// border to another cluster.
TEST(WorstCase, FormulasAreSumsOverClusters) {
    for (std::uint64_t c = 2; c <= 12; ++c) {
        for (std::uint64_t n = 2; n <= 20; n += 2) {
            const WorstCase worst = worst_case(c, n);
            std::uint64_t nodes = 0;
            std::uint64_t intra_edges = 0;
            for (std::uint64_t y = 0; y < c; ++y) {
                for (std::uint64_t x = 0; x < c; ++x) {
                    const std::uint64_t borders = (x > 0 ? 1U : 0U) + (x + 1 < c ? 1U : 0U) +
                                                  (y > 0 ? 1U : 0U) + (y + 1 < c ? 1U : 0U);
                    const std::uint64_t cluster_nodes = borders * n / 2;
                    nodes += cluster_nodes;
                    intra_edges += cluster_nodes * (cluster_nodes - 1) / 2;
                }
            }
            EXPECT_EQ(worst.nodes, nodes);
            EXPECT_EQ(worst.inter_edges, nodes / 2);
            EXPECT_EQ(worst.intra_edges, intra_edges);
            EXPECT_EQ(worst.interior_clusters + worst.edge_clusters + worst.corner_clusters, c * c);
        }
    }
    EXPECT_EQ(worst_case(4, 10).intra_edges, 1780U);
    EXPECT_EQ(worst_case(10, 8).intra_edges, 9904U);
    // Not defined: an odd n, and a single cluster.
    EXPECT_EQ(worst_case(4, 3).nodes, 0U);
    EXPECT_EQ(worst_case(1, 4).nodes, 0U);
}

// Free and blocked tiles alternate along the borders: no map has more transitions.
TEST(WorstCase, AlternatingBordersReachTheBoundOfInterEdges) {
    for (const auto& [c, n] : {std::pair{4, 10}, {3, 8}, {2, 6}}) {
        const int side = c * n;
        std::vector<std::uint8_t> terrain;
        const auto border = [n = n](int i) { return i % n == 0 || i % n == n - 1; };
        for (int y = 0; y < side; ++y) {
            for (int x = 0; x < side; ++x) {
                const bool inside = !border(x) && !border(y);
                const bool crossing = (border(x) && y % 2 == 0) || (border(y) && x % 2 == 0);
                terrain.push_back(inside || crossing ? '.' : '@');
            }
        }
        const Map map = *Map::create(side, side, terrain);
        Options options;
        options.cluster_size = n;
        const IndexStatistics statistics = build(map, options).statistics().value();
        const WorstCase worst =
            worst_case(static_cast<std::uint64_t>(c), static_cast<std::uint64_t>(n));
        EXPECT_EQ(statistics.inter_edges, worst.inter_edges);
        EXPECT_LE(statistics.abstract_nodes, worst.nodes);
        EXPECT_LE(statistics.intra_edges, worst.intra_edges);
    }
}

TEST(WorstCase, NoMapExceedsIt) {
    RandomCases random(52);
    for (auto maps = cairn::test::scaled(200); maps > 0; --maps) {
        Options options = random.options();
        options.cluster_size = 2 * random.number(1, 6);
        options.levels = 1;
        options.labels = false;
        options.wide_entrance = std::max(options.wide_entrance, 3);
        options.diagonals = DiagonalCrossings::none;
        // The bound counts at most one transition for every two tiles of a border.
        if (options.transitions >= Transitions::every) options.transitions = Transitions::middle;
        const int c = random.number(2, 5);
        const int side = c * options.cluster_size;
        const IndexStatistics statistics =
            build(random.map({side, side}, kAllRules[maps % 4]), options).statistics().value();
        const WorstCase worst = worst_case(static_cast<std::uint64_t>(c),
                                           static_cast<std::uint64_t>(options.cluster_size));
        EXPECT_LE(statistics.abstract_nodes, worst.nodes);
        EXPECT_LE(statistics.inter_edges, worst.inter_edges);
        EXPECT_LE(statistics.intra_edges, worst.intra_edges);
    }
}

}  // namespace
}  // namespace cairn::hpa::test
