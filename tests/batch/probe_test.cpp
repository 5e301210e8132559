// What a GPU must pass before it is used: the meaning of CUDA's errors, and the probe of a team.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "batch/device/cuda_fault.hpp"
#include "batch/device/probe.hpp"
#include "support/thread_team.hpp"

namespace cairn::batch {
namespace {

TEST(CudaFault, OnlyAFailedAllocationMeansThatMemoryRanOut) {
    for (int error = 0; error < 1'000; ++error)
        EXPECT_EQ(cuda_fault(error) == CudaFault::out_of_memory, error == 2) << error;
}

TEST(CudaFault, EveryErrorHasAStatus) {
    EXPECT_EQ(status_of(cuda_fault(0)), StatusCode::ok);
    EXPECT_EQ(status_of(cuda_fault(2)), StatusCode::out_of_memory);
    // No GPU; a driver too old for the runtime; no kernel image; PTX too new for the driver.
    for (const int error : {100, 35, 209, 222})
        EXPECT_EQ(status_of(cuda_fault(error)), StatusCode::no_device) << error;
    // An invalid value, an illegal address, an unknown error, a number that CUDA does not use yet.
    for (const int error : {1, 700, 999, 5'000, -1})
        EXPECT_EQ(status_of(cuda_fault(error)), StatusCode::device_failed) << error;
}

TEST(CudaFault, ErrorsThatEndTheContextLast) {
    // ECC, illegal address, timeout, assertion, misaligned address, launch failure.
    for (const int error : {214, 700, 702, 710, 716, 719})
        EXPECT_EQ(cuda_fault(error), CudaFault::lasting) << error;
    // Too many resources for a launch, not ready, an invalid value.
    for (const int error : {701, 600, 1}) EXPECT_EQ(cuda_fault(error), CudaFault::passing) << error;
}

/// The probe of some teams of threads that share a counter.
struct ProbedTeams {
    ProbedTeams(std::uint32_t lanes, std::uint32_t teams) : results(lanes * teams) {
        std::vector<std::uint64_t> written(results.size());
        for (std::uint32_t team = 0; team < teams; ++team) {
            cairn::test::run_team(lanes, [&](const cairn::test::ThreadTeam& lane) {
                probe_team(lane, &results[team * lanes], &written[team * lanes], counter);
            });
        }
    }
    std::vector<LaneProbe> results;
    std::uint64_t counter = 0;
};

TEST(ProbeThreads, TeamsOfAnySizePass) {
    for (const std::uint32_t lanes : {1U, 3U, 32U}) {
        for (const std::uint32_t teams : {1U, 4U}) {
            const ProbedTeams probed(lanes, teams);
            EXPECT_TRUE(probe_holds(probed.results, lanes, probed.counter)) << lanes;
        }
    }
    LaneProbe alone;
    std::uint64_t written = 0;
    std::uint64_t counter = 0;
    probe_team(OneLane(), &alone, &written, counter);
    EXPECT_TRUE(probe_holds({&alone, 1}, 1, counter));
}

TEST(Probe, EveryWrongResultOfALaneFails) {
    const ProbedTeams right(32, 2);
    const auto fails = [&](auto change) {
        for (const std::size_t lane : {0U, 17U, 63U}) {
            ProbedTeams wrong = right;
            change(wrong.results[lane]);
            if (probe_holds(wrong.results, 32, wrong.counter)) return false;
        }
        return true;
    };
    EXPECT_TRUE(fails([](LaneProbe& lane) { lane.least += 1; }));
    EXPECT_TRUE(fails([](LaneProbe& lane) { lane.sum.before ^= std::uint64_t{1} << 40; }));
    EXPECT_TRUE(
        fails([](LaneProbe& lane) { lane.sum.all = static_cast<std::uint32_t>(lane.sum.all); }));
    EXPECT_TRUE(fails([](LaneProbe& lane) { lane.broadcast = 0; }));
    EXPECT_TRUE(fails([](LaneProbe& lane) { lane.claimed += 1; }));
    EXPECT_TRUE(fails([](LaneProbe& lane) { lane.odd.before += 1; }));
    EXPECT_TRUE(fails([](LaneProbe& lane) { lane.odd.all += 1; }));
    EXPECT_TRUE(fails([](LaneProbe& lane) { lane.neighbour = 0; }));
    EXPECT_FALSE(probe_holds(right.results, 32, right.counter + 1));
    EXPECT_FALSE(fails([](LaneProbe&) {}));
    // A kernel that wrote nothing, or that ran no claim twice.
    EXPECT_FALSE(probe_holds(std::vector<LaneProbe>(64), 32, 0));
    ProbedTeams twice = right;
    for (std::size_t lane = 0; lane < 32; ++lane)
        twice.results[lane].claimed = twice.results[32].claimed;
    EXPECT_FALSE(probe_holds(twice.results, 32, twice.counter));
}

}  // namespace
}  // namespace cairn::batch
