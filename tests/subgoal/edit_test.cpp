// Index::edited of subgoal graphs: each index against one built from scratch.

#include <gtest/gtest.h>

#include "cairn/grid/dijkstra.hpp"
#include "core/labels/planner_labels.hpp"
#include "subgoal/snapshot.hpp"
#include "subgoal/verify.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Map;
using grid::Point;
using grid::TerrainEdit;

// One cell, a square of up to 8 cells a side, a row or column at the map's edge, or the whole map.
TerrainEdit any_edit(RandomMaps& random, const Map& map) {
    TerrainEdit edit;
    edit.terrain = random.chance(50) ? '.' : '@';
    const int percent = random.number(1, 100);  // chooses the kind of edit
    const Point corner = random.point(map);
    if (percent <= 45) {
        edit.area = {corner.x, corner.y, 1, 1};
    } else if (percent <= 80) {
        edit.area = {corner.x, corner.y, std::min(8, map.width() - corner.x),
                     std::min(8, map.height() - corner.y)};
    } else if (percent <= 88) {
        edit.area = {0, random.chance(50) ? 0 : map.height() - 1, map.width(), 1};
    } else if (percent <= 96) {
        edit.area = {random.chance(50) ? 0 : map.width() - 1, 0, 1, map.height()};
    } else {
        edit.area = {0, 0, map.width(), map.height()};
    }
    return edit;
}

std::vector<TerrainEdit> any_edits(RandomMaps& random, const Map& map) {
    std::vector<TerrainEdit> edits;
    for (int i = random.chance(70) ? 1 : random.number(2, 5); i > 0; --i) {
        edits.push_back(any_edit(random, map));
    }
    return edits;
}

// An index without engines marks no edge as taut.
void expect_equal(const Index& index, const Index& fresh) {
    ASSERT_TRUE(index == fresh) << describe(fresh, {});
    ASSERT_EQ(subgoals(index).value(), subgoals(fresh).value());
    std::vector<SubgoalEdge> expected = edges(fresh).value();
    if (!index.complete()) {
        for (SubgoalEdge& edge : expected) edge.taut = false;
    }
    ASSERT_TRUE(edges(index).value() == expected) << describe(fresh, {});
    const IndexStatistics a = index.statistics().value();
    const IndexStatistics b = fresh.statistics().value();
    ASSERT_EQ(a.subgoals, b.subgoals);
    ASSERT_EQ(a.edges, b.edges);
    ASSERT_EQ(a.free_cells, b.free_cells);
}

// Checks paths from a random start to `goals` random goals.
void expect_optimal(RandomMaps& random, Searcher& searcher, const Index& index, int goals) {
    const std::vector<Point> points = free_points(index.map());
    if (points.empty()) return;
    const Point start = random.one_of(points);
    const std::vector<Cost> optimum = grid::dijkstra_distances(index.map(), start).value();
    for (; goals > 0; --goals) {
        const Point goal = random.one_of(points);
        ASSERT_EQ(fault_of_pair(index, searcher, start, goal, optimum[index.map().cell(goal)]), "");
    }
}

// Replaces `index` by an edited one. The new index is right before and after it gets its engines,
// and the old one stays as it is.
void check_edit(RandomMaps& random, Searcher& searcher, Index& index) {
    const Index old = index;
    const std::uint64_t old_id = old.snapshot_id();
    const std::vector<SubgoalEdge> old_edges = edges(old).value();
    const std::vector<grid::Cell> old_subgoals = subgoals(old).value();
    const std::vector<TerrainEdit> edits = any_edits(random, old.map());

    index = *old.edited(edits);
    Options fast_build = old.options();  // levels and labels do not change the subgoal graph
    fast_build.levels = 1;
    fast_build.labels = false;
    const Index fresh = build(*old.map().edited(edits), fast_build);
    EXPECT_FALSE(index.complete());
    EXPECT_FALSE(index.has_labels());
    EXPECT_EQ(index.labels_status().code, StatusCode::stale_index);
    EXPECT_NE(index.snapshot_id(), old_id);
    expect_equal(index, fresh);
    expect_optimal(random, searcher, index, 6);

    if (random.chance(40)) {
        const bool repairs =
            index.options().labels &&
            is_repaired(index.snapshot().labels.closure(), OrderUse::fresh_if_worn);
        index = with_labels(index);
        EXPECT_NE(index.complete(), repairs);
        EXPECT_TRUE(index.has_labels());
        expect_equal(index, fresh);
        if (!repairs) {
            EXPECT_EQ(index.statistics().value().taut_edges, fresh.statistics().value().taut_edges);
        }
        expect_optimal(random, searcher, index, 6);
    }
    EXPECT_EQ(old.snapshot_id(), old_id);
    EXPECT_EQ(subgoals(old).value(), old_subgoals);
    EXPECT_TRUE(edges(old).value() == old_edges);
    expect_optimal(random, searcher, old, 3);
}

