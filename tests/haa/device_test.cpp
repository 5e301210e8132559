// Batches on a device that has loaded the view of one agent.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cairn/batch/device.hpp"
#include "cairn/haa/haa.hpp"
#include "haa/footprint.hpp"
#include "haa/random_agents.hpp"
#include "support/planner.hpp"
#include "support/test_machines.hpp"

namespace cairn::haa::test {
namespace {

template <class M>
class HaaDevice : public cairn::test::MachineTest<M> {};
TYPED_TEST_SUITE(HaaDevice, cairn::test::TestMachines, cairn::test::MachineNames);

TYPED_TEST(HaaDevice, ABatchOnAViewEqualsSingleQueriesForItsAgent) {
    const batch::Device device = this->open();
    batch::DeviceSearcher on_device(device);
    Searcher searcher;
    Answer single;
    RandomAgents random(21);
    std::size_t found = 0;
    std::uint64_t answered_on_device = 0;
    for (auto maps = this->cases(30); maps > 0; --maps) {
        const AnnotatedMap map = random.map(40, 3);
        Options abstraction = random.options();
        abstraction.labels = abstraction.move_tables = true;
        const Index index = build(map, abstraction);
        std::vector<grid::Request> requests(60);
        for (grid::Request& request : requests) {
            request.start = {random.number(0, map.width()), random.number(0, map.height() - 1)};
            request.goal = {random.number(0, map.width() - 1), random.number(0, map.height() - 1)};
        }
        for (const Agent& agent : all_agents(map)) {
            ASSERT_TRUE(index.with_labels({&agent, 1}, cairn::test::one_thread()).has_value());
            const auto view = index.view(agent);
            ASSERT_TRUE(view.has_value());
            const auto loaded = batch::DeviceGridIndex::load(device, *view);
            ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
            const auto paths = on_device.find_paths(*loaded, requests);
            ASSERT_TRUE(paths.has_value()) << paths.error().message;
            answered_on_device += on_device.statistics().on_device;
            Query query;
            query.agent = agent;
            query.smoothing = hpa::Smoothing::none;
            for (std::size_t i = 0; i < requests.size(); ++i) {
                query.start = requests[i].start;
                query.goal = requests[i].goal;
                searcher.find(index, query, single);
                ASSERT_EQ(paths->status[i], single.status) << i;
                ASSERT_EQ(paths->cost[i], single.cost) << i;
                ASSERT_TRUE(std::ranges::equal(paths->cells(i), single.cells)) << i;
                found += single.status == StatusCode::ok ? 1 : 0;
            }
        }
    }
    EXPECT_GT(found, 0U);
    EXPECT_GT(answered_on_device, 0U);
}

}  // namespace
}  // namespace cairn::haa::test
