// Pictures of HAA*: the graph and a path as one agent sees them.

#include "cairn/render/haa_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/grid/generate.hpp"
#include "cairn/haa/haa.hpp"
#include "support/hash.hpp"

namespace cairn::render {
namespace {

using haa::terrain_set;
using testing::HasSubstr;
using testing::Not;

/// An index of three capabilities: ground, ground and trees, water; sizes 1 to 3.
haa::Index build(const grid::TerrainImage& image, int levels) {
    haa::AnnotationOptions annotation;
    annotation.capabilities = {
        haa::Capability(terrain_set({haa::kGround})),
        haa::Capability(terrain_set({haa::kGround, haa::kTrees})),
        haa::Capability(terrain_set({haa::kWater})),
    };
    annotation.max_size = 3;
    haa::Options options;
    options.cluster_size = 5;
    options.levels = levels;
    const haa::AnnotatedMap map = haa::AnnotatedMap::create(image, annotation).value();
    return haa::Index::build(map, options).value();
}

grid::TerrainImage image_of(std::initializer_list<std::string_view> rows) {
    grid::TerrainImage image{
        static_cast<int>(rows.begin()->size()), static_cast<int>(rows.size()), {}};
    for (const std::string_view row : rows)
        image.terrain.insert(image.terrain.end(), row.begin(), row.end());
    return image;
}

/// Walls with a wood (T) at the top, and at the bottom a lake (W) that several clusters share.
const grid::TerrainImage& bend() {
    static const grid::TerrainImage image = image_of({
        "............@...",
        "......TTT...@...",
        ".....TTTT...@...",
        ".....TTT........",
        "..@.............",
        "..@...@@@@@@....",
        "..@........@....",
        "...WWWWWW..@....",
        "...WWWWWWWW.....",
        "....WWWWWWW.T...",
    });
    return image;
}

/// A picture of bend() for an agent of size 2 on ground and trees, with a query.
class HaaPictureTest : public testing::Test {
protected:
    HaaPictureTest() {
        picture_.agent = {1, 2};  // capability 1, size 2
        haa::Query query;
        query.agent = picture_.agent;
        query.start = {0, 8};
        query.goal = {13, 0};
        query.engine = hpa::Engine::levels;
        query.try_direct_line = false;
        searcher_.find(index_, query, smoothed_);
        query.smoothing = hpa::Smoothing::none;
        searcher_.find(index_, query, abstract_);
        picture_.route = HpaRoute{query.start, query.goal, &abstract_, &smoothed_};
    }

    [[nodiscard]] std::string svg() const {
        return to_svg(draw_haa(index_, picture_).value()).value();
    }
    /// The code of the error of draw_haa; ok without one.
    [[nodiscard]] StatusCode error() const {
        const auto drawing = draw_haa(index_, picture_);
        return drawing ? StatusCode::ok : drawing.error().code;
    }
    /// The layer of a name; null if the drawing has none.
    [[nodiscard]] static const Layer* find(const Drawing& drawing, std::string_view name) {
        const auto found = std::find_if(drawing.layers.begin(), drawing.layers.end(),
                                        [&](const Layer& layer) { return layer.name == name; });
        return found == drawing.layers.end() ? nullptr : &*found;
    }

