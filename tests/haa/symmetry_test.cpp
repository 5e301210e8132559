// Rotated and mirrored maps. A path joins the images of two anchors exactly if one joins the
// anchors on the map. Costs need not be equal (hpa/symmetry_test.cpp), unless the clusters divide
// the map evenly, every tile of an entrance is a transition, and the anchor is the centre of the
// agent.

#include <gtest/gtest.h>

#include <algorithm>

#include "haa/footprint.hpp"
#include "haa/random_agents.hpp"
#include "support/scale.hpp"

namespace cairn::haa::test {
namespace {

using cairn::test::transformed;
using grid::Point;

struct Symmetry {
    int turns;  // quarter turns clockwise
    bool mirrored;

    [[nodiscard]] grid::TerrainImage image(const grid::TerrainImage& image) const {
        const grid::Map map = transformed(cells_of(image), turns, mirrored);
        grid::TerrainImage result{map.width(), map.height(), {}};
        for (grid::Cell c = 0; c < map.size(); ++c) result.terrain.push_back(map.terrain(c));
        return result;
    }
    /// The anchor from which an agent covers the image of what it covers from `anchor`.
    [[nodiscard]] Point anchor(const grid::TerrainImage& image, const AnnotatedMap& map, int size,
                               Point anchor) const {
        const grid::Rect covered = map.footprint(size, anchor);
        // The images of two opposite corners of the footprint give the footprint's image.
        const grid::Map cells = cells_of(image);
        const Point a = transformed(cells, {covered.x, covered.y}, turns, mirrored);
        const Point last{covered.x + size - 1, covered.y + size - 1};
        const Point b = transformed(cells, last, turns, mirrored);
        return {std::min(a.x, b.x) + anchor.x - covered.x,
                std::min(a.y, b.y) + anchor.y - covered.y};
    }

private:
    // The terrain as a plain map, for `transformed`.
    static grid::Map cells_of(const grid::TerrainImage& image) {
        return *grid::Map::create(image.width, image.height, image.terrain);
    }
};

// Calls check(symmetry, index, index of the image, agent, its anchors) for every agent and each of
// the seven symmetries but the identity.
template <class Check>
void for_each_image(const grid::TerrainImage& terrain, const AnnotationOptions& annotation,
                    const Options& options, Check&& check) {
    const Index index = build(annotated_map(terrain, annotation), options);
    for (int number = 1; number < 8; ++number) {
        const Symmetry symmetry{number % 4, number >= 4};
        const Index image = build(annotated_map(symmetry.image(terrain), annotation), options);
        for (const Agent agent : all_agents(index.map())) {
            const std::vector<Point> anchors = Footprint(terrain, annotation, agent).anchors();
            if (!anchors.empty()) check(symmetry, index, image, agent, anchors);
        }
    }
}

TEST(HaaSymmetry, PathsAreFoundOnEveryImage) {
    RandomAgents random(41);
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(20); maps > 0; --maps) {
        const grid::TerrainImage terrain = random.image(random.size(24));
        const AnnotationOptions annotation = random.agents(4);
        for_each_image(
            terrain, annotation, random.options(),
            [&](const Symmetry& symmetry, const Index& index, const Index& image, Agent agent,
                const std::vector<Point>& anchors) {
                const Footprint footprint(terrain, annotation, agent);
                const grid::TerrainImage image_terrain = symmetry.image(terrain);
                const Footprint image_footprint(image_terrain, annotation, agent);
                const Point start = random.one_of(anchors);
                const std::vector<Cost> optimum = footprint.distances(start);
                for (int i = 0; i < 3; ++i) {
                    const Point goal = random.one_of(anchors);
                    const auto image_of = [&](Point p) {
                        return symmetry.anchor(terrain, index.map(), agent.size, p);
                    };
                    const Query query = unsmoothed(agent, image_of(start), image_of(goal));
                    searcher.find(image, query, answer);
                    ASSERT_EQ(
                        fault_of(image_footprint, query, answer, optimum[footprint.index(goal)]),
                        "");
                }
            });
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(HaaSymmetry, CostsAreEqualWhereEveryTileIsATransition) {
    RandomAgents random(42);
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(20); maps > 0; --maps) {
        Options options = random.options();
        options.abstraction = static_cast<Abstraction>(random.number(0, 1));
        options.transitions = Transitions::every;
        const int columns = random.number(1, 4);
        const grid::TerrainImage terrain = random.image(
            {options.cluster_size * columns, options.cluster_size * random.number(1, 4)});
        AnnotationOptions annotation = random.agents(5);
        annotation.anchor = Anchor::centred;
        for_each_image(terrain, annotation, options,
                       [&](const Symmetry& symmetry, const Index& index, const Index& image,
                           Agent agent, const std::vector<Point>& anchors) {
                           if (agent.size % 2 == 0) return;  // its anchor is beside its centre
                           for (int i = 0; i < 4; ++i) {
                               const Point start = random.one_of(anchors);
                               const Point goal = random.one_of(anchors);
                               const auto image_of = [&](Point p) {
                                   return symmetry.anchor(terrain, index.map(), agent.size, p);
                               };
                               searcher.find(index, unsmoothed(agent, start, goal), answer);
                               const Cost cost = answer.cost;
                               searcher.find(image,
                                             unsmoothed(agent, image_of(start), image_of(goal)),
                                             answer);
                               ASSERT_EQ(answer.cost, cost);
                           }
                       });
        if (testing::Test::HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace cairn::haa::test
