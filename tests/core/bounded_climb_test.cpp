// Climbs with bounds: they give the costs and the paths of climbs without, and read fewer rows. The
// nodes of these graphs are the cells of a map, and their edges its moves.

#include "core/labels/bounded_climb.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "grid/climb_bounds.hpp"
#include "sample_graphs.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn {
namespace {

using grid::Cell;
using grid::Point;
using test::RandomMaps;
using test::scaled;

/// Every cell is a node; only free cells have edges.
Graph graph_of(const grid::Map& map) {
    std::vector<Edge> edges;
    for (Cell c = 0; c < map.size(); ++c) {
        for (int d = 0; d < 8; ++d) {
            if ((map.moves(c) >> d & 1) != 0 && map.step(c, d) > c)
                edges.push_back({c, map.step(c, d), map.move_cost(c, d)});
        }
    }
    return graph_from_edges(static_cast<std::uint32_t>(map.size()), edges).value();
}

/// Its nodes, as ClimbBounds takes them.
struct CellNodes {
    std::uint32_t count;
    [[nodiscard]] std::uint32_t size() const noexcept { return count; }
    [[nodiscard]] static Cell cell(std::uint32_t node) noexcept { return node; }
    static void prefetch(std::uint32_t /*node*/) noexcept {}
};
using Bounds = grid::ClimbBounds<CellNodes>;
CellNodes nodes_of(const grid::Map& map) { return {static_cast<std::uint32_t>(map.size())}; }

/// A query: its ends, the connectors of both, and the bounds.
struct Task {
    const grid::Map& map;
    CellNodes nodes;
    Point start;
    Point goal;
    std::vector<Connector> from;
    std::vector<Connector> to;

    [[nodiscard]] Bounds bounds() const { return {map, nodes, start, goal}; }
};

/// Cells near an end, or anywhere. Their costs are the bounds, or more. One may be no node.
std::vector<Connector> random_connectors(RandomMaps& random, const grid::Map& map, Point end) {
    std::vector<Connector> list;
    const bool near = random.chance(70);
    for (int count = random.number(0, 12); count >= 0; --count) {
        Point p = random.point(map);
        if (near) {
            p = {std::clamp(end.x + random.number(-3, 3), 0, map.width() - 1),
                 std::clamp(end.y + random.number(-3, 3), 0, map.height() - 1)};
        }
        const auto more = static_cast<Cost>(random.number(0, 2));
        list.push_back({map.cell(p), map.distance_bound(p, end) + more * map.min_straight()});
    }
    if (random.chance(10)) list.push_back({static_cast<std::uint32_t>(map.size()), 0});
    return list;
}

Task random_task(RandomMaps& random, const grid::Map& map) {
    const Point start = random.point(map);
    Task task{map, nodes_of(map), start, random.chance(5) ? start : random.point(map), {}, {}};
    if (random.chance(40)) {
        task.from = {{map.cell(start), 0}};
        task.to = {{map.cell(task.goal), 0}};
    } else {
        task.from = random_connectors(random, map, start);
        task.to = random_connectors(random, map, task.goal);
    }
    return task;
}

/// Compares all climbs with bounds with those without.
class BoundedClimbTest : public testing::Test {
protected:
    void expect_same(const Closure& closure, const Task& task, RandomMaps& random) {
        const Cost cost = closure.distance(task.from, task.to, scratch_);
        ASSERT_EQ(closure.find_path(task.from, task.to, scratch_, path_), cost);
        const Bounds bounds = task.bounds();
        // A limit of the bound itself is too low on most maps, one of thrice the bound too high.
        for (const Cost part : {Cost{1} << 30, Cost{10}, Cost{1}}) {
            AssumedLimit assumed;
            assumed.part = part;
            assumed.least_depth = static_cast<std::uint32_t>(random.number(0, 20));
            const BoundedClimb climb(closure, bounds, scratch_, assumed);
            ASSERT_EQ(climb.distance(task.from, task.to), cost);
            ASSERT_EQ(climb.find_path(task.from, task.to, nodes_), cost);
            ASSERT_EQ(nodes_, path_);
            const auto below = static_cast<Cost>(
                std::min<std::uint64_t>(std::uint64_t{cost} * 3 / 2 + 1, kInfinity));
            ASSERT_EQ(climb.distance(task.from, task.to, below), cost);
            ASSERT_GE(climb.distance(task.from, task.to, cost), cost);
            ASSERT_GE(climb.distance(task.from, task.to, cost / 2), cost / 2);
        }
        const BoundedClimb climb(closure, bounds, scratch_);
        ASSERT_EQ(climb.find_path_of(cost, task.from, task.to, nodes_), cost);
        ASSERT_EQ(nodes_, path_);
        if (cost == 0 || cost == kInfinity) return;
        ASSERT_EQ(climb.find_path_of(cost - 1, task.from, task.to, nodes_), kInfinity);
        ASSERT_TRUE(nodes_.empty());
        ++paths_;
    }

