// Batches of subgoal graphs on devices: the tests of all planners on grids, and what devices
// refuse.

#include "subgoal/device_planner.hpp"
#include "support/grid_devices.hpp"
#include "support/grid_kernels.hpp"

namespace cairn::test {

INSTANTIATE_TYPED_TEST_SUITE_P(Subgoal, GridDevice, PlannerOnMachines<subgoal::test::DevicePlanner>,
                               MachineNames);
INSTANTIATE_TYPED_TEST_SUITE_P(Subgoal, GridDeviceThreads,
                               PlannerOnMachines<subgoal::test::DevicePlanner>, MachineNames);
INSTANTIATE_TYPED_TEST_SUITE_P(Subgoal, DeviceKernelThreads,
                               PlannerOnMachines<subgoal::test::DevicePlanner>, MachineNames);

}  // namespace cairn::test

namespace cairn::subgoal::test {
namespace {

TEST(SubgoalDevice, RefusesIndexesWithoutLabelsOrDirectEdges) {
    const auto device = batch::Device::open();
    ASSERT_TRUE(device.has_value());
    RandomMaps random(1);
    const Index complete_index = build(random.noise({30, 20}, 20));
    const auto code = [&](const Index& index) {
        const auto on_device = batch::DeviceGridIndex::load(*device, index);
        EXPECT_TRUE(on_device || !on_device.error().message.empty());
        return on_device ? StatusCode::ok : on_device.error().code;
    };
    EXPECT_EQ(code(complete_index), StatusCode::ok);
    Options options;
    options.labels = false;
    EXPECT_EQ(code(build(complete_index.map(), options)), StatusCode::unsupported);
    options = {};
    options.edges = Edges::h_reachable;
    const grid::Map two_obstacles = cairn::test::small_map(4, 4, 0xbdff);  // any map
    EXPECT_EQ(code(build(two_obstacles, options)), StatusCode::unsupported);
    const std::vector<grid::TerrainEdit> edits{{{2, 2, 1, 1}, 0}};  // leaves the closure
    const auto edited = complete_index.edited(edits);
    ASSERT_TRUE(edited.has_value());
    EXPECT_EQ(code(*edited), StatusCode::ok);
    EXPECT_EQ(code(with_labels(*edited)), StatusCode::ok);
}

}  // namespace
}  // namespace cairn::subgoal::test
