// The command `cairn crowd`: its report, its planners, its pictures and its errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "cairn/any.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/formats/raster.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/planners.hpp"
#include "command_test.hpp"
#include "crowd/run.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

class Crowd : public CommandTest {
protected:
    /// Two halls with trees, joined by two doors.
    void SetUp() override {
        std::string map = "type octile\nheight 24\nwidth 40\nmap\n";
        for (int y = 0; y < 24; ++y) {
            for (int x = 0; x < 40; ++x) {
                const bool wall = x == 20 && y / 3 != 1 && y / 3 != 6;
                const bool trees = x % 9 == 4 && y % 7 == 3;
                map += wall ? '@' : trees ? 'T' : '.';
            }
            map += '\n';
        }
        folder_.file("halls.map", map);
    }
    /// The bytes of a picture that was drawn.
    [[nodiscard]] std::string picture(const std::string& name) const {
        return bytes_of(folder_.path() / name);
    }
    static void expect_nothing_wrong(const nlohmann::json& report) {
        for (const auto& [what, count] : report["wrong"].items()) EXPECT_EQ(count, 0) << what;
        EXPECT_GT(report["compared"], 0);
    }
    /// The world of the halls.
    [[nodiscard]] std::unique_ptr<app::CrowdWorld> halls(const std::string& planner,
                                                         const app::CrowdControl& control) const {
        const std::string file = folder_.path() / "halls.map";
        AnyMap map = formats::load_terrain_map(file).value();
        if (planner == "hna")
            return make_world(*hna::Index::build(*mesh::mesh_from_grid(std::get<grid::Map>(map))),
                              control)
                .value();
        if (planner == "haa") map = *haa::AnnotatedMap::create(*formats::load_terrain(file));
        return make_world(*AnyIndex::build(planner, map), control).value();
    }
    /// The names of the ways to plan that the report measures.
    static std::vector<std::string> ways(const nlohmann::json& report) {
        std::vector<std::string> names;
        for (const auto& way : report["ways"]) names.push_back(way["way"]);
        return names;
    }
};

TEST_F(Crowd, ReportsWhatItMeasured) {
    const auto report = json("crowd halls.map --agents 50 --seconds 2 --rate 2");
    EXPECT_EQ(report["planner"], "hpa");
    EXPECT_EQ(report["places"], 960);
    EXPECT_EQ(report["agents"], 50);
    EXPECT_EQ(report["frames"], 50);
    EXPECT_EQ(report["stopped"], false);
    EXPECT_EQ(report["edits"]["blocked"].get<int>() + report["edits"]["freed"].get<int>() +
                  report["edits"]["skipped"].get<int>(),
              2);
    // Each agent plans twice a second, and once more when it arrives or is cut off.
    EXPECT_GE(report["queries"], 200);
    EXPECT_LE(report["queries"], 200 + report["arrived"].get<int>() + report["cut"].get<int>());
    EXPECT_GT(report["steps"], 50);
    expect_nothing_wrong(report);
    EXPECT_EQ(ways(report), (std::vector<std::string>{"A* on level 1", "climbing", "labels",
                                                      "A* for each agent", "as walked"}));
    for (const auto& way : report["ways"]) {
        EXPECT_LE(way["median_ms"], way["worst_ms"]);
        EXPECT_GE(way["queries_in_40_ms"], way["queries_in_16_7_ms"]);
        EXPECT_GT(way["agents_served"], 0);
    }
    const Ran text = run("crowd halls.map --agents 50 --seconds 2");
    EXPECT_EQ(text.code, 0) << text.err;
    for (const char* word : {"960 cells", "50 of 40 ms", "first paths", "edits", "0 not allowed",
                             "queries in 40 ms", "agents served", "as walked"})
        EXPECT_THAT(text.out, HasSubstr(word));
}

TEST_F(Crowd, IsTheSameOnAnyNumberOfCores) {
    for (const char* planner : {"hpa --levels 2", "subgoal", "haa", "hna"}) {
        const std::string crowd = std::string("crowd halls.map --agents 80 --seconds 3 --edits 6") +
                                  " --planner " + planner;
        const auto one = json(crowd + " --threads 1 --picture one.png");
        const auto three = json(crowd + " --threads 3 --picture three.png");
        for (const char* same : {"trace", "queries", "steps", "cut", "no_path"})
            EXPECT_EQ(one[same], three[same]) << planner << ", " << same;
        EXPECT_EQ(picture("one.png"), picture("three.png")) << planner;
        EXPECT_NE(one["trace"], json(crowd + " --seed 2")["trace"]) << planner;
        expect_nothing_wrong(one);
    }
}

