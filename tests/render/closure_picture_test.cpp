// Pictures of closures: the separator tree, climbs, and what an edit changes.

#include "cairn/render/closure_picture.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "cairn/graph.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "hna/snapshot.hpp"
#include "hpa/snapshot.hpp"
#include "rasters.hpp"
#include "render/closure_painter.hpp"
#include "subgoal/snapshot.hpp"
#include "support/ascii_map.hpp"
#include "support/random_maps.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::render {
namespace {

using grid::Cell;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint32_t kNone = ClosureNode::kNone;

/// A closure by cells: the finite edges of each node's row, by the cells of its upper neighbours.
using Rows = std::map<Cell, std::map<Cell, Cost>>;

const Closure& closure_in(const hpa::Index& index) {
    return index.snapshot().labels->labels.closure();
}
const Closure& closure_in(const subgoal::Index& index) { return index.snapshot().labels.closure(); }

template <class Index>
Rows rows_of(const Index& index) {
    Rows rows;
    const Closure closure = closure_in(index).in_one_piece().value();
    if (closure.storage() == nullptr) return rows;
    const ClosureArrays& arrays = closure.arrays();
    const auto cell_at = [&](std::uint32_t place) {
        return index.snapshot().nodes.cell(arrays.nodes[place].node);
    };
    for (std::uint32_t place = 0; place < arrays.nodes.size(); ++place) {
        const ClosureNode& node = arrays.nodes[place];
        if (node.node == kNone) continue;
        std::map<Cell, Cost>& row = rows[cell_at(place)];
        for (std::uint32_t e = 0; e < node.length; ++e) {
            const Cost cost = arrays.costs[node.first + e];
            if (cost >= kInfinity) continue;
            std::uint32_t upper = place;
            while (arrays.nodes[upper].depth > arrays.depths[node.depths + e])
                upper = arrays.nodes[upper].parent;
            row[cell_at(upper)] = cost;
        }
    }
    return rows;
}

template <class Index>
std::map<Cell, std::uint32_t> depths_of(const Index& index) {
    std::map<Cell, std::uint32_t> depths;
    const Closure closure = closure_in(index).in_one_piece().value();
    for (const ClosureNode& node : closure.arrays().nodes)
        depths[index.snapshot().nodes.cell(node.node)] = node.depth;
    return depths;
}

/// What climbs from one or two cells visit, deepest cells first, and the closure edges that they
/// follow: no further from cells that are as far as the best path found.
struct Climbs {
    std::map<Cell, Cost> from;
    std::map<Cell, Cost> to;
    std::size_t from_edges = 0;
    std::size_t to_edges = 0;
    Cost best = kInfinity;

