// Batches on a device, here the host in the place of a GPU: the kernels are the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cairn/batch/find_paths.hpp"
#include "subgoal/device_cases.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using batch::Cells;
using batch::Device;
using batch::DeviceCellRoutes;
using batch::DeviceGridIndex;
using batch::DeviceKind;
using batch::DeviceOptions;
using batch::DeviceSearcher;
using cairn::test::small_map;

Device host(DeviceOptions options = {}) {
    options.kind = DeviceKind::host;
    auto device = Device::open(options);
    EXPECT_TRUE(device.has_value());
    return *device;
}

DeviceGridIndex loaded(const Device& device, const Index& index) {
    auto on_device = DeviceGridIndex::load(device, index);
    EXPECT_TRUE(on_device.has_value()) << on_device.error().message;
    return *on_device;
}

/// How many paths of more than one cell are right; fails where an answer is not that of a single
/// query.
std::size_t expect_singles(const DeviceCase& c, const DeviceCellRoutes& routes,
                           const DeviceGridQuery& query = {}) {
    std::size_t found = 0;
    Searcher searcher;
    EXPECT_EQ(routes.size(), c.trips.size());
    for (std::size_t i = 0; i < c.trips.size(); ++i) {
        const Answer single = expected(c.index, searcher, c.trips[i], query);
        EXPECT_EQ(routes.status[i], single.status) << "trip " << i;
        EXPECT_EQ(routes.cost[i], single.cost) << "trip " << i;
        EXPECT_TRUE(std::ranges::equal(routes.cells(i), single.cells)) << "trip " << i;
        found += single.cells.size() > 1 ? 1 : 0;
        if (::testing::Test::HasFailure()) {
            ADD_FAILURE() << describe(c.index, query_of(c.trips[i].start, c.trips[i].goal));
            return found;
        }
    }
    return found;
}

TEST(SubgoalDevice, EqualsSingleQueries) {
    const Device device = host();
    DeviceSearcher searcher(device);
    std::size_t found = 0;
    std::uint64_t on_device = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(300); ++seed) {
        SCOPED_TRACE(seed);
        const DeviceCase c = device_case(seed, seed % 10 == 0 ? 150 : 60, 100);
        const DeviceGridIndex index = loaded(device, c.index);
        for (const DeviceGridQuery query :
             {DeviceGridQuery{}, DeviceGridQuery{true, Cells::turning}, DeviceGridQuery{false}}) {
            const auto routes = searcher.find_paths(index, c.trips, query);
            ASSERT_TRUE(routes.has_value()) << routes.error().message;
            found += expect_singles(c, *routes, query);
            on_device += searcher.statistics().on_device;
            ASSERT_FALSE(HasFailure());
        }
    }
    EXPECT_GT(found, 0U);
    EXPECT_GT(on_device, 0U);
}

TEST(SubgoalDevice, EqualsBatches) {
    const DeviceCase c = large_case(500);
    const auto batch = batch::find_paths(c.index, c.trips);
    ASSERT_TRUE(batch.has_value());
    const Device device = host();
    DeviceSearcher searcher(device);
    const auto routes = searcher.find_paths(loaded(device, c.index), c.trips);
    ASSERT_TRUE(routes.has_value());
    EXPECT_TRUE(std::ranges::equal(routes->status, batch->status));
    EXPECT_TRUE(std::ranges::equal(routes->cost, batch->cost));
    EXPECT_TRUE(std::ranges::equal(routes->items, batch->cells.items()));
    EXPECT_TRUE(std::ranges::equal(routes->first, batch->cells.first()));
    EXPECT_GT(searcher.statistics().on_device, searcher.statistics().on_host);
}

