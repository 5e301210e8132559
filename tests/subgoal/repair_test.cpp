// What `edit` repairs (octants, diagonals, connectors, the taut graph), against all of it from
// scratch. Nodes keep their numbers, so they are compared by their cells.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "subgoal/edit.hpp"
#include "subgoal/taut_graph.hpp"
#include "subgoal/verify.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Cell;
using grid::Map;
using grid::Point;
using grid::TerrainEdit;

using Numbers = std::vector<std::uint32_t>;       // of nodes, ascending
using Arcs = std::vector<std::pair<Cell, Cost>>;  // by the cells that they lead to

Snapshot fresh_snapshot(const Map& map, const Options& options) {
    Snapshot s;
    s.id = 1;
    s.options = options;
    s.map = map;
    s.bits = SubgoalBits(map);
    BuildControl control;
    control.threads = 1;
    s.graph = SubgoalGraph::build(s.bits, options.edges, control).value();
    EXPECT_TRUE(add_connectors(s, control).ok());
    return s;
}

Arcs taut_arcs(const Snapshot& s, std::uint32_t node) {
    Arcs arcs;
    for_each_taut_arc(
        s, node, [&](std::uint32_t to, Cost cost) { arcs.emplace_back(s.nodes.cell(to), cost); });
    return arcs;
}

// The connectors of a cell, by their cells. Expects the table to list them in this order.
std::vector<Cell> connected(const Snapshot& s, Point p) {
    std::vector<Cell> cells;
    s.connectors.for_each(p.x, p.y,
                          [&](std::uint32_t node) { cells.push_back(s.nodes.cell(node)); });
    EXPECT_TRUE(std::is_sorted(cells.begin(), cells.end()));
    return cells;
}

// Expects all parts to be those of a fresh snapshot of the same map.
void expect_fresh(const Snapshot& s) {
    const Snapshot fresh = fresh_snapshot(s.map, s.options);
    ASSERT_TRUE(s.bits == fresh.bits);
    ASSERT_TRUE(s.graph == fresh.graph);
    ASSERT_TRUE(s.diagonals == fresh.diagonals);
    const std::vector<Cell> cells = subgoal_cells(s.bits);
    std::size_t present = 0;
    for (std::uint32_t node = 0; node < s.nodes.size(); ++node) {
        ASSERT_EQ(s.nodes.removed(node), s.nodes.cell(node) == grid::kNoCell);
        if (!s.nodes.removed(node)) ++present;
    }
    ASSERT_EQ(present, cells.size());
    for (std::uint32_t right = 0; right < cells.size(); ++right) {
        const Point p = s.map.point(cells[right]);
        const std::uint32_t node = s.nodes.number(p.x, p.y);
        ASSERT_LT(node, s.nodes.size());
        ASSERT_EQ(s.nodes.cell(node), cells[right]);
        ASSERT_EQ(fresh.nodes.number(p.x, p.y), right);
        ASSERT_EQ(s.nodes.useful(node), fresh.nodes.useful(right)) << p.x << ", " << p.y;
        ASSERT_EQ(taut_arcs(s, node), taut_arcs(fresh, right)) << p.x << ", " << p.y;
    }
    ASSERT_EQ(s.connectors.empty(), fresh.connectors.empty());
    if (s.connectors.empty()) return;
    for (const Point p : free_points(s.map))
        ASSERT_EQ(connected(s, p), connected(fresh, p)) << p.x << ", " << p.y;
    ASSERT_TRUE(s.connectors.compacted(s.nodes, s.bits) == fresh.connectors);
    const Nodes compacted = s.nodes.compacted(s.bits);
    ASSERT_EQ(compacted.cells(), cells);
    for (std::uint32_t node = 0; node < cells.size(); ++node)
        ASSERT_EQ(compacted.useful(node), fresh.nodes.useful(node));
}

