// The abstract graph as cairn/hpa/abstract_graph.hpp reads it out of an HPA* index.

#include "cairn/hpa/abstract_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/grid/dijkstra.hpp"
#include "cairn/grid/generate.hpp"

namespace cairn::hpa {
namespace {

constexpr int kClusterSize = 5;  // of random_map_index

// The index of the HPA* paper's example map (four neighbours).
Index worked_example(int levels) {
    grid::MapOptions map;
    map.rules.neighbourhood = grid::Neighbourhood::four;
    Options options;
    options.cluster_size = 10;
    options.transitions = Transitions::by_width;
    options.levels = levels;
    return Index::build(grid::make_map(grid::worked_example().value().image, map).value(), options)
        .value();
}

// The index of a random 47 x 33 map in clusters of 5 x 5 cells: those at the right and bottom edge
// are smaller.
Index random_map_index(int levels) {
    grid::GenerateOptions generate;
    generate.kind = grid::MapKind::random;
    generate.width = 47;
    generate.height = 33;
    Options options;
    options.cluster_size = kClusterSize;
    options.levels = levels;
    return Index::build(grid::make_map(grid::generate(generate).value()).value(), options).value();
}

// The least cost from a to b inside the cluster `r`, by Dijkstra on a map of this cluster alone.
Cost cost_inside(const grid::Map& map, const grid::Rect& r, grid::Point a, grid::Point b) {
    std::vector<std::uint8_t> terrain;
    for (int y = r.y; y < r.y + r.height; ++y) {
        for (int x = r.x; x < r.x + r.width; ++x) terrain.push_back(map.terrain(map.cell({x, y})));
    }
    const auto cluster = grid::Map::create(r.width, r.height, terrain, map.options()).value();
    const std::vector<Cost> costs =
        grid::dijkstra_distances(cluster, {a.x - r.x, a.y - r.y}).value();
    return costs[cluster.cell({b.x - r.x, b.y - r.y})];
}

TEST(AbstractGraphTest, TheWorkedExampleHasThePapersNumbers) {
    const Index index = worked_example(2);
    const AbstractGraph first = extract_abstract_graph(index, 1).value();
    EXPECT_EQ(first.clusters.size(), 16U);
    EXPECT_EQ(first.nodes.size(), 66U);
    EXPECT_EQ(first.inter_edges.size(), 43U);
    EXPECT_EQ(first.intra_edges.size(), 88U);
    const AbstractGraph second = extract_abstract_graph(index, 2).value();
    EXPECT_EQ(second.clusters.size(), 4U);
    EXPECT_EQ(second.nodes.size(), 12U);
    EXPECT_EQ(std::count_if(first.nodes.begin(), first.nodes.end(),
                            [](const AbstractNode& n) { return n.level == 2; }),
              12);
}

TEST(AbstractGraphTest, AgreesWithTheStatistics) {
    const Index index = random_map_index(3);
    const IndexStatistics statistics = index.statistics().value();
    for (const LevelStatistics& expected : statistics.levels) {
        const AbstractGraph graph = extract_abstract_graph(index, expected.level).value();
        EXPECT_EQ(graph.level, expected.level);
        EXPECT_EQ(graph.clusters.size(), expected.clusters);
        EXPECT_EQ(graph.intra_edges.size(), expected.intra_edges);
        // Statistics count a node and an inter-edge on their highest level alone.
        const auto counted = [&](const auto& item) { return item.level == expected.level; };
        EXPECT_EQ(std::count_if(graph.nodes.begin(), graph.nodes.end(), counted), expected.nodes);
        EXPECT_EQ(std::count_if(graph.inter_edges.begin(), graph.inter_edges.end(), counted),
                  expected.inter_edges);
    }
}

TEST(AbstractGraphTest, EdgesHaveTheCostsOfTheirPaths) {
    const Index index = random_map_index(2);
    const grid::Map& map = index.map();
    for (const int level : {1, 2}) {
        const AbstractGraph graph = extract_abstract_graph(index, level).value();
        for (const InterEdge& e : graph.inter_edges) {
            const grid::Point a = map.point(graph.nodes[e.a].cell);
            const grid::Point b = map.point(graph.nodes[e.b].cell);
            const int d = grid::direction_of(b.x - a.x, b.y - a.y);
            ASSERT_TRUE(map.moves(map.cell(a)) >> d & 1);
            EXPECT_EQ(e.cost, map.move_cost(map.cell(a), d));
            EXPECT_NE(graph.nodes[e.a].cluster, graph.nodes[e.b].cluster);
        }
        for (const IntraEdge& e : graph.intra_edges) {
            ASSERT_EQ(graph.nodes[e.a].cluster, graph.nodes[e.b].cluster);
            const grid::Rect r = graph.clusters[graph.nodes[e.a].cluster];
            EXPECT_EQ(r, cluster_rect(index, level, map.point(graph.nodes[e.a].cell)));
            // Intra-edges of a higher level are paths over nodes of the level below, so they may be
            // longer than the best path of cells.
            const Cost least = cost_inside(map, r, map.point(graph.nodes[e.a].cell),
                                           map.point(graph.nodes[e.b].cell));
            if (level == 1) {
                EXPECT_EQ(e.cost, least);
            } else {
                EXPECT_GE(e.cost, least);
            }
        }
    }
}

TEST(AbstractGraphTest, EntrancesCoverAllCrossingsAndEachHasATransition) {
    const Index index = random_map_index(2);
    const grid::Map& map = index.map();
    const AbstractGraph graph = extract_abstract_graph(index, 1).value();
    const auto is_move = [&](grid::Cell cell, int d) { return (map.moves(cell) >> d & 1) != 0; };
    std::size_t tiles = 0;
    for (const Entrance& e : graph.entrances) {
        tiles += static_cast<std::size_t>(e.length);
        grid::Cell cell = e.first;
        bool has_node = false;
        for (int i = 0; i < e.length; ++i, cell = map.step(cell, e.along)) {
            EXPECT_TRUE(is_move(cell, e.outward));
            has_node |= std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                    [&](const AbstractNode& n) { return n.cell == cell; });
        }
        EXPECT_TRUE(has_node);
    }
    std::size_t crossings = 0;  // straight moves to the east or south across borders
    for (grid::Cell cell = 0; cell < map.size(); ++cell) {
        const grid::Point p = map.point(cell);
        for (const int d : {grid::kEast, grid::kSouth}) {
            const int position = d == grid::kEast ? p.x : p.y;
            const bool at_border = position % kClusterSize == kClusterSize - 1;
            if (at_border && is_move(cell, d)) ++crossings;
        }
    }
    EXPECT_EQ(tiles, crossings);
    const AbstractGraph above = extract_abstract_graph(index, 2).value();
    EXPECT_FALSE(above.entrances.empty());
    for (const Entrance& e : above.entrances) {
        EXPECT_EQ(e.level, 2);
        EXPECT_NE(std::find(graph.entrances.begin(), graph.entrances.end(), e),
                  graph.entrances.end());
    }
}

TEST(AbstractGraphTest, AnAreaGivesOnlyTheClustersThatItTouches) {
    const Index index = random_map_index(1);
    ExtractOptions options;
    options.area = grid::Rect{7, 7, 4, 1};
    const AbstractGraph part = extract_abstract_graph(index, 1, options).value();
    EXPECT_EQ(part.clusters, (std::vector<grid::Rect>{{5, 5, 5, 5}, {10, 5, 5, 5}}));
    for (const InterEdge& e : part.inter_edges) {
        EXPECT_NE(part.nodes.at(e.a).cluster, part.nodes.at(e.b).cluster);
    }
    options.area = grid::Rect{-100, -100, 1000, 1000};
    EXPECT_EQ(extract_abstract_graph(index, 1, options).value().nodes,
              extract_abstract_graph(index, 1).value().nodes);
    // Outside the map, empty, and with corners that overflow.
    for (const grid::Rect bad : {grid::Rect{47, 0, 5, 5}, grid::Rect{0, 0, 0, 5},
                                 grid::Rect{-2147483647, 0, -2147483647, 5}}) {
        options.area = bad;
        EXPECT_EQ(extract_abstract_graph(index, 1, options).error().code, StatusCode::bad_option);
    }
}

TEST(AbstractGraphTest, ConnectorsHaveTheLeastCostInsideTheCluster) {
    const Index index = random_map_index(2);
    const grid::Map& map = index.map();
    const AbstractGraph graph = extract_abstract_graph(index, 1).value();
    for (grid::Cell cell = 0; cell < map.size(); cell += 7) {  // a sample of the cells
        if (!map.passable(cell)) continue;
        const auto found = connectors(index, 1, map.point(cell)).value();
        const grid::Rect r = cluster_rect(index, 1, map.point(cell));
        std::size_t expected = 0;
        for (const AbstractNode& n : graph.nodes) {
            if (graph.clusters[n.cluster] != r) continue;
            if (cost_inside(map, r, map.point(cell), map.point(n.cell)) < kInfinity) ++expected;
        }
        EXPECT_EQ(found.size(), expected);
        for (const Connection& c : found) {
            EXPECT_EQ(c.cost, cost_inside(map, r, map.point(cell), map.point(c.node)));
        }
    }
}

TEST(AbstractGraphTest, BadRequestsAreRefused) {
    const Index index = worked_example(2);
    for (const int level : {-1, 0, 3}) {
        EXPECT_EQ(extract_abstract_graph(index, level).error().code, StatusCode::bad_option);
        EXPECT_EQ(connectors(index, level, {1, 1}).error().code, StatusCode::bad_option);
    }
    EXPECT_EQ(connectors(index, 1, {40, 0}).error().code, StatusCode::start_outside);
    const grid::Map& map = index.map();
    grid::Cell blocked = 0;
    while (map.passable(blocked)) ++blocked;
    EXPECT_EQ(connectors(index, 1, map.point(blocked)).error().code, StatusCode::start_blocked);
}

}  // namespace
}  // namespace cairn::hpa