// Labels come at once, from a worker at any moment, or never: agents do the same.
TEST_F(Crowd, IsTheSameHoweverFastLabelsFollow) {
    app::CrowdPlan plan;
    plan.agents = 80;
    plan.seconds = 6;
    plan.edits = 50;
    plan.rate = 4;
    std::uint64_t labelled = 0;  // frames with labels in spite of the edits
    for (const char* planner : {"hpa", "subgoal", "haa", "hna"}) {
        const auto run = [&](int threads, bool worker, std::uint32_t inline_microseconds) {
            const app::Context context;
            app::CrowdControl control{&context.cancel, threads};
            control.world.worker = worker;
            control.world.inline_microseconds = inline_microseconds;
            control.world.order_edits = 10;
            const auto world = halls(planner, control);
            auto figures = run_crowd(*world, plan, context).value();
            EXPECT_EQ(figures.wrong(), 0U) << planner;
            EXPECT_GT(world->edit_figures().edited.size(), 100U) << planner;
            EXPECT_TRUE(world->edit_figures().work.ok()) << planner;
            return figures;
        };
        const auto never = run(1, false, 0);
        EXPECT_LT(never.label_frames, 15U) << planner;  // before an edit changes the index
        EXPECT_GT(never.cut, 0U) << planner;
        EXPECT_GT(never.arrived, 0U) << planner;
        const auto by_worker = run(2, true, 0);
        const auto at_once = run(3, true, 1'000'000);
        labelled += by_worker.label_frames + at_once.label_frames;
        for (const auto& figures : {by_worker, at_once}) {
            EXPECT_EQ(figures.trace, never.trace) << planner;
            EXPECT_EQ(figures.steps, never.steps) << planner;
            EXPECT_EQ(figures.cut, never.cut) << planner;
            EXPECT_EQ(figures.no_path, never.no_path) << planner;
        }
    }
    EXPECT_GT(labelled, 60U);
}

TEST_F(Crowd, GoesOnThroughEdits) {
    for (const char* planner :
         {"hpa", "hpa --levels 2 --no-labels", "hpa --label-bytes 2000", "subgoal",
          "subgoal --levels 0 --no-labels", "haa --capabilities ground,ground+trees --max-size 3",
          "haa --no-tables --label-bytes 3000", "hna", "hna --levels 2 --no-labels"}) {
        const std::string crowd =
            std::string("crowd halls.map --agents 60 --seconds 6 --edits 12 --planner ") + planner;
        const auto report = json(crowd + " --threads 1");
        expect_nothing_wrong(report);
        EXPECT_GT(report["edits"]["made"], 60) << planner;
        EXPECT_GT(report["edits"]["blocked"], 0) << planner;
        EXPECT_GT(report["edits"]["freed"], 0) << planner;
        EXPECT_GT(report["edits"]["worst_ms"], 0) << planner;
        EXPECT_EQ(report["edits"]["work_status"], "ok") << planner;
        EXPECT_GT(report["steps"], 100) << planner;
        EXPECT_EQ(json(crowd + " --threads 3")["trace"], report["trace"]) << planner;
    }
}

TEST_F(Crowd, ChangesOfSeveralFramesAreOneEdit) {
    const std::string crowd = "crowd halls.map --agents 60 --seconds 4 --edits 50 ";
    for (const std::string planner : {"hpa", "subgoal", "haa", "hna"}) {
        for (const int frames : {1, 5, 40}) {
            const auto report =
                json(crowd + fmt::format("--edit-frames {} --planner {}", frames, planner));
            expect_nothing_wrong(report);
            const auto& edits = report["edits"];
            EXPECT_LE(edits["made"], 100 / frames) << planner;
            EXPECT_GT(edits["made"], 75 / frames) << planner;
            EXPECT_EQ(edits["blocked"].get<int>() + edits["freed"].get<int>() +
                          edits["skipped"].get<int>(),
                      frames == 40 ? 160 : 200)
                << planner;
        }
    }
    EXPECT_THAT(run(crowd + "--no-labels").out, HasSubstr("ready in 0 of 100 frames"));
}