    Climbs(const Rows& rows, const std::map<Cell, std::uint32_t>& depths, Cell start,
           std::optional<Cell> goal) {
        from[start] = 0;
        if (goal) to[*goal] = 0;
        std::multimap<std::uint32_t, Cell, std::greater<>> cells;
        for (const auto& [cell, depth] : depths) cells.emplace(depth, cell);
        for (const auto& [depth, cell] : cells) {
            if (from.contains(cell) && to.contains(cell))
                best = std::min(best, from[cell] + to[cell]);
            climb(rows, cell, from, from_edges);
            climb(rows, cell, to, to_edges);
        }
    }

private:
    void climb(const Rows& rows, Cell cell, std::map<Cell, Cost>& side, std::size_t& edges) const {
        if (!side.contains(cell) || side[cell] >= best) return;
        for (const auto& [upper, cost] : rows.at(cell)) {
            ++edges;
            const Cost through = side[cell] + cost;
            side[upper] = side.contains(upper) ? std::min(side[upper], through) : through;
        }
    }
};

/// The text of the legend that begins with `label`; empty if there is none.
std::string legend_text(const Drawing& drawing, const std::string& label) {
    for (const Shape& shape : drawing.layers.back().shapes) {
        const Text* text = std::get_if<Text>(&shape);
        if (text != nullptr && text->text.starts_with(label)) return text->text;
    }
    return {};
}
/// The number behind "LABEL: " in the legend; 0 if there is none.
std::size_t counted_in(const Drawing& drawing, const std::string& label) {
    const std::string text = legend_text(drawing, label + ": ");
    std::size_t number = 0;
    if (!text.empty())
        std::from_chars(text.data() + label.size() + 2, text.data() + text.size(), number);
    return number;
}
/// The nodes that the legend of a tree counts.
std::size_t nodes_of_tree(const Drawing& drawing) {
    std::size_t sum = counted_in(drawing, "topmost separators") + counted_in(drawing, "deeper");
    for (int depth = 1; depth <= 5; ++depth)
        sum += counted_in(drawing, fmt::format("separators of depth {}", depth));
    return sum;
}

/// The shapes of the first layer with this name; empty if there is none.
std::vector<Shape> layer_of(const Drawing& drawing, const std::string& name) {
    for (const Layer& layer : drawing.layers) {
        if (layer.name == name) return layer.shapes;
    }
    return {};
}
/// The cell of a map that is drawn whole.
Cell cell_at(const Drawing& drawing, const grid::Map& map, Position position) {
    const Raster& raster = terrain_of(drawing);
    return map.cell({static_cast<int>((position.x - raster.at.x) / raster.pixel),
                     static_cast<int>((position.y - raster.at.y) / raster.pixel)});
}

/// Two halls side by side, and a door between them in row `door` unless it is negative.
grid::Map halls(int door, int width = 60, int height = 40) {
    std::vector<std::uint8_t> terrain;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) terrain.push_back(x == width / 2 && y != door ? '@' : '.');
    }
    return grid::Map::create(width, height, terrain, {}).value();
}

/// The pictures of grid planners.
template <class P>
class ClosurePicture : public testing::Test {
protected:
    using Index = typename P::Index;

    static Index build(const grid::Map& map, bool labels = true) {
        typename P::Options options;
        options.labels = labels;
        return Index::build(map, options).value();
    }
};

using Planners = testing::Types<hpa::Planner, subgoal::Planner>;
TYPED_TEST_SUITE(ClosurePicture, Planners);

TYPED_TEST(ClosurePicture, TreeShowsEachNodeOnce) {
    test::RandomMaps random(1);
    for (std::uint64_t i = 0; i < test::scaled(20); ++i) {
        const auto index = this->build(random.uniform_map(random.size(60)));
        EXPECT_EQ(nodes_of_tree(draw_tree(index).value()), rows_of(index).size());
    }
}

TYPED_TEST(ClosurePicture, ClimbVisitsWhatTheRowsReach) {
    test::RandomMaps random(2);
    for (std::uint64_t i = 0; i < test::scaled(40); ++i) {
        const auto index = this->build(random.uniform_map(random.size(60)));
        const Rows rows = rows_of(index);
        if (rows.empty()) continue;
        const std::map<Cell, std::uint32_t> depths = depths_of(index);
        const auto random_node = [&] {
            return std::next(rows.begin(), random.number(0, static_cast<int>(rows.size()) - 1))
                ->first;
        };
        const Cell start = random_node();
        const Cell goal = random_node();
        for (const bool with_goal : {false, true}) {
            const Climbs climbs(rows, depths, start,
                                with_goal ? std::optional(goal) : std::nullopt);
            const auto to = with_goal ? std::optional(index.map().point(goal)) : std::nullopt;
            const Drawing drawing = draw_climb(index, index.map().point(start), to).value();
            std::size_t both = 0;
            for (const auto& [cell, cost] : climbs.from) both += climbs.to.contains(cell) ? 1 : 0;
            EXPECT_EQ(counted_in(drawing, "visited from both"), both);
            EXPECT_EQ(counted_in(drawing, "visited from S"), climbs.from.size() - both);
            EXPECT_EQ(counted_in(drawing, "visited from G"), climbs.to.size() - both);
            EXPECT_EQ(counted_in(drawing, "other nodes"),
                      rows.size() - climbs.from.size() - climbs.to.size() + both);
            const auto edges = [&](const char* end) {
                return counted_in(drawing, fmt::format("closure edges of {}", end)) +
                       counted_in(drawing, fmt::format("closure edges of ancestors of {}", end));
            };
            EXPECT_EQ(edges("S"), climbs.from_edges);
            EXPECT_EQ(edges("G"), climbs.to_edges);
            if (start != goal) {
                EXPECT_EQ(counted_in(drawing, "closure edges of S"), rows.at(start).size());
            }
        }
    }
}

