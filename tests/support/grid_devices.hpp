#pragma once
// Tests of batches on all machines (support/test_machines.hpp), for any planner on grids: P is a
// planner as in support/grid_device_cases.hpp, with a machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "support/grid_device_cases.hpp"
#include "support/large_costs.hpp"
#include "support/scale.hpp"
#include "support/test_machines.hpp"

namespace cairn::test {

using batch::Cells;
using batch::Device;
using batch::DeviceCellPaths;
using batch::DeviceGridEngine;
using batch::DeviceGridIndex;
using batch::DeviceOptions;
using batch::DeviceSearcher;

template <class P>
class GridDevice : public MachineTest<typename P::OnMachine> {
protected:
    using Index = typename P::Index;
    using MachineTest<typename P::OnMachine>::open;
    using MachineTest<typename P::OnMachine>::many;
    using testing::Test::HasFailure;
    static constexpr std::uint64_t kSlower = P::OnMachine::kSlower;

    static DeviceGridIndex loaded(const Device& device, const Index& index) {
        auto on_device = DeviceGridIndex::load(device, index);
        EXPECT_TRUE(on_device.has_value()) << on_device.error().message;
        return *on_device;
    }

    /// Fails the test where an answer is not that of a single query. Returns the number of paths of
    /// more than one cell.
    static std::size_t expect_single_answers(const DeviceCase<P>& c, const DeviceCellPaths& paths,
                                             const DeviceGridQuery& query = {}) {
        std::size_t found = 0;
        EXPECT_EQ(paths.size(), c.requests.size());
        for (std::size_t i = 0; i < c.requests.size(); ++i) {
            const ExpectedPath single = expected<P>(c.index, c.requests[i], query);
            EXPECT_EQ(paths.status[i], single.status) << "request " << i;
            EXPECT_EQ(paths.cost[i], single.cost) << "request " << i;
            EXPECT_TRUE(std::ranges::equal(paths.cells(i), single.cells)) << "request " << i;
            found += single.cells.size() > 1 ? 1 : 0;
            if (HasFailure()) return found;
        }
        return found;
    }

    /// Raises the device's memory in steps, from the bytes of the index alone. First the batch is
    /// refused, then the host answers some requests; no answer changes.
    static void check_memory(const DeviceCase<P>& c) {
        const std::size_t needed = loaded(open(), c.index).bytes();
        std::size_t refused = 0;
        std::size_t on_host = 0;
        std::size_t on_device = 0;
        // On a GPU many teams need scratch. An odd step, so that sizes of any alignment occur.
        const std::uint64_t most = open().is_gpu() ? 8'000'000 : 500'000;
        const std::uint64_t steps = kSlower == 1 ? std::max<std::uint64_t>(8, 70 / stride(1)) : 8;
        const std::uint64_t step = 1 + most / steps / 2 * 2;
        for (std::uint64_t extra = 0; extra < most; extra += step) {
            DeviceOptions options;
            options.max_bytes = needed + extra;
            const Device device = open(options);
            const DeviceGridIndex index = loaded(device, c.index);
            DeviceSearcher searcher(device);
            const auto paths = searcher.find_paths(index, c.requests);
            EXPECT_LE(device.bytes_in_use(), options.max_bytes);
            if (!paths) {
                EXPECT_EQ(paths.error().code, StatusCode::out_of_memory);
                ++refused;
                continue;
            }
            expect_single_answers(c, *paths);
            const batch::DeviceStatistics& statistics = searcher.statistics();
            EXPECT_EQ(statistics.on_host + statistics.on_device, c.requests.size());
            on_host += statistics.on_host;
            on_device += statistics.on_device;
        }
        EXPECT_GT(refused, 0U);
        EXPECT_GT(on_host, 0U);
        EXPECT_GT(on_device, 0U);
    }

