// Labels that take over the order of those from before an edit.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cairn/grid/dijkstra.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/snapshot.hpp"
#include "hpa/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using grid::MoveRules;
using grid::TerrainEdit;

const CutLabels& labels_of(const Index& index) { return index.snapshot().labels->labels; }

Index labelled(const Index& index) {
    BuildControl alone;
    alone.threads = 1;
    return index.with_labels(alone).value();
}

bool same_labels(const Index& a, const Index& b) {
    return std::ranges::equal(labels_of(a).arrays().entries, labels_of(b).arrays().entries) &&
           std::ranges::equal(labels_of(a).arrays().nodes, labels_of(b).arrays().nodes);
}

// Costs are those by the labels of an index built afresh, and paths are right.
void expect_fresh_answers(RandomCases& random, const Index& index, const Index& fresh) {
    Searcher searcher;
    Answer answer;
    Answer expected;
    for (int starts = 0; starts < 5; ++starts) {
        const grid::Point start = random.point(index.map());
        const std::vector<Cost> optimum = grid::dijkstra_distances(index.map(), start);
        for (int goals = 0; goals < 8; ++goals) {
            const grid::Point goal = random.point(index.map());
            const Query query = unsmoothed(start, goal, Engine::cut_labels);
            searcher.find(fresh, query, expected);
            searcher.find(index, query, answer);
            ASSERT_EQ(answer.status, expected.status) << describe(index, query);
            ASSERT_EQ(answer.cost, expected.cost) << describe(index, query);
            if (answer.status != StatusCode::ok && answer.status != StatusCode::no_path) continue;
            ASSERT_EQ(fault_of(index, query, answer, optimum[index.map().cell(goal)]), "")
                << describe(index, query);
        }
    }
}

class LabelsAfterEdit : public testing::TestWithParam<MoveRules> {};

TEST_P(LabelsAfterEdit, ChainsAnswerAsFreshOnes) {
    RandomCases random(140 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(40); maps > 0; --maps) {
        Options options = random.options();
        options.labels = true;
        Index index = build(random.map(random.size(64), GetParam()), options);
        for (int steps = 0; steps < 10; ++steps) {
            const double wear = labels_of(index).wear();
            for (int edits = random.number(1, 3); edits > 0; --edits)
                index = *index.edited(random.edits(index.map()));
            index = labelled(index);
            const Index fresh = build(index.map(), options);
            if (wear >= CutLabels::kWornOut) {
                EXPECT_EQ(labels_of(index).wear(), 1);
                EXPECT_TRUE(same_labels(index, fresh));
            }
            expect_fresh_answers(random, index, fresh);
            if (HasFatalFailure()) return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, LabelsAfterEdit, testing::ValuesIn(kAllRules), case_name);

// A map with labels and, of it, an edit that adds nodes.
struct Doors {
    Index index;
    Index edited;
    static Doors make() {
        const int side = 80;
        std::vector<std::uint8_t> terrain(static_cast<std::size_t>(side * side), '.');
        for (int row = 0; row < side; ++row) {
            if (row % 7 != 3) terrain[static_cast<std::size_t>(row * side + 39)] = '@';
        }
        const Index index = build(*grid::Map::create(side, side, terrain));
        const TerrainEdit edit{{39, 5, 1, 2}, '.'};
        return {index, *index.edited({&edit, 1})};
    }
};

TEST(LabelsAfterEditTest, TheOrderIsTakenOver) {
    const Doors doors = Doors::make();
    EXPECT_EQ(labels_of(doors.index).wear(), 1);
    EXPECT_NE(labels_of(labelled(doors.edited)).wear(), 1);
    const TerrainEdit none{{0, 0, 1, 1}, '.'};
    const Index later = *doors.edited.edited({&none, 1});
    EXPECT_TRUE(same_labels(labelled(later), labelled(doors.edited)));
}

TEST(LabelsAfterEditTest, TheOrderOfQuiteAnotherMapIsGivenUp) {
    const int side = 300;
    const std::vector<std::uint8_t> open(static_cast<std::size_t>(side * side), '.');
    const Index index = build(*grid::Map::create(side, side, open));
    for (const int border : {0, 25}) {  // what stays free between the two edits
        const grid::Rect most{border, border, side - border, side - border};
        const TerrainEdit full{most, '@'};
        const TerrainEdit empty{most, '.'};
        const Index bare = labelled(*index.edited({&full, 1}));
        const Index again = labelled(*bare.edited({&empty, 1}));
        EXPECT_TRUE(same_labels(again, index)) << border;
    }
}

TEST(LabelsAfterEditTest, LeavingLabelsOutGivesTheOrderUp) {
    const Doors doors = Doors::make();
    EXPECT_EQ(doors.edited.snapshot().earlier_labels, doors.index.snapshot().labels);
    EXPECT_EQ(labelled(doors.edited).snapshot().earlier_labels, nullptr);
    const Index bare = doors.edited.without_labels();
    EXPECT_EQ(bare.snapshot().earlier_labels, nullptr);
    EXPECT_TRUE(same_labels(labelled(bare), build(doors.edited.map())));
}

TEST(LabelsAfterEditTest, LabelsThatAreThereStay) {
    const Doors doors = Doors::make();
    EXPECT_EQ(labelled(doors.index).snapshot().labels, doors.index.snapshot().labels);
}

}  // namespace
}  // namespace cairn::hpa::test
