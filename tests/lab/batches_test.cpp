// `cairn-lab bench --agents`: crowds planned in batches, compared with single queries and A*.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "cairn/batch/device.hpp"
#include "lab/lab_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

class BatchBench : public LabTest {
protected:
    /// The rows of a run; all its answers must be right and all its times positive.
    [[nodiscard]] CsvRows rows(const std::string& arguments) const {
        CsvRows all = LabTest::rows("bench --rounds 1 --sample 50 " + arguments);
        for (const CsvRow& row : all) {
            EXPECT_EQ(row.text("wrong"), "0");
            for (const char* time : {"loop_us", "one_thread_us", "all_threads_us", "in_40_ms"})
                EXPECT_GT(row.number(time), 0);
            EXPECT_GE(row.number("agents"), 16);
            EXPECT_LE(row.number("batch_agents"), row.number("agents"));
        }
        return all;
    }
};

TEST_F(BatchBench, EveryPlannerPlansForAllGoalsAndPaths) {
    const CsvRows all = rows(
        "a.map --agents 2000 --threads 2 --most-seconds 1 --planners "
        "buckets,hpa,hpa-path,hpa-astar,hpa-levels-2,ssg,taut-nlevel,labels");
    std::set<std::string> planners;
    std::set<std::string> forms;
    for (const CsvRow& row : all) {
        planners.insert(row.text("planner"));
        forms.insert(row.text("goals") + ", " + row.text("paths"));
        EXPECT_LE(row.number("agents"), 2000);
        EXPECT_EQ(row.text("threads"), "2");
    }
    EXPECT_EQ(planners.size(), 9U);
    EXPECT_EQ(all[0].text("planner"), "astar");
    EXPECT_THAT(forms, ::testing::ElementsAre("random, cost", "random, every cell",
                                              "random, turning cells", "shared, cost",
                                              "shared, every cell", "shared, turning cells"));
    EXPECT_EQ(all.size(), planners.size() * forms.size());
}

TEST_F(BatchBench, ADevicePlansTheSameCrowds) {
    std::set<std::string> on_device;
    std::set<std::string> notes;
    std::size_t measured = 0;
    for (const CsvRow& row :
         rows("a.map --agents 3000 --threads 2 --most-seconds 1 --batch-mb 1 --device host "
              "--planners hpa,hpa-path,hpa-small,hpa-astar,taut,labels")) {
        if (row.empty("device")) {
            for (const char* column : {"device_us", "device_host_us", "device_index_bytes"})
                EXPECT_TRUE(row.empty(column));
            notes.insert(row.text("planner") + ": " + row.text("note"));
            continue;
        }
        on_device.insert(row.text("planner"));
        ++measured;
        EXPECT_THAT(row.text("device"), HasSubstr("host"));
        for (const char* column : {"device_us", "device_host_us", "device_index_bytes"})
            EXPECT_GT(row.number(column), 0);
        // Start and goal are copied to the device, status and cost (or a path) back.
        const bool cost_only = row.text("paths") == "cost";
        EXPECT_GT(row.number("device_bytes_copied"), 0);
        EXPECT_LT(row.number("device_bytes_copied"), cost_only ? 33 : 1000);
        EXPECT_LT(row.number("device_host_share"), 1);
    }
    EXPECT_THAT(on_device, ::testing::ElementsAre("hpa", "hpa-path", "labels"));
    EXPECT_EQ(measured, 18U);
    EXPECT_THAT(notes, ::testing::Contains(HasSubstr("hpa-small: not on the device: devices")));
    for (const char* planner : {"hpa-astar", "taut"})
        EXPECT_THAT(notes,
                    ::testing::Contains(HasSubstr(
                        std::string(planner) +
                        ": not on the device: the index has neither labels nor their closure")));
}