    /// Tests every pair of free cells on about `share` of all maps of a size.
    static void check_grids(int width, int height, double share) {
        const Device device = open();
        DeviceSearcher searcher(device);
        const std::uint64_t grids = std::uint64_t{1} << (width * height);
        const std::uint64_t step = stride(share / static_cast<double>(kSlower));
        for (std::uint64_t i = 0; i < grids; i += step) {
            // Multiplying by an odd number permutes the maps, so that the stride meets dense and
            // sparse ones alike.
            const std::uint64_t free = i * 0x9E37'79B1ULL % grids;
            const grid::Map map = small_map(width, height, free);
            const DeviceCase<P> c{P::variant(map, i / step), all_requests(map)};
            // Planners have 2 or 3 variants: each is tested with both kinds of cells.
            const DeviceGridQuery query{.cells = i / step % 12 < 6 ? Cells::all : Cells::turning};
            const auto paths = searcher.find_paths(loaded(device, c.index), c.requests, query);
            ASSERT_TRUE(paths.has_value());
            expect_single_answers(c, *paths, query);
            ASSERT_FALSE(HasFailure());
        }
    }
};

TYPED_TEST_SUITE_P(GridDevice);

TYPED_TEST_P(GridDevice, EqualsSingleQueries) {
    const Device device = this->open();
    DeviceSearcher searcher(device);
    std::size_t found = 0;
    std::uint64_t on_device = 0;
    for (std::uint64_t seed = 0; seed < this->cases(300); ++seed) {
        SCOPED_TRACE(seed);
        const DeviceCase<TypeParam> c =
            device_case<TypeParam>(seed, seed % 10 == 0 ? 150 : 60, 100);
        const DeviceGridIndex index = this->loaded(device, c.index);
        for (const DeviceGridQuery query :
             {DeviceGridQuery{}, DeviceGridQuery{.cells = Cells::turning},
              DeviceGridQuery{.paths = false}, DeviceGridQuery{.engine = DeviceGridEngine::climb},
              DeviceGridQuery{.engine = DeviceGridEngine::climb, .paths = false}}) {
            const auto paths = searcher.find_paths(index, c.requests, query);
            ASSERT_TRUE(paths.has_value()) << paths.error().message;
            found += this->expect_single_answers(c, *paths, query);
            on_device += searcher.statistics().on_device;
            ASSERT_FALSE(this->HasFailure());
        }
    }
    EXPECT_GT(found, 0U);
    EXPECT_GT(on_device, 0U);
}

// After edits without new labels, and where pieces have none.
TYPED_TEST_P(GridDevice, ClimbsWhereNotAllNodesHaveLabels) {
    const Device device = this->open();
    DeviceSearcher searcher(device);
    RandomMaps random(8);
    std::uint64_t on_device = 0;
    for (std::uint64_t seed = 0; seed < this->cases(100); ++seed) {
        SCOPED_TRACE(seed);
        const DeviceCase<TypeParam> c = device_case<TypeParam>(seed, 60, 60);
        auto index = c.index;
        for (int edits = random.number(1, 4); edits > 0; --edits) {
            const grid::Map& map = index.map();
            const grid::TerrainEdit edit{
                {random.number(0, map.width() - 1), random.number(0, map.height() - 1), 1, 1},
                static_cast<std::uint8_t>(random.chance(50) ? '@' : '.')};
            auto edited = index.edited({&edit, 1});
            if (edited) index = *edited;
        }
        const auto check = [&](const typename TypeParam::Index& without) {
            const DeviceGridIndex loaded = this->loaded(device, without);
            const DeviceGridQuery by_labels{.engine = DeviceGridEngine::cut_labels};
            if (!without.has_labels()) {
                EXPECT_EQ(searcher.find_paths(loaded, c.requests, by_labels).error().code,
                          StatusCode::unsupported);
            }
            for (const DeviceGridQuery query :
                 {DeviceGridQuery{}, DeviceGridQuery{.paths = false}}) {
                const auto paths = searcher.find_paths(loaded, c.requests, query);
                ASSERT_TRUE(paths.has_value()) << paths.error().message;
                const DeviceCase<TypeParam> stale{without, c.requests};
                this->expect_single_answers(stale, *paths, query);
                on_device += searcher.statistics().on_device;
            }
        };
        ASSERT_NO_FATAL_FAILURE(check(index));
        BuildControl one_thread;
        one_thread.threads = 1;
        auto options = index.options();
        options.label_bytes = 1;
        const auto tight = TypeParam::Index::build(index.map(), options, one_thread).value();
        ASSERT_NO_FATAL_FAILURE(check(tight));
        if (tight.has_labels()) continue;  // no abstract nodes
        options.label_bytes = 4 * std::stoull(tight.labels_status().message.substr(12));
        const auto pieced = TypeParam::Index::build(index.map(), options, one_thread).value();
        ASSERT_NO_FATAL_FAILURE(check(pieced));
        ASSERT_FALSE(this->HasFailure());
    }
    EXPECT_GT(on_device, 0U);
}

TYPED_TEST_P(GridDevice, PathsThatCostTooMuchAreToldAsBySingleQueries) {
    const Device device = this->open();
    DeviceSearcher searcher(device);
    RandomMaps random(1);
    const Serpentine s = serpentine(100, 101);
    std::array<std::size_t, 2> seen{};  // found, too large
    for (const grid::Map& map : {s.map, with_large_costs(random, random.noise({40, 40}, 25))}) {
        DeviceCase<TypeParam> c{TypeParam::build(map), {}};
        const std::vector<grid::Point> free = free_points(map);
        for (int i = 0; i < this->many(300); ++i) {
            const grid::Point start = i < this->many(10) ? s.cells.front() : random.one_of(free);
            c.requests.push_back({start, random.one_of(free)});
        }
        const auto paths = searcher.find_paths(this->loaded(device, c.index), c.requests);
        ASSERT_TRUE(paths.has_value()) << paths.error().message;
        this->expect_single_answers(c, *paths);
        for (const StatusCode status : paths->status) {
            if (status == StatusCode::ok) ++seen[0];
            if (status == StatusCode::cost_too_large) ++seen[1];
        }
    }
    for (const std::size_t count : seen) EXPECT_GT(count, static_cast<std::size_t>(this->many(50)));
}

TYPED_TEST_P(GridDevice, EqualsBatches) {
    const DeviceCase<TypeParam> c = large_case<TypeParam>(this->many(500));
    grid::Paths batch;
    ASSERT_TRUE(typename TypeParam::BatchSearcher()
                    .find_paths(c.index, c.requests, batch, TypeParam::query({}, {}, true))
                    .ok());
    const Device device = this->open();
    DeviceSearcher searcher(device);
    const auto paths = searcher.find_paths(this->loaded(device, c.index), c.requests);
    ASSERT_TRUE(paths.has_value());
    EXPECT_TRUE(std::ranges::equal(paths->status, batch.status));
    EXPECT_TRUE(std::ranges::equal(paths->cost, batch.cost));
    EXPECT_TRUE(std::ranges::equal(paths->items, batch.cells.items()));
    EXPECT_TRUE(std::ranges::equal(paths->first, batch.cells.first()));
    EXPECT_GT(searcher.statistics().on_device, searcher.statistics().on_host);
}

TYPED_TEST_P(GridDevice, AllPairsOfFourByFour) { this->check_grids(4, 4, 0.03); }
TYPED_TEST_P(GridDevice, AllPairsOfSevenByThree) { this->check_grids(7, 3, 0.0005); }

TYPED_TEST_P(GridDevice, AnswersDoNotDependOnTheChunkSize) {
    const Device device = this->open();
    for (std::uint64_t seed = 0; seed < this->cases(30); ++seed) {
        SCOPED_TRACE(seed);
        const DeviceCase<TypeParam> c = device_case<TypeParam>(seed, 50, 50);
        const DeviceGridIndex index = this->loaded(device, c.index);
        for (const std::uint32_t chunk : {1U, 7U, 49U, 50U}) {
            DeviceSearcher searcher(device, {.chunk = chunk});
            const auto paths = searcher.find_paths(index, c.requests);
            ASSERT_TRUE(paths.has_value()) << paths.error().message;
            this->expect_single_answers(c, *paths);
            ASSERT_FALSE(this->HasFailure()) << "chunks of " << chunk;
        }
    }
}

// The less memory there is, the smaller the chunks. The host answers requests whose paths find no
// room.
TYPED_TEST_P(GridDevice, LittleMemoryChangesNoAnswer) {
    this->check_memory(large_case<TypeParam>(this->many(300)));
}
// On an open map the host answers most requests. Its paths may not fit between those of the device.
TYPED_TEST_P(GridDevice, LittleMemoryOnAnOpenMapChangesNoAnswer) {
    this->check_memory(large_case<TypeParam>(this->many(300), kFewObstacles));
}

TYPED_TEST_P(GridDevice, AnIndexLargerThanTheMemoryIsRefused) {
    DeviceOptions options;
    options.max_bytes = 100;
    const Device device = this->open(options);
    const auto index = DeviceGridIndex::load(device, large_case<TypeParam>(0).index);
    ASSERT_FALSE(index.has_value());
    EXPECT_EQ(index.error().code, StatusCode::out_of_memory);
    EXPECT_EQ(device.bytes_in_use(), 0U);
}

TYPED_TEST_P(GridDevice, ACancelledBatchKeepsItsAnswers) {
    const DeviceCase<TypeParam> c = large_case<TypeParam>(this->many(200));
    const Device device = this->open();
    const DeviceGridIndex index = this->loaded(device, c.index);
    CancelFlag cancel;
    BuildControl control;
    control.cancel = &cancel;
    control.progress = [&](double done) {
        if (done > 0.3) cancel.cancel();
    };
    DeviceSearcher searcher(device, {.chunk = 10});
    const auto paths = searcher.find_paths(index, c.requests, {}, control);
    ASSERT_TRUE(paths.has_value());
    std::size_t cancelled = 0;
    for (std::size_t i = 0; i < c.requests.size(); ++i) {
        if (paths->status[i] == StatusCode::cancelled) {
            ++cancelled;
            EXPECT_EQ(paths->cost[i], kInfinity);
            EXPECT_TRUE(paths->cells(i).empty());
            continue;
        }
        const ExpectedPath single = expected<TypeParam>(c.index, c.requests[i], {});
        EXPECT_EQ(paths->status[i], single.status);
        EXPECT_TRUE(std::ranges::equal(paths->cells(i), single.cells));
    }
    EXPECT_GT(cancelled, 0U);
    EXPECT_LT(cancelled, c.requests.size());
    // The searcher can be used again.
    const auto again = searcher.find_paths(index, c.requests);
    ASSERT_TRUE(again.has_value());
    this->expect_single_answers(c, *again);
}

// The chunk in flight when memory runs out must not be taken for a part of the next batch, which is
// larger.
TYPED_TEST_P(GridDevice, AnswersAfterABatchThatRanOutOfMemory) {
    const DeviceCase<TypeParam> c = large_case<TypeParam>(this->many(400), kFewObstacles);
    const Device device = this->open();
    const DeviceGridIndex index = this->loaded(device, c.index);
    DeviceSearcher searcher(device, {.chunk = 10});
    for (const int most : {50, 200, 400}) {
        const auto requests = static_cast<std::size_t>(this->many(most));
        BuildControl control;
        control.progress = [](double) { throw std::bad_alloc(); };
        const std::span<const grid::Request> half = std::span(c.requests).first(requests / 2);
        const auto refused = searcher.find_paths(index, half, {}, control);
        ASSERT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error().code, StatusCode::out_of_memory);
        const DeviceCase<TypeParam> all{c.index,
                                        {c.requests.begin(), c.requests.begin() + requests}};
        const auto paths = searcher.find_paths(index, all.requests);
        ASSERT_TRUE(paths.has_value());
        this->expect_single_answers(all, *paths);
        ASSERT_FALSE(this->HasFailure());
    }
}

