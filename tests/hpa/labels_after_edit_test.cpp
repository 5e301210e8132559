// HPA* indexes after edits: the closure is repaired, and labels take over its order.

#include <gtest/gtest.h>

#include <vector>

#include "hpa/label_checks.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using grid::MoveRules;
using grid::TerrainEdit;

class LabelsAfterEdit : public testing::TestWithParam<MoveRules> {};

TEST_P(LabelsAfterEdit, InheritedOverManyEditsGiveTheCostsOfFreshOnes) {
    RandomCases random(140 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(40); maps > 0; --maps) {
        Options options = random.options();
        options.labels = true;
        Index index = build(random.map(random.size(64), GetParam()), options);
        for (int steps = 0; steps < 10; ++steps) {
            for (int edits = random.number(1, 3); edits > 0; --edits)
                index = *index.edited(random.edits(index.map()));
            ASSERT_TRUE(index.has_closure());
            const Index climbing = index;
            const double wear = labels_of(index).closure().wear();
            index = with_labels(index);
            const Index fresh = build(index.map(), options);
            if (wear >= Closure::kWornOut) {
                EXPECT_TRUE(same_labels(index, fresh));
            } else {
                expect_equal_answers(random, climbing, index);
            }
            expect_fresh_answers(random, index, fresh);
            if (HasFatalFailure()) return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, LabelsAfterEdit, testing::ValuesIn(kAllRules), case_name);

// Two rooms, divided by a wall with several doors; and an edit that adds another door, and so
// nodes.
struct Doors {
    Index index;   // with labels
    Index edited;  // without labels
    static Doors make() {
        const int side = 80;
        std::vector<std::uint8_t> terrain(static_cast<std::size_t>(side * side), '.');
        for (int row = 0; row < side; ++row) {
            const bool door = row % 7 == 3;
            if (!door) terrain[static_cast<std::size_t>(row * side + 39)] = '@';
        }
        Options options;
        options.cluster_size = 10;
        options.transitions = Transitions::by_width;
        const Index index = build(*grid::Map::create(side, side, terrain), options);
        const TerrainEdit edit{{39, 5, 1, 2}, '.'};
        return {index, *index.edited({&edit, 1})};
    }
};

// A wear other than 1 shows an inherited order.
TEST(LabelsAfterEditTest, TheOrderIsInheritedOverEdits) {
    const Doors doors = Doors::make();
    EXPECT_EQ(labels_of(doors.index).closure().wear(), 1);
    EXPECT_NE(labels_of(with_labels(doors.edited)).closure().wear(), 1);
    const TerrainEdit no_change{{0, 0, 1, 1}, '.'};
    const Index edited_twice = *doors.edited.edited({&no_change, 1});
    EXPECT_TRUE(same_labels(with_labels(edited_twice), with_labels(doors.edited)));
}

// An open map is filled with obstacles, labelled, and cleared again. The order of the few
// remaining nodes would give labels that are too large, so fresh labels are built.
TEST(LabelsAfterEditTest, AnOrderThatNoLongerFitsIsDropped) {
    const int side = 300;
    const std::vector<std::uint8_t> open(static_cast<std::size_t>(side * side), '.');
    const Index index = build(*grid::Map::create(side, side, open));
    for (const int margin : {0, 25}) {  // rows and columns that stay free, at the top and left edge
        const grid::Rect area{margin, margin, side - margin, side - margin};
        const TerrainEdit fill{area, '@'};
        const TerrainEdit clear{area, '.'};
        const Index filled = with_labels(*index.edited({&fill, 1}));
        const Index cleared = with_labels(*filled.edited({&clear, 1}));
        EXPECT_TRUE(same_labels(cleared, index)) << margin;
    }
}

TEST(LabelsAfterEditTest, WithoutLabelsDropsTheOrder) {
    const Doors doors = Doors::make();
    EXPECT_TRUE(doors.edited.has_closure());
    const Index without_order = doors.edited.without_labels().value();
    EXPECT_FALSE(without_order.has_closure());
    EXPECT_TRUE(
        same_labels(with_labels(without_order), build(doors.edited.map(), doors.edited.options())));
}

TEST(LabelsAfterEditTest, WithLabelsKeepsLabelsThatExist) {
    const Doors doors = Doors::make();
    EXPECT_EQ(with_labels(doors.index).snapshot().labels, doors.index.snapshot().labels);
}

}  // namespace
}  // namespace cairn::hpa::test
