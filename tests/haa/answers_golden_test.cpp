// Answers to seeded queries of many agents as hashes: the same for every compiler, optimisation
// level and machine. If an intended change alters them, put the hash that the failure prints here.

#include <gtest/gtest.h>

#include <ostream>

#include "haa/footprint.hpp"
#include "haa/random_agents.hpp"
#include "support/hash.hpp"

namespace cairn::haa::test {
namespace {

using cairn::test::Hash;

struct Golden {
    const char* name;
    Abstraction abstraction;
    Transitions transitions;
    Anchor anchor;
    bool weighted;
    const char* costs;  // hash of all statuses and costs
    const char* paths;  // hash of the cells of all paths
};
void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

const Golden kGolden[] = {
    {"initial", Abstraction::initial, Transitions::by_width, Anchor::top_left, false,
     "fca47c2b1cfc17b4", "692daa58e5798f7b"},
    {"high_quality", Abstraction::high_quality, Transitions::by_width, Anchor::top_left, true,
     "c9a726b44dc409b5", "18ac74eae821592c"},
    {"low_quality", Abstraction::low_quality, Transitions::every, Anchor::centred, false,
     "11284e096d3ac999", "d485368107496628"},
    {"best_clearance", Abstraction::high_quality, Transitions::best_clearance, Anchor::centred,
     true, "e93851a454ce9b68", "08bdadb65823272b"},
};

// Mostly ground, some trees, few obstacles.
Index index_of(const Golden& golden, RandomAgents& random) {
    AnnotationOptions annotation;
    annotation.capabilities = three_capabilities();
    if (golden.weighted) annotation.capabilities[2].weight[kTrees] = 3;
    annotation.max_size = 3;
    annotation.anchor = golden.anchor;
    grid::TerrainImage image{90, 70, std::vector<std::uint8_t>(6'300, '.')};
    for (std::uint8_t& t : image.terrain) {
        const int number = random.number(1, 100);
        if (number <= 12) t = number <= 3 ? '@' : 'T';
    }
    Options options;
    options.cluster_size = 10;
    options.abstraction = golden.abstraction;
    options.transitions = golden.transitions;
    options.levels = 2;
    return build(annotated_map(image, annotation), options);
}

class HaaGolden : public testing::TestWithParam<Golden> {};

TEST_P(HaaGolden, AnswersAreTheSameEverywhere) {
    RandomAgents random(2008);
    const Index index = index_of(GetParam(), random);
    Hash costs;
    Hash paths;
    Searcher searcher;
    Answer answer;
    for (const Agent agent : all_agents(index.map())) {
        const grid::Map map = *index.map().class_map(agent);
        if (agent.size != 2) {  // so views with labels and without are tested
            ASSERT_TRUE(index.with_labels({&agent, 1}).has_value());
        }
        for (int i = 0; i < 60; ++i) {
            const grid::Point start = random.point(map);
            searcher.find(index, unsmoothed(agent, start, random.point(map)), answer);
            costs.add(static_cast<std::uint64_t>(answer.status));
            costs.add(answer.cost);
            paths.add(answer.cells.size());
            for (const grid::Cell cell : answer.cells) paths.add(cell);
        }
    }
    EXPECT_EQ(costs.text(), GetParam().costs);
    EXPECT_EQ(paths.text(), GetParam().paths);
}

INSTANTIATE_TEST_SUITE_P(Cases, HaaGolden, testing::ValuesIn(kGolden),
                         [](const auto& golden) { return std::string(golden.param.name); });

}  // namespace
}  // namespace cairn::haa::test
