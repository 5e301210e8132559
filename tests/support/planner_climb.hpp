#pragma once
// Tests of climbing, for any planner P on grids with labels (support/planner.hpp): it answers as
// labels do, also where only the closure of the labels is kept.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cairn/closure.hpp"
#include "cairn/control.hpp"
#include "support/planner.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::test {

/// The greatest number of ancestors of a node in a closure in a fresh order.
[[nodiscard]] inline int height(const Closure& closure) {
    int most = 0;
    for (const ClosureNode& node : closure.arrays().nodes) most = std::max<int>(most, node.depth);
    return most;
}

template <class P>
class PlannerClimb : public testing::Test {
protected:
    using Index = typename P::Index;
    using Query = typename P::Query;
    using Answer = typename P::Answer;

    /// A random index with labels.
    static Index labelled_index(typename P::Random& random) {
        for (;;) {
            const RandomMaps::Size size = random.size(80);
            auto index = P::any_index(random, P::any_map(random, size));
            if (index.has_labels()) return index;
        }
    }
    static Query with_engine(Query query, typename P::Engine engine) {
        query.engine = engine;
        return query;
    }
    /// Answers a query by labels and by climbing; the answers must be equal but for the engine.
    void expect_same(const Index& index, const Query& query) {
        searcher_.find(index, with_engine(query, P::kLabels), by_labels_);
        searcher_.find(index, with_engine(query, P::kClimb), by_climbing_);
        if (by_labels_.engine == P::kLabels) {
            ASSERT_EQ(by_climbing_.engine, P::kClimb);
            by_climbing_.engine = P::kLabels;
        }
        ASSERT_TRUE(P::essence(by_labels_) == P::essence(by_climbing_))
            << P::describe(index, query);
    }

    typename P::Searcher searcher_;
    Answer by_labels_;
    Answer by_climbing_;
};

TYPED_TEST_SUITE_P(PlannerClimb);

// With every detail and option, also with limits that refuse the path.
TYPED_TEST_P(PlannerClimb, AnswersAreThoseOfLabels) {
    using P = TypeParam;
    typename P::Random random(401);
    CancelFlag cancelled;
    cancelled.cancel();
    std::uint64_t searched = 0;
    for (auto maps = scaled(150); maps > 0 && !this->HasFailure(); --maps) {
        const auto index = this->labelled_index(random);
        ASSERT_TRUE(index.has_closure());
        const std::vector<grid::Point> points = free_points(index.map());
        if (points.empty()) continue;
        for (int i = 0; i < 60 && !this->HasFailure(); ++i) {
            const grid::Point start = random.one_of(points);
            const grid::Point goal =
                random.chance(90) ? random.one_of(points) : random.point(index.map());
            auto query = P::any_query(random, index, start, goal);
            query.nearest_reachable = random.chance(20);
            this->expect_same(index, query);
            if (this->by_labels_.engine == P::kLabels) ++searched;
            if (this->by_labels_.cost < kInfinity) {
                const auto less = static_cast<Cost>(random.number(0, 1));
                query.limits.max_cost = std::max(this->by_labels_.cost, less) - less;
                this->expect_same(index, query);
            }
            if (random.chance(10)) {
                query.limits.cancel = &cancelled;
                this->expect_same(index, query);
            }
        }
    }
    EXPECT_GT(searched, scaled(100));
}

TYPED_TEST_P(PlannerClimb, CostsAndNearestAreThoseOfLabels) {
    using P = TypeParam;
    typename P::Random random(402);
    for (auto maps = scaled(40); maps > 0 && !this->HasFailure(); --maps) {
        const auto index = this->labelled_index(random);
        auto query = any_query<P>(random, index);
        query.detail = decltype(query.detail)::path;
        const auto by_labels = this->with_engine(query, P::kLabels);
        const auto by_climbing = this->with_engine(query, P::kClimb);
        std::vector<grid::Point> goals;
        for (int i = 0; i < 10; ++i) goals.push_back(random.point(index.map()));
        std::vector<Cost> costs(goals.size());
        std::vector<Cost> climbed(goals.size());
        ASSERT_EQ(this->searcher_.costs(index, by_labels, goals, costs),
                  this->searcher_.costs(index, by_climbing, goals, climbed));
        ASSERT_EQ(costs, climbed) << P::describe(index, query);
        std::size_t nearest = 0;
        std::size_t climbed_to = 0;
        ASSERT_EQ(this->searcher_.find_nearest(index, by_labels, goals, this->by_labels_, nearest),
                  this->searcher_.find_nearest(index, by_climbing, goals, this->by_climbing_,
                                               climbed_to));
        ASSERT_EQ(nearest, climbed_to);
        ASSERT_EQ(this->by_labels_.cells, this->by_climbing_.cells) << P::describe(index, query);
    }
}

