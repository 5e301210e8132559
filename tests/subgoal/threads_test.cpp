// Threads that query while another edits and publishes. For the thread sanitizer, too.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "subgoal/verify.hpp"
#include "support/published.hpp"

namespace cairn::subgoal::test {
namespace {

using Published = cairn::test::Published<Index>;
using grid::Map;
using grid::Point;

// Each reader has its own Searcher and holds its answers against A* on the snapshot that it took.
void read_until(std::atomic<bool>& done, Published& published, std::uint64_t seed,
                std::atomic<int>& faults, std::atomic<int>& answered) {
    RandomMaps random(seed);
    Searcher searcher;
    Answer answer;
    while (!done) {
        const Index index = published.get();
        for (int i = 0; i < 5; ++i) {
            const Point start = random.point(index.map());
            Query query = query_of(start, random.point(index.map()));
            query.nearest_reachable = random.chance(10);
            searcher.find(index, query, answer);
            if (answer.snapshot_id != index.snapshot_id()) ++faults;
            if (answer.status != StatusCode::ok) continue;
            ++answered;
            if (grid::path_cost(index.map(), answer.cells) != answer.cost) ++faults;
            const Cost cost = answer.cost;
            query.engine = Engine::astar;
            searcher.find(index, query, answer);
            if (answer.cost != cost) ++faults;
        }
    }
}

TEST(SubgoalThreads, QueryWhileTheMapIsEdited) {
    RandomMaps random(71);
    const Index first = build(random.noise({60, 60}, 15), variant(2));
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
        if (edits % 4 == 3) index = *index.completed();
        published.set(index);
    }
    done = true;
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(faults, 0);
    EXPECT_GT(answered, 0);
    EXPECT_TRUE(index == build(index.map(), index.options()));
}

// One index, many readers, and a build beside them.
TEST(SubgoalThreads, ShareOneIndex) {
    RandomMaps random(81);
    const Map map = random.noise({100, 80}, 15);
    const Index index = build(map, variant(2));
    std::vector<Query> queries;
    std::vector<Answer> expected;
    for (int i = 0; i < 60; ++i) {
        const Point start = random.point(map);
        queries.push_back(query_of(start, random.point(map), kEngines[i % kEngines.size()]));
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
    const auto again = Index::build(map, variant(2));
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(faults, 0);
    ASSERT_TRUE(again);
    EXPECT_TRUE(*again == index);
}

// Cancelled from another thread.
TEST(SubgoalThreads, CancelABuild) {
    RandomMaps random(91);
    const Map map = random.noise({300, 300}, 20);
    CancelFlag flag;
    BuildControl control;
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
}  // namespace cairn::subgoal::test