    Closure::Scratch scratch_;
    std::vector<std::uint32_t> nodes_;
    std::vector<std::uint32_t> path_;
    std::uint64_t paths_ = 0;
};

grid::MoveRules any_rules(RandomMaps& random) {
    grid::MoveRules rules;
    if (random.chance(30)) rules.neighbourhood = grid::Neighbourhood::four;
    rules.corner = static_cast<grid::CornerRule>(random.number(0, 2));
    return rules;
}

TEST_F(BoundedClimbTest, CostsAndPathsOfAnyMapAreThoseOfClimbsWithout) {
    RandomMaps random(11);
    const auto maps = scaled(200, 20);
    for (auto i = maps; i > 0 && !HasFatalFailure(); --i) {
        const grid::Map map = random.map(random.size(40), any_rules(random));
        const Closure closure = Closure::build(graph_of(map)).value();
        for (int k = 0; k < 20 && !HasFatalFailure(); ++k)
            expect_same(closure, random_task(random, map), random);
    }
    EXPECT_GT(paths_, maps * 4);
}

TEST_F(BoundedClimbTest, CostsAgreeWithDijkstra) {
    RandomMaps random(12);
    for (auto i = scaled(40, 4); i > 0; --i) {
        const grid::Map map = random.map(random.size(30), any_rules(random));
        const Graph graph = graph_of(map);
        const Closure closure = Closure::build(graph).value();
        const CellNodes nodes = nodes_of(map);
        for (int k = 0; k < 5; ++k) {
            const Point start = random.point(map);
            const std::vector<Connector> from{{map.cell(start), 0}};
            const std::vector<Cost> distance = test::dijkstra(graph, map.cell(start));
            for (int goals = 0; goals < 10; ++goals) {
                const Point goal = random.point(map);
                const std::vector<Connector> to{{map.cell(goal), 0}};
                const Bounds bounds(map, nodes, start, goal);
                const BoundedClimb climb(closure, bounds, scratch_, {10, 0});
                ASSERT_EQ(climb.distance(from, to), distance[map.cell(goal)]);
                ASSERT_EQ(climb.find_path(from, to, nodes_), distance[map.cell(goal)]);
                ASSERT_EQ(nodes_.empty(), distance[map.cell(goal)] == kInfinity);
                if (nodes_.empty()) continue;
                ASSERT_EQ(nodes_.front(), map.cell(start));
                ASSERT_EQ(nodes_.back(), map.cell(goal));
                ASSERT_EQ(test::path_cost(graph, nodes_), distance[map.cell(goal)]);
            }
        }
    }
}

TEST_F(BoundedClimbTest, AfterEditsTheyAreTheSame) {
    RandomMaps random(13);
    const auto maps = scaled(40, 5);
    for (auto i = maps; i > 0 && !HasFatalFailure(); --i) {
        grid::Map map = random.map({random.number(10, 30), random.number(10, 30)}, {});
        Closure closure = Closure::build(graph_of(map)).value();
        for (int edits = 0; edits < 6 && !HasFatalFailure(); ++edits) {
            const grid::Map edited = map.edited(random.edits(map)).value();
            std::vector<std::uint32_t> changed;
            const auto moves_of = [](const grid::Map& of, Cell c) {
                std::vector<GraphEdit::Arc> arcs;
                for (int d = 0; d < 8; ++d) {
                    if ((of.moves(c) >> d & 1) != 0)
                        arcs.push_back({of.step(c, d), of.move_cost(c, d), of.move_cost(c, d)});
                }
                return arcs;
            };
            const auto same = [](const GraphEdit::Arc& a, const GraphEdit::Arc& b) {
                return a.node == b.node && a.cost == b.cost;
            };
            for (Cell c = 0; c < map.size(); ++c) {
                if (map.passable(c) != edited.passable(c) ||
                    !std::ranges::equal(moves_of(map, c), moves_of(edited, c), same)) {
                    changed.push_back(c);
                }
            }
            GraphEdit edit;
            edit.num_nodes = static_cast<std::uint32_t>(map.size());
            edit.changed = changed;
            edit.arcs = [&](std::uint32_t node, std::vector<GraphEdit::Arc>& arcs) {
                const auto moves = moves_of(edited, node);
                arcs.insert(arcs.end(), moves.begin(), moves.end());
                return edited.passable(node);
            };
            auto result = closure.edited(edit);
            if (!result) break;  // worn out
            closure = std::move(*result);
            map = edited;
            for (int k = 0; k < 12 && !HasFatalFailure(); ++k)
                expect_same(closure, random_task(random, map), random);
        }
    }
    EXPECT_GT(paths_, maps * 10);
}

// Sums of costs and bounds would pass 32 bits here if they were not limited.
TEST_F(BoundedClimbTest, CostsNearInfinityDoNotOverflow) {
    RandomMaps random(14);
    grid::MapOptions options;
    options.weights = grid::TerrainWeights::literal();
    options.costs = {700'000, 1'000'000};
    for (auto i = scaled(30, 5); i > 0 && !HasFatalFailure(); --i) {
        std::vector<std::uint8_t> cells(14 * 14);
        for (std::uint8_t& t : cells) t = random.chance(20) ? 0 : 252;
        const grid::Map map = grid::Map::create(14, 14, cells, options).value();
        const Closure closure = Closure::build(graph_of(map)).value();
        for (int k = 0; k < 20 && !HasFatalFailure(); ++k) {
            Task task = random_task(random, map);
            if (random.chance(30)) task.to.push_back({0, kInfinity - 1});
            expect_same(closure, task, random);
        }
    }
    EXPECT_GT(paths_, 0U);
}

// From one side of an open map to the other, and with a wall between them that forces a detour.
TEST_F(BoundedClimbTest, RowsAreLeftOut) {
    RandomMaps random(15);
    const int side = 80;
    for (const bool walled : {false, true}) {
        std::vector<std::uint8_t> cells(side * side, '.');
        for (std::uint8_t& t : cells) t = random.chance(10) ? '@' : '.';
        for (int y = 0; y < side - 1 && walled; ++y) cells[y * side + side / 2] = '@';
        const grid::Map map = grid::Map::create(side, side, cells).value();
        const Closure closure = Closure::build(graph_of(map)).value();
        const std::vector<Point> free = test::free_points(map);
        const CellNodes nodes = nodes_of(map);
        std::uint64_t all = 0;
        std::uint64_t rows = 0;
        for (int k = 0; k < 50; ++k) {
            const Point start = random.one_of(free);
            const Point goal = random.one_of(free);
            const Bounds bounds(map, nodes, start, goal);
            const std::vector<Connector> from{{map.cell(start), 0}};
            const std::vector<Connector> to{{map.cell(goal), 0}};
            ClimbQuery query(*closure.storage(), from, to, scratch_);
            query.run<ClimbQuery::kCostOnly>();
            const Cost cost = query.cost;
            all += query.rows;
            query.rows = 0;
            query.run_within<ClimbQuery::kCostOnly>(bounds, cost);
            EXPECT_EQ(query.cost, cost);
            rows += query.rows;
            if (cost == 0 || cost == kInfinity) continue;
            query.run_within<ClimbQuery::kCostOnly>(bounds, cost - 1);
            EXPECT_GE(query.cost, cost);
        }
        EXPECT_LT(rows, all * (walled ? 7 : 2) / 10) << walled;
    }
}

TEST_F(BoundedClimbTest, WithoutNodesThereIsNoPath) {
    const grid::Map map = RandomMaps(16).noise({4, 4}, 0);
    const CellNodes nodes = nodes_of(map);
    const Bounds bounds(map, nodes, {0, 0}, {3, 3});
    const Closure empty;
    const BoundedClimb climb(empty, bounds, scratch_);
    const std::vector<Connector> list{{0, 0}};
    nodes_ = {7};
    EXPECT_EQ(climb.distance(list, list), kInfinity);
    EXPECT_EQ(climb.find_path(list, list, nodes_), kInfinity);
    EXPECT_TRUE(nodes_.empty());
    nodes_ = {7};
    EXPECT_EQ(climb.find_path_of(0, list, list, nodes_), kInfinity);
    EXPECT_TRUE(nodes_.empty());
}

}  // namespace
}  // namespace cairn
