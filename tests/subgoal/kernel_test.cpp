// The kernel of devices for subgoal graphs by teams of several lanes, as on a GPU.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "batch/device/subgoal_host.hpp"
#include "batch/device/subgoal_kernel.hpp"
#include "subgoal/device_cases.hpp"
#include "support/kernel_launch.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using batch::SubgoalArrays;
using batch::SubgoalForm;
using Launch = cairn::test::KernelLaunch<batch::SubgoalKernel, SubgoalForm>;

/// The trips of a case that are for a device.
std::vector<CellTrip> trips_for_device(const DeviceCase& c) {
    batch::SubgoalHost host;
    host.begin(c.index, {});
    std::vector<CellTrip> trips;
    std::ranges::copy_if(c.trips, std::back_inserter(trips),
                         [&](const CellTrip& trip) { return host.settle(trip).for_device; });
    return trips;
}

/// How many paths of teams of several lanes are those of single queries.
std::size_t agreeing(const DeviceCase& c, const DeviceGridQuery& query) {
    std::size_t found = 0;
    Searcher searcher;
    const SubgoalArrays arrays(c.index);
    const std::vector<CellTrip> trips = trips_for_device(c);
    for (const std::uint32_t lanes : {2U, 3U}) {
        const Launch launch(arrays.form(), trips, query, lanes, 100'000);
        for (std::size_t i = 0; i < trips.size(); ++i) {
            const Answer single = expected(c.index, searcher, trips[i], query);
            EXPECT_EQ(launch.answers[i].cost, single.cost)
                << "trip " << i << ", lanes " << lanes << describe(c.index, {});
            EXPECT_EQ(launch.written(i), !single.cells.empty());
            if (::testing::Test::HasFailure()) return found;
            if (single.cells.empty()) continue;
            EXPECT_TRUE(std::ranges::equal(launch.route(i), single.cells))
                << "trip " << i << ", lanes " << lanes << describe(c.index, {});
            ++found;
        }
    }
    return found;
}

TEST(SubgoalKernelThreads, LanesOfATeamAgreeWithSingleQueries) {
    std::size_t all = agreeing(large_case(60), {});
    std::size_t turning = agreeing(large_case(60), {true, batch::Cells::turning});
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(20); ++seed) {
        SCOPED_TRACE(seed);
        const DeviceCase c = device_case(seed, 40, 12);
        all += agreeing(c, {});
        turning += agreeing(c, {true, batch::Cells::turning});
        agreeing(c, {false});
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(all, 0U);
    EXPECT_EQ(turning, all);
}

TEST(SubgoalKernelThreads, PathsWithoutRoomAreMeasuredAndNotWritten) {
    const DeviceCase c = large_case(40);
    const std::vector<CellTrip> trips = trips_for_device(c);
    const SubgoalArrays arrays(c.index);
    const Launch whole(arrays.form(), trips, {}, 3, 100'000);
    const Launch launch(arrays.form(), trips, {}, 3, whole.used / 2);
    EXPECT_EQ(launch.used, whole.used);
    std::size_t not_written = 0;
    for (std::size_t i = 0; i < trips.size(); ++i) {
        EXPECT_EQ(launch.answers[i].length, whole.answers[i].length);
        EXPECT_EQ(launch.answers[i].cost, whole.answers[i].cost);
        not_written += launch.written(i) ? 0 : 1;
    }
    EXPECT_GT(not_written, 0U);
    EXPECT_LT(not_written, trips.size());
}

// Where a kernel's lists do not hold a path, the host is to answer.
TEST(SubgoalKernelThreads, PathsOfTooManySubgoalsAreLeftToTheHost) {
    const DeviceCase c = large_case(40);
    const std::vector<CellTrip> trips = trips_for_device(c);
    const SubgoalArrays arrays(c.index);
    SubgoalForm form = arrays.form();
    const Launch whole(form, trips, {}, 2, 100'000);
    form.most_stops = 4;
    const Launch launch(form, trips, {}, 2, 100'000);
    std::size_t left = 0;
    for (std::size_t i = 0; i < trips.size(); ++i) {
        if (launch.answers[i].cost == kInfinity) {
            EXPECT_FALSE(launch.written(i));
            left += whole.answers[i].cost < kInfinity ? 1 : 0;
        } else {
            EXPECT_TRUE(std::ranges::equal(launch.route(i), whole.route(i)));
        }
    }
    EXPECT_GT(left, 0U);
}

}  // namespace
}  // namespace cairn::subgoal::test
