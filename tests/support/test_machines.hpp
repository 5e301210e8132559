#pragma once
// The machines on which every test of devices runs: the host with one lane a team, teams of 3 and
// of 32 threads, and the GPUs of this computer. A warp has 32 lanes; three do not divide the length
// of most lists.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "cairn/batch/device.hpp"
#include "support/scale.hpp"
#include "support/thread_machine.hpp"

namespace cairn::test {

/// The processors in place of a GPU, with any DeviceOptions::threads.
struct OnHost {
    static constexpr const char* kName = "Host";
    static constexpr std::uint64_t kSlower = 1;  ///< tests have this many times fewer cases
    [[nodiscard]] static Result<batch::Device> open(batch::DeviceOptions options) {
        options.kind = batch::DeviceKind::host;
        return batch::Device::open(options);
    }
};

/// Teams of several threads, which meet at barriers and run freely between them.
template <std::uint32_t kLanes>
struct OnLanes {
    static constexpr const char* kName = kLanes == 3 ? "Lanes3" : "Lanes32";
    static constexpr std::uint64_t kSlower = kLanes == 3 ? 20 : 80;
    [[nodiscard]] static Result<batch::Device> open(const batch::DeviceOptions& options) {
        return batch::Device(std::make_shared<ThreadMachine>(options.max_bytes, kLanes));
    }
};

/// The GPUs of this computer in turn, device by device.
struct OnGpu {
    static constexpr const char* kName = "Gpu";
    static constexpr std::uint64_t kSlower = 1;
    [[nodiscard]] static Result<batch::Device> open(batch::DeviceOptions options) {
        static std::atomic<int> next{0};
        options.kind = batch::DeviceKind::gpu;
        options.gpu = next++;
        auto device = batch::Device::open(options);
        if (device || options.gpu == 0) return device;
        next = 1;
        options.gpu = 0;
        return batch::Device::open(options);
    }
};

using TestMachines = testing::Types<OnHost, OnLanes<3>, OnLanes<32>, OnGpu>;

/// A test on one machine. On OnGpu it is skipped where there is no GPU.
template <class M>
class MachineTest : public testing::Test {
protected:
    void SetUp() override {
        const auto device = M::open({});
        if (!device) GTEST_SKIP() << "no test on a GPU: " << device.error().message;
    }
    [[nodiscard]] static batch::Device open(const batch::DeviceOptions& options = {}) {
        auto device = M::open(options);
        EXPECT_TRUE(device.has_value()) << device.error().message;
        return *device;
    }
    /// scaled(count), fewer on a slow machine, and 4 at least, so that some have paths.
    [[nodiscard]] static std::uint64_t cases(std::uint64_t count) {
        return std::max<std::uint64_t>(4, scaled(count) / M::kSlower);
    }
    /// How many requests a test asks for that needs many at once: fewer on a slow machine.
    [[nodiscard]] static int many(int requests) {
        return M::kSlower == 1 ? requests : requests / 5;
    }
};

/// Names of types in tests: the machine's.
struct MachineNames {
    template <class M>
    static std::string GetName(int /*index*/) {
        return M::kName;
    }
};

/// A planner's traits P with a machine: the type of tests of all planners on all machines.
template <class P, class M>
struct PlannerOn : P {
    using OnMachine = M;
    static constexpr const char* kName = M::kName;
};
template <class P>
using PlannerOnMachines = testing::Types<PlannerOn<P, OnHost>, PlannerOn<P, OnLanes<3>>,
                                         PlannerOn<P, OnLanes<32>>, PlannerOn<P, OnGpu>>;

}  // namespace cairn::test
