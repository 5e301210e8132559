// Devices that fail: how they are opened, and what batches make of their errors.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "batch/failing_machine.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/subgoal/index.hpp"
#include "support/random_maps.hpp"

namespace cairn::batch::test {
namespace {

using OpenGpu = Result<std::shared_ptr<Machine>> (*)(const DeviceOptions&);

TEST(OpenDevice, AutomaticTakesTheHostWhereTheGpuFailsItsProbe) {
    for (const StatusCode code :
         {StatusCode::no_device, StatusCode::device_failed, StatusCode::out_of_memory}) {
        static StatusCode failing_with;
        failing_with = code;
        const OpenGpu open_gpu = [](const DeviceOptions&) -> Result<std::shared_ptr<Machine>> {
            return fail(failing_with, "fault of a test");
        };
        const auto automatic = open_machine({.kind = DeviceKind::automatic}, open_gpu);
        ASSERT_TRUE(automatic.has_value());
        const Device device(*automatic);
        EXPECT_FALSE(device.is_gpu());
        EXPECT_EQ(device.why_no_gpu(), (Status{code, "fault of a test"}));
        EXPECT_EQ(device.properties().back().value, "fault of a test");
        const auto gpu = open_machine({.kind = DeviceKind::gpu}, open_gpu);
        ASSERT_FALSE(gpu.has_value());
        EXPECT_EQ(gpu.error(), (Status{code, "fault of a test"}));
        const auto host = open_machine({.kind = DeviceKind::host}, open_gpu);
        ASSERT_TRUE(host.has_value());
        EXPECT_TRUE(Device(*host).why_no_gpu().ok());
    }
}

TEST(OpenDevice, AutomaticTakesAGpuThatWorks) {
    static Faults none;
    const OpenGpu open_gpu = [](const DeviceOptions&) -> Result<std::shared_ptr<Machine>> {
        return std::make_shared<FailingMachine>(none);
    };
    const auto machine = open_machine({.kind = DeviceKind::automatic}, open_gpu);
    ASSERT_TRUE(machine.has_value());
    EXPECT_TRUE(Device(*machine).is_gpu());
    EXPECT_TRUE(Device(*machine).why_no_gpu().ok());
}

class FailingDevice : public testing::Test {
protected:
    FailingDevice() {
        cairn::test::RandomMaps random(5);
        const grid::Map map = random.noise({60, 50}, 25);
        const auto index = subgoal::Index::build(map);
        EXPECT_TRUE(index.has_value());
        index_ = *index;
        const std::vector<grid::Point> free = cairn::test::free_points(map);
        for (int i = 0; i < 200; ++i) {
            const grid::Point start = random.one_of(free);
            requests_.push_back({start, random.one_of(free)});
        }
    }

    /// What a batch on this device gives without faults.
    [[nodiscard]] std::vector<Cost> right_costs() const {
        const auto host = Device::open({.kind = DeviceKind::host, .threads = 1});
        const auto loaded = DeviceGridIndex::load(*host, *index_);
        DeviceSearcher searcher(*host);
        const auto paths = searcher.find_paths(*loaded, requests_);
        EXPECT_TRUE(paths.has_value());
        return {paths->cost.begin(), paths->cost.end()};
    }
    [[nodiscard]] Device device() { return Device(std::make_shared<FailingMachine>(faults_)); }
    [[nodiscard]] static StatusCode code_of(const auto& result) {
        return result ? StatusCode::ok : result.error().code;
    }

