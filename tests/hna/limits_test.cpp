// Limits and options of HNA* queries and builds, and queries in slices.

#include <gtest/gtest.h>

#include <memory>

#include "hna/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

/// A query along the whole of a long winding mesh.
class HnaLimitsTest : public testing::Test {
protected:
    HnaLimitsTest() {
        Options options;
        options.mu = 3;
        index_ = build(serpentine(60), options);
        const Mesh& mesh = index_->mesh();
        const Polygon last = mesh.num_polygons() - 1;
        query_ = query_of({0, mesh.centre(0)}, {last, mesh.centre(last)}, Engine::astar);
    }
    [[nodiscard]] Answer ask() const { return answer_to(*index_, query_); }

    std::optional<Index> index_;
    Query query_;
};

TEST_F(HnaLimitsTest, SlicesOfAnySizeGiveTheSameAnswer) {
    Searcher sliced;
    Answer answer;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(60); ++seed) {
        RandomMaps random(seed);
        const Index index = any_index(large_mesh(seed), random);
        for (const std::uint64_t slice : {1U, 2U, 3U, 7U, 100U, 257U}) {
            const Query query = any_query(index, random);
            sliced.begin(index, query, answer);
            while (sliced.advance(slice)) {  // to the end
            }
            ASSERT_TRUE(essence(answer) == essence(answer_to(index, query)))
                << seed << describe(query);
        }
    }
}

TEST_F(HnaLimitsTest, ARunningQueryOutlivesItsIndexAndAnEdit) {
    const Answer whole = ask();
    ASSERT_EQ(whole.status, StatusCode::ok);
    for (const Engine engine : kSearching) {
        query_.engine = engine;
        Searcher searcher;
        Answer answer;
        auto index = std::make_unique<Index>(*index_);
        searcher.begin(*index, query_, answer);
        ASSERT_TRUE(searcher.advance(1));
        std::vector<mesh::PolygonEdit> edits;
        for (Polygon p = 0; p < index->mesh().num_polygons(); ++p) edits.push_back({p, 0, true});
        *index = index->edited(edits).value();
        EXPECT_EQ(answer_to(*index, query_).status, StatusCode::start_blocked);
        index.reset();
        while (searcher.advance(1)) {  // to the end
        }
        EXPECT_EQ(answer.status, StatusCode::ok);
        EXPECT_EQ(answer.cost, whole.cost);
        EXPECT_EQ(answer.links, whole.links);
        EXPECT_EQ(answer.snapshot_id, whole.snapshot_id);
    }
}

// Goals in the start's polygon, in the next one, in the start's cluster, and far away.
TEST_F(HnaLimitsTest, MaxCostIsInclusive) {
    const Mesh& mesh = index_->mesh();
    const Place corner{0, mesh.vertices()[mesh.corners(0)[0]]};
    for (const Polygon goal : {Polygon{0}, Polygon{1}, Polygon{2}, mesh.num_polygons() - 1}) {
        query_.start = corner;
        query_.goal = {goal, mesh.centre(goal)};
        for (const SearchMode& mode : search_modes(*index_)) {
            query_.engine = mode.engine;
            query_.connect = mode.connect;
            query_.search_level = mode.level;
            query_.limits = {};
            const Cost cost = ask().cost;
            ASSERT_LT(cost, kInfinity);
            query_.limits.max_cost = cost;
            EXPECT_EQ(ask().status, StatusCode::ok);
            EXPECT_EQ(ask().cost, cost);
            for (const Cost too_little : {cost - 1, Cost{0}}) {
                query_.limits.max_cost = too_little;
                const Answer refused = ask();
                EXPECT_EQ(refused.status, StatusCode::over_cost_limit);
                EXPECT_EQ(refused.cost, kInfinity);
                EXPECT_TRUE(refused.links.empty() && refused.polygons.empty() &&
                            refused.waypoints.empty());
            }
            query_.limits.max_cost = kInfinity;
            EXPECT_EQ(ask().status, StatusCode::ok);
        }
    }
}

TEST_F(HnaLimitsTest, AStartThatIsTheGoalIsWithinAnyLimit) {
    query_.goal = query_.start;
    query_.limits.max_cost = 0;
    query_.limits.max_expanded = 0;
    EXPECT_EQ(ask().status, StatusCode::ok);
}

TEST_F(HnaLimitsTest, AQueryStopsAtItsBudget) {
    for (const Engine engine : kSearching) {
        query_.engine = engine;
        query_.limits = {};
        const Answer whole = ask();
        const std::uint64_t needed = whole.statistics.search.expanded;
        ASSERT_GT(needed, 10U);
        for (const std::uint64_t budget : {std::uint64_t{0}, std::uint64_t{1}, needed / 2}) {
            query_.limits.max_expanded = budget;
            const Answer stopped = ask();
            EXPECT_EQ(stopped.status, StatusCode::budget_exhausted);
            EXPECT_EQ(stopped.cost, kInfinity);
            EXPECT_LE(stopped.statistics.search.expanded, budget);
        }
        // Connecting counts towards the budget, too.
        query_.limits.max_expanded = needed + whole.statistics.connect.expanded + 1;
        EXPECT_EQ(ask().status, StatusCode::ok);
    }
}