// Expects kept nodes to have their numbers, new ones the next in the order of their cells, and
// `changed` to be the nodes whose taut arcs differ, and all new and removed ones.
void expect_step(const Snapshot& before, const Snapshot& after, const Numbers& changed) {
    ASSERT_GE(after.nodes.size(), before.nodes.size());
    Numbers expected;
    for (std::uint32_t node = 0; node < after.nodes.size(); ++node) {
        const bool old = node < before.nodes.size();
        if (old && before.nodes.removed(node)) {
            ASSERT_TRUE(after.nodes.removed(node));
        } else if (old) {
            const Point p = before.nodes.point(node);
            ASSERT_EQ(after.nodes.removed(node), !after.bits.is_subgoal(p.x, p.y));
            if (!after.nodes.removed(node)) {
                ASSERT_EQ(after.nodes.point(node), p);
            }
        } else {
            const Point p = after.nodes.point(node);
            ASSERT_FALSE(before.bits.is_subgoal(p.x, p.y));
            if (node > before.nodes.size()) {
                ASSERT_LT(after.nodes.cell(node - 1), after.nodes.cell(node));
            }
        }
        const bool was_there = old && !before.nodes.removed(node);
        if (was_there == after.nodes.removed(node) ||
            (old ? taut_arcs(before, node) : Arcs()) != taut_arcs(after, node))
            expected.push_back(node);
    }
    ASSERT_EQ(changed, expected);
}

// All that a snapshot says, to see whether it stays so.
struct Contents {
    std::vector<Cell> cells;
    std::vector<Octants> useful;
    std::vector<Arcs> arcs;
    std::vector<std::vector<Cell>> connectors;
    friend bool operator==(const Contents&, const Contents&) = default;
};
Contents contents_of(const Snapshot& s) {
    Contents out{s.nodes.cells(), {}, {}, {}};
    for (std::uint32_t node = 0; node < s.nodes.size(); ++node) {
        out.useful.push_back(s.nodes.useful(node));
        out.arcs.push_back(taut_arcs(s, node));
    }
    for (const Point p : free_points(s.map)) {
        if (!s.connectors.empty()) out.connectors.push_back(connected(s, p));
    }
    return out;
}

void check_edit(std::shared_ptr<const Snapshot>& snapshot, std::span<const TerrainEdit> edits) {
    const Map map = snapshot->map.edited(edits).value();
    auto edited = edit(*snapshot, map, edits);
    ASSERT_TRUE(edited.has_value());
    expect_fresh(*edited->snapshot);
    expect_step(*snapshot, *edited->snapshot, edited->changed);
    snapshot = std::move(edited->snapshot);
}

std::vector<TerrainEdit> any_edits(RandomMaps& random, const Map& map, int longest) {
    std::vector<TerrainEdit> edits;
    for (int i = random.chance(70) ? 1 : random.number(2, 4); i > 0; --i) {
        const Point p = random.point(map);
        const int width = random.number(1, longest);
        const int height = random.chance(70) ? width : random.number(1, longest);
        const int x = random.chance(15) ? 0 : p.x;
        const int y = random.chance(15) ? 0 : p.y;
        edits.push_back(
            {{x, y, std::min(width, map.width() - x), std::min(height, map.height() - y)},
             static_cast<std::uint8_t>(random.chance(50) ? '.' : '@')});
    }
    return edits;
}

void check_sequence(RandomMaps& random, const Map& map, const Options& options, int steps,
                    int longest) {
    auto snapshot = std::make_shared<const Snapshot>(fresh_snapshot(map, options));
    std::vector<std::pair<std::shared_ptr<const Snapshot>, Contents>> earlier;
    for (; steps > 0; --steps) {
        earlier.emplace_back(snapshot, contents_of(*snapshot));
        check_edit(snapshot, any_edits(random, snapshot->map, longest));
        if (testing::Test::HasFatalFailure()) return;
    }
    for (const auto& [old, contents] : earlier) ASSERT_TRUE(contents_of(*old) == contents);
}

