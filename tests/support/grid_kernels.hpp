#pragma once
// Tests of the device kernels for grids on all machines (support/test_machines.hpp). P is a planner
// as in support/grid_device_cases.hpp, with a machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "batch/device/loaded_index.hpp"
#include "support/grid_device_cases.hpp"
#include "support/kernel_launch.hpp"
#include "support/test_machines.hpp"

namespace cairn::test {

template <class P>
class DeviceKernelThreads : public MachineTest<typename P::OnMachine> {
protected:
    using Launch = KernelLaunch<typename P::Arrays::Form>;
    using Loaded = batch::LoadedIndex<typename P::Arrays>;
    static constexpr std::size_t kAmpleRoom = 100'000;  // cells: enough for all paths of a launch

    /// A case on a device.
    struct OnDevice {
        explicit OnDevice(const DeviceCase<P>& c)
            : device(DeviceKernelThreads::open()), index(device, c.index) {
            const Status status = index.load();
            EXPECT_TRUE(status.ok()) << status.message;
        }
        batch::Device device;
        Loaded index;
    };

    /// The requests of a case that the host leaves to the device.
    static std::vector<grid::Request> requests_for_device(const DeviceCase<P>& c) {
        typename P::Host host;
        host.begin(c.index, {});
        std::vector<grid::Request> requests;
        std::ranges::copy_if(
            c.requests, std::back_inserter(requests), [&](const grid::Request& request) {
                return host.locate(request) == StatusCode::ok && !host.answers(request);
            });
        return requests;
    }

    /// Fails the test where a team's answer is not that of a single query. Returns the number of
    /// paths compared.
    static std::size_t expect_single_answers(const DeviceCase<P>& c, const DeviceGridQuery& query) {
        std::size_t found = 0;
        const OnDevice on(c);
        const std::vector<grid::Request> requests = requests_for_device(c);
        const Launch launch(on.device, on.index.form, requests, query, kAmpleRoom);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            const ExpectedPath single = expected<P>(c.index, requests[i], query);
            EXPECT_EQ(launch.answers[i].cost, single.cost) << "request " << i;
            EXPECT_EQ(launch.written(i), !single.cells.empty());
            if (testing::Test::HasFailure()) return found;
            if (single.cells.empty()) continue;
            EXPECT_TRUE(std::ranges::equal(launch.path(i), single.cells)) << "request " << i;
            ++found;
        }
        return found;
    }
};

TYPED_TEST_SUITE_P(DeviceKernelThreads);

TYPED_TEST_P(DeviceKernelThreads, LanesOfATeamAgreeWithSingleQueries) {
    std::size_t all = this->expect_single_answers(large_case<TypeParam>(60), {});
    std::size_t turning =
        this->expect_single_answers(large_case<TypeParam>(60), {.cells = batch::Cells::turning});
    for (std::uint64_t seed = 0; seed < this->cases(20); ++seed) {
        SCOPED_TRACE(seed);
        const DeviceCase<TypeParam> c = device_case<TypeParam>(seed, 40, 12);
        all += this->expect_single_answers(c, {});
        turning += this->expect_single_answers(c, {.cells = batch::Cells::turning});
        this->expect_single_answers(c, {.paths = false});
        this->expect_single_answers(c, {.engine = batch::DeviceGridEngine::climb});
        ASSERT_FALSE(this->HasFailure());
    }
    EXPECT_GT(all, 0U);
    EXPECT_EQ(turning, all);
}

TYPED_TEST_P(DeviceKernelThreads, PathsWithoutRoomAreMeasuredAndNotWritten) {
    const DeviceCase<TypeParam> c = large_case<TypeParam>(40);
    const std::vector<grid::Request> requests = this->requests_for_device(c);
    const typename TestFixture::OnDevice on(c);
    const typename TestFixture::Launch whole(on.device, on.index.form, requests, {},
                                             this->kAmpleRoom);
    const typename TestFixture::Launch launch(on.device, on.index.form, requests, {},
                                              whole.used / 2);
    EXPECT_EQ(launch.used, whole.used);
    std::size_t not_written = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        EXPECT_EQ(launch.answers[i].length, whole.answers[i].length);
        EXPECT_EQ(launch.answers[i].cost, whole.answers[i].cost);
        not_written += launch.written(i) ? 0 : 1;
    }
    EXPECT_GT(not_written, 0U);
    EXPECT_LT(not_written, requests.size());
}

// If a kernel's lists cannot hold the abstract path, its cost stays kInfinity: the host answers.
TYPED_TEST_P(DeviceKernelThreads, PathsOfTooManyNodesAreLeftToTheHost) {
    const DeviceCase<TypeParam> c = large_case<TypeParam>(40);
    const std::vector<grid::Request> requests = this->requests_for_device(c);
    const typename TestFixture::OnDevice on(c);
    auto form = on.index.form;
    const typename TestFixture::Launch whole(on.device, form, requests, {}, this->kAmpleRoom);
    form.most_stops = 4;  // nodes of an abstract path
    const typename TestFixture::Launch launch(on.device, form, requests, {}, this->kAmpleRoom);
    std::size_t left_to_host = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (launch.answers[i].cost == kInfinity) {
            EXPECT_FALSE(launch.written(i));
            left_to_host += whole.answers[i].cost < kInfinity ? 1 : 0;
        } else {
            EXPECT_TRUE(std::ranges::equal(launch.path(i), whole.path(i)));
        }
    }
    EXPECT_GT(left_to_host, 0U);
}

REGISTER_TYPED_TEST_SUITE_P(DeviceKernelThreads, LanesOfATeamAgreeWithSingleQueries,
                            PathsWithoutRoomAreMeasuredAndNotWritten,
                            PathsOfTooManyNodesAreLeftToTheHost);

}  // namespace cairn::test
