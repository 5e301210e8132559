#pragma once
// Tests of the device kernels for grids with teams of several lanes, as on a GPU
// (support/kernel_launch.hpp). P is as in support/grid_device_cases.hpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "support/grid_device_cases.hpp"
#include "support/kernel_launch.hpp"
#include "support/scale.hpp"

namespace cairn::test {

template <class P>
class DeviceKernelThreads : public testing::Test {
protected:
    using Launch = KernelLaunch<P::template Kernel, typename P::Arrays::Form>;
    static constexpr std::size_t kAmpleRoom = 100'000;  // cells: enough for all paths of a launch

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
        const typename P::Arrays arrays(c.index);
        const std::vector<grid::Request> requests = requests_for_device(c);
        for (const std::uint32_t lanes : {2U, 3U}) {
            const Launch launch(arrays.form(), requests, query, lanes, kAmpleRoom);
            for (std::size_t i = 0; i < requests.size(); ++i) {
                const ExpectedPath single = expected<P>(c.index, requests[i], query);
                EXPECT_EQ(launch.answers[i].cost, single.cost)
                    << "request " << i << ", lanes " << lanes;
                EXPECT_EQ(launch.written(i), !single.cells.empty());
                if (HasFailure()) return found;
                if (single.cells.empty()) continue;
                EXPECT_TRUE(std::ranges::equal(launch.path(i), single.cells))
                    << "request " << i << ", lanes " << lanes;
                ++found;
            }
        }
        return found;
    }
};

TYPED_TEST_SUITE_P(DeviceKernelThreads);

TYPED_TEST_P(DeviceKernelThreads, LanesOfATeamAgreeWithSingleQueries) {
    std::size_t all = this->expect_single_answers(large_case<TypeParam>(60), {});
    std::size_t turning =
        this->expect_single_answers(large_case<TypeParam>(60), {.cells = batch::Cells::turning});
    for (std::uint64_t seed = 0; seed < scaled(20); ++seed) {
        SCOPED_TRACE(seed);
        const DeviceCase<TypeParam> c = device_case<TypeParam>(seed, 40, 12);
        all += this->expect_single_answers(c, {});
        turning += this->expect_single_answers(c, {.cells = batch::Cells::turning});
        this->expect_single_answers(c, {.paths = false});
        ASSERT_FALSE(this->HasFailure());
    }
    EXPECT_GT(all, 0U);
    EXPECT_EQ(turning, all);
}

TYPED_TEST_P(DeviceKernelThreads, PathsWithoutRoomAreMeasuredAndNotWritten) {
    const DeviceCase<TypeParam> c = large_case<TypeParam>(40);
    const std::vector<grid::Request> requests = this->requests_for_device(c);
    const typename TypeParam::Arrays arrays(c.index);
    const typename TestFixture::Launch whole(arrays.form(), requests, {}, 3, this->kAmpleRoom);
    const typename TestFixture::Launch launch(arrays.form(), requests, {}, 3, whole.used / 2);
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
    const typename TypeParam::Arrays arrays(c.index);
    auto form = arrays.form();
    const typename TestFixture::Launch whole(form, requests, {}, 2, this->kAmpleRoom);
    form.most_stops = 4;  // nodes of an abstract path
    const typename TestFixture::Launch launch(form, requests, {}, 2, this->kAmpleRoom);
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