Options options_of(bool prune, Edges edges = Edges::direct) {
    Options options;
    options.prune = prune;
    options.edges = edges;
    return options;
}

// At the rise of the first column a bend begins only because of the fall at the exit in the south,
// which a subgoal hides from it. So its octants change although its edges do not.
TEST(SubgoalRepair, ARiseFollowsFallsThatItDoesNotSee) {
    const Map map = cairn::test::ascii_map({"...@@@@@",  //
                                            ".......@",  //
                                            ".@@@@@.@"});
    const Point rise{0, 1};
    const Point exit{6, 2};
    for (int symmetry = 0; symmetry < 8; ++symmetry) {
        const auto at = [&](Point p) {
            return cairn::test::transformed(map, p, symmetry % 4, symmetry >= 4);
        };
        auto snapshot = std::make_shared<const Snapshot>(fresh_snapshot(
            cairn::test::transformed(map, symmetry % 4, symmetry >= 4), options_of(true)));
        const std::uint32_t node = snapshot->nodes.number(at(rise).x, at(rise).y);
        const Octants before = snapshot->nodes.useful(node);
        for (const char terrain : {'@', '.'}) {
            const TerrainEdit change{{at(exit).x, at(exit).y, 1, 1},
                                     static_cast<std::uint8_t>(terrain)};
            check_edit(snapshot, {&change, 1});
            ASSERT_FALSE(HasFatalFailure()) << symmetry << ", " << terrain;
            EXPECT_EQ(snapshot->nodes.useful(node) == before, terrain == '.');
        }
    }
}

TEST(SubgoalRepair, SequencesEqualFreshSnapshots) {
    RandomMaps random(71);
    for (auto maps = cairn::test::scaled(200); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(60);
        const Map map =
            random.chance(50) ? random.uniform_map(size) : random.noise(size, random.number(0, 30));
        const Edges edges = random.chance(85) ? Edges::direct : Edges::h_reachable;
        check_sequence(random, map, options_of(random.chance(85), edges), 8, 8);
        if (HasFatalFailure()) return;
    }
}

// On large maps with few obstacles a change spreads far, across many tiles and words.
TEST(SubgoalRepair, SequencesOnOpenMapsEqualFreshSnapshots) {
    RandomMaps random(72);
    for (auto maps = cairn::test::scaled(16); maps > 0; --maps) {
        const RandomMaps::Size size{random.number(60, 160), random.number(60, 160)};
        check_sequence(random, random.noise(size, random.number(0, 2)), options_of(true), 5, 12);
        if (HasFatalFailure()) return;
    }
}

// Nodes lie in pages of 4,096.
TEST(SubgoalRepair, NodesOfSeveralPages) {
    RandomMaps random(73);
    const Map map = random.noise({190, 170}, 25);
    ASSERT_GT(SubgoalBits(map).count(), 2 * PagedArray<Point>::kPageSize);
    check_sequence(random, map, options_of(true), 3, 8);
}

TEST(SubgoalRepair, EverySingleCellOfSmallGrids) {
    constexpr int kCells = 4 * 4;
    const std::uint64_t stride = cairn::test::stride(0.05);
    for (std::uint64_t i = 0; i < 1U << kCells; i += stride) {
        const Map map = cairn::test::small_map(4, 4, mixed_grid(i, kCells));
        const Snapshot snapshot = fresh_snapshot(map, options_of(true));
        for (Cell cell = 0; cell < map.size(); ++cell) {
            const Point p = map.point(cell);
            const std::uint8_t opposite = map.passable(cell) ? 0 : 1;  // terrain is a weight
            const TerrainEdit change{{p.x, p.y, 1, 1}, opposite};
            auto edited = edit(snapshot, map.edited({&change, 1}).value(), {&change, 1});
            ASSERT_TRUE(edited.has_value());
            expect_fresh(*edited->snapshot);
            expect_step(snapshot, *edited->snapshot, edited->changed);
            if (HasFatalFailure()) FAIL() << "grid " << i << ", cell " << cell;
        }
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