TYPED_TEST_P(GridDevice, RefusesAnIndexOfAnotherDeviceAndEmptyChunks) {
    const Device device = this->open();
    const DeviceCase<TypeParam> c = large_case<TypeParam>(3);
    const DeviceGridIndex index = this->loaded(device, c.index);
    const auto refusal = [&](DeviceSearcher searcher) {
        const auto paths = searcher.find_paths(index, c.requests);
        return paths ? StatusCode::ok : paths.error().code;
    };
    EXPECT_EQ(refusal(DeviceSearcher(device)), StatusCode::ok);
    EXPECT_EQ(refusal(DeviceSearcher(this->open())), StatusCode::bad_option);
    EXPECT_EQ(refusal(DeviceSearcher(device, {.chunk = 0})), StatusCode::bad_option);
}

// Blocked maps, open ones and ones of separate rows have no abstract nodes: their tables and labels
// are empty.
TYPED_TEST_P(GridDevice, MapsWithoutAbstractNodesAreAnswered) {
    const Device device = this->open();
    DeviceSearcher searcher(device);
    for (const std::uint64_t free : {0ULL, 0xffffULL, 0x0f0fULL}) {
        const grid::Map map = small_map(4, 4, free);
        const DeviceCase<TypeParam> c{TypeParam::build(map), all_requests(map)};
        const auto paths = searcher.find_paths(this->loaded(device, c.index), c.requests);
        ASSERT_TRUE(paths.has_value());
        this->expect_single_answers(c, *paths);
    }
}

