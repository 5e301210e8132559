// Pictures of subgoal graphs, their levels, and a path.

#include "cairn/render/subgoal_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/subgoal/subgoal.hpp"
#include "support/ascii_map.hpp"

namespace cairn::render {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr SubgoalLayers kAllLayers{
    .subgoals = true, .edges = true, .taut = true, .levels = true, .core = true};
constexpr SubgoalLayers kNoLayers{.subgoals = false, .edges = false, .taut = false};

/// Blocks in a field, and a query past them.
class SubgoalPictureTest : public testing::Test {
protected:
    SubgoalPictureTest() {
        subgoal::Query query;
        query.start = {0, 3};
        query.goal = {15, 4};
        subgoal::Searcher().find(index_, query, answer_);
        picture_.route = SubgoalRoute{query.start, query.goal, &answer_};
    }

    static subgoal::Index build() {
        subgoal::Options options;
        options.levels = 0;
        return subgoal::Index::build(map(), options).value();
    }
    static grid::Map map() {
        return test::ascii_map({
            "................",
            "..@@@....@@@....",
            "..@@@....@@@....",
            "..@@@.@@.@@@.@@.",
            "......@@.....@@.",
            "..@@.........@..",
            "..@@...@@@......",
            "................",
        });
    }
    [[nodiscard]] std::string svg() const {
        return to_svg(draw_subgoals(index_, picture_).value()).value();
    }
    /// The code of the error of draw_subgoals; ok without one.
    [[nodiscard]] StatusCode error(const subgoal::Index& index) const {
        const auto drawing = draw_subgoals(index, picture_);
        return drawing ? StatusCode::ok : drawing.error().code;
    }
    [[nodiscard]] StatusCode error() const { return error(index_); }
    static std::string of_class(const char* layer) { return std::string("class=\"") + layer + '"'; }

    subgoal::Index index_ = build();
    subgoal::Answer answer_;
    SubgoalPicture picture_;
};

TEST_F(SubgoalPictureTest, EveryLayerIsDrawn) {
    picture_.layers = kAllLayers;
    picture_.area_of = grid::Point{5, 4};
    const std::string all = svg();
    for (const char* layer : {"terrain", "area", "area-subgoals", "taut-edges", "level-edges",
                              "subgoals", "levels", "connectors", "path", "ends", "labels"}) {
        EXPECT_THAT(all, HasSubstr(of_class(layer)));
    }
}

TEST_F(SubgoalPictureTest, LayersCanBeLeftOut) {
    picture_.layers = kNoLayers;
    picture_.route->connectors = picture_.route->path = false;
    const std::string few = svg();
    for (const char* layer : {"area", "edges", "taut-edges", "level-edges", "subgoals", "levels",
                              "core", "connectors", "path"}) {
        EXPECT_THAT(few, Not(HasSubstr(of_class(layer))));
    }
}

TEST_F(SubgoalPictureTest, TheLegendCountsSubgoalsAndEdges) {
    picture_.layers = {.taut = false};
    const std::string text = svg();
    EXPECT_THAT(text, HasSubstr(of_class("edges")));
    EXPECT_THAT(text, HasSubstr("subgoals: " + std::to_string(subgoals(index_)->size())));
    EXPECT_THAT(text, HasSubstr(">edges: " + std::to_string(edges(index_)->size()) + "<"));
}

TEST_F(SubgoalPictureTest, TheAreaOfACellHoldsTheSubgoalsItConnectsTo) {
    // The drawn area counts as many subgoals as connectors are drawn for a query at that cell.
    for (grid::Cell cell = 0; cell < index_.map().size(); ++cell) {
        if (!index_.map().passable(cell)) continue;
        picture_.route.reset();
        picture_.layers = kNoLayers;
        picture_.area_of = index_.map().point(cell);
        const std::string with_area = svg();
        picture_.area_of.reset();
        picture_.route = SubgoalRoute{index_.map().point(cell), index_.map().point(cell)};
        const Drawing drawing = draw_subgoals(index_, picture_).value();
        std::size_t positions = 0;
        for (const Layer& layer : drawing.layers) {
            if (!layer.name.starts_with("connectors")) continue;
            for (const Shape& shape : layer.shapes)
                positions += std::get<Segments>(shape).ends.size();
        }
        // Start and goal each have the connectors, and each connector has two positions.
        EXPECT_THAT(with_area,
                    HasSubstr("direct-h-reachable subgoals: " + std::to_string(positions / 4)));
    }
}

TEST_F(SubgoalPictureTest, TheFigureHasThreePanels) {
    const Drawing figure = draw_subgoal_figure(map(), {}, picture_).value();
    const auto panels = [&](const char* name) {
        return std::count_if(figure.layers.begin(), figure.layers.end(),
                             [&](const Layer& layer) { return layer.name == name; });
    };
    EXPECT_EQ(panels("terrain"), 3);
    EXPECT_EQ(panels("core"), 3);
    EXPECT_EQ(panels("path"), 0);
}

TEST_F(SubgoalPictureTest, PartsOfTheMapAndSmallCellsCanBeDrawn) {
    picture_.area_of = grid::Point{0, 0};
    for (const grid::Rect area : {grid::Rect{0, 0, 1, 1}, grid::Rect{3, 2, 9, 5}}) {
        picture_.map.area = area;
        EXPECT_EQ(error(), StatusCode::ok);
    }
    picture_.map.cell = 1;
    EXPECT_EQ(error(), StatusCode::ok);
}

TEST_F(SubgoalPictureTest, IndexesWithoutEnginesShowOnlyTheirGraph) {
    const grid::TerrainEdit edit{{0, 0, 1, 1}, '@'};
    const subgoal::Index edited = index_.edited({&edit, 1}).value();
    EXPECT_EQ(error(edited), StatusCode::unsupported);
    picture_.layers.taut = false;
    EXPECT_EQ(error(edited), StatusCode::stale_index);  // the answer is the old index's
    picture_.route->answer = nullptr;
    EXPECT_EQ(error(edited), StatusCode::ok);
}

TEST_F(SubgoalPictureTest, BadOptionsAreRefused) {
    const SubgoalPicture good = picture_;
    picture_.route->goal = {16, 0};
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_ = good;
    picture_.area_of = grid::Point{0, -1};
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_.area_of = grid::Point{2, 1};
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_ = good;
    picture_.map.cell = 99;
    EXPECT_EQ(error(), StatusCode::bad_option);
    EXPECT_EQ(draw_subgoal_figure(map(), {}, picture_).error().code, StatusCode::bad_option);
}

}  // namespace
}  // namespace cairn::render
