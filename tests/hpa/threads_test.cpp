// Threads that query while another edits and publishes. For the thread sanitizer, too.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/published.hpp"

namespace cairn::hpa::test {
namespace {

using Published = cairn::test::Published<Index>;
using grid::Map;
using grid::Point;

// Each reader has its own Searcher and checks its paths on the snapshot that it took.
void read_until(std::atomic<bool>& done, Published& published, std::uint64_t seed,
                std::atomic<int>& faults, std::atomic<int>& answered) {
    RandomCases random(seed);
    Searcher searcher;
    Answer answer;
    while (!done) {
        const Index index = published.get();
        for (int i = 0; i < 5; ++i) {
            Query query = random.query(index.map(), false);
            query.detail = Detail::path;
            searcher.find(index, query, answer);
            const bool reachable = index.reachable(query.start, query.goal);
            if (reachable != (answer.status == StatusCode::ok)) ++faults;
            if (answer.status != StatusCode::ok) continue;
            ++answered;
            if (answer.snapshot_id != index.snapshot_id() ||
                grid::path_cost(index.map(), answer.cells) != answer.cost)
                ++faults;
        }
    }
}

TEST(HpaThreads, QueryWhileTheMapIsEdited) {
    RandomCases random(71);
    Options options;
    options.levels = 3;
    options.cluster_size = 6;
    const Index first = build(random.map({60, 60}, {}), options);
    Published published(first);
    std::atomic<bool> done = false;
    std::atomic<int> faults = 0;
    std::atomic<int> answered = 0;
    std::vector<std::thread> readers;
    for (std::uint64_t i = 0; i < 3; ++i) {
        readers.emplace_back([&, i] { read_until(done, published, 72 + i, faults, answered); });
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    Index index = first;
    for (int edits = 0; std::chrono::steady_clock::now() < end; ++edits) {
        index = *index.edited(random.edits(index.map()));
        if (edits % 8 == 7) index = *index.with_labels();
        published.set(index);
    }
    done = true;
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(faults, 0);
    EXPECT_GT(answered, 0);
    EXPECT_TRUE(index == build(index.map(), options));
}

// One index, many readers, and a build beside them.
TEST(HpaThreads, ShareOneIndex) {
    RandomCases random(81);
    Options options;
    options.levels = 2;
    const Map map = random.map({80, 80}, {});
    const Index index = build(map, options);
    std::vector<Query> queries;
    std::vector<Answer> expected;
    for (int i = 0; i < 50; ++i) {
        queries.push_back(random.query(map, true));
        expected.push_back(answer_to(index, queries.back()));
    }
    std::atomic<int> faults = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            Searcher searcher;
            Answer answer;
            for (int round = 0; round < 5; ++round) {
                for (std::size_t q = 0; q < queries.size(); ++q) {
                    searcher.find(index, queries[q], answer);
                    if (answer.status != expected[q].status || answer.cost != expected[q].cost ||
                        answer.cells != expected[q].cells)
                        ++faults;
                }
            }
        });
    }
    const Index again = build(map, options);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(faults, 0);
    EXPECT_TRUE(again == index);
}

// Cancelled from another thread.
TEST(HpaThreads, CancelABuildAndAQuery) {
    const std::vector<std::uint8_t> terrain(600 * 600, '.');
    const Map map = *Map::create(600, 600, terrain);
    CancelFlag flag;
    cairn::BuildControl control;
    control.cancel = &flag;
    std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        flag.cancel();
    });
    const auto index = Index::build(map, {}, control);
    canceller.join();
    EXPECT_TRUE(index || index.error().code == StatusCode::cancelled);
}

}  // namespace
}  // namespace cairn::hpa::test