REGISTER_TYPED_TEST_SUITE_P(GridDevice, EqualsSingleQueries, ClimbsWhereNotAllNodesHaveLabels,
                            PathsThatCostTooMuchAreToldAsBySingleQueries, EqualsBatches,
                            AllPairsOfFourByFour, AllPairsOfSevenByThree,
                            AnswersDoNotDependOnTheChunkSize, LittleMemoryChangesNoAnswer,
                            LittleMemoryOnAnOpenMapChangesNoAnswer,
                            AnIndexLargerThanTheMemoryIsRefused, ACancelledBatchKeepsItsAnswers,
                            AnswersAfterABatchThatRanOutOfMemory,
                            RefusesAnIndexOfAnotherDeviceAndEmptyChunks,
                            MapsWithoutAbstractNodesAreAnswered);

template <class P>
class GridDeviceThreads : public GridDevice<P> {};
TYPED_TEST_SUITE_P(GridDeviceThreads);

TYPED_TEST_P(GridDeviceThreads, DoNotMatter) {
    for (std::uint64_t seed = 0; seed < this->cases(20); ++seed) {
        const DeviceCase<TypeParam> c = device_case<TypeParam>(seed, 60, 100);
        for (const int threads : {1, 3}) {
            DeviceOptions options;
            options.threads = threads;
            const Device device = this->open(options);
            DeviceSearcher searcher(device, {.chunk = 40});
            BuildControl control;
            control.threads = threads;
            const auto paths =
                searcher.find_paths(this->loaded(device, c.index), c.requests, {}, control);
            ASSERT_TRUE(paths.has_value());
            this->expect_single_answers(c, *paths);
            ASSERT_FALSE(this->HasFailure()) << seed;
        }
    }
}

REGISTER_TYPED_TEST_SUITE_P(GridDeviceThreads, DoNotMatter);

}  // namespace cairn::test
