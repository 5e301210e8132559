// Indexes of HPA* built with checkpoints: stopped at any of them and continued, and by a team.

#include "cairn/checkpoints.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "cairn/hpa/hpa.hpp"
#include "hpa/snapshot.hpp"
#include "support/checkpoint_stores.hpp"

namespace cairn::hpa {
namespace {

/// A map of many clusters with walls and single obstacles.
grid::Map large_map(std::uint32_t seed) {
    constexpr int kSide = 360;
    std::mt19937 random(seed);
    std::vector<std::uint8_t> cells(kSide * kSide, '.');
    for (std::uint8_t& cell : cells)
        if (random() % 9 == 0) cell = '@';
    for (int wall = 0; wall < 120; ++wall) {
        const auto at = random() % (kSide * (kSide - 30));
        for (std::size_t i = 0; i < 25; ++i) cells[at + i * (wall % 2 == 0 ? 1 : kSide)] = '@';
    }
    return grid::Map::create(kSide, kSide, cells).value();
}

Result<Index> build(const grid::Map& map, const Options& options, CheckpointStore* store,
                    const CancelFlag* cancel = nullptr) {
    BuildControl control;
    control.threads = 1;
    control.checkpoints = store;
    control.cancel = cancel;
    return Index::build(map, options, control);
}

void expect_same(const Index& a, const Index& b) {
    EXPECT_TRUE(a == b);
    ASSERT_EQ(a.has_closure(), b.has_closure());
    ASSERT_EQ(a.has_labels(), b.has_labels());
    if (!a.has_closure()) return;
    const ClosureArrays& x = a.snapshot().labels->labels.closure().arrays();
    const ClosureArrays& y = b.snapshot().labels->labels.closure().arrays();
    EXPECT_TRUE(std::ranges::equal(x.costs, y.costs));
    EXPECT_TRUE(std::ranges::equal(x.depths, y.depths));
    EXPECT_TRUE(std::ranges::equal(x.middles, y.middles));
    EXPECT_TRUE(std::ranges::equal(x.nodes, y.nodes));
}

/// Clusters of 8 give more than one checkpoint of clusters.
std::vector<Options> all_options() {
    Options small;
    small.cluster_size = 8;
    Options levels = small;
    levels.levels = 2;
    levels.move_tables = false;
    Options without_labels = small;
    without_labels.labels = false;
    return {small, levels, without_labels};
}

TEST(HpaCheckpoints, AStoppedBuildGoesOn) {
    const grid::Map map = large_map(1);
    for (const Options& options : all_options()) {
        const Index expected = build(map, options, nullptr).value();
        cairn::test::MemoryStore store;
        std::uint64_t stops = 0;
        for (;; ++stops) {
            CancelFlag cancel;
            store.cancel = &cancel;
            store.most_writes = store.writes + stops % 13;
            const auto built = build(map, options, &store, &cancel);
            if (!built) {
                ASSERT_EQ(built.error().code, StatusCode::cancelled);
                continue;
            }
            expect_same(*built, expected);
            break;
        }
        EXPECT_GT(stops, options.labels ? 10U : 0U);
        EXPECT_EQ(store.writes, store.kept.size());
    }
}

TEST(HpaCheckpoints, ThoseOfOtherMapsAndOptionsAreNotTaken) {
    cairn::test::MemoryStore store;
    for (const std::uint32_t seed : {1U, 2U}) {
        const grid::Map map = large_map(seed);
        for (const Options& options : all_options())
            expect_same(build(map, options, &store).value(), build(map, options, nullptr).value());
    }
}

TEST(HpaCheckpoints, DamagedOnesAreMadeAgain) {
    const grid::Map map = large_map(3);
    const Options options = all_options().front();
    cairn::test::MemoryStore whole;
    const Index expected = build(map, options, &whole).value();
    std::mt19937 random(1);
    for (int i = 0; i < 20; ++i) {
        cairn::test::MemoryStore store;
        store.kept = whole.kept;
        for (auto& [name, bytes] : store.kept)
            if (random() % 3 == 0) bytes.resize(random() % (bytes.size() + 1));
        const auto built = build(map, options, &store);
        ASSERT_TRUE(built);
        expect_same(*built, expected);
    }
}

TEST(HpaCheckpointsThreads, ATeamBuildsOneIndex) {
    const grid::Map map = large_map(4);
    for (const Options& options : all_options()) {
        const Index expected = build(map, options, nullptr).value();
        cairn::test::MemoryStore shared;
        cairn::test::MeetingPlace place(3);
        std::vector<Result<Index>> built(3, fail(StatusCode::unsupported));
        std::vector<std::thread> processes;
        for (int rank = 0; rank < 3; ++rank) {
            processes.emplace_back([&, rank] {
                cairn::test::TeamStore own(shared, place, rank, 3);
                built[static_cast<std::size_t>(rank)] = build(map, options, &own);
            });
        }
        for (std::thread& process : processes) process.join();
        for (const auto& index : built) {
            ASSERT_TRUE(index);
            expect_same(*index, expected);
        }
        EXPECT_EQ(shared.writes, shared.kept.size());
    }
}

TEST(HpaCheckpoints, IndexesUnderOtherCostsHaveTheirOwn) {
    const grid::Map map = large_map(5);
    const Options options = all_options().front();
    cairn::test::MemoryStore store;
    const Index index = build(map, options, &store).value();
    grid::TerrainWeights weights = grid::TerrainWeights::movingai();
    weights.weight['.'] = 3;
    BuildControl control;
    control.threads = 1;
    const Index expected = index.with_costs(weights, control).value();
    control.checkpoints = &store;
    for (int i = 0; i < 2; ++i) expect_same(index.with_costs(weights, control).value(), expected);
}

}  // namespace
}  // namespace cairn::hpa