TYPED_TEST(ClosurePicture, PathGoesUpToTheMeetingAndDown) {
    test::RandomMaps random(4);
    std::size_t paths = 0;
    for (std::uint64_t i = 0; i < test::scaled(40, 10); ++i) {
        const auto index = this->build(random.uniform_map(random.size(60)));
        const grid::Map& map = index.map();
        const Rows rows = rows_of(index);
        if (rows.empty()) continue;
        const auto random_node = [&] {
            return std::next(rows.begin(), random.number(0, static_cast<int>(rows.size()) - 1))
                ->first;
        };
        const Cell start = random_node();
        const Cell goal = random_node();
        const Climbs climbs(rows, depths_of(index), start, goal);
        const Drawing drawing = draw_climb(index, map.point(start), map.point(goal)).value();
        if (climbs.best == kInfinity) {
            EXPECT_EQ(legend_text(drawing, "no path"), "no path");
            EXPECT_TRUE(layer_of(drawing, "meeting").empty());
            continue;
        }
        ++paths;
        const double length = climbs.best / static_cast<double>(map.options().costs.straight);
        EXPECT_THAT(legend_text(drawing, "path: "),
                    HasSubstr(fmt::format("length {:.1f}", length)));
        const auto meeting = std::get<Discs>(layer_of(drawing, "meeting").back());
        const Cell top = cell_at(drawing, map, meeting.centres.front());
        ASSERT_TRUE(climbs.from.contains(top) && climbs.to.contains(top));
        EXPECT_EQ(climbs.from.at(top) + climbs.to.at(top), climbs.best);
        // The closure edges of the path rise from both ends to the meeting.
        Cost sum = 0;
        std::set<Cell> ends{start, goal};
        for (const Shape& shape : layer_of(drawing, "path-edges")) {
            const std::vector<Position>& at = std::get<Segments>(shape).ends;
            EXPECT_EQ(counted_in(drawing, "closure edges of the path"), at.size() / 2);
            for (std::size_t e = 0; e < at.size(); e += 2) {
                const Cell lower = cell_at(drawing, map, at[e]);
                const Cell upper = cell_at(drawing, map, at[e + 1]);
                ASSERT_EQ(ends.erase(lower), 1U);
                ends.insert(upper);
                ASSERT_TRUE(rows.at(lower).contains(upper));
                sum += rows.at(lower).at(upper);
            }
        }
        EXPECT_EQ(sum, climbs.best);
        EXPECT_EQ(ends, std::set<Cell>{top});
    }
    EXPECT_GT(paths, 0U);
}

TYPED_TEST(ClosurePicture, RepairCountsTheRowsThatDiffer) {
    test::RandomMaps random(3);
    std::size_t seen = 0;
    for (std::uint64_t i = 0; i < test::scaled(40); ++i) {
        const auto before = this->build(random.uniform_map(random.size(60)));
        const auto edits = random.edits(before.map());
        const auto after = before.edited(edits).value();
        const Drawing drawing = draw_repair(before, after, edits).value();

        const Rows old_rows = rows_of(before);
        const Rows new_rows = rows_of(after);
        std::size_t kept = 0;
        std::size_t changed = 0;
        std::size_t changed_edges = 0;
        std::size_t all_edges = 0;
        std::size_t lost_edges = 0;
        for (const auto& [cell, row] : new_rows) {
            const auto old_row = old_rows.find(cell);
            kept += old_row != old_rows.end() ? 1 : 0;
            changed += old_row != old_rows.end() && old_row->second != row ? 1 : 0;
            all_edges += row.size();
            for (const auto& [upper, cost] : row) {
                const bool same = old_row != old_rows.end() && old_row->second.contains(upper) &&
                                  old_row->second.at(upper) == cost;
                changed_edges += same ? 0 : 1;
            }
        }
        for (const auto& [cell, row] : old_rows) {
            for (const auto& [upper, cost] : row)
                lost_edges += new_rows.contains(cell) && new_rows.at(cell).contains(upper) ? 0 : 1;
        }
        const std::string rows = "rows of nodes that stay, changed: ";
        EXPECT_EQ(legend_text(drawing, rows), fmt::format("{}{} of {}", rows, changed, kept));
        const std::string edges = "closure edges changed: ";
        EXPECT_EQ(legend_text(drawing, edges),
                  fmt::format("{}{} of {}", edges, changed_edges, all_edges));
        EXPECT_EQ(counted_in(drawing, "closure edges gone"), lost_edges);
        EXPECT_EQ(counted_in(drawing, "nodes added"), new_rows.size() - kept);
        EXPECT_EQ(counted_in(drawing, "nodes removed"), old_rows.size() - kept);
        EXPECT_EQ(layer_of(drawing, "edits").size(), edits.size());
        EXPECT_EQ(nodes_of_tree(draw_tree(after).value()), new_rows.size());
        seen += changed;
    }
    EXPECT_GT(seen, 0U);
}

