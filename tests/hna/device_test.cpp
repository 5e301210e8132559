// Batches on a device, here the host in the place of a GPU: the kernels are the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "hna/device_cases.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

using batch::Device;
using batch::DeviceEngine;
using batch::DeviceIndex;
using batch::DeviceKind;
using batch::DeviceOptions;
using batch::DevicePaths;
using batch::DeviceQuery;
using batch::DeviceSearcher;

Device host(DeviceOptions options = {}) {
    options.kind = DeviceKind::host;
    auto device = Device::open(options);
    EXPECT_TRUE(device.has_value());
    return *device;
}

/// How many corridors of more than one polygon are right; fails where an answer is not that of a
/// single query.
std::size_t expect_singles(const LabelledCase& c, const DevicePaths& paths,
                           const DeviceQuery& query = {}) {
    std::size_t found = 0;
    EXPECT_EQ(paths.size(), c.requests.size());
    for (std::size_t i = 0; i < c.requests.size(); ++i) {
        const Expected single = expected(c.index, c.requests[i], query);
        EXPECT_EQ(paths.status[i], single.status) << "request " << i;
        EXPECT_EQ(paths.cost[i], single.cost) << "request " << i;
        EXPECT_TRUE(std::ranges::equal(paths.polygons(i), single.polygons)) << "request " << i;
        found += single.polygons.size() > 1 ? 1 : 0;
        if (::testing::Test::HasFailure()) return found;
    }
    return found;
}

TEST(HnaDevice, EqualsSingleQueries) {
    const Device device = host();
    std::size_t found = 0;
    std::uint64_t on_device = 0;
    DeviceSearcher searcher(device);
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(200); ++seed) {
        SCOPED_TRACE(seed);
        const LabelledCase c = labelled_case(seed, 60);
        const auto index = DeviceIndex::load(device, c.index);
        ASSERT_TRUE(index.has_value()) << index.error().message;
        for (const DeviceEngine engine : kDeviceEngines) {
            if (!has(c.index, engine)) continue;  // one-way portals
            DeviceQuery query;
            query.engine = engine;
            query.corridors = seed % 4 != 0;
            const auto paths = searcher.find_paths(*index, c.requests, query);
            ASSERT_TRUE(paths.has_value()) << paths.error().message;
            found += expect_singles(c, *paths, query);
            on_device += searcher.statistics().on_device;
            ASSERT_FALSE(HasFailure());
        }
    }
    EXPECT_GT(found, 0U);
    EXPECT_GT(on_device, 0U);
}

TEST(HnaDevice, ChunksDoNotMatter) {
    const Device device = host();
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(30); ++seed) {
        SCOPED_TRACE(seed);
        const LabelledCase c = labelled_case(seed, 50);
        if (!c.index.has_labels()) continue;
        const auto index = DeviceIndex::load(device, c.index);
        ASSERT_TRUE(index.has_value());
        for (const std::uint32_t chunk : {1U, 7U, 49U, 50U}) {
            DeviceSearcher searcher(device, {chunk});
            const auto paths = searcher.find_paths(*index, c.requests);
            ASSERT_TRUE(paths.has_value()) << paths.error().message;
            expect_singles(c, *paths);
            ASSERT_FALSE(HasFailure()) << "chunks of " << chunk;
        }
    }
}

TEST(HnaDevice, LocatesPoints) {
    const Device device = host();
    LabelledCase c = large_case(50);
    for (mesh::Request& request : c.requests) request.start.polygon = mesh::kNone;
    const auto index = DeviceIndex::load(device, c.index);
    ASSERT_TRUE(index.has_value());
    DeviceSearcher searcher(device);
    DeviceQuery query;
    query.reach = 0.5;
    const auto paths = searcher.find_paths(*index, c.requests, query);
    ASSERT_TRUE(paths.has_value());
    EXPECT_GT(expect_singles(c, *paths, query), 0U);
}

