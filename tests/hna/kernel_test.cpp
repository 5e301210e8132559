// The device kernels of HNA* on all machines (support/test_machines.hpp).

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "batch/device/loaded_index.hpp"
#include "hna/device_cases.hpp"
#include "hna/snapshot.hpp"
#include "support/kernel_launch.hpp"
#include "support/scale.hpp"
#include "support/test_machines.hpp"

namespace cairn::hna::test {
namespace {

using batch::DeviceEngine;
using batch::RequestAnswer;

/// The requests that a kernel answers: with a path, and with start and goal in different clusters
/// of level 1, or of the top level if that is forced. The host answers the others.
std::vector<mesh::Request> requests_between_clusters(const LabelledCase& c,
                                                     SearchLevel forced = SearchLevel::first) {
    std::vector<mesh::Request> requests;
    const int level = forced == SearchLevel::top ? c.index.options().levels : 1;
    for (const mesh::Request& request : c.requests) {
        const Answer single = answer_to(c.index, single_query(request, {DeviceEngine::pccp}));
        if (single.status != StatusCode::ok) continue;
        if (c.index.cluster(level, request.start.polygon) !=
            c.index.cluster(level, request.goal.polygon))
            requests.push_back(request);
    }
    return requests;
}

using Launch = cairn::test::KernelLaunch<batch::HnaForm>;
using Loaded = batch::LoadedIndex<batch::HnaArrays>;

/// Expects the answers of a kernel to equal those of single queries, and returns how many there
/// were.
std::size_t expect_agreement(const batch::Device& device, const LabelledCase& c,
                             const Loaded& index, const batch::DeviceQuery& query) {
    std::size_t agreed = 0;
    const std::vector<mesh::Request> requests = requests_between_clusters(c, query.search_level);
    const Launch launch(device, index.form, requests, query, 10'000);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const Expected single = expected(c.index, requests[i], query);
        const RequestAnswer& answer = launch.answers[i];
        EXPECT_EQ(answer.cost, single.cost) << "request " << i;
        EXPECT_EQ(answer.length, single.polygons.size());
        EXPECT_TRUE(launch.written(i));
        if (::testing::Test::HasFailure()) return agreed;
        EXPECT_TRUE(std::ranges::equal(launch.path(i), single.polygons)) << "request " << i;
        ++agreed;
    }
    return agreed;
}

template <class M>
class HnaKernelThreads : public cairn::test::MachineTest<M> {};
TYPED_TEST_SUITE(HnaKernelThreads, cairn::test::TestMachines, cairn::test::MachineNames);

TYPED_TEST(HnaKernelThreads, LanesOfATeamAgreeWithSingleQueries) {
    std::size_t by_labels = 0;
    std::size_t by_search = 0;
    std::size_t on_top = 0;  // of these, requests on an upper level
    const batch::Device device = this->open();
    const auto check = [&](const LabelledCase& c, std::uint64_t seed) {
        Loaded index(device, c.index);
        ASSERT_TRUE(index.load().ok());
        for (const DeviceEngine engine : kDeviceEngines) {
            if (!supports(c.index, engine)) continue;
            const bool labels = engine == DeviceEngine::cut_labels || engine == DeviceEngine::climb;
            const batch::DeviceQuery query = device_query(engine, seed);
            const std::size_t agreed = expect_agreement(device, c, index, query);
            (labels ? by_labels : by_search) += agreed;
            if (engine == DeviceEngine::parallel_connect &&
                query.search_level == SearchLevel::top && c.index.options().levels > 1)
                on_top += agreed;
        }
    };
    for (const std::uint64_t seed : {0, 1, 2}) check(large_case(50), seed);
    // However few cases are wanted, some must have labels and requests between clusters, of level 1
    // and of an upper one.
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(10) || by_labels == 0 || on_top == 0;
         ++seed) {
        SCOPED_TRACE(seed);
        ASSERT_LT(seed, 1000U);
        check(labelled_case(seed, 6), seed);
        ASSERT_FALSE(this->HasFailure());
    }
    EXPECT_GT(by_search, 0U);
}

TYPED_TEST(HnaKernelThreads, CorridorsWithoutRoomAreMeasuredAndNotWritten) {
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
    const batch::Device device = this->open();
    Loaded index(device, c.index);
    ASSERT_TRUE(index.load().ok());
    const Launch launch(device, index.form, requests, {}, total_length / 2);
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
