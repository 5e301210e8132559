// `cairn bench --agents`: crowds by batches, held against loops of single queries and A*.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "cairn/bench_batch_report.hpp"
#include "run_cairn.hpp"

namespace cairn::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class BatchBench : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(run_cairn(folder_.path(),
                            "generate rooms a.map --width 50 --height 40 --size 8 --seed 3")
                      .code,
                  0);
        ASSERT_EQ(
            run_cairn(folder_.path(), "generate caves b.map --width 40 --height 40 --seed 5").code,
            0);
    }
    [[nodiscard]] Ran bench(const std::string& arguments) const {
        return run_cairn(folder_.path(), "bench --rounds 1 --sample 50 " + arguments);
    }
    /// The rows of a run, all of whose answers are right.
    [[nodiscard]] json rows(const std::string& arguments) const {
        const Ran ran = bench(arguments + " --json");
        EXPECT_EQ(ran.code, 0) << ran.err << ran.out;
        json all = ran.json()["rows"];
        for (const json& row : all) {
            EXPECT_EQ(row["wrong"], 0) << row;
            for (const char* time : {"loop_us", "one_thread_us", "all_threads_us", "times_loop",
                                     "times_one_thread", "times_astar"})
                EXPECT_GT(row[time], 0) << row;
            EXPECT_GE(row["agents"], 50);
            EXPECT_LE(row["batch_agents"], row["agents"]);
        }
        return all;
    }
    void expect_error(const std::string& arguments, const std::string& text) const {
        const Ran ran = run_cairn(folder_.path(), "bench a.map " + arguments);
        EXPECT_EQ(ran.code, 2) << arguments;
        EXPECT_THAT(ran.err, HasSubstr(text)) << arguments;
    }

    ScratchFolder folder_;
};

TEST_F(BatchBench, EveryPlannerIsAskedForEveryForm) {
    const json all = rows(
        "a.map --agents 2000 --threads 2 --most-seconds 0.02 --planners "
        "buckets,hpa,hpa-path,hpa-astar,hpa-levels-2,ssg,taut-nlevel,labels");
    std::set<std::string> planners;
    std::set<std::string> ways;
    for (const json& row : all) {
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

TEST_F(BatchBench, AgentsOfAllClasses) {
    const json all = rows(
        "a.map --agents 600 --planners haa,haa-plain --trees 10 --most-seconds 0.02 "
        "--capabilities ground,ground+trees --max-size 2");
    ASSERT_EQ(all.size(), 18U);
    EXPECT_EQ(all[0]["planner"], "aa");
    EXPECT_EQ(all[17]["planner"], "haa-plain");
}

// The paths of a large crowd would not fit into memory at once.
TEST_F(BatchBench, LargeCrowdsComeInSeveralBatches) {
    const json all = rows("a.map --agents 6000 --planners labels --most-seconds 1 --batch-mb 1");
    for (const json& row : all) {
        if (row["planner"] != "labels") continue;
        EXPECT_EQ(row["agents"], 6000);
        EXPECT_LT(row["batch_agents"], 6000);
        EXPECT_LT(row["batch_bytes"], 2 << 20);
    }
}

TEST_F(BatchBench, SlowPlannersAreAskedForAPart) {
    for (const json& row : rows("a.map --agents 2000 --planners hpa-astar --most-seconds 0")) {
        EXPECT_EQ(row["agents"], 50);
        EXPECT_EQ(row["batch_agents"], 50);
    }
}

TEST_F(BatchBench, FewAgentsMayBeFewerThanTheSample) {
    const Ran ran = bench("a.map --agents 1 --planners hpa --json");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json report = ran.json();
    for (const json& row : report["rows"]) EXPECT_EQ(row["agents"], 1);
    EXPECT_EQ(bench("a.map --agents 3 --planners haa").code, 0);
}

TEST_F(BatchBench, MapsAreSummedUpBySet) {
    const std::string two = "a.map b.map --agents 100 --planners hpa";
    EXPECT_EQ(rows(two).size(), 12U);
    const json all = rows(two + " --per-map --csv out.csv");
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
    const Ran ran = bench("a.map --agents 100 --threads 3");
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("in 16.7 ms"));
    EXPECT_THAT(ran.out, HasSubstr("and on 3."));
    EXPECT_THAT(ran.out, HasSubstr("batches of at most 100 agents"));
    EXPECT_THAT(ran.out, HasSubstr("hpa-astar"));
}

TEST(BatchReport, CountsWrongAnswers) {
    app::BatchBench map;
    map.runs.resize(2);
    for (app::BatchRun& run : map.runs) {
        run.loop_us = run.one_thread_us = run.threads_us = 1;
        run.in_frame.fill(40);
    }
    EXPECT_FALSE(app::batch_report({map, map}, false, {}).wrong);
    app::BatchBench other = map;
    other.runs[1].wrong = 3;
    const app::BatchReport report = app::batch_report({map, other}, false, {});
    EXPECT_TRUE(report.wrong);
    EXPECT_EQ(report.json["rows"][1]["wrong"], 3);
}

TEST_F(BatchBench, MistakesAreExplained) {
    expect_error("--agents 10 --planners jps", "jps has no batches");
    expect_error("--agents 10 --planners haa,hpa", "run them apart");
    expect_error("--agents 10 --edits 3", "--edits");
    expect_error("--agents 10 --random 3", "--random");
    expect_error("--agents 0", "--agents");
    expect_error("--sample 10", "--agents");
    expect_error("--batch-mb 10", "--agents");
    expect_error("--agents 10 --threads -1", "--threads");
}

}  // namespace
}  // namespace cairn::test