// The less memory, the smaller the chunks; where corridors find no room the host answers.
TEST(HnaDevice, LittleMemoryChangesNoAnswer) {
    const LabelledCase c = large_case(300);
    const auto needed = DeviceIndex::load(host(), c.index);
    ASSERT_TRUE(needed.has_value());
    std::size_t refused = 0;
    std::size_t on_host = 0;
    std::size_t on_device = 0;
    for (const std::uint64_t more : {0, 100, 1'000, 4'000, 20'000, 100'000}) {
        DeviceOptions options;
        options.max_bytes = needed->bytes() + more;
        const Device device = host(options);
        const auto index = DeviceIndex::load(device, c.index);
        ASSERT_TRUE(index.has_value()) << index.error().message;
        DeviceSearcher searcher(device);
        const auto paths = searcher.find_paths(*index, c.requests);
        EXPECT_LE(device.bytes_in_use(), options.max_bytes);
        if (!paths) {
            EXPECT_EQ(paths.error().code, StatusCode::out_of_memory);
            ++refused;
            continue;
        }
        expect_singles(c, *paths);
        on_host += searcher.statistics().on_host;
        on_device += searcher.statistics().on_device;
    }
    EXPECT_GT(refused, 0U);
    EXPECT_GT(on_host, 0U);
    EXPECT_GT(on_device, 0U);
}

TEST(HnaDevice, MemoryThatDoesNotHoldTheIndexIsSaidSo) {
    const LabelledCase c = large_case(0);
    DeviceOptions options;
    options.max_bytes = 100;
    const Device device = host(options);
    const auto index = DeviceIndex::load(device, c.index);
    ASSERT_FALSE(index.has_value());
    EXPECT_EQ(index.error().code, StatusCode::out_of_memory);
    EXPECT_EQ(device.bytes_in_use(), 0U);
}

TEST(HnaDevice, GivesItsMemoryBack) {
    const Device device = host();
    {
        const LabelledCase c = large_case(100);
        const auto index = DeviceIndex::load(device, c.index);
        DeviceSearcher searcher(device);
        ASSERT_TRUE(searcher.find_paths(*index, c.requests).has_value());
        EXPECT_GT(device.bytes_in_use(), index->bytes());
    }
    EXPECT_EQ(device.bytes_in_use(), 0U);
}

TEST(HnaDevice, CancelledKeepsWhatIsAnswered) {
    const LabelledCase c = large_case(200);
    const Device device = host();
    const auto index = DeviceIndex::load(device, c.index);
    ASSERT_TRUE(index.has_value());
    CancelFlag cancel;
    BuildControl control;
    control.cancel = &cancel;
    control.progress = [&](double share) {
        if (share > 0.3) cancel.cancel();
    };
    DeviceSearcher searcher(device, {10});
    const auto paths = searcher.find_paths(*index, c.requests, {}, control);
    ASSERT_TRUE(paths.has_value());
    std::size_t kept = 0;
    std::size_t cancelled = 0;
    for (std::size_t i = 0; i < c.requests.size(); ++i) {
        if (paths->status[i] == StatusCode::cancelled) {
            ++cancelled;
            EXPECT_EQ(paths->cost[i], kInfinity);
            EXPECT_TRUE(paths->polygons(i).empty());
            continue;
        }
        ++kept;
        const Expected single = expected(c.index, c.requests[i], {});
        EXPECT_EQ(paths->status[i], single.status);
        EXPECT_TRUE(std::ranges::equal(paths->polygons(i), single.polygons));
    }
    EXPECT_GT(kept, 0U);
    EXPECT_GT(cancelled, 0U);
    // Nothing is lost: the searcher answers on.
    const auto again = searcher.find_paths(*index, c.requests);
    ASSERT_TRUE(again.has_value());
    expect_singles(c, *again);
}

