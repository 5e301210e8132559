// Batches on devices, of the views that HAA* has for its agents.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cairn/batch/device.hpp"
#include "cairn/haa/haa.hpp"
#include "haa/footprint.hpp"
#include "haa/random_agents.hpp"
#include "support/planner.hpp"
#include "support/scale.hpp"

namespace cairn::haa::test {
namespace {

TEST(HaaDevice, ViewsAreAnsweredLikeAgents) {
    batch::DeviceOptions options;
    options.kind = batch::DeviceKind::host;
    const auto device = batch::Device::open(options);
    ASSERT_TRUE(device.has_value());
    batch::DeviceSearcher on_device(*device);
    Searcher searcher;
    Answer single;
    RandomAgents random(21);
    std::size_t found = 0;
    std::uint64_t answered = 0;
    for (auto maps = cairn::test::scaled(30); maps > 0; --maps) {
        const AnnotatedMap map = random.map(40, 3);
        Options abstraction = random.options();
        abstraction.labels = abstraction.move_tables = true;
        const Index index = build(map, abstraction);
        std::vector<grid::Request> trips(60);
        for (grid::Request& trip : trips) {
            trip.start = {random.number(0, map.width()), random.number(0, map.height() - 1)};
            trip.goal = {random.number(0, map.width() - 1), random.number(0, map.height() - 1)};
        }
        for (const Agent& agent : all_agents(map)) {
            ASSERT_TRUE(index.with_labels({&agent, 1}, cairn::test::one_thread()).has_value());
            const auto view = index.view(agent);
            ASSERT_TRUE(view.has_value());
            const auto loaded = batch::DeviceGridIndex::load(*device, *view);
            ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
            const auto routes = on_device.find_paths(*loaded, trips);
            ASSERT_TRUE(routes.has_value()) << routes.error().message;
            answered += on_device.statistics().on_device;
            Query query;
            query.agent = agent;
            query.smoothing = hpa::Smoothing::none;
            for (std::size_t i = 0; i < trips.size(); ++i) {
                query.start = trips[i].start;
                query.goal = trips[i].goal;
                searcher.find(index, query, single);
                ASSERT_EQ(routes->status[i], single.status) << i;
                ASSERT_EQ(routes->cost[i], single.cost) << i;
                ASSERT_TRUE(std::ranges::equal(routes->cells(i), single.cells)) << i;
                found += single.status == StatusCode::ok ? 1 : 0;
            }
        }
    }
    EXPECT_GT(found, 0U);
    EXPECT_GT(answered, 0U);
}

}  // namespace
}  // namespace cairn::haa::test