TYPED_TEST(ClosurePicture, RepairSaysIfTheOrderIsFresh) {
    const auto before = this->build(halls(20));
    const std::string text = "all rows were computed anew";
    EXPECT_EQ(legend_text(draw_repair(before, before, {}).value(), text), "");
    const auto after = this->build(halls(10));
    EXPECT_THAT(legend_text(draw_repair(before, after, {}).value(), text), HasSubstr("fresh"));
}

TYPED_TEST(ClosurePicture, PartsOfTheMapCanBeDrawn) {
    const auto index = this->build(halls(20));
    MapPicture picture;
    picture.area = grid::Rect{20, 10, 20, 20};
    picture.title = "door";
    picture.paths.push_back({{0, 1, 2}, {}, "drawn path"});
    picture.markers.push_back({{25, 15}, {}, "M"});
    const std::string svg = to_svg(draw_climb(index, {1, 1}, {{50, 30}}, picture).value()).value();
    for (const char* part : {">door<", "drawn path", ">M<", ">S<", ">G<"})
        EXPECT_THAT(svg, HasSubstr(part));
    picture.legend = false;
    EXPECT_THAT(to_svg(draw_tree(index, picture).value()).value(), Not(HasSubstr("topmost")));
}

TYPED_TEST(ClosurePicture, BadRequestsAreRefused) {
    const auto good = this->build(halls(20));
    const auto bare = this->build(halls(20), false);
    EXPECT_EQ(draw_tree(bare).error().code, StatusCode::unsupported);
    EXPECT_THAT(draw_tree(bare).error().message, HasSubstr("no closure"));
    EXPECT_EQ(draw_climb(bare, {1, 1}, {}).error().code, StatusCode::unsupported);
    EXPECT_EQ(draw_repair(good, bare, {}).error().code, StatusCode::unsupported);
    EXPECT_EQ(draw_repair(bare, good, {}).error().code, StatusCode::unsupported);
    EXPECT_EQ(draw_climb(good, {60, 1}, {}).error().code, StatusCode::bad_option);
    EXPECT_EQ(draw_climb(good, {1, 1}, {{1, -1}}).error().code, StatusCode::bad_option);
    MapPicture picture;
    picture.cell = 99;
    EXPECT_EQ(draw_tree(good, picture).error().code, StatusCode::bad_option);
    EXPECT_EQ(draw_climb(good, {1, 1}, {}, picture).error().code, StatusCode::bad_option);
    EXPECT_EQ(draw_repair(good, good, {}, picture).error().code, StatusCode::bad_option);

    const auto small = this->build(test::ascii_map({"...", "..."}));
    EXPECT_EQ(draw_repair(good, small, {}).error().code, StatusCode::bad_option);
    EXPECT_EQ(nodes_of_tree(draw_tree(small).value()), 0U);
    EXPECT_TRUE(draw_repair(small, small, {}));
    EXPECT_EQ(draw_climb(small, {1, 1}, {}).error().code, StatusCode::unsupported);
}