TEST(HnaDevice, RefusesWhatIsNotSound) {
    const LabelledCase c = large_case(3);
    const Device device = host();
    const Device other = host();
    const auto index = DeviceIndex::load(device, c.index);
    const auto code = [&](DeviceSearcher searcher, const DeviceQuery& query) {
        const auto paths = searcher.find_paths(*index, c.requests, query);
        return paths ? StatusCode::ok : paths.error().code;
    };
    EXPECT_EQ(code(DeviceSearcher(device), {}), StatusCode::ok);
    EXPECT_EQ(code(DeviceSearcher(other), {}), StatusCode::bad_option);
    EXPECT_EQ(code(DeviceSearcher(device, {0}), {}), StatusCode::bad_option);
    EXPECT_EQ(code(DeviceSearcher(device), {DeviceEngine::pccp, true, -1.0}),
              StatusCode::bad_option);
    DeviceOptions options;
    options.threads = -1;
    EXPECT_EQ(Device::open(options).error().code, StatusCode::bad_option);
    Options unlabelled;
    unlabelled.mu = 5;
    unlabelled.labels = false;
    const auto plain = Index::build(c.index.mesh(), unlabelled);
    ASSERT_TRUE(plain.has_value());
    const auto code_of = [&](const Index& other_index, DeviceEngine engine) {
        const auto loaded = DeviceIndex::load(device, other_index);
        DeviceSearcher searcher(device);
        const auto paths = searcher.find_paths(*loaded, c.requests, {engine});
        return paths ? StatusCode::ok : paths.error().code;
    };
    EXPECT_EQ(code_of(*plain, DeviceEngine::cut_labels), StatusCode::unsupported);
    EXPECT_EQ(code_of(*plain, DeviceEngine::pccp), StatusCode::ok);
    Options levels;
    levels.mu = 3;
    levels.levels = 2;
    const auto two = Index::build(c.index.mesh(), levels);
    ASSERT_TRUE(two.has_value());
    EXPECT_EQ(code_of(*two, DeviceEngine::cut_labels), StatusCode::ok);
    EXPECT_EQ(code_of(*two, DeviceEngine::pccp), StatusCode::unsupported);
}

TEST(HnaDevice, GpuOrAStatusThatSaysWhyNot) {
    DeviceOptions options;
    options.kind = DeviceKind::gpu;
    const auto device = Device::open(options);
    if (device) {
        EXPECT_TRUE(device->is_gpu());
        return;
    }
    EXPECT_EQ(device.error().code, StatusCode::no_device);
    EXPECT_FALSE(device.error().message.empty());
    const auto instead = Device::open();
    ASSERT_TRUE(instead.has_value());
    EXPECT_FALSE(instead->is_gpu());
}

TEST(HnaDevice, EmptyBatchesAreAnswered) {
    const LabelledCase c = large_case(0);
    const Device device = host();
    const auto index = DeviceIndex::load(device, c.index);
    DeviceSearcher searcher(device);
    const auto paths = searcher.find_paths(*index, c.requests);
    ASSERT_TRUE(paths.has_value());
    EXPECT_EQ(paths->size(), 0U);
    EXPECT_EQ(paths->first.size(), 1U);
}

TEST(HnaDeviceThreads, DoNotMatter) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(20); ++seed) {
        const LabelledCase c = labelled_case(seed, 100);
        if (!c.index.has_labels()) continue;
        for (const int threads : {1, 3}) {
            DeviceOptions options;
            options.threads = threads;
            const Device device = host(options);
            const auto index = DeviceIndex::load(device, c.index);
            ASSERT_TRUE(index.has_value());
            DeviceSearcher searcher(device, {40});
            BuildControl control;
            control.threads = threads;
            const auto paths = searcher.find_paths(*index, c.requests, {}, control);
            ASSERT_TRUE(paths.has_value());
            expect_singles(c, *paths);
            ASSERT_FALSE(HasFailure()) << seed;
        }
    }
}

}  // namespace
}  // namespace cairn::hna::test
