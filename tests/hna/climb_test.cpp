// The engine `climb`, which answers from the closure of the labels: the same answers as the engine
// `cut_labels`, also where the labels themselves would pass their limit of bytes.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "hna/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

/// The same index but for its labels, which may take `bytes`.
Index with_label_bytes(const Index& index, std::uint64_t bytes) {
    Options options = index.options();
    options.label_bytes = bytes;
    return build(index.mesh(), options);
}
Index with_closure_only(const Index& index) { return with_label_bytes(index, 1); }

/// The same index, but pieces have no labels; with all labels if the graph is too small for that.
Index with_pieces(const Index& index) {
    if (!index.has_labels()) return index;
    const std::size_t bytes = index.statistics().value().label_bytes;
    return with_label_bytes(index, bytes > 1 ? bytes - 1 : 1);
}

class HnaClimbTest : public testing::Test {
protected:
    /// Expects that climbing gives the answers of labels to random queries, with and without the
    /// labels in the index. Several queries in a row share a goal.
    void check(const Mesh& mesh, std::uint64_t seed, int queries) {
        RandomMaps random(seed);
        Options options = any_options(mesh, random);
        options.labels = true;
        options.label_bytes = Options().label_bytes;
        const Index index = build(mesh, options);
        ASSERT_TRUE(index.has_labels());
        ASSERT_TRUE(index.has_closure());
        directed_ += mesh.directed() ? 1 : 0;
        const Index without = with_closure_only(index);
        // Without inter-edges labels take no bytes.
        ASSERT_EQ(without.has_labels(), index.statistics().value().label_bytes == 0);
        const Index pieced = with_pieces(index);
        pieced_ += pieced.has_labels() && pieced.statistics().value().label_piece > 0 ? 1 : 0;
        Place goal{};
        for (int i = 0; i < queries; ++i) {
            Query query = any_query(index, random);
            if (i % 3 != 0) query.goal = goal;
            goal = query.goal;
            query.detail = static_cast<Detail>(random.number(0, 4));
            if (random.chance(20))
                query.limits.max_cost = static_cast<Cost>(3 * mesh.units_per_length());
            query.engine = Engine::cut_labels;
            by_labels_.find(index, query, expected_);
            query.engine = Engine::climb;
            by_climbing_.find(index, query, answer_);
            ASSERT_TRUE(essence(answer_) == essence(expected_)) << seed << describe(query);
            // No search is needed for some queries.
            ASSERT_EQ(answer_.engine == Engine::climb, expected_.engine == Engine::cut_labels);
            query.engine = Engine::automatic;
            without_labels_.find(without, query, answer_);
            ASSERT_TRUE(essence(answer_) == essence(expected_)) << seed << describe(query);
            if (!without.has_labels()) {
                ASSERT_EQ(answer_.engine == Engine::climb, expected_.engine == Engine::cut_labels);
            }
            query.engine = pieced.has_labels() ? Engine::cut_labels : Engine::automatic;
            by_pieces_.find(pieced, query, answer_);
            ASSERT_TRUE(essence(answer_) == essence(expected_)) << seed << describe(query);
            ++statuses_[static_cast<std::size_t>(answer_.status)];
            longest_ = std::max(longest_, answer_.links.size());
        }
    }

    Searcher by_labels_;
    Searcher by_climbing_;
    Searcher without_labels_;
    Searcher by_pieces_;
    Answer expected_;
    Answer answer_;
    std::vector<int> statuses_ = std::vector<int>(64);  ///< how often each status was the answer
    int pieced_ = 0;                                    ///< indexes with pieces
    int directed_ = 0;                                  ///< meshes with one-way portals
    std::size_t longest_ = 0;                           ///< links of the longest path
};

TEST_F(HnaClimbTest, GivesTheAnswersOfLabelsOnRandomMeshes) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(300); ++seed)
        ASSERT_NO_FATAL_FAILURE(check(random_mesh(seed), seed, 30));
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(100); ++seed)
        ASSERT_NO_FATAL_FAILURE(check(cairn::test::mesh_with_links_at_points(seed), seed, 30));
    for (const StatusCode status :
         {StatusCode::ok, StatusCode::no_path, StatusCode::over_cost_limit})
        EXPECT_GT(statuses_[static_cast<std::size_t>(status)], 0) << name(status);
    EXPECT_GT(directed_, 0);
}

TEST_F(HnaClimbTest, GivesTheAnswersOfLabelsOnLargerMeshes) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(100); ++seed)
        ASSERT_NO_FATAL_FAILURE(check(large_mesh(seed), seed, 60));
    ASSERT_NO_FATAL_FAILURE(check(serpentine(40), 7, 300));
    EXPECT_GT(longest_, 60U);
    EXPECT_GT(pieced_, 5);
    EXPECT_GT(directed_, 0);
}

