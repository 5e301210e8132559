// Searchers in several threads share an index, also while another thread edits it and publishes the
// result. Builds do not depend on the number of threads. Runs under the thread sanitizer, too.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "hna/verify.hpp"
#include "support/published.hpp"

namespace cairn::hna::test {
namespace {

Options small_clusters() {
    Options options;
    options.mu = 4;
    options.levels = 2;
    return options;
}

TEST(HnaThreads, SearchersShareOneIndexDuringABuild) {
    const Mesh mesh = large_mesh(3);
    const Index index = build(mesh, small_clusters());
    RandomMaps random(81);
    std::vector<Query> queries(60);
    std::vector<Answer> expected;
    expected.reserve(queries.size());
    for (Query& query : queries) {
        query = any_query(index, random);
        expected.push_back(answer_to(index, query));
    }
    std::atomic<int> wrong_answers = 0;
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            Searcher searcher;
            Answer answer;
            for (int round = 0; round < 5; ++round) {
                for (std::size_t q = 0; q < queries.size(); ++q) {
                    searcher.find(index, queries[q], answer);
                    if (essence(answer) != essence(expected[q])) ++wrong_answers;
                }
            }
        });
    }
    const auto built_meanwhile = Index::build(mesh, small_clusters());
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong_answers, 0);
    ASSERT_TRUE(built_meanwhile);
    EXPECT_TRUE(*built_meanwhile == index);
}

class HnaEditThreads : public testing::Test {
protected:
    /// A reader: has its own searcher, and checks each answer against the snapshot that it queried.
    void read_until_done(std::uint64_t seed) {
        RandomMaps random(seed);
        Searcher searcher;
        Answer answer;
        while (!done_) {
            const Index index = published_.get();
            for (int i = 0; i < 5; ++i) {
                Query query = any_query(index, random);
                query.detail = Detail::path;
                searcher.find(index, query, answer);
                if (answer.status == StatusCode::ok) ++answered_;
                if (answer.snapshot_id != index.snapshot_id() || !sound(index, answer)) ++faults_;
            }
        }
    }
    /// Whether the links of an ok answer cost what it says, and a no_path answer is right.
    static bool sound(const Index& index, const Answer& answer) {
        if (answer.status != StatusCode::ok)
            return answer.status != StatusCode::no_path ||
                   index.reachable(answer.start.polygon, answer.goal.polygon) != StatusCode::ok;
        return MeshDijkstra(index.mesh()).cost_of(answer.start, answer.goal, answer.links) ==
               answer.cost;
    }

    const Index first_ = build(large_mesh(5), small_clusters());
    cairn::test::Published<Index> published_{first_};
    std::atomic<bool> done_ = false;
    std::atomic<int> faults_ = 0;
    std::atomic<int> answered_ = 0;
};

TEST_F(HnaEditThreads, QueriesAreRightWhileTheMeshIsEdited) {
    std::vector<std::thread> readers;
    readers.reserve(3);
    for (std::uint64_t i = 0; i < 3; ++i) {
        readers.emplace_back([this, i] { read_until_done(72 + i); });
    }
    RandomMaps random(71);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(800);
    Index index = first_;
    for (int edits = 0; std::chrono::steady_clock::now() < end; ++edits) {
        index = index.edited(any_edits(index.mesh(), random, 3)).value();
        if (edits % 4 == 3) index = with_labels(index);
        published_.set(index);
    }
    done_ = true;
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(faults_, 0);
    EXPECT_GT(answered_, 0);
    EXPECT_TRUE(index == build(index.mesh(), index.options()));
}

TEST(HnaThreads, AnyNumberBuildsTheSameIndex) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = large_mesh(seed);
        const Options options = any_options(mesh, random);
        const Index alone = build(mesh, options);
        std::vector<Query> queries(10);
        for (Query& query : queries) query = any_query(alone, random);
        for (const int threads : {2, 8, 0}) {
            BuildControl control;
            control.threads = threads;
            const auto index = Index::build(mesh, options, control);
            ASSERT_TRUE(index);
            EXPECT_TRUE(*index == alone);
            EXPECT_EQ(index->snapshot_id(), alone.snapshot_id());
            for (const Query& query : queries)
                EXPECT_TRUE(essence(answer_to(*index, query)) == essence(answer_to(alone, query)));
        }
    }
}

// The build may end before it is cancelled.
TEST(HnaThreads, ABuildIsCancelledByAnotherThread) {
    const Mesh mesh = serpentine(400);
    CancelFlag flag;
    BuildControl control;
    control.cancel = &flag;
    std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        flag.cancel();
    });
    const auto index = Index::build(mesh, small_clusters(), control);
    canceller.join();
    EXPECT_TRUE(index || index.error().code == StatusCode::cancelled);
}

}  // namespace
}  // namespace cairn::hna::test