// A share of all grids of a size, every pair of their free cells.
void check_grids(int width, int height, double share) {
    const Device device = host();
    DeviceSearcher searcher(device);
    const std::uint64_t grids = std::uint64_t{1} << (width * height);
    const std::uint64_t stride = cairn::test::stride(share);
    for (std::uint64_t i = 0; i < grids; i += stride) {
        // A stride through all grids in an order that mixes dense and sparse ones.
        const std::uint64_t free = i * 0x9E37'79B1ULL % grids;
        Options options;
        options.prune = i / stride % 2 == 0;
        const grid::Map map = small_map(width, height, free);
        const DeviceCase c{build(map, options), all_trips(map)};
        const DeviceGridQuery query{true, i / stride % 4 < 2 ? Cells::all : Cells::turning};
        const auto routes = searcher.find_paths(loaded(device, c.index), c.trips, query);
        ASSERT_TRUE(routes.has_value());
        expect_singles(c, *routes, query);
        ASSERT_FALSE(::testing::Test::HasFailure());
    }
}

TEST(SubgoalDevice, AllPairsOfFourByFour) { check_grids(4, 4, 0.03); }
TEST(SubgoalDevice, AllPairsOfSevenByThree) { check_grids(7, 3, 0.0005); }

TEST(SubgoalDevice, PortionsDoNotMatter) {
    const Device device = host();
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(30); ++seed) {
        SCOPED_TRACE(seed);
        const DeviceCase c = device_case(seed, 50, 50);
        const DeviceGridIndex index = loaded(device, c.index);
        for (const std::uint32_t portion : {1U, 7U, 49U, 50U}) {
            DeviceSearcher searcher(device, {portion});
            const auto routes = searcher.find_paths(index, c.trips);
            ASSERT_TRUE(routes.has_value()) << routes.error().message;
            expect_singles(c, *routes);
            ASSERT_FALSE(HasFailure()) << "portions of " << portion;
        }
    }
}