// Whatever is searched, the corridor is one of the mesh, and so is the string pulled in it.
TEST_F(HnaLimitsTest, APartialPathLeadsTowardsTheGoal) {
    Searcher searcher;
    Answer answer;
    int partial = 0;
    int to_goal = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(150, 30); ++seed) {
        RandomMaps random(seed);
        const Index index = any_index(large_mesh(seed), random);
        const Mesh& mesh = index.mesh();
        for (int queries = 10; queries > 0; --queries) {
            Query query = any_query(index, random);
            query.detail = Detail::path;
            query.nearest_reachable = false;
            query.limits.partial_path = true;
            query.limits.max_expanded = static_cast<std::uint64_t>(random.number(0, 60));
            searcher.find(index, query, answer);
            if (answer.status != StatusCode::budget_exhausted) continue;
            ++partial;
            EXPECT_EQ(answer.cost, kInfinity);
            ASSERT_EQ(answer.polygons.size(), answer.links.size() + 1);
            ASSERT_EQ(answer.polygons.front(), answer.start.polygon);
            ASSERT_EQ(answer.polygons.back(), answer.goal.polygon);
            for (std::size_t i = 0; i < answer.links.size(); ++i) {
                ASSERT_EQ(mesh.polygon_of(answer.links[i]), answer.polygons[i]);
                ASSERT_EQ(mesh.polygon_of(mesh::twin(answer.links[i])), answer.polygons[i + 1]);
                ASSERT_FALSE(mesh.blocked(answer.polygons[i + 1]));
            }
            ASSERT_FALSE(answer.waypoints.empty());
            EXPECT_EQ(answer.waypoints.back().point, answer.goal.point);
            const Answer stopped = answer;
            Searcher sliced;
            sliced.begin(index, query, answer);
            while (sliced.advance(3)) {  // to the end
            }
            ASSERT_TRUE(essence(answer) == essence(stopped)) << seed << describe(query);
            query.limits = {};
            searcher.find(index, query, answer);
            ASSERT_EQ(answer.status, StatusCode::ok);
            EXPECT_EQ(answer.lower_bound, answer.cost);
            EXPECT_LE(stopped.lower_bound, answer.cost);
            to_goal += stopped.goal == answer.goal ? 1 : 0;
        }
    }
    EXPECT_GT(partial, 0);
    EXPECT_GT(to_goal, 0);
    EXPECT_LT(to_goal, partial);
}

