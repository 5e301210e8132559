// Batches of requests for agents of all classes, and for agents that the map does not have.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/haa/haa.hpp"
#include "haa/footprint.hpp"
#include "haa/random_agents.hpp"
#include "support/planner.hpp"
#include "support/scale.hpp"

namespace cairn::haa::test {
namespace {

TEST(HaaBatch, EqualsSingleQueriesForAgentsOfAllClasses) {
    RandomAgents random(12);
    std::size_t found = 0;
    for (auto maps = cairn::test::scaled(20, 4); maps > 0; --maps) {
        const AnnotatedMap map = random.map(24, 3);
        const Index index = build(map, random.options());
        std::vector<Agent> agents = all_agents(map);
        agents.push_back({99, 1});  // no such capability
        agents.push_back({0, -1});  // no such size
        std::vector<haa::Request> requests(100);
        for (haa::Request& request : requests) {
            // Some starts lie outside the map. There are few goals, so that requests share them.
            request.start = {random.number(0, map.width()), random.number(0, map.height() - 1)};
            request.goal = {random.number(0, map.width() - 1) / 4, 0};
            const auto last = static_cast<int>(agents.size()) - 1;
            request.agent = agents[static_cast<std::size_t>(random.number(0, last))];
        }
        Query model;
        const auto paths =
            batch::find_paths<haa::Planner>(index, requests, model, {}, cairn::test::one_thread());
        ASSERT_TRUE(paths.has_value()) << paths.error().message;
        Searcher searcher;
        Answer single;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            model.start = requests[i].start;
            model.goal = requests[i].goal;
            model.agent = requests[i].agent;
            searcher.find(index, model, single);
            ASSERT_EQ(paths->status[i], single.status) << i;
            ASSERT_EQ(paths->cost[i], single.cost) << i;
            ASSERT_TRUE(std::ranges::equal(paths->cells[i], single.cells)) << i;
            found += single.status == StatusCode::ok ? 1 : 0;
        }
    }
    EXPECT_GT(found, 0U);
}

}  // namespace
}  // namespace cairn::haa::test
