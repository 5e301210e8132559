// `cairn bench --agents`: crowds by batches, held against loops of single queries and A*.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "bench_test.hpp"
#include "cairn/bench_batch_report.hpp"

namespace cairn::test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class BatchBench : public BenchTest {
protected:
    /// The rows of a run, all of whose answers are right.
    [[nodiscard]] Json rows(const std::string& arguments) const {
        const Ran ran = bench("--sample 50 " + arguments + " --json");
        EXPECT_EQ(ran.code, 0) << ran.err << ran.out;
        Json all = ran.json()["rows"];
        for (const Json& row : all) {
            EXPECT_EQ(row["wrong"], 0) << row;
            for (const char* time : {"loop_us", "one_thread_us", "all_threads_us", "times_loop",
                                     "times_one_thread", "times_astar"})
                EXPECT_GT(row[time], 0) << row;
            EXPECT_GE(row["agents"], 16);
            EXPECT_LE(row["batch_agents"], row["agents"]);
        }
        return all;
    }
};

TEST_F(BatchBench, EveryPlannerIsAskedForEveryForm) {
    const Json all = rows(
        "a.map --agents 2000 --threads 2 --most-seconds 0.02 --planners "
        "buckets,hpa,hpa-path,hpa-astar,hpa-levels-2,ssg,taut-nlevel,labels");
    std::set<std::string> planners;
    std::set<std::string> ways;
    for (const Json& row : all) {
        planners.insert(row["planner"]);
        ways.insert(row["goals"].get<std::string>() + ", " + row["paths"].get<std::string>());
        EXPECT_LE(row["agents"], 2000);
        EXPECT_TRUE(row["planner"] != "astar" || row["times_astar"] == 1) << row;
    }
    EXPECT_EQ(planners.size(), 9U);
    EXPECT_EQ(all[0]["planner"], "astar");
    EXPECT_THAT(ways, ::testing::ElementsAre("random, cost", "random, every cell",
                                             "random, turning cells", "shared, cost",
                                             "shared, every cell", "shared, turning cells"));
    EXPECT_EQ(all.size(), planners.size() * ways.size());
}

TEST_F(BatchBench, ADeviceIsAskedForTheSameCrowds) {
    const std::string crowd =
        "a.map --agents 3000 --threads 2 --most-seconds 0.05 --batch-mb 1 --device host "
        "--planners hpa,hpa-path,hpa-small,hpa-astar,taut,labels";
    std::set<std::string> on_device;
    std::size_t measured = 0;
    for (const Json& row : rows(crowd + " --csv out.csv")) {
        if (row["device"].is_null()) {
            for (const char* what : {"device_us", "device_times_host", "device_index_bytes"})
                EXPECT_TRUE(row[what].is_null()) << row;
            continue;
        }
        on_device.insert(row["planner"]);
        ++measured;
        EXPECT_THAT(row["device"].get<std::string>(), HasSubstr("host"));
        EXPECT_EQ(row["device_wrong"], 0) << row;
        for (const char* what :
             {"device_us", "device_host_us", "device_times_host", "device_index_bytes"})
            EXPECT_GT(row[what], 0) << row;
        // The ends of a trip there, its status and cost back.
        const bool cost = row["paths"] == "cost";
        EXPECT_GT(row["device_bytes_copied"], 0) << row;
        EXPECT_LT(row["device_bytes_copied"], cost ? 33 : 1000) << row;
        EXPECT_LT(row["device_host_share"], 1) << row;
    }
    EXPECT_THAT(on_device, ::testing::ElementsAre("hpa", "hpa-path", "labels"));
    EXPECT_EQ(measured, 18U);
    EXPECT_THAT(bytes_of(folder_.path() / "out.csv"), HasSubstr("\"device_bytes_copied\""));

    const Ran text = bench(crowd);
    ASSERT_EQ(text.code, 0) << text.err;
    for (const char* part :
         {"The same on a device: host", "device us", "/a: hpa-small is not on the device: devices",
          "/a: hpa-astar is not on the device: the index has no cut labels",
          "/a: taut is not on the device: the index has no cut labels"})
        EXPECT_THAT(text.out, HasSubstr(part));
}

TEST_F(BatchBench, ADeviceHasItsRowsOfSetsToo) {
    const Json all = rows(
        "a.map b.map --agents 100 --most-seconds 60 --planners labels --per-map --device auto");
    ASSERT_EQ(all.size(), 36U);
    for (const Json& row : all) EXPECT_EQ(row["device"].is_null(), row["planner"] == "astar");
    const double mean =
        (all[6]["device_us"].get<double>() + all[18]["device_us"].get<double>()) / 2;
    EXPECT_NEAR(all[30]["device_us"].get<double>(), mean, 1e-6 * mean);
}