TEST_F(HnaLimitsTest, AQueryStopsAtItsDeadline) {
    for (const Engine engine : {Engine::astar, Engine::cut_labels, Engine::climb}) {
        query_.engine = engine;
        query_.limits.deadline = Deadline::in_microseconds(3'600'000'000);
        EXPECT_EQ(ask().status, StatusCode::ok);
        query_.limits.deadline = Deadline::in_microseconds(0);
        const Answer stopped = ask();
        EXPECT_EQ(stopped.status, StatusCode::budget_exhausted);
        EXPECT_EQ(stopped.cost, kInfinity);
        EXPECT_TRUE(stopped.polygons.empty());
    }
}

TEST_F(HnaLimitsTest, ACancelledQueryStops) {
    CancelFlag flag;
    query_.limits.cancel = &flag;
    EXPECT_EQ(ask().status, StatusCode::ok);
    Searcher searcher;
    Answer answer;
    for (const Engine engine : kSearching) {
        flag.reset();
        query_.engine = engine;
        searcher.begin(*index_, query_, answer);
        ASSERT_TRUE(searcher.advance(3));
        flag.cancel();
        EXPECT_FALSE(searcher.advance());
        EXPECT_EQ(answer.status, StatusCode::cancelled);
        EXPECT_EQ(answer.cost, kInfinity);
        EXPECT_TRUE(answer.links.empty());
        EXPECT_FALSE(searcher.advance());
        EXPECT_EQ(answer.status, StatusCode::cancelled);
    }
}

// The automatic engine is one that the index has.
TEST_F(HnaLimitsTest, EnginesAndTablesThatAreMissingAreUnsupported) {
    const auto status = [&](const Index& index, Engine engine, ConnectBy connect) {
        query_.engine = engine;
        query_.connect = connect;
        return answer_to(index, query_).status;
    };
    const auto automatic_engine = [&](const Index& index) {
        query_.engine = Engine::automatic;
        query_.connect = ConnectBy::automatic;
        return answer_to(index, query_).engine;
    };
    ASSERT_TRUE(index_->has_labels()) << index_->labels_status().message;
    EXPECT_EQ(automatic_engine(*index_), Engine::cut_labels);
    EXPECT_EQ(status(*index_, Engine::climb, ConnectBy::automatic), StatusCode::ok);
    EXPECT_EQ(automatic_engine(index_->without_labels().value()), Engine::astar);
    EXPECT_EQ(status(index_->without_labels().value(), Engine::cut_labels, ConnectBy::automatic),
              StatusCode::unsupported);
    EXPECT_EQ(status(index_->without_labels().value(), Engine::climb, ConnectBy::automatic),
              StatusCode::unsupported);

    Options options;
    options.mu = 3;
    options.levels = 2;
    EXPECT_EQ(status(build(index_->mesh(), options), Engine::astar, ConnectBy::tables),
              StatusCode::ok);
    options.pccp = Pccp::none;
    const Index without_tables = build(index_->mesh(), options);
    EXPECT_EQ(automatic_engine(without_tables.without_labels().value()), Engine::astar);
    EXPECT_EQ(status(without_tables, Engine::astar, ConnectBy::tables), StatusCode::unsupported);
    EXPECT_EQ(status(without_tables, Engine::astar, ConnectBy::search), StatusCode::ok);
}

TEST(HnaOptionsTest, ARefusalNamesTheOptionAtFault) {
    const auto expect_refused = [](auto&& change, std::string_view option) {
        Options options;
        change(options);
        const auto index = Index::build(cairn::test::drawn_mesh({"ab"}), options);
        EXPECT_FALSE(index);
        if (index) return;
        EXPECT_EQ(index.error().code, StatusCode::bad_option);
        EXPECT_NE(index.error().message.find(option), std::string::npos) << index.error().message;
    };
    for (const int levels : {-1, 0, 5})
        expect_refused([&](Options& o) { o.levels = levels; }, "levels");
    for (const int mu : {-7, 0, 1, 1001}) expect_refused([&](Options& o) { o.mu = mu; }, "mu");
    expect_refused([](Options& o) { o.pccp = Pccp::centres; }, "polygon_centres");
    expect_refused([](Options& o) { o.pccp = Pccp::centre_paths; }, "polygon_centres");
}

TEST(HnaOptionsTest, LabelsOverTheirBudgetAreLeftOut) {
    Options options;
    options.mu = 3;
    options.label_bytes = 10;
    const Index index = build(serpentine(20), options);
    EXPECT_FALSE(index.has_labels());
    EXPECT_EQ(index.labels_status().code, StatusCode::too_large);
    const mesh::PolygonEdit edit{0, 0, true};
    const Index edited = index.edited({&edit, 1}).value();
    EXPECT_EQ(edited.labels_status().code, StatusCode::stale_index);
    EXPECT_EQ(edited.with_labels()->labels_status().code, StatusCode::too_large);
}

// The portal from b to c leads only one way.
TEST(HnaOptionsTest, MeshesWithOneWayPortalsHaveLabels) {
    cairn::test::MeshParts parts = cairn::test::drawn_parts({"abcd"});
    parts.portals[1].back = false;
    const Index index = build(parts.build(), {.mu = 2});
    EXPECT_TRUE(index.has_labels());
    EXPECT_EQ(index.reachable(0, 3), StatusCode::ok);
    EXPECT_EQ(index.reachable(3, 0), StatusCode::no_path);
    const mesh::PolygonEdit edit{0, 0, true};
    const Index edited = index.edited({&edit, 1}).value();
    EXPECT_EQ(edited.labels_status().code, StatusCode::stale_index);
    EXPECT_TRUE(edited.has_closure());
    EXPECT_TRUE(edited.with_labels().value().has_labels());
}

TEST(HnaOptionsTest, LabelsCanBeBuiltOnceTheLastOneWayPortalIsRemoved) {
    cairn::test::MeshParts parts = cairn::test::drawn_parts({"abcd"});
    parts.portals[0].back = false;
    const Index index = build(parts.build(), {.mu = 2});
    const Polygon first = 0;
    const Index undirected = index.changed({.removed = {&first, 1}, .added = {}}).value();
    EXPECT_EQ(undirected.labels_status().code, StatusCode::stale_index);
    EXPECT_FALSE(undirected.has_closure());
    EXPECT_TRUE(undirected.with_labels().value().has_labels());
}

TEST(HnaOptionsTest, ABuildReportsProgressAndCanBeCancelled) {
    const Mesh mesh = serpentine(150);
    Options options;
    options.mu = 4;
    options.levels = 3;
    BuildControl control;
    double last_share = 0;  // of the work that is done, 0 to 1
    int reports = 0;
    control.progress = [&](double share) {
        EXPECT_GE(share, last_share);
        last_share = share;
        ++reports;
    };
    const auto built = Index::build(mesh, options, control);
    ASSERT_TRUE(built);
    EXPECT_EQ(last_share, 1.0);
    EXPECT_GT(reports, 3);
    EXPECT_LT(reports, 500);

    CancelFlag flag;
    flag.cancel();
    control = {};
    control.cancel = &flag;
    const auto cancelled = Index::build(mesh, options, control);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, StatusCode::cancelled);
    const auto completed = built->without_labels().value().with_labels(control);
    ASSERT_FALSE(completed);
    EXPECT_EQ(completed.error().code, StatusCode::cancelled);
}

}  // namespace
}  // namespace cairn::hna::test
