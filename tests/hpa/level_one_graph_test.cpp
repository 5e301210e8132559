// The graph of level 1 after edits: numbers that stay, arcs, and which arcs an edit changed.

#include <gtest/gtest.h>

#include "grid/map_checks.hpp"
#include "hpa/level_one_graphs.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using cairn::test::small_map;
using grid::Map;
using grid::MoveRules;
using grid::TerrainEdit;

// A snapshot after an edit, as Index::edited makes it.
Reassembled edited(const Snapshot& before, std::span<const TerrainEdit> edits) {
    return reassemble(before, *before.overlay.base.map.edited(edits),
                      grid::edited_id(before.id, edits),
                      clusters_around(before.overlay.base.partition, edits), from_entrances)
        .value();
}

// The arcs of a snapshot as they were when it was made, to find out whether they stay.
struct Kept {
    Index index;
    ArcLists arcs;
};

class LevelOneGraphs : public testing::TestWithParam<MoveRules> {
protected:
    // Small clusters, in which many edits change only the cost of an inter-edge, in half of all
    // cases. The others have any size.
    static Options any_options(RandomCases& random) {
        Options options = random.options();
        if (random.chance(50)) options.cluster_size = random.number(2, 3);
        options.labels = false;
        return options;
    }
};

TEST_P(LevelOneGraphs, AfterSequencesOfEditsEqualThoseFromScratch) {
    RandomCases random(160 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const Options options = any_options(random);
        Index index = build(random.map(random.size(40), GetParam()), options);
        ASSERT_TRUE(index.snapshot().nodes.from_scratch());
        std::vector<Kept> kept;
        for (int steps = 0; steps < 10; ++steps) {
            kept.push_back({index, arcs_of(index.snapshot())});
            if (random.chance(10)) index = with_labels(index);
            const std::vector<TerrainEdit> edits = random.edits(index.map());
            const Reassembled after = edited(index.snapshot(), edits);
            ASSERT_EQ(edit_fault(index.snapshot(), after), "") << describe(index, {});
            index = Index(after.snapshot);
            const Index fresh = build(index.map(), options);
            ASSERT_EQ(graph_fault(index.snapshot(), fresh.snapshot()), "") << describe(index, {});
        }
        for (const Kept& old : kept) ASSERT_TRUE(arcs_of(old.index.snapshot()) == old.arcs);
    }
}

// Labels over numbers that edits kept give the costs of labels over numbers from scratch.
TEST_P(LevelOneGraphs, LabelsOverKeptNumbersGiveTheSameCosts) {
    RandomCases random(170 + static_cast<std::uint64_t>(GetParam().corner));
    Searcher searcher;
    Answer answer;
    Answer expected;
    for (auto maps = cairn::test::scaled(40); maps > 0; --maps) {
        Index index = build(random.map(random.size(40), GetParam()), any_options(random));
        for (int steps = 0; steps < 4; ++steps) index = *index.edited(random.edits(index.map()));
        const Index labelled = with_labels_as_numbered(index);
        const Index compact = with_labels(index);
        for (int i = 0; i < 30; ++i) {
            const Query query = random.query(index.map(), true);
            searcher.find(compact, query, expected);
            searcher.find(labelled, query, answer);
            ASSERT_EQ(answer.status, expected.status) << describe(index, query);
            ASSERT_EQ(answer.abstract_cost, expected.abstract_cost) << describe(index, query);
            if (query.detail != Detail::path || answer.status != StatusCode::ok) continue;
            ASSERT_EQ(grid::path_cost(index.map(), answer.cells), answer.cost)
                << describe(index, query);
        }
    }
}

// All edits of one cell of a share of all grids of 4 x 4 cells.
TEST_P(LevelOneGraphs, AfterEditsOfSmallGridsEqualThoseFromScratch) {
    Options options;
    options.cluster_size = 2;
    options.levels = 2;
    options.labels = false;
    const std::uint64_t stride = cairn::test::stride(0.01);
    for (std::uint64_t i = 0; i < 1U << 16; i += stride) {
        const auto free = static_cast<std::uint32_t>(i * 0x9E37'79B1 % (1U << 16));
        const Index index = build(small_map(4, 4, free, GetParam()), options);
        for (int cell = 0; cell < 16; ++cell) {
            const std::uint32_t now = free ^ 1U << cell;
            const TerrainEdit edit{{cell % 4, cell / 4, 1, 1},
                                   static_cast<std::uint8_t>(now >> cell & 1)};
            const Reassembled after = edited(index.snapshot(), {&edit, 1});
            ASSERT_EQ(edit_fault(index.snapshot(), after), "") << free << ' ' << cell;
            const Index fresh = build(small_map(4, 4, now, GetParam()), options);
            ASSERT_EQ(graph_fault(*after.snapshot, fresh.snapshot()), "") << free << ' ' << cell;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, LevelOneGraphs, testing::ValuesIn(kAllRules), case_name);

// A wall of 40 cells is opened and closed: the numbers of its nodes come out of use again and
// again.
TEST(LevelOneNodesTest, NumbersDoNotPileUp) {
    Options options;
    options.labels = false;
    Index index = build(*Map::create(40, 40, std::vector<std::uint8_t>(1600, '.')), options);
    int renumbered = 0;
    for (int i = 0; i < 2000; ++i) {
        const TerrainEdit wall{{19, 0, 1, 40}, static_cast<std::uint8_t>(i % 2 == 0 ? '@' : '.')};
        index = index.edited({&wall, 1}).value();
        renumbered += index.snapshot().nodes.from_scratch() ? 1 : 0;
        EXPECT_LT(index.snapshot().nodes.size(), 2 * index.snapshot().nodes.count() + 5000);
    }
    EXPECT_GT(renumbered, 1);
    EXPECT_EQ(graph_fault(index.snapshot(), build(index.map(), options).snapshot()), "");
}

TEST(LevelOneNodesTest, LabelsNumberTheNodesFromScratch) {
    Options options;
    options.cluster_size = 10;
    options.labels = false;
    const Index index = build(*Map::create(40, 40, std::vector<std::uint8_t>(1600, '.')), options);
    const TerrainEdit block{{8, 8, 4, 4}, '@'};
    const Index blocked = *index.edited({&block, 1});
    EXPECT_FALSE(blocked.snapshot().nodes.from_scratch());
    const Index labelled = with_labels(blocked);
    EXPECT_TRUE(labelled.snapshot().nodes.from_scratch());
    EXPECT_EQ(labelled.snapshot().nodes.size(), blocked.snapshot().nodes.count());
    EXPECT_LT(labelled.snapshot().nodes.size(), blocked.snapshot().nodes.size());
}

}  // namespace
}  // namespace cairn::hpa::test
