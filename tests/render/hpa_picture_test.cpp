// Pictures of HPA*: clusters, entrances, the abstract graph and a path.

#include "cairn/render/hpa_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/grid/generate.hpp"
#include "cairn/hpa/hpa.hpp"
#include "support/ascii_map.hpp"

namespace cairn::render {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The worked example of the HPA* paper with two levels, and its query.
class HpaPictureTest : public testing::Test {
protected:
    HpaPictureTest() {
        hpa::Query query;
        query.start = example_.start;
        query.goal = example_.goal;
        query.engine = hpa::Engine::levels;
        query.try_direct_line = false;
        searcher_.find(index_, query, smoothed_);
        query.smoothing = hpa::Smoothing::none;
        searcher_.find(index_, query, abstract_);
        picture_.route = HpaRoute{example_.start, example_.goal, &abstract_, &smoothed_};
    }

    static hpa::Index build(const grid::TerrainImage& image) {
        grid::MapOptions map;
        map.rules.neighbourhood = grid::Neighbourhood::four;
        hpa::Options options;
        options.cluster_size = 10;
        options.levels = 2;
        return hpa::Index::build(grid::make_map(image, map).value(), options).value();
    }
    [[nodiscard]] std::string svg() const {
        return to_svg(draw_hpa(index_, picture_).value()).value();
    }
    /// The code of the error of draw_hpa; ok without one.
    [[nodiscard]] StatusCode error() const {
        const auto drawing = draw_hpa(index_, picture_);
        return drawing ? StatusCode::ok : drawing.error().code;
    }

    grid::ExampleProblem example_ = grid::worked_example().value();
    hpa::Index index_ = build(example_.image);
    hpa::Searcher searcher_;
    hpa::Answer abstract_;
    hpa::Answer smoothed_;
    HpaPicture picture_;
};

/// The 64-bit FNV-1a hash.
std::uint64_t fnv(const std::string& bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

TEST(HpaPictureGoldenTest, SvgIsTheSameEverywhere) {
    const grid::Map map = test::ascii_map({
        "....@...3...",
        ".@@......@..",
        "....T.2.....",
        "..@....@@...",
        "..W.........",
        "......@.....",
        "@@.@@.@..@@@",
        "............",
    });
    hpa::Options options;
    options.cluster_size = 3;
    options.levels = 2;
    HpaPicture picture;
    picture.map.title = "Golden";
    picture.route = HpaRoute{{0, 0}, {11, 7}};
    const hpa::Index index = hpa::Index::build(map, options).value();
    const std::string svg = to_svg(draw_hpa_figure(index, picture).value()).value();
    EXPECT_EQ(fnv(svg), 13901753826195540061U) << svg;
}

TEST_F(HpaPictureTest, TheFigureHasFourPanels) {
    const Drawing figure = draw_hpa_figure(index_, picture_).value();
    EXPECT_EQ(std::count_if(figure.layers.begin(), figure.layers.end(),
                            [](const Layer& layer) { return layer.name == "terrain"; }),
              4);
}

TEST_F(HpaPictureTest, EveryLayerIsDrawn) {
    const std::string all = svg();
    for (const char* layer :
         {"terrain", "grid", "clusters-1", "clusters-2", "entrances", "intra-edges-1",
          "intra-edges-2", "inter-edges-1", "inter-edges-2", "nodes-1", "nodes-2", "connections",
          "abstract-path", "refined-path", "smoothed-path", "ends", "labels"}) {
        EXPECT_THAT(all, HasSubstr(std::string("class=\"") + layer + '"'));
    }
}

TEST_F(HpaPictureTest, LayersCanBeLeftOut) {
    picture_.layers = {.lowest_level = 2,
                       .clusters = false,
                       .entrances = false,
                       .nodes = false,
                       .inter_edges = false,
                       .intra_edges = IntraEdges::none};
    picture_.route->connections = picture_.route->corridor = false;
    picture_.route->abstract_path = picture_.route->refined_path = false;
    picture_.route->smoothed_path = false;
    const std::string few = svg();
    for (const char* layer :
         {"clusters", "entrances", "nodes", "inter-edges", "intra-edges", "connections", "path"}) {
        EXPECT_THAT(few, Not(HasSubstr(std::string("class=\"") + layer)));
    }
}

TEST_F(HpaPictureTest, SmallClustersAreDrawnOnlyOnRequest) {
    picture_.map.cell = 2;
    EXPECT_THAT(svg(), Not(HasSubstr("clusters-1")));
    picture_.layers.lowest_level = 1;
    EXPECT_THAT(svg(), HasSubstr("clusters-1"));
}

TEST_F(HpaPictureTest, PartsOfTheMapCanBeDrawn) {
    for (const grid::Rect area : {grid::Rect{0, 0, 1, 1}, grid::Rect{39, 39, 1, 1},
                                  grid::Rect{9, 9, 2, 2}, grid::Rect{3, 12, 30, 5}}) {
        picture_.map.area = area;
        EXPECT_EQ(error(), StatusCode::ok);
    }
}

TEST_F(HpaPictureTest, UnansweredQueriesShowTheirEnds) {
    abstract_.status = smoothed_.status = StatusCode::no_path;
    EXPECT_THAT(svg(), HasSubstr("ends"));
    picture_.route->abstract = picture_.route->smoothed = nullptr;
    EXPECT_THAT(svg(), HasSubstr("ends"));
}

TEST_F(HpaPictureTest, BadOptionsAreRefused) {
    const HpaPicture good = picture_;
    picture_.layers.lowest_level = 3;
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_.layers = {.lowest_level = 2, .highest_level = 1};
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_.layers = {.highest_level = -1};
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_ = good;
    picture_.route->goal = {40, 0};
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_ = good;
    picture_.map.cell = 99;
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_ = good;
    picture_.route.reset();
    EXPECT_EQ(draw_hpa_figure(index_, picture_).error().code, StatusCode::bad_option);
}

TEST_F(HpaPictureTest, AnswersOfOtherSnapshotsAreRefused) {
    const grid::TerrainEdit edit{{0, 0, 1, 1}, '@'};
    const hpa::Index edited = index_.edited({&edit, 1}).value();
    EXPECT_EQ(draw_hpa(edited, picture_).error().code, StatusCode::stale_index);
}

}  // namespace
}  // namespace cairn::render