TEST_F(Crowd, RunsOnMeshesAndTheirIndexFiles) {
    ASSERT_EQ(run("build halls.map halls.crhn --mu 4 --levels 2").code, 0);
    const auto report =
        json("crowd halls.crhn --agents 40 --seconds 3 --edits 3 --picture flow.svg");
    EXPECT_EQ(report["planner"], "hna");
    EXPECT_EQ(report["place"], "polygons");
    EXPECT_EQ(ways(report).size(), 5U);
    expect_nothing_wrong(report);
    const std::string svg = picture("flow.svg");
    for (const char* text :
         {"halls.crhn: 40 agents, 3 s", "nobody has passed", "agent has passed", "at most"})
        EXPECT_THAT(svg, HasSubstr(text));
    EXPECT_EQ(ways(json("crowd halls.map --planner hna --no-labels --seconds 1")).size(), 3U);
}

TEST_F(Crowd, ADevicePlansTheSame) {
    for (const char* planner : {"hpa", "hpa --levels 2", "subgoal", "hna"}) {
        const std::string crowd =
            std::string("crowd halls.map --agents 60 --seconds 8 --edits 5 --edit-frames 25") +
            " --planner " + planner;
        const auto plain = json(crowd);
        const auto on_host_device = json(crowd + " --device host");
        expect_nothing_wrong(on_host_device);
        EXPECT_EQ(on_host_device["trace"], plain["trace"]) << planner;
        EXPECT_FALSE(plain.contains("device"));
        EXPECT_THAT(on_host_device["device"]["name"].get<std::string>(), HasSubstr("host"));
        EXPECT_GT(on_host_device["device"]["index_bytes"], 0) << planner;
        // The first index, and those after the 8 edits whose labels came in time.
        EXPECT_GE(on_host_device["device"]["loaded"], 1) << planner;
        EXPECT_LE(on_host_device["device"]["loaded"], 9) << planner;
        EXPECT_LE(on_host_device["device"]["load_median_ms"],
                  on_host_device["device"]["load_worst_ms"]);
        const auto names = ways(on_host_device);
        ASSERT_EQ(names.size(), ways(plain).size() + 1) << planner;
        const auto& on_device = on_host_device["ways"][names.size() - 3];
        EXPECT_EQ(on_device["way"], "labels on the device");
        EXPECT_EQ(on_device["frames"], on_host_device["edits"]["frames_with_labels"]);
        EXPECT_GT(on_device["queries_in_40_ms"], 0);
        EXPECT_GT(on_device["agents_served"], 0);
    }
    const Ran text = run("crowd halls.map --agents 60 --seconds 1 --device auto");
    EXPECT_EQ(text.code, 0) << text.err;
    for (const char* part : {"labels on the device", "copied there"})
        EXPECT_THAT(text.out, HasSubstr(part));
}

TEST_F(Crowd, ADeviceGetsTheIndexAgainOnceItHasLabels) {
    for (const char* planner : {"hpa", "subgoal", "hna"}) {
        app::CrowdControl control;
        control.threads = 1;
        control.device = batch::Device::open({batch::DeviceKind::host}).value();
        control.world.worker = false;
        const auto world = halls(planner, control);
        app::CrowdRandom random(7);
        std::vector<app::Walker> walkers(40);
        ASSERT_TRUE(world->place_agents(walkers, 0, random).ok());
        std::vector<std::uint32_t> all(walkers.size());
        std::iota(all.begin(), all.end(), 0U);
        const std::size_t device = world->methods().size() - 2;
        for (std::size_t loaded = 1; loaded <= 3; ++loaded) {
            ASSERT_TRUE(world->ready(device)) << planner;
            const auto answers = world->measure(device, walkers, all);
            ASSERT_TRUE(answers.has_value()) << answers.error().message;
            EXPECT_EQ(answers->differing, 0U) << planner;
            EXPECT_EQ(world->device_times()->loaded.size(), loaded) << planner;
            ASSERT_TRUE(world->edit(5, walkers, random).ok());
            EXPECT_FALSE(world->ready(device)) << planner;
            world->finish_work();
            EXPECT_FALSE(world->ready(device)) << planner;
            world->take_snapshot();
        }
    }
}

TEST_F(Crowd, GoalsMayBeShared) {
    for (const char* planner : {"hpa", "hna"}) {
        const auto report =
            json(std::string("crowd halls.map --agents 30 --seconds 20 --speed 20 ") +
                 "--edits 5 --goals 1 --planner " + planner);
        EXPECT_GT(report["arrived"], 60) << planner;
        expect_nothing_wrong(report);
    }
}

TEST_F(Crowd, AgentsDoNotPlanAtRateZero) {
    const auto report =
        json("crowd halls.map --agents 30 --seconds 1 --rate 0 --speed 0 --edits 0");
    EXPECT_EQ(report["queries"], 0);
    EXPECT_EQ(report["steps"], 0);
    EXPECT_EQ(ways(report), std::vector<std::string>{"as walked"});
}