TYPED_TEST_P(PlannerClimb, BatchesAreThoseOfLabels) {
    using P = TypeParam;
    typename P::Random random(403);
    for (auto maps = scaled(20); maps > 0 && !this->HasFailure(); --maps) {
        const auto index = this->labelled_index(random);
        auto query = any_query<P>(random, index);
        query.detail = decltype(query.detail)::path;
        std::vector<grid::Request> requests;
        for (int i = 0; i < 40; ++i) {
            const grid::Point start = random.point(index.map());
            requests.push_back({start, random.point(index.map())});
        }
        typename P::BatchSearcher searcher;
        grid::Paths by_labels;
        grid::Paths by_climbing;
        BuildControl control;
        control.threads = 3;
        ASSERT_TRUE(searcher
                        .find_paths(index, requests, by_labels,
                                    this->with_engine(query, P::kLabels), {}, control)
                        .ok());
        ASSERT_TRUE(searcher
                        .find_paths(index, requests, by_climbing,
                                    this->with_engine(query, P::kClimb), {}, control)
                        .ok());
        ASSERT_EQ(by_labels.status, by_climbing.status) << P::describe(index, query);
        ASSERT_EQ(by_labels.cost, by_climbing.cost) << P::describe(index, query);
        for (std::size_t i = 0; i < requests.size(); ++i)
            ASSERT_TRUE(std::ranges::equal(by_labels.cells[i], by_climbing.cells[i]));
    }
}

TYPED_TEST_P(PlannerClimb, AnIndexWithoutRoomForLabelsClimbsByDefault) {
    using P = TypeParam;
    typename P::Random random(404);
    std::uint64_t climbed = 0;
    for (auto maps = scaled(30, 5); maps > 0 && !this->HasFailure(); --maps) {
        const RandomMaps::Size size{random.number(30, 70), random.number(30, 70)};
        const auto map = P::any_map(random, size);
        auto options = P::variant(random.number(0, 5));
        const auto index = P::build(map, options);
        options.label_bytes = 1;
        const auto tight = P::build(map, options);
        if (!index.has_labels() || tight.has_labels()) continue;  // no abstract nodes
        EXPECT_EQ(tight.labels_status().code, StatusCode::too_large);
        EXPECT_TRUE(tight.labels_status().message.ends_with("bytes are needed, 1 allowed"))
            << tight.labels_status().message;
        ASSERT_TRUE(tight.has_closure());
        // One of its own: both indexes have one snapshot id.
        typename P::Searcher tight_searcher;
        for (int i = 0; i < 30 && !this->HasFailure(); ++i) {
            auto query = any_query<P>(random, index);
            query.engine = P::kLabels;
            this->searcher_.find(index, query, this->by_labels_);
            EXPECT_EQ(tight_searcher.find(tight, query, this->by_climbing_),
                      StatusCode::unsupported);
            query.engine = P::Engine::automatic;
            tight_searcher.find(tight, query, this->by_climbing_);
            if (this->by_climbing_.engine != P::Engine::automatic) {
                ASSERT_EQ(this->by_climbing_.engine, P::kClimb);
                this->by_climbing_.engine = P::kLabels;
                ++climbed;
            }
            ASSERT_TRUE(P::essence(this->by_labels_) == P::essence(this->by_climbing_))
                << P::describe(index, query);
        }
    }
    EXPECT_GT(climbed, scaled(10, 0));
}