// The less memory, the smaller the portions; where paths find no room the host answers.
TEST(SubgoalDevice, LittleMemoryChangesNoAnswer) {
    const DeviceCase c = large_case(300);
    const std::size_t needed = loaded(host(), c.index).bytes();
    std::size_t refused = 0;
    std::size_t on_host = 0;
    std::size_t on_device = 0;
    for (const std::uint64_t more : {0, 100, 1'000, 4'000, 20'000, 100'000, 400'000}) {
        DeviceOptions options;
        options.max_bytes = needed + more;
        const Device device = host(options);
        const DeviceGridIndex index = loaded(device, c.index);
        DeviceSearcher searcher(device);
        const auto routes = searcher.find_paths(index, c.trips);
        EXPECT_LE(device.bytes_in_use(), options.max_bytes);
        if (!routes) {
            EXPECT_EQ(routes.error().code, StatusCode::out_of_memory);
            ++refused;
            continue;
        }
        expect_singles(c, *routes);
        EXPECT_EQ(searcher.statistics().on_host + searcher.statistics().on_device, c.trips.size());
        on_host += searcher.statistics().on_host;
        on_device += searcher.statistics().on_device;
    }
    EXPECT_GT(refused, 0U);
    EXPECT_GT(on_host, 0U);
    EXPECT_GT(on_device, 0U);
}

TEST(SubgoalDevice, MemoryThatDoesNotHoldTheIndexIsSaidSo) {
    DeviceOptions options;
    options.max_bytes = 100;
    const Device device = host(options);
    const auto index = DeviceGridIndex::load(device, large_case(0).index);
    ASSERT_FALSE(index.has_value());
    EXPECT_EQ(index.error().code, StatusCode::out_of_memory);
    EXPECT_EQ(device.bytes_in_use(), 0U);
}

TEST(SubgoalDevice, CancelledKeepsWhatIsAnswered) {
    const DeviceCase c = large_case(200);
    const Device device = host();
    const DeviceGridIndex index = loaded(device, c.index);
    CancelFlag cancel;
    BuildControl control;
    control.cancel = &cancel;
    control.progress = [&](double share) {
        if (share > 0.3) cancel.cancel();
    };
    DeviceSearcher searcher(device, {10});
    const auto routes = searcher.find_paths(index, c.trips, {}, control);
    ASSERT_TRUE(routes.has_value());
    Searcher single;
    std::size_t cancelled = 0;
    for (std::size_t i = 0; i < c.trips.size(); ++i) {
        if (routes->status[i] == StatusCode::cancelled) {
            ++cancelled;
            EXPECT_EQ(routes->cost[i], kInfinity);
            EXPECT_TRUE(routes->cells(i).empty());
            continue;
        }
        const Answer answer = expected(c.index, single, c.trips[i], {});
        EXPECT_EQ(routes->status[i], answer.status);
        EXPECT_TRUE(std::ranges::equal(routes->cells(i), answer.cells));
    }
    EXPECT_GT(cancelled, 0U);
    EXPECT_LT(cancelled, c.trips.size());
    // Nothing is lost: the searcher answers on.
    const auto again = searcher.find_paths(index, c.trips);
    ASSERT_TRUE(again.has_value());
    expect_singles(c, *again);
}

TEST(SubgoalDevice, RefusesWhatDevicesCannotAnswer) {
    const Device device = host();
    const DeviceCase c = large_case(3);
    const auto code = [&](const Index& index) {
        const auto on_device = DeviceGridIndex::load(device, index);
        EXPECT_TRUE(on_device || !on_device.error().message.empty());
        return on_device ? StatusCode::ok : on_device.error().code;
    };
    EXPECT_EQ(code(c.index), StatusCode::ok);
    Options options;
    options.labels = false;
    EXPECT_EQ(code(build(c.index.map(), options)), StatusCode::unsupported);
    options = {};
    options.edges = Edges::h_reachable;
    EXPECT_EQ(code(build(small_map(4, 4, 0xbdff), options)), StatusCode::unsupported);
    const std::vector<grid::TerrainEdit> edits{{{2, 2, 1, 1}, 0}};
    const auto edited = c.index.edited(edits);
    ASSERT_TRUE(edited.has_value());
    EXPECT_EQ(code(*edited), StatusCode::unsupported);
    EXPECT_EQ(code(completed(*edited)), StatusCode::ok);

    const DeviceGridIndex index = loaded(device, c.index);
    const auto refusal = [&](DeviceSearcher searcher) {
        const auto routes = searcher.find_paths(index, c.trips);
        return routes ? StatusCode::ok : routes.error().code;
    };
    EXPECT_EQ(refusal(DeviceSearcher(device)), StatusCode::ok);
    EXPECT_EQ(refusal(DeviceSearcher(host())), StatusCode::bad_option);
    EXPECT_EQ(refusal(DeviceSearcher(device, {0})), StatusCode::bad_option);
}

// Maps without subgoals have tables and labels of nothing.
TEST(SubgoalDevice, MapsWithoutSubgoalsAreAnswered) {
    const Device device = host();
    DeviceSearcher searcher(device);
    for (const std::uint64_t free : {0ULL, 0xffffULL, 0x0f0fULL}) {
        const grid::Map map = small_map(4, 4, free);
        const DeviceCase c{build(map), all_trips(map)};
        const auto routes = searcher.find_paths(loaded(device, c.index), c.trips);
        ASSERT_TRUE(routes.has_value());
        expect_singles(c, *routes);
    }
}

TEST(SubgoalDeviceThreads, DoNotMatter) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(20); ++seed) {
        const DeviceCase c = device_case(seed, 60, 100);
        for (const int threads : {1, 3}) {
            DeviceOptions options;
            options.threads = threads;
            const Device device = host(options);
            DeviceSearcher searcher(device, {40});
            BuildControl control;
            control.threads = threads;
            const auto routes = searcher.find_paths(loaded(device, c.index), c.trips, {}, control);
            ASSERT_TRUE(routes.has_value());
            expect_singles(c, *routes);
            ASSERT_FALSE(HasFailure()) << seed;
        }
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