TEST_F(Crowd, DrawsFlowsAndAgents) {
    const Ran ran =
        run("crowd halls.map --agents 200 --seconds 2 --edits 0 --picture flow.png "
            "--frames at-");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto flow = formats::read_image(folder_.path() / "flow.png");
    ASSERT_TRUE(flow.has_value()) << flow.error().message;
    EXPECT_GE(flow->width, 40 * 24);  // 24 pixels a cell, and a margin
    EXPECT_GE(flow->height, 24 * 24);
    // The greys of the palest and the warmest colour of the flow cover more than the legend's
    // boxes.
    for (const int grey : {180, 105})
        EXPECT_GT(std::count(flow->grey.begin(), flow->grey.end(), grey), 2 * 24 * 24) << grey;
    for (const char* name : {"at-0000.png", "at-0001.png", "at-0002.png"}) {
        const auto agents = formats::read_image(folder_.path() / name);
        ASSERT_TRUE(agents.has_value()) << name;
        EXPECT_EQ(agents->width, flow->width);
        constexpr int dot = (0xc2 + 0x2f + 0x52 + 1) / 3;  // the grey of an agent's colour
        EXPECT_GT(std::count(agents->grey.begin(), agents->grey.end(), dot), 1000) << name;
        EXPECT_LT(std::count(agents->grey.begin(), agents->grey.end(), 180), 1000) << name;
    }
    EXPECT_NE(picture("at-0000.png"), picture("at-0002.png"));
}

TEST_F(Crowd, StopsWhenInterrupted) {
    const Ran ran =
        run("crowd halls.map --agents 5000 --seconds 3600 --json & P=$!; sleep 2; "
            "kill -TERM $P; wait $P");
    EXPECT_EQ(ran.code, 130);
    EXPECT_EQ(ran.json()["stopped"], true);
    EXPECT_GT(ran.json()["frames"], 0);
    EXPECT_LT(ran.json()["frames"], 90'000);
}

TEST_F(Crowd, BadOptionsAndFilesAreExplained) {
    expect_error("crowd", 2, "file");
    expect_error("crowd halls.map --agents 0", 2, "--agents");
    expect_error("crowd halls.map --rate 26", 2, "--rate");
    expect_error("crowd halls.map --seconds 0.01", 2, "--seconds");
    expect_error("crowd halls.map --rate nan", 2, "--rate");
    expect_error("crowd halls.map --edits -1", 2, "--edits");
    expect_error("crowd halls.map --edit-frames 0", 2, "--edit-frames");
    expect_error("crowd halls.map --planner haa --cluster-size 1", 2, "--cluster-size 1");
    expect_error("crowd halls.map --planner jps", 2, "--planner");
    expect_error("crowd halls.map --picture flow.txt", 2, ".png or .svg");
    expect_error("crowd halls.map --planner subgoal --corners free", 2, "corner");
    expect_error("crowd halls.map --planner subgoal --cluster-size 8", 2, "--cluster-size");
    expect_error("crowd halls.map --max-size 3", 2, "--planner haa");
    expect_error("crowd halls.map --device toaster", 2, "--device");
    expect_error("crowd halls.map --device host --planner haa", 2, "--device");
    for (const char* planner : {"hpa", "subgoal", "hna"})
        expect_error(std::string("crowd halls.map --device host --no-labels --planner ") + planner,
                     2, "--device: the index has no cut labels");
    if (const auto gpu = batch::Device::open({batch::DeviceKind::gpu}); !gpu)
        expect_error("crowd halls.map --device gpu", 2, gpu.error().message);
    expect_error("crowd halls.map --planner hna --corners free", 2, "--corners");
    expect_error("crowd halls.map --planner hna --levels 5", 2, "--levels");
    expect_error("crowd none.map", 4, "none.map");
    expect_error("crowd none.mesh", 4, "none.mesh");
    folder_.file("junk.crhn", "nothing");
    expect_error("crowd junk.crhn", 3, "junk.crhn");
    expect_error("crowd junk.crhn --levels 2", 2, "--levels");
    expect_error("crowd junk.crhn --planner hpa", 2, "--planner");
    folder_.file("one.map", "type octile\nheight 1\nwidth 3\nmap\n.@@\n");
    expect_error("crowd one.map", 1, "nothing to do");
    expect_error("crowd one.map --planner hna", 1, "nothing to do");
    expect_error("crowd halls.map --seconds 1 --frames none/at-", 4, "none/at-0000.png");
}

}  // namespace
}  // namespace cairn::test