TEST_F(BatchBench, HaaPlansForAllClassesOfAgents) {
    const CsvRows all = rows(
        "a.map --agents 600 --planners haa,haa-plain --trees 10 --most-seconds 1 "
        "--capabilities ground,ground+trees --max-size 2");
    ASSERT_EQ(all.size(), 18U);
    EXPECT_EQ(all[0].text("planner"), "aa");
    EXPECT_EQ(all[17].text("planner"), "haa-plain");
}

TEST_F(BatchBench, LargeCrowdsAreSplitToLimitMemory) {
    const CsvRows all =
        rows("a.map --agents 6000 --planners labels --most-seconds 20 --batch-mb 1");
    for (const CsvRow& row : all) {
        if (row.text("planner") != "labels") continue;
        EXPECT_EQ(row.number("agents"), 6000);
        EXPECT_LT(row.number("batch_agents"), 6000);
        EXPECT_LT(row.number("batch_bytes"), 2 << 20);
    }
}

TEST_F(BatchBench, SlowPlannersPlanForFewerAgents) {
    for (const CsvRow& row : rows("a.map --agents 2000 --planners hpa-astar --most-seconds 0")) {
        EXPECT_EQ(row.number("agents"), 16);
        EXPECT_EQ(row.number("batch_agents"), 16);
    }
}

TEST_F(BatchBench, CrowdsCanBeSmallerThanTheSample) {
    for (const CsvRow& row : LabTest::rows("bench --rounds 1 a.map --agents 1 --planners hpa"))
        EXPECT_EQ(row.number("agents"), 1);
    EXPECT_EQ(bench("a.map --agents 3 --planners haa").code, 0);
}

TEST_F(BatchBench, MapsAreMeasuredOneAfterTheOther) {
    const CsvRows all = rows("a.map b.map --agents 100 --most-seconds 60 --planners hpa");
    ASSERT_EQ(all.size(), 24U);
    EXPECT_EQ(all[0].text("map"), "a");
    EXPECT_EQ(all[12].text("map"), "b");
    EXPECT_EQ(all[0].text("set"), all[12].text("set"));
}

TEST_F(BatchBench, AnInterruptedRunKeepsWhatWasMeasured) {
    // The first map takes a moment, the second long. The signal follows the rows of the first.
    ASSERT_EQ(cairn("generate rooms large.map --width 500 --height 500 --size 8 --seed 3").code, 0);
    const Ran ran = bench(
        "a.map large.map --agents 1000 --most-seconds 100000 --planners hpa --out csv & P=$!; "
        "for i in $(seq 600); do test -s csv/batches.csv && grep -q every.cell csv/batches.csv && "
        "break; sleep 0.1; done; sleep 0.5; kill -TERM $P; wait $P");
    EXPECT_EQ(ran.code, 130) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("cancelled"));
    const CsvRows all = csv_file(folder_.path() / "csv" / "batches.csv");
    ASSERT_GE(all.size(), 1U);
    EXPECT_EQ(all[0].text("map"), "a");
}

TEST_F(BatchBench, MistakesAreExplained) {
    expect_mistake("--agents 10 --planners jps", "jps has no batches");
    expect_mistake("--agents 10 --planners jps+", "jps+ has no batches");
    expect_mistake("--agents 10 --planners haa,hpa", "run them apart");
    expect_mistake("--agents 10 --edits 3", "--edits");
    expect_mistake("--agents 10 --random 3", "--random");
    expect_mistake("--agents 0", "--agents");
    expect_mistake("--sample 10", "--agents");
    expect_mistake("--batch-mb 10", "--agents");
    expect_mistake("--agents 10 --threads -1", "--threads");
    expect_mistake("--device host", "--agents");
    expect_mistake("--agents 10 --device toaster", "--device");
    expect_mistake("--agents 10 --device host --planners haa", "--device");
    if (!batch::Device::open({batch::DeviceKind::gpu}))
        expect_mistake("--agents 10 --device gpu",
                       batch::Device::open({batch::DeviceKind::gpu}).error().message);
}

}  // namespace
}  // namespace cairn::test
