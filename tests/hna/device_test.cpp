// Batches of HNA* on all machines (support/test_machines.hpp), against single queries.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "hna/device_cases.hpp"
#include "support/test_machines.hpp"

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

template <class M>
class HnaDevice : public cairn::test::MachineTest<M> {};
TYPED_TEST_SUITE(HnaDevice, cairn::test::TestMachines, cairn::test::MachineNames);
template <class M>
class HnaDeviceThreads : public HnaDevice<M> {};
TYPED_TEST_SUITE(HnaDeviceThreads, cairn::test::TestMachines, cairn::test::MachineNames);

/// Expects each answer to equal that of a single query. Returns how many corridors have more than
/// one polygon.
std::size_t expect_as_single_queries(const LabelledCase& c, const DevicePaths& paths,
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

TYPED_TEST(HnaDevice, EqualsSingleQueries) {
    const Device device = this->open();
    std::size_t found = 0;
    std::uint64_t on_device = 0;
    DeviceSearcher searcher(device);
    for (std::uint64_t seed = 0; seed < this->cases(240); ++seed) {
        SCOPED_TRACE(seed);
        const Mesh mesh =
            seed % 6 == 5 ? cairn::test::mesh_with_links_at_points(seed / 6) : random_mesh(seed);
        const LabelledCase c = labelled_case(mesh, seed, 60);
        const auto index = DeviceIndex::load(device, c.index);
        ASSERT_TRUE(index.has_value()) << index.error().message;
        for (const DeviceEngine engine : kDeviceEngines) {
            if (!supports(c.index, engine)) continue;  // a mesh with one-way portals
            DeviceQuery query = device_query(engine, seed);
            query.corridors = seed % 4 != 0;
            const auto paths = searcher.find_paths(*index, c.requests, query);
            ASSERT_TRUE(paths.has_value()) << paths.error().message;
            found += expect_as_single_queries(c, *paths, query);
            on_device += searcher.statistics().on_device;
            ASSERT_FALSE(this->HasFailure());
        }
    }
    EXPECT_GT(found, 0U);
    EXPECT_GT(on_device, 0U);
}

TYPED_TEST(HnaDevice, ChunkSizesChangeNoAnswer) {
    const Device device = this->open();
    for (std::uint64_t seed = 0; seed < this->cases(30); ++seed) {
        SCOPED_TRACE(seed);
        const LabelledCase c = labelled_case(seed, 50);
        if (!c.index.has_labels()) continue;
        const auto index = DeviceIndex::load(device, c.index);
        ASSERT_TRUE(index.has_value());
        for (const std::uint32_t chunk : {1U, 7U, 49U, 50U}) {
            DeviceSearcher searcher(device, {.chunk = chunk});
            const auto paths = searcher.find_paths(*index, c.requests);
            ASSERT_TRUE(paths.has_value()) << paths.error().message;
            expect_as_single_queries(c, *paths);
            ASSERT_FALSE(this->HasFailure()) << "chunks of " << chunk;
        }
    }
}

TYPED_TEST(HnaDevice, LocatesStartsWithoutAPolygon) {
    const Device device = this->open();
    LabelledCase c = large_case(50);
    for (mesh::Request& request : c.requests) request.start.polygon = mesh::kNone;
    const auto index = DeviceIndex::load(device, c.index);
    ASSERT_TRUE(index.has_value());
    DeviceSearcher searcher(device);
    DeviceQuery query;
    query.reach = 0.5;
    const auto paths = searcher.find_paths(*index, c.requests, query);
    ASSERT_TRUE(paths.has_value());
    EXPECT_GT(expect_as_single_queries(c, *paths, query), 0U);
}

// The less memory the device has, the smaller are the chunks. Corridors for which there is no room
// on the device are computed on the host.
TYPED_TEST(HnaDevice, LittleMemoryChangesNoAnswer) {
    const LabelledCase c = large_case(300);
    const auto needed = DeviceIndex::load(this->open(), c.index);
    ASSERT_TRUE(needed.has_value());
    std::size_t refused = 0;
    std::size_t on_host = 0;
    std::size_t on_device = 0;
    for (const std::uint64_t spare : {0, 100, 1'000, 4'000, 20'000, 100'000, 2'000'000}) {
        DeviceOptions options;
        options.max_bytes = needed->bytes() + spare;
        const Device device = this->open(options);
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
        expect_as_single_queries(c, *paths);
        on_host += searcher.statistics().on_host;
        on_device += searcher.statistics().on_device;
    }
    EXPECT_GT(refused, 0U);
    EXPECT_GT(on_host, 0U);
    EXPECT_GT(on_device, 0U);
}

TYPED_TEST(HnaDevice, AnIndexLargerThanTheMemoryIsRefused) {
    const LabelledCase c = large_case(0);
    DeviceOptions options;
    options.max_bytes = 100;
    const Device device = this->open(options);
    const auto index = DeviceIndex::load(device, c.index);
    ASSERT_FALSE(index.has_value());
    EXPECT_EQ(index.error().code, StatusCode::out_of_memory);
    EXPECT_EQ(device.bytes_in_use(), 0U);
}

TYPED_TEST(HnaDevice, FreesAllItsMemory) {
    const Device device = this->open();
    {
        const LabelledCase c = large_case(100);
        const auto index = DeviceIndex::load(device, c.index);
        DeviceSearcher searcher(device);
        ASSERT_TRUE(searcher.find_paths(*index, c.requests).has_value());
        EXPECT_GT(device.bytes_in_use(), index->bytes());
    }
    EXPECT_EQ(device.bytes_in_use(), 0U);
}

TYPED_TEST(HnaDevice, ACancelledBatchKeepsTheAnswersItHas) {
    const LabelledCase c = large_case(200);
    const Device device = this->open();
    const auto index = DeviceIndex::load(device, c.index);
    ASSERT_TRUE(index.has_value());
    CancelFlag cancel;
    BuildControl control;
    control.cancel = &cancel;
    control.progress = [&](double share) {
        if (share > 0.3) cancel.cancel();
    };
    DeviceSearcher searcher(device, {.chunk = 10});
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
    // The searcher can answer the next batch.
    const auto again = searcher.find_paths(*index, c.requests);
    ASSERT_TRUE(again.has_value());
    expect_as_single_queries(c, *again);
}

TYPED_TEST(HnaDevice, RefusesBadOptionsAndMissingParts) {
    const LabelledCase c = large_case(3);
    const Device device = this->open();
    const Device other_device = this->open();
    const auto index = DeviceIndex::load(device, c.index);
    const auto code = [&](DeviceSearcher searcher, const DeviceQuery& query) {
        const auto paths = searcher.find_paths(*index, c.requests, query);
        return paths ? StatusCode::ok : paths.error().code;
    };
    EXPECT_EQ(code(DeviceSearcher(device), {}), StatusCode::ok);
    EXPECT_EQ(code(DeviceSearcher(other_device), {}), StatusCode::bad_option);
    EXPECT_EQ(code(DeviceSearcher(device, {.chunk = 0}), {}), StatusCode::bad_option);
    EXPECT_EQ(code(DeviceSearcher(device), {.engine = DeviceEngine::pccp, .reach = -1.0}),
              StatusCode::bad_option);
    DeviceOptions options;
    options.threads = -1;
    EXPECT_EQ(Device::open(options).error().code, StatusCode::bad_option);
    Options unlabelled;
    unlabelled.mu = 5;
    unlabelled.labels = false;
    const auto without_labels = Index::build(c.index.mesh(), unlabelled);
    ASSERT_TRUE(without_labels.has_value());
    const auto code_on = [&](const Index& other_index, const DeviceQuery& query) {
        const auto loaded = DeviceIndex::load(device, other_index);
        DeviceSearcher searcher(device);
        const auto paths = searcher.find_paths(*loaded, c.requests, query);
        return paths ? StatusCode::ok : paths.error().code;
    };
    EXPECT_EQ(code_on(*without_labels, {DeviceEngine::cut_labels}), StatusCode::unsupported);
    EXPECT_EQ(code_on(*without_labels, {DeviceEngine::pccp}), StatusCode::ok);
    // The engine pccp needs rows of the level that it searches.
    Options two_levels;
    two_levels.mu = 3;
    two_levels.levels = 2;
    two_levels.pccp = Pccp::none;
    const auto without_rows = Index::build(c.index.mesh(), two_levels);
    ASSERT_TRUE(without_rows.has_value());
    EXPECT_EQ(code_on(*without_rows, {DeviceEngine::cut_labels}), StatusCode::ok);
    EXPECT_EQ(code_on(*without_rows, {DeviceEngine::pccp}), StatusCode::unsupported);
    EXPECT_EQ(
        code_on(*without_rows, {.engine = DeviceEngine::pccp, .search_level = SearchLevel::top}),
        StatusCode::unsupported);
    EXPECT_EQ(
        code_on(*without_rows, {.engine = DeviceEngine::pccp, .search_level = SearchLevel::first}),
        StatusCode::ok);
    EXPECT_EQ(code(DeviceSearcher(device), {.search_level = static_cast<SearchLevel>(3)}),
              StatusCode::bad_option);
}

TEST(HnaDeviceOpen, OpensAGpuOrSaysWhyNot) {
    DeviceOptions options;
    options.kind = DeviceKind::gpu;
    const auto device = Device::open(options);
    if (device) {
        EXPECT_TRUE(device->is_gpu());
        return;
    }
    EXPECT_EQ(device.error().code, StatusCode::no_device);
    EXPECT_FALSE(device.error().message.empty());
    const auto fallback = Device::open();
    ASSERT_TRUE(fallback.has_value());
    EXPECT_FALSE(fallback->is_gpu());
    EXPECT_EQ(fallback->why_no_gpu(), device.error());
}

TYPED_TEST(HnaDevice, EmptyBatchesAreAnswered) {
    const LabelledCase c = large_case(0);
    const Device device = this->open();
    const auto index = DeviceIndex::load(device, c.index);
    DeviceSearcher searcher(device);
    const auto paths = searcher.find_paths(*index, c.requests);
    ASSERT_TRUE(paths.has_value());
    EXPECT_EQ(paths->size(), 0U);
    EXPECT_EQ(paths->first.size(), 1U);
}

TYPED_TEST(HnaDeviceThreads, ChangeNoAnswer) {
    for (std::uint64_t seed = 0; seed < this->cases(20); ++seed) {
        const LabelledCase c = labelled_case(seed, 100);
        if (!c.index.has_labels()) continue;
        for (const int threads : {1, 3}) {
            DeviceOptions options;
            options.threads = threads;
            const Device device = this->open(options);
            const auto index = DeviceIndex::load(device, c.index);
            ASSERT_TRUE(index.has_value());
            DeviceSearcher searcher(device, {.chunk = 40});
            BuildControl control;
            control.threads = threads;
            const auto paths = searcher.find_paths(*index, c.requests, {}, control);
            ASSERT_TRUE(paths.has_value());
            expect_as_single_queries(c, *paths);
            ASSERT_FALSE(this->HasFailure()) << seed;
        }
    }
}

}  // namespace
}  // namespace cairn::hna::test