TEST(ClosurePictures, TheTopmostSeparatorIsTheDoor) {
    hpa::Options options;
    options.cluster_size = 10;
    options.transitions = hpa::Transitions::by_width;
    const hpa::Index index = hpa::Index::build(halls(50, 160, 100), options).value();
    const Drawing drawing = draw_tree(index).value();
    // The largest dots come last.
    const auto top = std::get<Discs>(layer_of(drawing, "separators").back());
    EXPECT_LE(top.centres.size(), 2U);
    for (const Position& centre : top.centres) {
        const grid::Point at = index.map().point(cell_at(drawing, index.map(), centre));
        EXPECT_TRUE(at == (grid::Point{79, 50}) || at == (grid::Point{80, 50}))
            << at.x << ',' << at.y;
    }
    // Without a door, each hall has a topmost separator of its own.
    const Drawing apart = draw_tree(hpa::Index::build(halls(-1)).value()).value();
    EXPECT_GE(counted_in(apart, "topmost separators"), 2U);
}

TEST(ClosurePictures, SmallPiecesDoNotDivideASeparator) {
    // Nodes 0 and 1 separate two chains of 20 nodes. The removal of 0 also cuts off node 2.
    std::vector<Edge> edges{{0, 2, 1}, {0, 1, 1}};
    for (std::uint32_t v = 3; v < 43; ++v) {
        if (v == 3 || v == 23) {
            edges.push_back({0, v, 1});
            edges.push_back({1, v, 1});
        } else {
            edges.push_back({v - 1, v, 1});
        }
    }
    const Graph graph = graph_from_edges(43, edges).value();
    std::vector<std::uint32_t> order(43);
    for (std::uint32_t v = 0; v < 43; ++v) order[v] = v;
    PlacedClosure placed{Closure::build_in_order(graph, order).value(), order, {}};
    placed.at.resize(43);
    Sheet sheet;
    sheet.set_up(100, 100, 10, "", true);
    ClosurePainter(placed, 10, sheet).tree();
    const Drawing drawing = sheet.finish();
    EXPECT_EQ(counted_in(drawing, "topmost separators"), 2U);
    EXPECT_EQ(nodes_of_tree(drawing), 43U);
}

TEST(ClosurePictures, MeshesHaveTreesAndClimbs) {
    for (std::uint64_t seed = 0; seed < test::scaled(20); ++seed) {
        const mesh::Mesh mesh = test::random_mesh(seed);
        const auto index = hna::Index::build(mesh);
        if (!index || !index->has_closure()) continue;
        const std::size_t nodes = index->snapshot().first_hng.count();
        EXPECT_EQ(nodes_of_tree(draw_tree(*index).value()), nodes);
        const mesh::Point from = mesh.centre(0);
        const mesh::Point to = mesh.centre(mesh.num_polygons() - 1);
        const auto climb = draw_climb(*index, from, to);
        ASSERT_EQ(climb.has_value(), nodes > 0);
        if (nodes == 0) continue;
        EXPECT_EQ(counted_in(*climb, "visited from S") + counted_in(*climb, "visited from G") +
                      counted_in(*climb, "visited from both") + counted_in(*climb, "other nodes"),
                  nodes);
        EXPECT_EQ(layer_of(*climb, "meeting").empty(), !legend_text(*climb, "no path").empty());
    }
    hna::Options options;
    options.labels = false;
    options.mu = 2;
    const mesh::Mesh mesh = test::drawn_mesh({"aabb", "aabb", "ccdd"});
    const hna::Index bare = hna::Index::build(mesh, options).value();
    EXPECT_EQ(draw_tree(bare).error().code, StatusCode::unsupported);
    EXPECT_EQ(draw_climb(bare, mesh.centre(0), {}).error().code, StatusCode::unsupported);
    MeshPicture picture;
    picture.longest_side = 1;
    const hna::Index index = hna::Index::build(mesh).value();
    EXPECT_EQ(draw_tree(index, picture).error().code, StatusCode::bad_option);
}

}  // namespace
}  // namespace cairn::render
