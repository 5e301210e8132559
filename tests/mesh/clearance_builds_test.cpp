// Builds of clearances by several threads, and the memory of queries.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "cairn/mesh/clearance.hpp"
#include "support/allocation_counter.hpp"
#include "support/job_systems.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

using test::RandomMaps;

/// A mesh of some hundred polygons.
Mesh wide_mesh(std::uint64_t seed) {
    test::RandomMeshOptions options;
    options.longest = 20;
    return test::random_mesh(seed, options);
}

void expect_same(const Clearance& a, const Clearance& b) {
    ASSERT_TRUE(a.mesh() == b.mesh());
    ASSERT_TRUE(std::ranges::equal(a.gates(), b.gates(), [](const Gate& g, const Gate& h) {
        return g.begin_x == h.begin_x && g.begin_z == h.begin_z && g.end_x == h.end_x &&
               g.end_z == h.end_z && g.width == h.width;
    }));
}

TEST(ClearanceThreads, BuildTheSameMesh) {
    for (std::uint64_t seed = 0; seed < test::scaled(20); ++seed) {
        SCOPED_TRACE(seed);
        const Mesh mesh = wide_mesh(seed);
        BuildControl one;
        one.threads = 1;
        BuildControl several;
        several.threads = 4;
        const auto expected = Clearance::build(mesh, {}, one).value();
        expect_same(Clearance::build(mesh, {}, several).value(), expected);
        test::ThreadJobs jobs(3);
        BuildControl given;
        given.jobs = jobs.get();
        expect_same(Clearance::build(mesh, {}, given).value(), expected);
    }
}

TEST(ClearanceThreads, AskOneClearance) {
    const auto clearance = Clearance::build(wide_mesh(4)).value();
    RandomMaps random(4);
    std::vector<std::pair<Place, Place>> pairs;
    std::vector<StatusCode> expected;
    for (int i = 0; i < 200; ++i) {
        pairs.emplace_back(clearance.place(test::random_place(clearance.whole(), random)),
                           clearance.place(test::random_place(clearance.whole(), random)));
        expected.push_back(clearance.reachable(pairs.back().first, pairs.back().second, 0.2));
    }
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                const auto& [from, to] = pairs[i];
                if (clearance.reachable(from, to, 0.2) != expected[i]) ++wrong;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

TEST(ClearanceMemory, QueriesDoNotAllocate) {
    if (!test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    for (std::uint64_t seed = 0; seed < test::scaled(20); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = wide_mesh(seed);
        const auto clearance = Clearance::build(mesh).value();
        std::vector<Place> places;
        for (int i = 0; i < 30; ++i) places.push_back(test::random_place(mesh, random));
        const std::uint64_t before = test::allocations();
        double sum = 0;
        int reached = 0;
        for (const Place& a : places) {
            const Place from = clearance.place(a);
            sum += clearance.clearance(from, 3);
            for (const Place& b : places)
                reached += clearance.reachable(from, clearance.place(b), 0.2) == StatusCode::ok;
        }
        EXPECT_EQ(test::allocations() - before, 0U);
        EXPECT_TRUE(sum >= 0 && reached >= 0);
    }
}

TEST(ClearanceMemory, BytesAreThoseHeld) {
    if (!test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    const Mesh mesh = wide_mesh(7);
    const std::uint64_t before = test::allocated_bytes();
    const auto clearance = Clearance::build(mesh).value();
    const auto held = static_cast<double>(test::allocated_bytes() - before);
    // whole() is shared with `mesh`.
    const auto told = static_cast<double>(clearance.bytes() + clearance.mesh().bytes());
    EXPECT_NEAR(told / held, 1, 0.1);
}

TEST(ClearanceMemory, ProgressComesToItsEnd) {
    std::vector<double> seen;
    BuildControl control;
    control.progress = [&](double share) { seen.push_back(share); };
    ASSERT_TRUE(Clearance::build(wide_mesh(3), {}, control));
    ASSERT_FALSE(seen.empty());
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_EQ(seen.back(), 1);
}

}  // namespace
}  // namespace cairn::mesh