    std::optional<subgoal::Index> index_;
    std::vector<grid::Request> requests_;
    Faults faults_;
};

// An error of the device is not taken for a lack of memory: smaller chunks would not help.
TEST_F(FailingDevice, AnAllocationThatFailsOtherwiseIsAnErrorOfTheDevice) {
    const Device failing = device();
    const auto loaded = DeviceGridIndex::load(failing, *index_);
    ASSERT_TRUE(loaded.has_value());
    const std::vector<Cost> right = right_costs();
    int failures = 0;
    for (int allocations = 0;; ++allocations) {
        DeviceSearcher searcher(failing, {.chunk = 50});
        faults_ = {};
        faults_.allocations = allocations;
        const auto paths = searcher.find_paths(*loaded, requests_);
        if (faults_.failures == 0) break;
        // The room for the first paths is a guess: without it the chunk runs again.
        if (paths) {
            EXPECT_TRUE(std::ranges::equal(paths->cost, right));
            continue;
        }
        EXPECT_EQ(paths.error(), faults_.failure());
        EXPECT_EQ(faults_.allocated, static_cast<std::uint64_t>(allocations) + 1);
        ++failures;
        // The error has passed, and the searcher can be used again.
        const auto again = searcher.find_paths(*loaded, requests_);
        ASSERT_TRUE(again.has_value()) << again.error().message;
        EXPECT_TRUE(std::ranges::equal(again->cost, right));
    }
    EXPECT_GT(failures, 10);
}

TEST_F(FailingDevice, AnAllocationThatFindsNoMemoryIsTriedInSmallerChunks) {
    const Device failing = device();
    const auto loaded = DeviceGridIndex::load(failing, *index_);
    ASSERT_TRUE(loaded.has_value());
    const std::vector<Cost> right = right_costs();
    for (int allocations = 0; allocations < 14; ++allocations) {  // those of two chunks
        DeviceSearcher searcher(failing, {.chunk = 50});
        faults_ = {};
        faults_.code = StatusCode::out_of_memory;
        faults_.allocations = allocations;
        const auto paths = searcher.find_paths(*loaded, requests_);
        EXPECT_EQ(faults_.failures, 1);
        ASSERT_TRUE(paths.has_value()) << paths.error().message;
        EXPECT_TRUE(std::ranges::equal(paths->cost, right));
    }
}

TEST_F(FailingDevice, AnErrorThatPassesLosesOneBatch) {
    const Device failing = device();
    const auto loaded = DeviceGridIndex::load(failing, *index_);
    ASSERT_TRUE(loaded.has_value());
    const std::vector<Cost> right = right_costs();
    DeviceSearcher searcher(failing, {.chunk = 50});
    int waits = 0;
    for (;; ++waits) {
        faults_ = {};
        faults_.waits = waits;
        const auto paths = searcher.find_paths(*loaded, requests_);
        if (paths) break;
        EXPECT_EQ(paths.error(), faults_.failure());
        const auto again = searcher.find_paths(*loaded, requests_);
        ASSERT_TRUE(again.has_value());
        EXPECT_TRUE(std::ranges::equal(again->cost, right));
    }
    EXPECT_GT(waits, 3);  // at least one for each of four chunks
}

TEST_F(FailingDevice, AfterAnErrorThatLastsEveryCallFailsAtOnce) {
    const Device failing = device();
    const auto loaded = DeviceGridIndex::load(failing, *index_);
    ASSERT_TRUE(loaded.has_value());
    DeviceSearcher searcher(failing, {.chunk = 50});
    faults_.waits = 2;
    faults_.lasting = true;
    const auto first = searcher.find_paths(*loaded, requests_);
    ASSERT_FALSE(first.has_value());
    faults_.operations = 0;
    faults_.allocated = 0;
    for (int call = 0; call < 3; ++call) {
        const auto later = searcher.find_paths(*loaded, requests_);
        ASSERT_FALSE(later.has_value());
        EXPECT_EQ(later.error(), first.error());
    }
    EXPECT_EQ(code_of(DeviceSearcher(failing).find_paths(*loaded, requests_)),
              StatusCode::device_failed);
    EXPECT_EQ(code_of(DeviceGridIndex::load(failing, *index_)), StatusCode::device_failed);
    EXPECT_EQ(faults_.operations, 0U);
    EXPECT_EQ(faults_.allocated, 0U);
}

TEST_F(FailingDevice, TimesAreMeasuredOnlyWhenAskedFor) {
    const auto host = Device::open({.kind = DeviceKind::host, .threads = 1});
    const auto loaded = DeviceGridIndex::load(*host, *index_);
    ASSERT_TRUE(loaded.has_value());
    for (const bool timed : {false, true}) {
        DeviceSearcher searcher(*host, {.chunk = 50, .timed = timed});
        for (int batch = 0; batch < 2; ++batch) {
            ASSERT_TRUE(searcher.find_paths(*loaded, requests_).has_value());
            const DeviceTimes& times = searcher.statistics().times;
            for (const double time :
                 {times.copies_ms, times.answer_ms, times.lay_out_ms, times.wait_ms})
                EXPECT_EQ(time > 0, timed);
        }
    }
}

}  // namespace
}  // namespace cairn::batch::test
