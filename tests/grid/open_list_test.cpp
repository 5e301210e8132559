// The open lists and the labels of A* on cells.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/open_heap.hpp"
#include "grid/open_buckets.hpp"
#include "grid/search_labels.hpp"
#include "support/scale.hpp"

namespace cairn::grid {
namespace {

// Pushes and pops as a search with a consistent heuristic does: no f pushed is below the last f
// popped, or above it by more than `span`. Every entry is a new cell.
template <class Queue>
void expect_least_first(Queue& queue, Cost first, Cost span, std::mt19937& random) {
    std::multimap<Cost, Cell> expected;
    std::map<Cell, Cost> f_of;
    Cell next = 0;
    Cost last_f = first;
    const auto push = [&](Cost f) {
        queue.push(next, f, f % 7);
        expected.emplace(f, next);
        f_of[next++] = f;
    };
    push(first);
    for (int step = 0; step < 3000 && !expected.empty(); ++step) {
        Cell cell = 0;
        ASSERT_EQ(queue.size(), expected.size());
        ASSERT_LE(queue.least_f(), expected.begin()->first);
        ASSERT_TRUE(queue.pop(cell));
        ASSERT_EQ(f_of[cell], expected.begin()->first);
        last_f = f_of[cell];
        const auto [low, high] = expected.equal_range(last_f);
        const auto entry = std::find_if(low, high, [&](auto& e) { return e.second == cell; });
        ASSERT_NE(entry, high) << "popped twice";
        expected.erase(entry);
        for (auto pushes = random() % 4; pushes > 0 && step < 2000; --pushes) {
            push(last_f + static_cast<Cost>(random()) % (span + 1));
        }
    }
    Cell cell = 0;
    EXPECT_EQ(queue.pop(cell), !expected.empty());
}

TEST(OpenListTest, PopsTheLeastFFirst) {
    std::mt19937 random(5);
    OpenHeap heap;
    OpenBuckets buckets;
    for (std::uint64_t round = 0; round < cairn::test::scaled(4); ++round) {
        for (const Cost span : {0U, 1U, 63U, 1154U, 4095U, 4096U, 70'000U, OpenBuckets::kMaxSpan}) {
            const Cost first = static_cast<Cost>(random()) % 1'000'000;
            heap.clear();
            expect_least_first(heap, first, span, random);
            buckets.reset(first, span);  // often the round before has left entries
            expect_least_first(buckets, first, span, random);
        }
    }
}

TEST(OpenListTest, TheHeapPrefersLargeGOfEqualF) {
    OpenHeap heap;
    for (const Cost g : {3U, 9U, 1U, 7U, 5U}) heap.push(g, 100, g);
    Cell cell = 0;
    for (const Cell expected : {9U, 7U, 5U, 3U, 1U}) {
        ASSERT_TRUE(heap.pop(cell));
        EXPECT_EQ(cell, expected);
    }
    EXPECT_FALSE(heap.pop(cell));
    EXPECT_FALSE(heap.pop(cell));
}

TEST(SearchLabelsTest, ANewSearchForgetsAllLabels) {
    SearchLabels labels;
    labels.begin(4);
    EXPECT_TRUE(labels.improves(2, kInfinity - 1));
    labels.set(2, 100, kSouth);
    EXPECT_FALSE(labels.improves(2, 100));
    EXPECT_TRUE(labels.improves(2, 99));
    EXPECT_EQ(labels.g(2), 100U);
    EXPECT_EQ(labels.direction(2), unsigned{kSouth});
    EXPECT_TRUE(labels.close(2));
    EXPECT_FALSE(labels.close(2));
    EXPECT_EQ(labels.g(2), 100U);
    EXPECT_FALSE(labels.improves(2, 100));
    labels.set(2, 99, SearchLabels::kStart);
    EXPECT_TRUE(labels.close(2));
    EXPECT_EQ(labels.direction(2), SearchLabels::kStart);

    // begin() counts down a stamp of 28 bits. When it runs out, begin() clears the labels.
    for (std::uint32_t i = 0; i < (1U << 28) - 2; ++i) labels.begin(4);
    labels.set(1, 0, kEast);
    labels.begin(4);
    EXPECT_TRUE(labels.improves(1, kInfinity - 1));
    EXPECT_TRUE(labels.improves(2, kInfinity - 1));
    labels.set(1, 7, kEast);
    labels.begin(8);
    for (Cell c = 0; c < 8; ++c) EXPECT_TRUE(labels.improves(c, kInfinity - 1));
}

}  // namespace
}  // namespace cairn::grid
