#include "cairn/hpa/abstract_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/grid/dijkstra.hpp"
#include "cairn/grid/generate.hpp"

namespace cairn::hpa {
namespace {

Index worked_example(int levels) {
    grid::MapOptions map;
    map.rules.neighbourhood = grid::Neighbourhood::four;
    Options options;
    options.levels = levels;
    return Index::build(grid::make_map(grid::worked_example().image, map).value(), options).value();
}

Index random_map(int levels) {
    grid::GenerateOptions generate;
    generate.kind = grid::MapKind::random;
    generate.width = 47;
    generate.height = 33;
    Options options;
    options.cluster_size = 5;
    options.levels = levels;
    return Index::build(grid::make_map(grid::generate(generate).value()).value(), options).value();
}

// The cheapest cost inside one cluster, by Dijkstra on a map of that cluster alone.
Cost inside_cost(const grid::Map& map, const grid::Rect& r, grid::Point a, grid::Point b) {
    std::vector<std::uint8_t> terrain;
    for (int y = r.y; y < r.y + r.height; ++y) {
        for (int x = r.x; x < r.x + r.width; ++x) terrain.push_back(map.terrain(map.cell({x, y})));
    }
    const auto part = grid::Map::create(r.width, r.height, terrain, map.options()).value();
    return grid::dijkstra_distances(part,
                                    {a.x - r.x, a.y - r.y})[part.cell({b.x - r.x, b.y - r.y})];
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
    const Index index = random_map(3);
    const IndexStatistics statistics = index.statistics();
    for (const LevelStatistics& expected : statistics.levels) {
        const AbstractGraph graph = extract_abstract_graph(index, expected.level).value();
        EXPECT_EQ(graph.level, expected.level);
        EXPECT_EQ(graph.clusters.size(), expected.clusters);
        EXPECT_EQ(graph.intra_edges.size(), expected.intra_edges);
        const auto own = [&](const auto& x) { return x.level == expected.level; };
        EXPECT_EQ(std::count_if(graph.nodes.begin(), graph.nodes.end(), own), expected.nodes);
        EXPECT_EQ(std::count_if(graph.inter_edges.begin(), graph.inter_edges.end(), own),
                  expected.inter_edges);
    }
}

TEST(AbstractGraphTest, EdgesAreWhatTheyClaim) {
    const Index index = random_map(2);
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
            // A level above the first may leave out ways along borders of the level below.
            const Cost least = inside_cost(map, r, map.point(graph.nodes[e.a].cell),
                                           map.point(graph.nodes[e.b].cell));
            if (level == 1) {
                EXPECT_EQ(e.cost, least);
            } else {
                EXPECT_GE(e.cost, least);
            }
        }
    }
}

TEST(AbstractGraphTest, EntrancesAreMaximalAndHaveTheirTransitions) {
    const Index index = random_map(2);
    const grid::Map& map = index.map();
    const AbstractGraph graph = extract_abstract_graph(index, 1).value();
    const auto crosses = [&](grid::Cell cell, int d) { return (map.moves(cell) >> d & 1) != 0; };
    std::size_t tiles = 0;
    for (const Entrance& e : graph.entrances) {
        tiles += static_cast<std::size_t>(e.length);
        grid::Cell cell = e.first;
        bool has_node = false;
        for (int i = 0; i < e.length; ++i, cell = map.step(cell, e.along)) {
            EXPECT_TRUE(crosses(cell, e.outward));
            has_node |= std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                    [&](const AbstractNode& n) { return n.cell == cell; });
        }
        EXPECT_TRUE(has_node);
    }
    std::size_t expected = 0;
    for (grid::Cell cell = 0; cell < map.size(); ++cell) {
        const grid::Point p = map.point(cell);
        for (const int d : {grid::kEast, grid::kSouth}) {
            const bool border = (d == grid::kEast ? p.x : p.y) % 5 == 4;
            if (border && crosses(cell, d)) ++expected;
        }
    }
    EXPECT_EQ(tiles, expected);
    const AbstractGraph above = extract_abstract_graph(index, 2).value();
    EXPECT_FALSE(above.entrances.empty());
    for (const Entrance& e : above.entrances) {
        EXPECT_EQ(e.level, 2);
        EXPECT_NE(std::find(graph.entrances.begin(), graph.entrances.end(), e),
                  graph.entrances.end());
    }
}

TEST(AbstractGraphTest, AnAreaGivesItsClustersOnly) {
    const Index index = random_map(1);
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
    for (const grid::Rect bad : {grid::Rect{47, 0, 5, 5}, grid::Rect{0, 0, 0, 5},
                                 grid::Rect{-2147483647, 0, -2147483647, 5}}) {
        options.area = bad;
        EXPECT_EQ(extract_abstract_graph(index, 1, options).error().code, StatusCode::bad_option);
    }
}

TEST(AbstractGraphTest, ConnectorsAreTheCheapestWaysInsideTheCluster) {
    const Index index = random_map(2);
    const grid::Map& map = index.map();
    const AbstractGraph graph = extract_abstract_graph(index, 1).value();
    for (grid::Cell cell = 0; cell < map.size(); cell += 7) {
        if (!map.passable(cell)) continue;
        const auto found = connectors(index, 1, map.point(cell)).value();
        const grid::Rect r = cluster_rect(index, 1, map.point(cell));
        std::size_t expected = 0;
        for (const AbstractNode& n : graph.nodes) {
            if (graph.clusters[n.cluster] != r) continue;
            if (inside_cost(map, r, map.point(cell), map.point(n.cell)) < kInfinity) ++expected;
        }
        EXPECT_EQ(found.size(), expected);
        for (const Connection& c : found) {
            EXPECT_EQ(c.cost, inside_cost(map, r, map.point(cell), map.point(c.node)));
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