TEST_F(BatchBench, AgentsOfAllClasses) {
    const Json all = rows(
        "a.map --agents 600 --planners haa,haa-plain --trees 10 --most-seconds 0.02 "
        "--capabilities ground,ground+trees --max-size 2");
    ASSERT_EQ(all.size(), 18U);
    EXPECT_EQ(all[0]["planner"], "aa");
    EXPECT_EQ(all[17]["planner"], "haa-plain");
}

// The paths of a large crowd would not fit into memory at once.
TEST_F(BatchBench, LargeCrowdsComeInSeveralBatches) {
    const Json all = rows("a.map --agents 6000 --planners labels --most-seconds 1 --batch-mb 1");
    for (const Json& row : all) {
        if (row["planner"] != "labels") continue;
        EXPECT_EQ(row["agents"], 6000);
        EXPECT_LT(row["batch_agents"], 6000);
        EXPECT_LT(row["batch_bytes"], 2 << 20);
    }
}

TEST_F(BatchBench, SlowPlannersAreAskedForAPart) {
    for (const Json& row : rows("a.map --agents 2000 --planners hpa-astar --most-seconds 0")) {
        EXPECT_EQ(row["agents"], 16);
        EXPECT_EQ(row["batch_agents"], 16);
    }
}

TEST_F(BatchBench, FewAgentsMayBeFewerThanTheSample) {
    const Ran ran = bench("a.map --agents 1 --planners hpa --json");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json report = ran.json();
    for (const Json& row : report["rows"]) EXPECT_EQ(row["agents"], 1);
    EXPECT_EQ(bench("a.map --agents 3 --planners haa").code, 0);
}

TEST_F(BatchBench, MapsAreSummedUpBySet) {
    const std::string two = "a.map b.map --agents 100 --most-seconds 60 --planners hpa";
    EXPECT_EQ(rows(two).size(), 12U);
    const Json all = rows(two + " --per-map --csv out.csv");
    ASSERT_EQ(all.size(), 36U);
    EXPECT_THAT(all[0]["maps"].get<std::string>(), HasSubstr("/a"));
    EXPECT_THAT(all[12]["maps"].get<std::string>(), HasSubstr("/b"));
    EXPECT_EQ(all[24]["agents"], 200);
    const double mean = (all[0]["loop_us"].get<double>() + all[12]["loop_us"].get<double>()) / 2;
    EXPECT_NEAR(all[24]["loop_us"].get<double>(), mean, 1e-6 * mean);
    std::ifstream csv(folder_.path() / "out.csv");
    const std::string lines(std::istreambuf_iterator<char>(csv), {});
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 37);
    EXPECT_THAT(lines, HasSubstr("\"times_loop\""));
}

TEST_F(BatchBench, TheTableSaysHowItWasAsked) {
    const Ran ran = bench("a.map --agents 100 --threads 3 --most-seconds 60");
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("in 16.7 ms"));
    EXPECT_THAT(ran.out, HasSubstr("and on 3."));
    EXPECT_THAT(ran.out, HasSubstr("batches of at most 100 agents"));
    EXPECT_THAT(ran.out, HasSubstr("hpa-astar"));
}

TEST_F(BatchBench, PrintsEveryMapWhenItIsThere) {
    const Ran ran = bench("a.map b.map --agents 100 --per-map --most-seconds 0.01 --planners hpa");
    ASSERT_EQ(ran.code, 0) << ran.err;
    std::vector<std::size_t> titles;
    for (std::size_t at = ran.out.find("Many agents"); at != std::string::npos;
         at = ran.out.find("Many agents", at + 1))
        titles.push_back(at);
    ASSERT_EQ(titles.size(), 3U) << ran.out;
    EXPECT_THAT(ran.out.substr(0, titles[1]), HasSubstr("/a "));
    EXPECT_THAT(ran.out.substr(0, titles[1]), Not(HasSubstr("/b ")));
    EXPECT_THAT(ran.out.substr(titles[1]), HasSubstr("/b "));
    EXPECT_THAT(ran.out.substr(titles[2]), Not(HasSubstr("/b ")));
    EXPECT_THAT(ran.out.substr(titles[2]), HasSubstr("100 agents a map"));
}

TEST_F(BatchBench, SaysWhatWasMeasuredWhenItIsInterrupted) {
    // The first map is done in no time, the second takes long.
    ASSERT_EQ(run("generate rooms large.map --width 500 --height 500 --size 8 --seed 3").code, 0);
    const auto stopped = [&](const std::string& csv, const std::string& more) {
        return bench("a.map large.map --agents 1000 --most-seconds 100000 --planners hpa --csv " +
                     csv + more + " & P=$!; for i in $(seq 600); do test -s " + csv +
                     " && break; sleep 0.1; done; kill -TERM $P; wait $P");
    };
    const Ran ran = stopped("out.csv", " --per-map");
    EXPECT_EQ(ran.code, 130) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("/a "));
    EXPECT_THAT(ran.out, HasSubstr("Cut off: 1 of 2 maps were measured"));
    EXPECT_THAT(bytes_of(folder_.path() / "out.csv"), HasSubstr("/a\""));
    const Ran as_json = stopped("again.csv", " --per-map --json");
    EXPECT_EQ(as_json.code, 130);
    EXPECT_EQ(as_json.json()["stopped"], true);
    EXPECT_GE(as_json.json()["rows"].size(), 12U);
}

