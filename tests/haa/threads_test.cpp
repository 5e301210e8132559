// Threads answer queries for many agents while another thread edits the map and makes views with
// labels. The thread sanitizer runs these tests, too.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "haa/footprint.hpp"
#include "haa/random_agents.hpp"
#include "support/planner.hpp"
#include "support/published.hpp"

namespace cairn::haa::test {
namespace {

using cairn::test::Published;
using grid::Point;

class HaaThreads : public testing::Test {
protected:
    static AnnotatedMap map() {
        RandomAgents random(31);
        AnnotationOptions annotation;
        annotation.capabilities = three_capabilities();
        annotation.max_size = 3;
        return annotated_map(random.image({60, 60}), annotation);
    }
    // Room for a few views, so that some are dropped and made again.
    static Options options() {
        Options options;
        options.cluster_size = 6;
        options.levels = 2;
        options.view_bytes = 200'000;
        return options;
    }

    [[nodiscard]] Agent random_agent(RandomAgents& random) const {
        return agents_[static_cast<std::size_t>(
            random.number(0, static_cast<int>(agents_.size()) - 1))];
    }

    // Answers queries on the newest index, and counts answers that contradict its views.
    void read_until_done(std::uint64_t seed) {
        RandomAgents random(seed);
        Searcher searcher;
        Answer answer;
        while (!done_) {
            const Index index = published_.get();
            for (int i = 0; i < 5; ++i) {
                const Agent agent = random_agent(random);
                const auto view = index.view(agent);
                if (!view) {
                    ++faults_;
                    continue;
                }
                const Point start = random.point(view->map());
                Query query = unsmoothed(agent, start, random.point(view->map()));
                query.smoothing = hpa::Smoothing::straight_lines;
                searcher.find(index, query, answer);
                if ((view->reachable(query.start, query.goal) == StatusCode::ok) !=
                    (answer.status == StatusCode::ok)) {
                    ++faults_;
                }
                if (answer.snapshot_id != view->snapshot_id()) ++faults_;
                if (answer.status != StatusCode::ok) continue;
                ++answered_;
                if (grid::path_cost(view->map(), answer.cells) != answer.cost) ++faults_;
            }
        }
    }

    const Index first_ = build(map(), options());
    const std::vector<Agent> agents_ = all_agents(first_.map());
    Published<Index> published_{first_};
    std::atomic<bool> done_ = false;
    std::atomic<int> faults_ = 0;
    std::atomic<int> answered_ = 0;
};

TEST_F(HaaThreads, QueryWhileTheMapIsEditedAndViewsArePrepared) {
    std::vector<std::thread> readers;
    for (std::uint64_t i = 0; i < 3; ++i) {
        readers.emplace_back([this, i] { read_until_done(32 + i); });
    }
    RandomAgents random(36);
    Index index = first_;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    for (int edits = 0; std::chrono::steady_clock::now() < end; ++edits) {
        const grid::TerrainEdit edit{{random.number(0, 55), random.number(0, 55), 3, 4},
                                     static_cast<std::uint8_t>(".T@"[random.number(0, 2)])};
        index = *index.edited({&edit, 1});
        published_.set(index);
        const Agent agent = random_agent(random);
        if (edits % 3 == 2 && !index.with_labels({&agent, 1})) ++faults_;
    }
    done_ = true;
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(faults_, 0);
    EXPECT_GT(answered_, 0);
    EXPECT_TRUE(index == build(index.map(), options()));
}

// Several threads need the first view of a class at once.
TEST_F(HaaThreads, OneViewIsMadeForAllThreads) {
    Options roomy = options();
    roomy.view_bytes = std::uint64_t{1} << 30;
    for (int rounds = 0; rounds < 10; ++rounds) {
        const Index index = build(first_.map(), roomy);
        std::vector<const hpa::Snapshot*> snapshots(4);
        std::vector<std::thread> threads;
        for (auto& snapshot : snapshots) {
            threads.emplace_back([&] { snapshot = &index.view({2, 1})->snapshot(); });
        }
        for (std::thread& thread : threads) thread.join();
        for (const auto* snapshot : snapshots) EXPECT_EQ(snapshot, snapshots[0]);
    }
}

}  // namespace
}  // namespace cairn::haa::test
