// The graphs of indexes as plain data (cairn/any_graph.hpp): shortest paths in them are those that
// the planners find.

#include "cairn/any_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "cairn/grid/generate.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/planners.hpp"
#include "hna/snapshot.hpp"

namespace cairn {
namespace {

/// The costs from one node to all others.
std::vector<Cost> distances(const IndexGraph& graph, std::uint32_t from) {
    std::vector<std::vector<std::pair<std::uint32_t, Cost>>> next(graph.ids.size());
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        const auto [a, b] = graph.edges[i];
        next[a].emplace_back(b, graph.costs[i]);
        next[b].emplace_back(a, graph.costs[i]);
    }
    std::vector<Cost> costs(graph.ids.size(), kInfinity);
    std::priority_queue<std::pair<Cost, std::uint32_t>, std::vector<std::pair<Cost, std::uint32_t>>,
                        std::greater<>>
        open;
    costs[from] = 0;
    open.emplace(0, from);
    while (!open.empty()) {
        const auto [cost, node] = open.top();
        open.pop();
        if (cost > costs[node]) continue;
        for (const auto& [to, more] : next[node]) {
            if (cost + more >= costs[to]) continue;
            costs[to] = cost + more;
            open.emplace(costs[to], to);
        }
    }
    return costs;
}

void expect_sizes(const IndexGraph& graph) {
    ASSERT_EQ(graph.places.size(), graph.ids.size());
    ASSERT_EQ(graph.node_levels.size(), graph.ids.size());
    ASSERT_EQ(graph.depths.size(), graph.ids.size());
    ASSERT_EQ(graph.costs.size(), graph.edges.size());
    ASSERT_EQ(graph.kinds.size(), graph.edges.size());
    ASSERT_EQ(std::set<std::uint32_t>(graph.ids.begin(), graph.ids.end()).size(), graph.ids.size());
    for (const auto& [a, b] : graph.edges)
        ASSERT_TRUE(a < graph.ids.size() && b < graph.ids.size());
}

/// Expects that the planner's costs between nodes on a grid are those of paths in the graph.
void expect_costs_of(const AnyIndex& index, const IndexGraph& graph, Settings settings) {
    ASSERT_GT(graph.ids.size(), 2U);
    expect_sizes(graph);
    AnySearcher searcher;
    std::vector<AnyPlace> places;
    for (const auto& [x, y, z] : graph.places)
        places.emplace_back(grid::Point{static_cast<int>(x), static_cast<int>(y)});
    for (std::uint32_t from = 0; from < graph.ids.size(); from += 7) {
        std::vector<Cost> costs(places.size());
        ASSERT_EQ(searcher.costs(index, *index.query(settings), places[from], places, costs),
                  StatusCode::ok);
        ASSERT_EQ(costs, distances(graph, from));
    }
}

grid::TerrainImage caves(int width = 40, int height = 30) {
    grid::GenerateOptions options;
    options.kind = grid::MapKind::caves;
    options.width = width;
    options.height = height;
    return grid::generate(options).value();
}
grid::Map map_of_caves() { return grid::make_map(caves()).value(); }

TEST(AnyGraph, OfHpaHasTheCostsOfAbstractPathsOnAllLevels) {
    const auto index =
        AnyIndex::build("hpa", map_of_caves(),
                        std::array{Setting{"levels", "2"}, Setting{"cluster_size", "5"}})
            .value();
    std::size_t nodes = 0;
    for (const int level : {2, 1}) {
        const auto graph = graph_of(index, level);
        ASSERT_TRUE(graph) << graph.error().message;
        EXPECT_EQ(graph->levels, 2);
        EXPECT_EQ(graph->level, level);
        EXPECT_GT(graph->ids.size(), nodes);
        nodes = graph->ids.size();
        EXPECT_EQ(graph->clusters.size(), level == 1 ? 8U * 6 : 4U * 3);
        EXPECT_FALSE(graph->entrances.empty());
        // A straight line is no path in the graph.
        expect_costs_of(index, *graph,
                        std::array{Setting{"detail", "cost"}, Setting{"try_direct_line", "0"}});
    }
    EXPECT_EQ(graph_of(index, 3).error().code, StatusCode::bad_option);
    EXPECT_EQ(graph_of(index, 0).error().code, StatusCode::bad_option);
}

TEST(AnyGraph, OfSubgoalGraphsHasTheCostsOfShortestPaths) {
    const auto index = AnyIndex::build("subgoal", map_of_caves()).value();
    const auto graph = graph_of(index);
    ASSERT_TRUE(graph) << graph.error().message;
    expect_costs_of(index, *graph, std::array{Setting{"detail", "cost"}});
    EXPECT_EQ(std::count(graph->kinds.begin(), graph->kinds.end(), GraphEdgeKind::inter), 0);
    EXPECT_GT(std::count(graph->kinds.begin(), graph->kinds.end(), GraphEdgeKind::taut), 0);
    EXPECT_EQ(std::count(graph->depths.begin(), graph->depths.end(), IndexGraph::kNoDepth), 0);
    EXPECT_GT(std::count(graph->depths.begin(), graph->depths.end(), 0U), 0);
    EXPECT_EQ(graph_of(index, 2).error().code, StatusCode::bad_option);
}

TEST(AnyGraph, OfHaaIsThatOfAnAgent) {
    const AnyIndex index =
        AnyIndex::build("haa", haa::AnnotatedMap::create(caves()).value()).value();
    const auto small = graph_of(index, 1, {0, 1});
    const auto large = graph_of(index, 1, {0, 2});
    ASSERT_TRUE(small && large);
    EXPECT_NE(small->ids, large->ids);
    expect_costs_of(index, *large,
                    std::array{Setting{"detail", "cost"}, Setting{"size", "2"},
                               Setting{"try_direct_line", "0"}});
    EXPECT_EQ(graph_of(index, 1, {1, 1}).error().code, StatusCode::bad_option);
}

TEST(AnyGraph, OfHnaHasTheCostsOfItsClosure) {
    const auto index = AnyIndex::build("hna", mesh::mesh_from_grid(map_of_caves()).value(),
                                       std::array{Setting{"mu", "4"}})
                           .value();
    const auto graph = graph_of(index);
    ASSERT_TRUE(graph) << graph.error().message;
    expect_sizes(*graph);
    ASSERT_GT(graph->ids.size(), 2U);
    const hna::Index& own = *index.as<hna::Planner>();
    EXPECT_EQ(graph->polygon_clusters.size(), own.mesh().num_polygons());
    const Closure& closure = own.snapshot().labels->labels.closure();
    ClosureScratch scratch;
    for (std::uint32_t from = 0; from < graph->ids.size(); ++from) {
        const std::vector<Cost> costs = distances(*graph, from);
        const Connector start{from, 0};
        for (std::uint32_t to = 0; to < graph->ids.size(); ++to) {
            const Connector goal{to, 0};
            ASSERT_EQ(closure.distance({&start, 1}, {&goal, 1}, scratch), costs[to]);
        }
    }
}

/// The position of each node by its id.
std::map<std::uint32_t, std::uint32_t> positions_of(const IndexGraph& graph) {
    std::map<std::uint32_t, std::uint32_t> positions;
    for (std::uint32_t i = 0; i < graph.ids.size(); ++i) positions[graph.ids[i]] = i;
    return positions;
}

/// Expects that level 2 has nodes of level 1, and costs that are at least those there.
void expect_level_above(const AnyIndex& index) {
    const IndexGraph first = graph_of(index, 1).value();
    const IndexGraph second = graph_of(index, 2).value();
    ASSERT_GT(second.ids.size(), 2U);
    ASSERT_LT(second.ids.size(), first.ids.size());
    const auto positions = positions_of(first);
    for (std::uint32_t i = 0; i < second.ids.size(); ++i) {
        const auto found = positions.find(second.ids[i]);
        ASSERT_NE(found, positions.end());
        ASSERT_EQ(second.node_levels[i], 2);
        ASSERT_EQ(first.node_levels[found->second], 2);
        ASSERT_EQ(second.places[i], first.places[found->second]);
        ASSERT_EQ(second.depths[i], first.depths[found->second]);
    }
    EXPECT_EQ(
        static_cast<std::size_t>(std::count(first.node_levels.begin(), first.node_levels.end(), 2)),
        second.ids.size());
    // Paths between nodes of level 2 cost the same on both levels.
    for (std::uint32_t i = 0; i < second.ids.size(); i += 5) {
        const std::vector<Cost> above = distances(second, i);
        const std::vector<Cost> below = distances(first, positions.at(second.ids[i]));
        for (std::uint32_t j = 0; j < second.ids.size(); ++j)
            ASSERT_EQ(above[j], below[positions.at(second.ids[j])]);
    }
}

/// Expects that entrances are free tiles on both sides of a border, and inter-edges one step long.
void expect_entrances(const grid::Map& map, const IndexGraph& graph) {
    for (const grid::Rect& r : graph.entrances) {
        ASSERT_TRUE(r.width == 2 || r.height == 2);
        for (int y = r.y; y < r.y + r.height; ++y) {
            for (int x = r.x; x < r.x + r.width; ++x) ASSERT_TRUE(map.passable(map.cell({x, y})));
        }
    }
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        const auto& a = graph.places[graph.edges[i][0]];
        const auto& b = graph.places[graph.edges[i][1]];
        const double far = std::max(std::abs(a[0] - b[0]), std::abs(a[1] - b[1]));
        if (graph.kinds[i] == GraphEdgeKind::inter) {
            ASSERT_EQ(far, 1);
        } else {
            ASSERT_EQ(graph.kinds[i], GraphEdgeKind::intra);
            ASSERT_LT(far, 5);
        }
    }
}

