// Edited indexes against indexes built afresh.

#include <gtest/gtest.h>

#include "cairn/grid/dijkstra.hpp"
#include "subgoal/verify.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Map;
using grid::Point;
using grid::TerrainEdit;

// One cell, a square, a rectangle at the rim, or now and then the whole map.
TerrainEdit any_edit(RandomMaps& random, const Map& map) {
    TerrainEdit edit;
    edit.terrain = random.chance(50) ? '.' : '@';
    const int kind = random.number(1, 100);
    const Point corner = random.point(map);
    if (kind <= 45) {
        edit.area = {corner.x, corner.y, 1, 1};
    } else if (kind <= 80) {
        edit.area = {corner.x, corner.y, std::min(8, map.width() - corner.x),
                     std::min(8, map.height() - corner.y)};
    } else if (kind <= 88) {
        edit.area = {0, random.chance(50) ? 0 : map.height() - 1, map.width(), 1};
    } else if (kind <= 96) {
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

void expect_equal(const Index& index, const Index& fresh) {
    ASSERT_TRUE(index == fresh) << describe(fresh, {});
    ASSERT_EQ(subgoals(index), subgoals(fresh));
    std::vector<SubgoalEdge> expected = edges(fresh);
    if (!index.complete()) {
        for (SubgoalEdge& edge : expected) edge.taut = false;
    }
    ASSERT_TRUE(edges(index) == expected) << describe(fresh, {});
    const IndexStatistics a = index.statistics();
    const IndexStatistics b = fresh.statistics();
    ASSERT_EQ(a.subgoals, b.subgoals);
    ASSERT_EQ(a.edges, b.edges);
    ASSERT_EQ(a.free_cells, b.free_cells);
}

void expect_optimal(RandomMaps& random, Searcher& searcher, const Index& index, int goals) {
    const std::vector<Point> points = free_points(index.map());
    if (points.empty()) return;
    const Point start = random.one_of(points);
    const std::vector<Cost> optimum = grid::dijkstra_distances(index.map(), start);
    for (; goals > 0; --goals) {
        const Point goal = random.one_of(points);
        ASSERT_EQ(fault_of_pair(index, searcher, start, goal, optimum[index.map().cell(goal)]), "");
    }
}

// One step: the old index stays as it is, the new one is right at once and when completed.
void check_step(RandomMaps& random, Searcher& searcher, Index& index) {
    const Index old = index;
    const std::uint64_t old_id = old.snapshot_id();
    const std::vector<SubgoalEdge> old_edges = edges(old);
    const std::vector<grid::Cell> old_subgoals = subgoals(old);
    const std::vector<TerrainEdit> edits = any_edits(random, old.map());

    index = *old.edited(edits);
    Options plain = old.options();  // the same graph and taut edges, built fast
    plain.levels = 1;
    plain.labels = false;
    const Index fresh = build(*old.map().edited(edits), plain);
    EXPECT_FALSE(index.complete());
    EXPECT_FALSE(index.has_labels());
    EXPECT_EQ(index.labels_status().code, StatusCode::stale_index);
    EXPECT_NE(index.snapshot_id(), old_id);
    expect_equal(index, fresh);
    expect_optimal(random, searcher, index, 6);

    if (random.chance(40)) {
        index = with_labels(index);
        EXPECT_TRUE(index.complete());
        EXPECT_TRUE(index.has_labels());
        expect_equal(index, fresh);
        EXPECT_EQ(index.statistics().taut_edges, fresh.statistics().taut_edges);
        expect_optimal(random, searcher, index, 6);
    }
    EXPECT_EQ(old.snapshot_id(), old_id);
    EXPECT_EQ(subgoals(old), old_subgoals);
    EXPECT_TRUE(edges(old) == old_edges);
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
            check_step(random, searcher, index);
            if (testing::Test::HasFailure()) return;
        }
    }
}

// Wide maps with few obstacles, where an edit is seen from afar, over several tiles and words.
TEST(SubgoalEdit, AreSeenFromAfar) {
    RandomMaps random(62);
    Searcher searcher;
    for (auto maps = cairn::test::scaled(25); maps > 0; --maps) {
        const RandomMaps::Size size{random.number(60, 150), random.number(60, 150)};
        Index index = build(random.noise(size, random.number(0, 1)));
        for (int steps = 0; steps < 6; ++steps) {
            check_step(random, searcher, index);
            if (testing::Test::HasFailure()) return;
        }
    }
}

// Every cell of small maps flipped, one at a time.
TEST(SubgoalEdit, EveryCellOfSmallMaps) {
    RandomMaps random(63);
    Options options;
    options.labels = false;
    for (auto maps = cairn::test::scaled(150); maps > 0; --maps) {
        const Index index = build(random.noise(random.size(20), random.number(0, 50)), options);
        const Map& map = index.map();
        for (grid::Cell cell = 0; cell < map.size(); ++cell) {
            const Point p = map.point(cell);
            const std::uint8_t other = map.passable(cell) ? '@' : '.';
            const TerrainEdit edit{{p.x, p.y, 1, 1}, other};
            const Index edited = *index.edited({&edit, 1});
            const Index fresh = build(edited.map(), options);
            ASSERT_TRUE(edited == fresh) << p.x << ',' << p.y << describe(index, {});
            const TerrainEdit back{{p.x, p.y, 1, 1}, map.terrain(cell)};
            ASSERT_TRUE(*edited.edited({&back, 1}) == index);
        }
    }
}

TEST(SubgoalEdit, IdsTellHistoriesApart) {
    const Index index = build(cairn::test::ascii_map({"....", "....", "...."}));
    const Index again = build(index.map());
    EXPECT_EQ(again.snapshot_id(), index.snapshot_id());
    EXPECT_EQ(index.with_labels()->snapshot_id(), index.snapshot_id());
    const TerrainEdit one{{1, 1, 1, 1}, '@'};
    const TerrainEdit two{{2, 2, 1, 1}, '@'};
    const std::vector<TerrainEdit> forth{one, two};
    const std::vector<TerrainEdit> back{two, one};
    const std::uint64_t id = index.edited(forth)->snapshot_id();
    EXPECT_EQ(id, again.edited(forth)->snapshot_id());
    EXPECT_EQ(id, index.edited(forth)->with_labels()->snapshot_id());
    EXPECT_NE(id, index.edited(back)->snapshot_id());
    EXPECT_NE(id, index.edited({&one, 1})->snapshot_id());
    for (int i = 1; i < kVariants; ++i) {
        EXPECT_NE(build(index.map(), variant(i)).snapshot_id(), 0U);
        EXPECT_NE(build(index.map(), variant(i)).snapshot_id(), index.snapshot_id()) << i;
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