/// Indexes of one mesh, with labels and without.
class HnaClosureTest : public testing::Test {
protected:
    static Options options() {
        Options options;
        options.mu = 3;
        return options;
    }
    Index labelled_ = build(serpentine(20), options());
    Index index_ = with_closure_only(labelled_);
};

TEST_F(HnaClosureTest, StaysWhereLabelsWouldPassTheirLimit) {
    EXPECT_FALSE(index_.has_labels());
    EXPECT_TRUE(index_.has_closure());
    EXPECT_EQ(index_.labels_status().code, StatusCode::too_large);
    EXPECT_NE(index_.labels_status().message.find("1 allowed"), std::string::npos);
    EXPECT_TRUE(labelled_.has_labels());
    EXPECT_TRUE(labelled_.has_closure());
    EXPECT_TRUE(index_ == labelled_);
    EXPECT_EQ(index_.snapshot_id(), labelled_.snapshot_id());

    const IndexStatistics with = labelled_.statistics().value();
    const IndexStatistics without = index_.statistics().value();
    EXPECT_EQ(without.label_bytes, 0U);
    EXPECT_GT(without.closure_bytes, 0U);
    EXPECT_GT(with.label_bytes, 0U);
    EXPECT_GT(with.closure_bytes, 0U);
    EXPECT_EQ(with.bytes() - with.label_bytes - with.closure_bytes,
              without.bytes() - without.closure_bytes);
    EXPECT_EQ(index_.memory(), without.bytes() + without.mesh_bytes);
}

TEST_F(HnaClosureTest, IsMissingWithoutLabels) {
    RandomMaps random(1);
    Query query = random_query(labelled_.mesh(), random, Engine::climb);
    Options unlabelled = options();
    unlabelled.labels = false;
    for (const Index& index : {labelled_.without_labels().value(), index_.without_labels().value(),
                               build(labelled_.mesh(), unlabelled)}) {
        EXPECT_FALSE(index.has_closure());
        EXPECT_EQ(index.statistics().value().closure_bytes, 0U);
        query.engine = Engine::climb;
        EXPECT_EQ(answer_to(index, query).status, StatusCode::unsupported);
        query.engine = Engine::automatic;
        EXPECT_EQ(answer_to(index, query).engine, Engine::astar);
    }
    query.engine = Engine::cut_labels;
    EXPECT_EQ(answer_to(index_, query).status, StatusCode::unsupported);
}

TEST_F(HnaClosureTest, IsBuiltAgainAfterAnEdit) {
    RandomMaps random(2);
    Index index = index_;
    for (int round = 0; round < 10; ++round) {
        index = index.edited(any_edits(index.mesh(), random, 3)).value();
        index = with_labels(index);
        ASSERT_TRUE(index.has_closure());
        ASSERT_FALSE(index.has_labels());
        Searcher searcher;
        ASSERT_EQ(fault_of_random_pairs(index, 10, random, searcher), "") << round;
    }
}

TEST_F(HnaClosureTest, AnswersBatchesCostsAndTheNearestGoal) {
    RandomMaps random(3);
    std::vector<mesh::Request> requests;
    for (int i = 0; i < 200; ++i) {
        const Query query = random_query(index_.mesh(), random);
        requests.push_back({query.start, i % 2 == 0 ? query.goal : requests.back().goal});
    }
    for (const int threads : {1, 2}) {
        BuildControl control;
        control.threads = threads;
        const auto expected =
            batch::find_paths<Planner>(labelled_, requests, {}, {}, control).value();
        const auto paths = batch::find_paths<Planner>(index_, requests, {}, {}, control).value();
        EXPECT_TRUE(paths == expected);
    }

    std::vector<Place> goals;
    for (const mesh::Request& request : requests) goals.push_back(request.goal);
    std::vector<Cost> costs(goals.size());
    std::vector<Cost> expected(goals.size());
    Searcher searcher;
    Query query;
    query.start = requests.front().start;
    ASSERT_EQ(searcher.costs(labelled_, query, goals, expected), StatusCode::ok);
    ASSERT_EQ(searcher.costs(index_, query, goals, costs), StatusCode::ok);
    EXPECT_EQ(costs, expected);
    Answer answer;
    std::size_t nearest = goals.size();
    goals.erase(goals.begin());
    ASSERT_EQ(searcher.find_nearest(index_, query, goals, answer, nearest), StatusCode::ok);
    EXPECT_EQ(answer.cost, *std::min_element(expected.begin() + 1, expected.end()));
    EXPECT_EQ(nearest,
              static_cast<std::size_t>(std::min_element(expected.begin() + 1, expected.end()) -
                                       expected.begin() - 1));
}

}  // namespace
}  // namespace cairn::hna::test
