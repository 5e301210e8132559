// ConnectorTable: for every cell the useful subgoals that a scan of its surroundings finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "subgoal/connectors.hpp"
#include "subgoal/direct_scan.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/verify.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Map;
using grid::Point;

using Numbers = std::vector<std::uint32_t>;  // of nodes, ascending

// The useful subgoals that a scan around p finds.
Numbers scanned(const SubgoalBits& bits, const std::vector<Octants>& useful, Point p) {
    Numbers out;
    for_each_direct(bits, p.x, p.y, [&](int x, int y, Octants octants) {
        const std::uint32_t node = bits.number(x, y);
        if ((useful[node] & octants) != 0) out.push_back(node);
    });
    std::sort(out.begin(), out.end());
    return out;
}

// The subgoals that the table lists for p.
Numbers listed(const ConnectorTable& table, Point p) {
    Numbers out;
    table.for_each(p.x, p.y, [&](std::uint32_t node) { out.push_back(node); });
    return out;
}

constexpr bool kPrune = true;

// The octants in which arriving at a subgoal counts as useful: all of them without pruning.
std::vector<Octants> octants_of(const SubgoalBits& bits, bool prune) {
    return prune ? useful_octants(bits) : std::vector<Octants>(bits.count(), kAllOctants);
}

Result<ConnectorTable> table_of(const SubgoalBits& bits, bool prune, int threads) {
    BuildControl control;
    control.threads = threads;
    return ConnectorTable::build(bits, DiagonalBits(bits), Nodes(bits, octants_of(bits, prune)),
                                 control);
}

void check_table(const Map& map) {
    const SubgoalBits bits(map);
    for (const bool prune : {true, false}) {
        const auto table = table_of(bits, prune, 1);
        ASSERT_TRUE(table.has_value());
        const std::vector<Octants> useful = octants_of(bits, prune);
        for (const Point p : free_points(map)) {
            ASSERT_EQ(listed(*table, p), scanned(bits, useful, p))
                << p.x << ", " << p.y << describe(build(map), query_of(p, p));
        }
    }
}

Map open_or_noisy_map(RandomMaps& random, const RandomMaps::Size& size) {
    return random.chance(60) ? random.noise(size, random.number(0, 40)) : random.uniform_map(size);
}

// An open square with an obstacle on every fourth cell of its edges: most of these obstacles have
// subgoals that are connectors of every cell.
Map toothed(int side) {
    std::vector<std::uint8_t> terrain(static_cast<std::size_t>(side * side), '.');
    for (int i = 1; i < side; i += 4) {
        for (const int cell : {i, i * side, (side - 1) * side + i, i * side + side - 1}) {
            terrain[static_cast<std::size_t>(cell)] = '@';
        }
    }
    return grid::Map::create(side, side, terrain, {}).value();
}

TEST(ConnectorTable, HoldsWhatAScanOfEachCellFinds) {
    RandomMaps random(61);
    for (auto maps = cairn::test::scaled(300); maps > 0; --maps) {
        check_table(open_or_noisy_map(random, random.size(40)));
        if (HasFatalFailure()) return;
    }
}

TEST(ConnectorTable, HoldsWhatAScanOfEachCellFindsAcrossManyTiles) {
    RandomMaps random(62);
    for (auto maps = cairn::test::scaled(16); maps > 0; --maps) {
        const bool wide = random.chance(50);
        const int length = random.number(60, 300);
        const int breadth = random.number(1, 40);
        check_table(open_or_noisy_map(random, strip(wide, length, breadth)));
        if (HasFatalFailure()) return;
    }
    check_table(toothed(97));
}

TEST(ConnectorTable, IsTheSameForAnyNumberOfThreads) {
    RandomMaps random(63);
    for (auto maps = cairn::test::scaled(6); maps > 0; --maps) {
        const SubgoalBits bits(
            open_or_noisy_map(random, {random.number(100, 300), random.number(90, 200)}));
        const auto by_one_thread = table_of(bits, kPrune, 1);
        ASSERT_TRUE(by_one_thread.has_value());
        for (const int threads : {0, 2, 3}) {
            const auto table = table_of(bits, kPrune, threads);
            ASSERT_TRUE(table.has_value());
            EXPECT_TRUE(*table == *by_one_thread) << threads;
        }
    }
}

// Without pruning such a map has hundreds of connectors for each cell, too many for a table.
// Queries then scan the surroundings of their cells.
TEST(ConnectorTable, IsLeftOutIfItWouldBeTooLarge) {
    const Map map = toothed(420);
    const auto table = table_of(SubgoalBits(map), !kPrune, 2);
    ASSERT_FALSE(table.has_value());
    EXPECT_EQ(table.error().code, StatusCode::too_large);
    Options options;
    options.labels = false;
    options.prune = false;
    const Index index = build(map, options);
    const Snapshot& snapshot = index.snapshot();
    EXPECT_TRUE(snapshot.connectors.empty());
    Endpoint end;
    const Point p{201, 77};  // any cell in the open
    connect(snapshot, map.cell(p), Connections::taut, end);
    EXPECT_EQ(end.connectors.size(),
              scanned(snapshot.bits, octants_of(snapshot.bits, !kPrune), p).size());
    Query query = query_of(p, {3, 415}, Engine::levels, Detail::cost);
    const Answer answer = answer_to(index, query);
    EXPECT_EQ(answer.status, StatusCode::ok);
    EXPECT_EQ(answer.cost, map.distance_bound(query.start, query.goal));
}

TEST(ConnectorTable, AfterAnEditEqualsAFreshOne) {
    RandomMaps random(64);
    Index index = build(random.noise({70, 50}, 12));
    for (auto edits = cairn::test::scaled(20); edits > 0; --edits) {
        const auto edited = index.edited(random.edits(index.map()));
        if (!edited) continue;
        index = with_labels(*edited);
        const Snapshot& s = index.snapshot();
        EXPECT_TRUE(s.connectors.compacted(s.nodes, s.bits) ==
                    build(index.map()).snapshot().connectors);
    }
}

TEST(ConnectorTable, CanBeCancelled) {
    const SubgoalBits bits(toothed(50));
    CancelFlag flag;
    flag.cancel();
    BuildControl control;
    control.cancel = &flag;
    const auto table = ConnectorTable::build(bits, DiagonalBits(bits),
                                             Nodes(bits, octants_of(bits, kPrune)), control);
    ASSERT_FALSE(table.has_value());
    EXPECT_EQ(table.error().code, StatusCode::cancelled);
}

TEST(DiagonalBits, CountTheMovesThatAWalkMakes) {
    RandomMaps random(65);
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const Map map = open_or_noisy_map(random, random.size(90));
        const SubgoalBits bits(map);
        const DiagonalBits diagonals(bits);
        for (const Point p : free_points(map)) {
            const std::array counted{diagonals.moves(grid::kNorthEast, p.x, p.y),
                                     diagonals.moves(grid::kSouthEast, p.x, p.y),
                                     diagonals.moves(grid::kSouthWest, p.x, p.y),
                                     diagonals.moves(grid::kNorthWest, p.x, p.y)};
            for (std::size_t d = 1; d < 8; d += 2) {  // the diagonal directions
                int walked = 0;
                for (Point q = p; (map.moves(map.cell(q)) >> d & 1) != 0; ++walked) {
                    q = {q.x + grid::kDx[d], q.y + grid::kDy[d]};
                }
                ASSERT_EQ(counted[d / 2], walked) << describe(build(map), query_of(p, p));
            }
        }
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
