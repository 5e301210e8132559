// The device kernels of HNA*, run on the host by teams of several lanes, as on a GPU.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "batch/device/mesh/hng_kernel.hpp"
#include "batch/device/mesh/label_kernel.hpp"
#include "batch/device/mesh/polygon_kernel.hpp"
#include "hna/device_cases.hpp"
#include "hna/snapshot.hpp"
#include "support/kernel_launch.hpp"

namespace cairn::hna::test {
namespace {

using batch::DeviceEngine;
using batch::HngKernel;
using batch::LabelKernel;
using batch::PolygonKernel;
using batch::RequestAnswer;

/// The requests that a kernel answers: with a path, and with start and goal in different clusters.
/// The host answers the others.
std::vector<mesh::Request> requests_between_clusters(const LabelledCase& c) {
    std::vector<mesh::Request> requests;
    const Partition& partition = c.index.snapshot().partition();
    for (const mesh::Request& request : c.requests) {
        const Answer single = answer_to(c.index, single_query(request, {DeviceEngine::pccp}));
        if (single.status != StatusCode::ok) continue;
        if (partition.cluster(1, request.start.polygon) !=
            partition.cluster(1, request.goal.polygon))
            requests.push_back(request);
    }
    return requests;
}

/// Runs a kernel over the requests with one team of `lanes` lanes. `room`: polygons that the buffer
/// of the corridors holds.
template <template <class> class Kernel>
struct Launch : cairn::test::KernelLaunch<Kernel, batch::HnaForm> {
    Launch(const Index& index, const std::vector<mesh::Request>& requests, DeviceEngine engine,
           std::uint32_t lanes, std::size_t room)
        : cairn::test::KernelLaunch<Kernel, batch::HnaForm>(
              batch::HnaArrays(index).form(), requests, {.engine = engine, .corridors = true},
              lanes, room) {}
};

/// Expects the answers of teams of 2 and 3 lanes to equal those of single queries, and returns how
/// many there were.
template <template <class> class Kernel>
std::size_t expect_agreement(const LabelledCase& c, DeviceEngine engine) {
    std::size_t agreed = 0;
    const std::vector<mesh::Request> requests = requests_between_clusters(c);
    for (const std::uint32_t lanes : {2U, 3U}) {
        const Launch<Kernel> launch(c.index, requests, engine, lanes, 10'000);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            const Expected single = expected(c.index, requests[i], {engine});
            const RequestAnswer& answer = launch.answers[i];
            EXPECT_EQ(answer.cost, single.cost) << "request " << i << ", lanes " << lanes;
            EXPECT_EQ(answer.length, single.polygons.size());
            EXPECT_TRUE(launch.written(i));
            if (::testing::Test::HasFailure()) return agreed;
            EXPECT_TRUE(std::ranges::equal(launch.path(i), single.polygons))
                << "request " << i << ", lanes " << lanes;
            ++agreed;
        }
    }
    return agreed;
}

TEST(HnaKernelThreads, LanesOfATeamAgreeWithSingleQueries) {
    std::size_t by_labels = 0;
    std::size_t by_search = 0;
    const auto check = [&](const LabelledCase& c) {
        if (c.index.has_labels())
            by_labels += expect_agreement<LabelKernel>(c, DeviceEngine::cut_labels);
        by_search += expect_agreement<HngKernel>(c, DeviceEngine::pccp);
        by_search += expect_agreement<HngKernel>(c, DeviceEngine::parallel_connect);
        by_search += expect_agreement<PolygonKernel>(c, DeviceEngine::polygon_astar);
    };
    check(large_case(10));
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        SCOPED_TRACE(seed);
        check(labelled_case(seed, 6));
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(by_labels, 0U);
    EXPECT_GT(by_search, 0U);
}

TEST(HnaKernelThreads, CorridorsWithoutRoomAreMeasuredAndNotWritten) {
    std::uint64_t seed = 0;
    const auto next_case = [&] { return labelled_case(seed++, 40); };
    LabelledCase c = next_case();
    while (!c.index.has_labels() || requests_between_clusters(c).size() < 10) c = next_case();
    const std::vector<mesh::Request> requests = requests_between_clusters(c);
    std::vector<std::uint64_t> lengths;
    std::uint64_t total_length = 0;
    for (const mesh::Request& request : requests) {
        lengths.push_back(
            answer_to(c.index, single_query(request, {DeviceEngine::cut_labels})).polygons.size());
        total_length += lengths.back();
    }
    const Launch<LabelKernel> launch(c.index, requests, DeviceEngine::cut_labels, 3,
                                     total_length / 2);
    EXPECT_EQ(launch.used, total_length);
    std::size_t not_written = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        EXPECT_EQ(launch.answers[i].length, lengths[i]);
        not_written += launch.written(i) ? 0 : 1;
    }
    EXPECT_GT(not_written, 0U);
}

}  // namespace
}  // namespace cairn::hna::test
