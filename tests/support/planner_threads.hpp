#pragma once
// Tests with several threads, for any planner P (support/planner.hpp): some query while another one
// edits and publishes, builds or cancels. The thread sanitizer runs them, too.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "support/planner.hpp"
#include "support/published.hpp"
#include "support/random_maps.hpp"

namespace cairn::test {

/// The number of a variant that has three levels with every planner.
inline constexpr int kThreeLevels = 4;

template <class P>
class PlannerThreads : public testing::Test {
protected:
    using Index = typename P::Index;

    /// The work of a reader: takes the newest snapshot, queries it with a searcher of its own and
    /// checks the answers against that snapshot.
    void read_until_done(std::uint64_t seed) {
        typename P::Random random(seed);
        typename P::Searcher searcher;
        typename P::Answer answer;
        while (!done_) {
            const Index index = published_.get();
            for (int i = 0; i < 5; ++i) {
                const grid::Point start = random.point(index.map());
                auto query = P::any_query(random, index, start, random.point(index.map()));
                query.detail = decltype(query.detail)::path;
                query.nearest_reachable = random.chance(10);
                searcher.find(index, query, answer);
                if (answer.snapshot_id != index.snapshot_id()) ++faults_;
                if (answer.status == StatusCode::ok) {
                    ++answered_;
                    if (grid::path_cost(index.map(), answer.cells) != answer.cost) ++faults_;
                }
                if (!P::agrees(index, searcher, query, answer)) ++faults_;
            }
        }
    }

    RandomMaps random_{71};
    const Index first_ = P::build(random_.noise({60, 60}, 15), P::variant(kThreeLevels));
    Published<Index> published_{first_};
    std::atomic<bool> done_ = false;
    std::atomic<int> faults_ = 0;
    std::atomic<int> answered_ = 0;
};

TYPED_TEST_SUITE_P(PlannerThreads);

TYPED_TEST_P(PlannerThreads, QueryWhileTheMapIsEdited) {
    std::vector<std::thread> readers;
    for (std::uint64_t i = 0; i < 3; ++i) {
        readers.emplace_back([this, i] { this->read_until_done(72 + i); });
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    auto index = this->first_;
    for (int edits = 0; std::chrono::steady_clock::now() < end; ++edits) {
        index = *index.edited(TypeParam::edits(this->random_, index));
        if (edits % 4 == 3) index = TypeParam::with_labels(index);
        this->published_.set(index);
    }
    this->done_ = true;
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(this->faults_, 0);
    EXPECT_GT(this->answered_, 0);
    EXPECT_TRUE(index == TypeParam::rebuilt(index));
}

// Several threads query one index while another index is built.
TYPED_TEST_P(PlannerThreads, ShareOneIndex) {
    using P = TypeParam;
    typename P::Random random(81);
    const grid::Map map = random.noise({100, 80}, 15);
    const auto index = P::build(map, P::variant(kThreeLevels));
    std::vector<typename P::Query> queries;
    std::vector<typename P::Answer> expected;
    for (int i = 0; i < 60; ++i) {
        queries.push_back(any_query<P>(random, index));
        expected.push_back(answer_to<P>(index, queries.back()));
    }
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            typename P::Searcher searcher;
            typename P::Answer answer;
            for (int round = 0; round < 5; ++round) {
                for (std::size_t q = 0; q < queries.size(); ++q) {
                    searcher.find(index, queries[q], answer);
                    if (P::essence(answer) != P::essence(expected[q])) ++this->faults_;
                }
            }
        });
    }
    const auto again = P::Index::build(map, P::variant(kThreeLevels));
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(this->faults_, 0);
    ASSERT_TRUE(again);
    EXPECT_TRUE(*again == index);
}

// The build may end before the other thread cancels it.
TYPED_TEST_P(PlannerThreads, CancelABuild) {
    const grid::Map map = this->random_.noise({500, 500}, 20);
    CancelFlag flag;
    BuildControl control;
    control.cancel = &flag;
    std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        flag.cancel();
    });
    const auto index = TypeParam::Index::build(map, {}, control);
    canceller.join();
    EXPECT_TRUE(index || index.error().code == StatusCode::cancelled);
}

REGISTER_TYPED_TEST_SUITE_P(PlannerThreads, QueryWhileTheMapIsEdited, ShareOneIndex, CancelABuild);

}  // namespace cairn::test
