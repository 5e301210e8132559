// The abstractions are representationally complete: on 3 x 3 grids of ground, trees and obstacles
// every agent finds a path between two cells exactly if Dijkstra on the footprint does. A tenth of
// all grids at scale 1.

#include <gtest/gtest.h>

#include "haa/footprint.hpp"
#include "support/scale.hpp"

namespace cairn::haa::test {
namespace {

using grid::MoveRules;
using grid::Point;

constexpr int kSide = 3;
constexpr std::uint32_t kGrids = 19'683;  // 3^9

// The grid whose cells are the digits of `number` to the base 3.
grid::TerrainImage grid_image(std::uint32_t number) {
    grid::TerrainImage image{kSide, kSide, {}};
    for (int i = 0; i < kSide * kSide; ++i, number /= 3) {
        image.terrain.push_back(static_cast<std::uint8_t>(".T@"[number % 3]));
    }
    return image;
}

struct Case {
    MoveRules rules;
    Anchor anchor;
};

class HaaExhaustive : public testing::TestWithParam<Case> {
protected:
    static AnnotationOptions annotation() {
        AnnotationOptions options;
        options.capabilities = three_capabilities();
        options.max_size = kSide;
        options.rules = GetParam().rules;
        options.anchor = GetParam().anchor;
        return options;
    }

    // Options that vary with the number of the grid.
    static Options options(std::uint32_t number, Abstraction abstraction) {
        Options options;
        options.cluster_size = 2;
        options.levels = 1 + static_cast<int>(number % 2);
        options.abstraction = abstraction;
        options.transitions = static_cast<Transitions>(number / 2 % 4);
        options.wide_entrance = 2;
        options.shift = static_cast<int>(number / 8 % 3);
        return options;
    }

    // Finds paths between all anchors of an agent. `indexes` are the abstractions of one grid:
    // initial, high quality, low quality.
    void check_agent(const std::vector<Index>& indexes, const Footprint& footprint, Agent agent) {
        const std::vector<Point> anchors = footprint.anchors();
        for (const Point start : anchors) {
            const std::vector<Cost> optimum = footprint.distances(start);
            for (const Point goal : anchors) {
                Cost previous_cost = 0;
                for (const Index& index : indexes) {
                    const Query query = unsmoothed(agent, start, goal);
                    searcher_.find(index, query, answer_);
                    ASSERT_EQ(fault_of(footprint, query, answer_, optimum[footprint.index(goal)]),
                              "");
                    // Leaving out strongly dominated intra-edges changes no cost.
                    if (index.options().abstraction == Abstraction::high_quality) {
                        ASSERT_EQ(answer_.cost, previous_cost);
                    }
                    previous_cost = answer_.cost;
                }
            }
        }
    }

    void check_grid(std::uint32_t number) {
        const grid::TerrainImage image = grid_image(number);
        const AnnotationOptions annotation_options = annotation();
        const AnnotatedMap map = annotated_map(image, annotation_options);
        std::vector<Index> indexes;
        for (const auto abstraction :
             {Abstraction::initial, Abstraction::high_quality, Abstraction::low_quality}) {
            indexes.push_back(build(map, options(number, abstraction)));
        }
        for (const Agent agent : all_agents(map)) {
            check_agent(indexes, Footprint(image, annotation_options, agent), agent);
            if (HasFatalFailure()) return;
        }
    }

    Searcher searcher_;
    Answer answer_;
};

TEST_P(HaaExhaustive, EveryAgentFindsAPathWhereverThereIsOne) {
    const std::uint64_t stride = cairn::test::stride(0.1);
    for (std::uint64_t i = 0; i < kGrids; i += stride) {
        // Mixes dense and sparse grids. 6,700 and 3^9 have no common factor: each comes once.
        const auto number = static_cast<std::uint32_t>(i * 6'700 % kGrids);
        check_grid(number);
        ASSERT_FALSE(HasFatalFailure()) << "grid " << number;
    }
}

std::vector<Case> cases() {
    std::vector<Case> result;
    for (const Anchor anchor : {Anchor::top_left, Anchor::centred}) {
        result.push_back({{grid::Neighbourhood::four, grid::CornerRule::strict}, anchor});
        for (const auto corner :
             {grid::CornerRule::strict, grid::CornerRule::both_blocked, grid::CornerRule::free}) {
            result.push_back({{grid::Neighbourhood::eight, corner}, anchor});
        }
    }
    return result;
}

INSTANTIATE_TEST_SUITE_P(RulesAndAnchors, HaaExhaustive, testing::ValuesIn(cases()));

}  // namespace
}  // namespace cairn::haa::test