/// Where labels of all nodes would take too much room, pieces have none.
TYPED_TEST_P(PlannerClimb, PiecesWithoutLabelsChangeNoAnswer) {
    using P = TypeParam;
    typename P::Random random(406);
    std::uint64_t searched = 0;
    for (auto maps = scaled(30); maps > 0 && !this->HasFailure(); --maps) {
        const RandomMaps::Size size{random.number(60, 110), random.number(60, 110)};
        const auto map = P::any_map(random, size);
        auto options = P::variant(random.number(0, 5));
        const auto index = P::build(map, options);
        options.label_bytes = 1;
        const auto tight = P::build(map, options);
        if (!index.has_labels() || tight.has_labels()) continue;  // no abstract nodes
        // Enough for the largest pieces, or somewhat more.
        options.label_bytes = std::stoull(tight.labels_status().message.substr(12))
                              << random.number(0, 3);
        const auto pieced = P::build(map, options);
        ASSERT_TRUE(pieced.has_labels()) << pieced.labels_status().message;
        typename P::Searcher pieced_searcher;
        for (int i = 0; i < 60 && !this->HasFailure(); ++i) {
            auto query = any_query<P>(random, index);
            query.engine = P::kLabels;
            this->searcher_.find(index, query, this->by_labels_);
            query.engine = P::Engine::automatic;
            pieced_searcher.find(pieced, query, this->by_climbing_);
            if (this->by_labels_.engine == P::kLabels) ++searched;
            ASSERT_TRUE(P::essence(this->by_labels_) == P::essence(this->by_climbing_))
                << P::describe(index, query);
        }
    }
    EXPECT_GT(searched, scaled(100));
}

/// Where the tree is high, climbs assume a limit of the cost: too low a one, if walls force
/// detours.
TYPED_TEST_P(PlannerClimb, HighTreesChangeNoAnswer) {
    using P = TypeParam;
    typename P::Random random(407);
    for (const int wall_share : {10, 20}) {
        const grid::Map map = random.noise({460, 460}, wall_share);
        const std::vector<grid::Point> points = free_points(map);
        const auto index = P::build(map, P::variant(0));
        ASSERT_TRUE(index.has_labels()) << index.labels_status().message;
        if constexpr (requires { index.snapshot().labels.closure(); }) {
            EXPECT_GE(height(index.snapshot().labels.closure()), 340);
        } else if constexpr (requires { index.snapshot().labels->labels.closure(); }) {
            EXPECT_GE(height(index.snapshot().labels->labels.closure()), 340);
        }
        for (auto i = scaled(100, 20); i > 0 && !this->HasFailure(); --i) {
            auto query = P::any_query(random, index, random.one_of(points), random.one_of(points));
            this->expect_same(index, query);
        }
    }
}

TYPED_TEST_P(PlannerClimb, IsUnsupportedWithoutAClosure) {
    using P = TypeParam;
    typename P::Random random(405);
    const grid::Map map = random.noise({40, 40}, 10);
    const std::vector<grid::Point> points = free_points(map);
    const auto query = P::query(points.front(), points.back(), P::kClimb);
    auto options = P::variant(0);
    const auto index = P::build(map, options);
    EXPECT_EQ(answer_to<P>(index, query).status, StatusCode::ok);
    const grid::TerrainEdit edit{{20, 20, 2, 2}, '@'};
    const auto edited = *index.edited({&edit, 1});
    EXPECT_TRUE(edited.has_closure());
    EXPECT_EQ(answer_to<P>(edited, query).status, StatusCode::ok);
    const auto completed = P::with_labels(edited);
    EXPECT_TRUE(completed.has_closure());
    EXPECT_EQ(answer_to<P>(completed, query).status, StatusCode::ok);
    options.labels = false;
    const auto unlabelled = P::build(map, options);
    EXPECT_FALSE(unlabelled.has_closure());
    EXPECT_EQ(answer_to<P>(unlabelled, query).status, StatusCode::unsupported);
}

REGISTER_TYPED_TEST_SUITE_P(PlannerClimb, AnswersAreThoseOfLabels, CostsAndNearestAreThoseOfLabels,
                            BatchesAreThoseOfLabels, AnIndexWithoutRoomForLabelsClimbsByDefault,
                            PiecesWithoutLabelsChangeNoAnswer, HighTreesChangeNoAnswer,
                            IsUnsupportedWithoutAClosure);

}  // namespace cairn::test