TEST(AnyGraph, FollowsEdits) {
    const std::array settings{Setting{"levels", "2"}, Setting{"cluster_size", "5"}};
    AnyIndex index = AnyIndex::build("hpa", map_of_caves(), settings).value();
    for (int x = 3; x < 33; x += 6) {
        const grid::TerrainEdit edit{{x, x / 2, 5, 4},
                                     static_cast<std::uint8_t>(x % 4 == 1 ? '@' : '.')};
        index = index.edited(std::span(&edit, 1)).value();
        const IndexGraph graph = graph_of(index).value();
        const grid::Map map = std::get<grid::Map>(index.map());
        const IndexGraph fresh = graph_of(AnyIndex::build("hpa", map, settings).value()).value();
        EXPECT_EQ(graph.ids, fresh.ids);
        EXPECT_EQ(graph.edges, fresh.edges);
        EXPECT_EQ(graph.costs, fresh.costs);
        EXPECT_EQ(graph.entrances, fresh.entrances);
        EXPECT_EQ(std::count(graph.depths.begin(), graph.depths.end(), IndexGraph::kNoDepth), 0);
        expect_entrances(map, graph);
        expect_level_above(index);
    }
}

TEST(AnyGraph, OfHnaHasLevels) {
    const grid::Map map = grid::make_map(caves(90, 70)).value();
    expect_level_above(AnyIndex::build("hna", mesh::mesh_from_grid(map).value(),
                                       std::array{Setting{"mu", "3"}, Setting{"levels", "2"}})
                           .value());
}

TEST(AnyGraph, OfPlannersWithoutAnIndexIsRefused) {
    const auto index = AnyIndex::build("astar", map_of_caves()).value();
    EXPECT_EQ(graph_of(index).error().code, StatusCode::unsupported);
}

}  // namespace
}  // namespace cairn