TEST(SubgoalEdit, SequencesEqualRebuilds) {
    RandomMaps random(61);
    Searcher searcher;
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(50);
        Index index = build(random.chance(50) ? random.uniform_map(size) : random.noise(size, 15),
                            variant(random.number(0, kVariants - 1)));
        for (int steps = 0; steps < 10; ++steps) {
            check_edit(random, searcher, index);
            if (testing::Test::HasFailure()) return;
        }
    }
}

// On large maps with few obstacles an edit changes edges far away, across several tiles and 64-bit
// words.
TEST(SubgoalEdit, SequencesOnOpenMapsEqualRebuilds) {
    RandomMaps random(62);
    Searcher searcher;
    for (auto maps = cairn::test::scaled(25); maps > 0; --maps) {
        const RandomMaps::Size size{random.number(60, 150), random.number(60, 150)};
        Index index = build(random.noise(size, random.number(0, 1)));
        for (int steps = 0; steps < 6; ++steps) {
            check_edit(random, searcher, index);
            if (testing::Test::HasFailure()) return;
        }
    }
}

// Blocks each free cell of small maps, or frees each obstacle, one at a time.
TEST(SubgoalEdit, EditsOfSingleCellsEqualRebuilds) {
    RandomMaps random(63);
    Options options;
    options.labels = false;
    for (auto maps = cairn::test::scaled(150); maps > 0; --maps) {
        const Index index = build(random.noise(random.size(20), random.number(0, 50)), options);
        const Map& map = index.map();
        for (grid::Cell cell = 0; cell < map.size(); ++cell) {
            const Point p = map.point(cell);
            const std::uint8_t opposite = map.passable(cell) ? '@' : '.';
            const TerrainEdit edit{{p.x, p.y, 1, 1}, opposite};
            const Index edited = *index.edited({&edit, 1});
            const Index fresh = build(edited.map(), options);
            ASSERT_TRUE(edited == fresh) << p.x << ',' << p.y << describe(index, {});
            const TerrainEdit undo{{p.x, p.y, 1, 1}, map.terrain(cell)};
            ASSERT_TRUE(*edited.edited({&undo, 1}) == index);
        }
    }
}

// The id depends on the map, the options and the edits in their order, but not on the engines.
TEST(SubgoalEdit, IdsTellHistoriesApart) {
    const Index index = build(cairn::test::ascii_map({"....", "....", "...."}));
    const Index same_map = build(index.map());
    EXPECT_EQ(same_map.snapshot_id(), index.snapshot_id());
    EXPECT_EQ(index.with_labels()->snapshot_id(), index.snapshot_id());
    const TerrainEdit first{{1, 1, 1, 1}, '@'};
    const TerrainEdit second{{2, 2, 1, 1}, '@'};
    const std::vector<TerrainEdit> in_order{first, second};
    const std::vector<TerrainEdit> in_reverse{second, first};
    const std::uint64_t id = index.edited(in_order)->snapshot_id();
    EXPECT_EQ(id, same_map.edited(in_order)->snapshot_id());
    EXPECT_EQ(id, index.edited(in_order)->with_labels()->snapshot_id());
    EXPECT_NE(id, index.edited(in_reverse)->snapshot_id());
    EXPECT_NE(id, index.edited({&first, 1})->snapshot_id());
    for (int i = 1; i < kVariants; ++i) {
        EXPECT_NE(build(index.map(), variant(i)).snapshot_id(), 0U);
        EXPECT_NE(build(index.map(), variant(i)).snapshot_id(), index.snapshot_id()) << i;
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