app::BatchBench map_of_runs(const std::string& name, std::size_t runs) {
    app::BatchBench map;
    map.set = "set";
    map.map = name;
    map.runs.resize(runs);
    for (app::BatchRun& run : map.runs) {
        run.loop_us = run.one_thread_us = run.threads_us = 1;
        run.in_frame.fill(40);
    }
    return map;
}

TEST(BatchReport, CountsWrongAnswers) {
    const app::BatchBench map = map_of_runs("a", 2);
    EXPECT_FALSE(app::batch_report({map, map}, 2, false, {}).wrong);
    app::BatchBench other = map;
    other.runs[1].wrong = 3;
    const app::BatchReport report = app::batch_report({map, other}, 2, false, {});
    EXPECT_TRUE(report.wrong);
    EXPECT_EQ(report.json["rows"][1]["wrong"], 3);
}

TEST(BatchReport, CountsWrongAnswersOfDevices) {
    app::BatchMeasureOptions options;
    options.flags.device = batch::DeviceKind::host;
    app::BatchBench map = map_of_runs("a", 2);
    map.device_name = "toaster";
    map.runs[1].device = app::DeviceRun{1, 2, 40, 0.5, 1000, 0};
    app::BatchBench other = map;
    EXPECT_FALSE(app::batch_report({map, other}, 2, false, options).wrong);
    other.runs[1].device->wrong = 3;
    const app::BatchReport report = app::batch_report({map, other}, 2, false, options);
    EXPECT_TRUE(report.wrong);
    EXPECT_TRUE(report.json["rows"][0]["device_wrong"].is_null());
    EXPECT_EQ(report.json["rows"][1]["device_wrong"], 3);
    EXPECT_EQ(report.json["rows"][1]["device_times_host"], 2);
    EXPECT_THAT(report.text, HasSubstr("The same on a device: toaster"));
    // Of sets of whose maps some are not on the device nothing is said, but what is wrong.
    map.runs[1].device.reset();
    const app::BatchReport part = app::batch_report({map, other}, 2, false, options);
    EXPECT_TRUE(part.wrong);
    EXPECT_TRUE(part.json["rows"][1]["device"].is_null());
    EXPECT_FALSE(app::batch_report({map}, 1, false, {}).json["rows"][0].contains("device"));
}

TEST(BatchReport, SetsLeaveOutTheMapThatWasStopped) {
    std::vector<app::BatchBench> maps{map_of_runs("a", 3), map_of_runs("b", 3),
                                      map_of_runs("c", 1)};
    maps.back().stopped = true;
    for (const bool per_map : {false, true}) {
        const app::BatchReport report = app::batch_report(maps, 9, per_map, {});
        EXPECT_TRUE(report.stopped);
        EXPECT_EQ(report.json["stopped"], true);
        const auto& rows = report.json["rows"];
        ASSERT_EQ(rows.size(), per_map ? 10U : 4U);
        EXPECT_EQ(rows.back()["maps"], "set/c");
        EXPECT_EQ(rows[rows.size() - 2]["maps"], "set");
        EXPECT_THAT(report.text,
                    HasSubstr("Cut off: 2 of 9 maps were measured, and of set/c the first rows."));
        EXPECT_EQ(report.text.find("\nset/c ") == std::string::npos, per_map);
    }
    EXPECT_THAT(app::map_text(maps.back()), HasSubstr("set/c"));
    maps.back().runs.clear();
    EXPECT_EQ(app::map_text(maps.back()), "");
    EXPECT_THAT(app::batch_report(maps, 9, false, {}).text,
                HasSubstr("2 of 9 maps were measured."));
    maps.pop_back();
    EXPECT_FALSE(app::batch_report(maps, 2, false, {}).stopped);
}

TEST(BatchReport, AMapAloneHasItsRowsOnce) {
    const std::vector<app::BatchBench> maps{map_of_runs("a", 2)};
    const app::BatchReport report = app::batch_report(maps, 1, true, {});
    EXPECT_EQ(report.json["rows"].size(), 2U);
    EXPECT_EQ(report.text.find("set/a"), std::string::npos);
}

TEST_F(BatchBench, MistakesAreExplained) {
    expect_mistake("--agents 10 --planners jps", "jps has no batches");
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