    haa::Index index_ = build(bend(), 2);
    haa::Searcher searcher_;
    haa::Answer abstract_;
    haa::Answer smoothed_;
    HaaPicture picture_;
};

TEST_F(HaaPictureTest, SvgIsTheSameEverywhere) {
    picture_.map.title = "Golden";
    const std::string svg = to_svg(draw_haa_figure(index_, picture_).value()).value();
    test::Hash hash;
    for (const char c : svg) hash.add(static_cast<unsigned char>(c));
    EXPECT_EQ(hash.text(), "ab3d41e23e4acc74") << svg;
}

TEST_F(HaaPictureTest, TheFigureHasFourPanels) {
    const Drawing figure = draw_haa_figure(index_, picture_).value();
    EXPECT_EQ(std::count_if(figure.layers.begin(), figure.layers.end(),
                            [](const Layer& layer) { return layer.name == "terrain"; }),
              4);
}

TEST_F(HaaPictureTest, EveryLayerCanBeDrawn) {
    picture_.layers.all_agents = true;
    picture_.layers.view.intra_edges = IntraEdges::all;
    const std::string all = svg();
    for (const char* layer :
         {"terrain",           "grid",         "clearance",     "footprints",    "footprint-ends",
          "clusters-1",        "clusters-2",   "entrances",     "intra-edges-1", "inter-edges-1",
          "other-inter-edges", "other-nodes",  "nodes-1",       "nodes-2",       "connections",
          "abstract-path",     "refined-path", "smoothed-path", "ends",          "labels"}) {
        EXPECT_THAT(all, HasSubstr(std::string("class=\"") + layer + '"'));
    }
}

TEST_F(HaaPictureTest, LayersCanBeLeftOut) {
    picture_.layers.view = {.lowest_level = 2,
                            .clusters = false,
                            .entrances = false,
                            .nodes = false,
                            .inter_edges = false,
                            .intra_edges = IntraEdges::none};
    picture_.layers.clearance = ClearanceStyle::none;
    picture_.layers.footprints = false;
    picture_.route->connections = picture_.route->corridor = false;
    picture_.route->abstract_path = picture_.route->refined_path = false;
    picture_.route->smoothed_path = false;
    const std::string few = svg();
    for (const char* layer : {"clusters", "entrances", "nodes", "inter-edges", "intra-edges",
                              "connections", "path", "clearance", "footprint", "other"}) {
        EXPECT_THAT(few, Not(HasSubstr(std::string("class=\"") + layer)));
    }
}

TEST_F(HaaPictureTest, TheFootprintCoversTheAgentsSizeAtEveryCell) {
    const Drawing drawing = draw_haa(index_, picture_).value();
    const Layer* layer = find(drawing, "footprints");
    ASSERT_NE(layer, nullptr);
    const auto& boxes = std::get<Boxes>(layer->shapes.front()).boxes;
    EXPECT_EQ(boxes.size(), smoothed_.cells.size());
    const double cell = drawing.layers.front().clip->width / bend().width;
    for (const Box& box : boxes) {
        EXPECT_DOUBLE_EQ(box.width, 2 * cell);
        EXPECT_DOUBLE_EQ(box.height, 2 * cell);
    }
}

TEST_F(HaaPictureTest, ClearancesAreNumbersWhereCellsAreLarge) {
    std::size_t enterable = 0;
    for (const std::uint8_t t : bend().terrain) enterable += t == '.' || t == 'T';
    EXPECT_EQ(find(draw_haa(index_, picture_).value(), "clearance")->shapes.size(), enterable);
    picture_.map.cell = 8;
    EXPECT_THAT(svg(), Not(HasSubstr("class=\"clearance\"")));
    EXPECT_THAT(svg(), HasSubstr("clearance 2; 3 is light"));
    picture_.layers.clearance = ClearanceStyle::numbers;
    EXPECT_THAT(svg(), HasSubstr("class=\"clearance\""));
}

TEST_F(HaaPictureTest, TheLegendTellsWhatTheAgentCanEnter) {
    EXPECT_THAT(svg(), HasSubstr(">trees<"));
    EXPECT_THAT(svg(), HasSubstr(">water (closed)<"));
    EXPECT_THAT(svg(), HasSubstr(">clearance below 2<"));
    picture_.route.reset();
    picture_.agent = {2, 1};
    EXPECT_THAT(svg(), HasSubstr(">water<"));
    EXPECT_THAT(svg(), HasSubstr(">ground (closed)<"));
    EXPECT_THAT(svg(), Not(HasSubstr("clearance below")));
}

TEST_F(HaaPictureTest, TheLegendTellsWhichCapabilityEdgesWereMadeFor) {
    picture_.layers.view.intra_edges = IntraEdges::all;
    const std::string own = svg();
    EXPECT_THAT(own, HasSubstr("intra-edges of ground+trees<"));
    EXPECT_THAT(own, Not(HasSubstr("intra-edges of ground<")));
    EXPECT_THAT(own, Not(HasSubstr("intra-edges of water<")));
    picture_.layers.all_agents = true;
    EXPECT_THAT(svg(), HasSubstr("intra-edges of water<"));
}

TEST_F(HaaPictureTest, EveryAgentAndPartOfTheMapCanBeDrawn) {
    picture_.route.reset();
    for (std::uint32_t number = 0; number < index_.map().classes(); ++number) {
        picture_.agent = index_.map().agent(number);
        for (const grid::Rect area : {grid::Rect{0, 0, 1, 1}, grid::Rect{15, 9, 1, 1},
                                      grid::Rect{4, 4, 2, 2}, grid::Rect{0, 0, 16, 10}}) {
            picture_.map.area = area;
            picture_.layers.all_agents = number % 2 == 0;
            EXPECT_EQ(error(), StatusCode::ok);
        }
    }
}

TEST(HaaPictureSizeTest, ManyCellsCanShareAPixel) {
    grid::GenerateOptions options;
    options.width = options.height = 200;
    grid::TerrainImage image = grid::generate(options).value();
    ASSERT_TRUE(grid::plant_trees(image, 20, 1).ok());
    const haa::Index index = build(image, 1);
    HaaPicture picture;
    picture.map.longest_side = 64;
    picture.layers.clearance = ClearanceStyle::shades;
    for (std::uint32_t number = 0; number < index.map().classes(); ++number) {
        picture.agent = index.map().agent(number);
        EXPECT_TRUE(draw_haa(index, picture));
    }
}

TEST_F(HaaPictureTest, BadOptionsAreRefused) {
    const HaaPicture good = picture_;
    picture_.agent = {3, 1};
    EXPECT_EQ(error(), StatusCode::bad_option);
    EXPECT_EQ(draw_haa_figure(index_, picture_).error().code, StatusCode::bad_option);
    picture_.agent = {0, 4};
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_ = good;
    picture_.layers.view.lowest_level = 3;
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_ = good;
    picture_.route->goal = {16, 0};
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_ = good;
    picture_.route.reset();
    EXPECT_EQ(draw_haa_figure(index_, picture_).error().code, StatusCode::bad_option);
}

TEST_F(HaaPictureTest, AnswersOfOtherAgentsAreRefused) {
    picture_.agent = {0, 1};
    EXPECT_EQ(error(), StatusCode::stale_index);
}

}  // namespace
}  // namespace cairn::render
