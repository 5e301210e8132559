// The program `cairn` on grid maps: exit codes, JSON, and messages that say what to do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "command_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

/// Runs cairn on a map of two parts that no path connects.
class CommandLine : public CommandTest {
protected:
    void SetUp() override {
        folder_.file("two.map",
                     "type octile\nheight 4\nwidth 12\nmap\n"
                     "......@.....\n"
                     "..@@..@.....\n"
                     "......@.....\n"
                     "......@.....\n");
    }
};

TEST_F(CommandLine, HelpHasExamplesAndExitCodes) {
    const Ran all = run("--help");
    EXPECT_EQ(all.code, 0);
    EXPECT_THAT(all.out, HasSubstr("Exit codes"));
    for (const char* command :
         {"build", "path", "crowd", "inspect", "verify", "render", "generate", "convert"}) {
        EXPECT_THAT(all.out, HasSubstr(command));
        const Ran help = run(std::string(command) + " --help");
        EXPECT_EQ(help.code, 0) << command;
        EXPECT_THAT(help.out, HasSubstr("Examples:")) << command;
        EXPECT_THAT(help.out, HasSubstr("--json")) << command;
    }
    EXPECT_THAT(run("--version").out, HasSubstr("cairn "));
}

TEST_F(CommandLine, APathNeedsOnlyAMap) {
    const Ran plain = run("path two.map 0,0 5,3");
    EXPECT_EQ(plain.code, 0);
    EXPECT_THAT(plain.out, HasSubstr("length"));
    const Ran json = run("path two.map 0,0 5,3 --json --cells --compare");
    ASSERT_TRUE(json.json().contains("cells")) << json.out;
    EXPECT_EQ(json.json()["cells"].front(), nlohmann::json({0, 0}));
    EXPECT_EQ(json.json()["cells"].back(), nlohmann::json({5, 3}));
    EXPECT_EQ(json.json()["astar"]["cost"], json.json()["cost"]);
    EXPECT_EQ(run("--json path two.map 0,0 5,3 --cells").json()["cells"], json.json()["cells"]);
    EXPECT_THAT(run("path two.map 0,0 5,3 --draw").out, HasSubstr("S"));
}

TEST_F(CommandLine, WithoutAPlannerMapAndOptionsDecide) {
    folder_.file("heavy.map", "type octile\nheight 2\nwidth 6\nmap\n...5..\n...5..\n");
    const auto planner_of = [&](const std::string& arguments) {
        return json("path " + arguments)["planner"].get<std::string>();
    };
    EXPECT_EQ(planner_of("two.map 0,0 5,3"), "subgoal");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --planner auto"), "subgoal");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --planner hpa"), "hpa");
    EXPECT_EQ(planner_of("heavy.map 0,0 5,1"), "hpa");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --neighbours 4"), "hpa");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --corners free"), "hpa");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --levels 2"), "subgoal");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --no-prune"), "subgoal");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --diagonals none"), "hpa");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --smoothing corridor"), "hpa");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --edit 9,1,1,1,5"), "hpa");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --edit 9,1,1,1,@"), "subgoal");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --agent 1:ground"), "haa");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --abstraction low"), "haa");
    expect_error("path two.map 0,0 5,3 --smoothing none --no-prune", 2, "--smoothing");
    EXPECT_EQ(run("build two.map").code, 0);
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --index two.cairn"), "subgoal");
    EXPECT_EQ(run("build two.map --planner hpa").code, 0);
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --index two.cairn"), "hpa");
    EXPECT_EQ(planner_of("two.map 0,0 5,3 --index two.cairn --planner auto"), "hpa");
}

TEST_F(CommandLine, ExitCodesTellHowQueriesEnded) {
    expect_error("path two.map 0,0 9,1", 1, "no path");
    expect_error("path two.map 0,0 2,1", 1, "obstacle");
    expect_error("path two.map 0,0 5,3 --max-cost 2", 1, "limit");
    expect_error("path two.map 0,0 99,1", 2, "outside");
    EXPECT_EQ(run("path two.map 0,0 9,1 --nearest").code, 0);
    EXPECT_EQ(run("path two.map 0,0 9,1 --edit 6,2,1,1,.").code, 0);
    EXPECT_EQ(run("path two.map 0,0 --goal 9,1 --goal 8,1").code, 1);
    const Ran several = run("path two.map 0,0 --goal 9,1 --goal 5,3 --nearest-goal --json");
    EXPECT_EQ(several.json()["nearest_goal"], 1);
}

TEST_F(CommandLine, BadCommandLinesAreExplained) {
    expect_error("", 2, "subcommand");
    expect_error("fly two.map", 2, "cairn --help");
    expect_error("path two.map 0,0", 2, "--goal");
    expect_error("path two.map 0:0 1,1", 2, "0:0");
    expect_error("path two.map 0,0 1,1 --cluster-size 1", 2, "--cluster-size 1");
    expect_error("path two.map 0,0 1,1 --levels many", 2, "--levels");
    expect_error("path two.map 0,0 1,1 --costs 5", 2, "--costs '5'");
    expect_error("path two.map 0,0 1,1 --corners round", 2, "--corners");
    expect_error("path two.map 0,0 1,1 --edit 1,1,1", 2, "--edit");
    expect_error("path two.map 0,0 1,1 --edit 50,1,1,1,@", 2, "--edit");
    expect_error("build two.map --frobnicate", 2, "--frobnicate");
    expect_error("generate rooms out.txt", 2, "out.txt");
    expect_error("generate rooms out.map --size 2", 2, "size 2");
    expect_error("generate scenario out.scen", 2, "--map");
    expect_error("render two.map out.gif", 2, "out.gif");
    expect_error("render two.map out.png --from 0,0", 2, "--to");
}

TEST_F(CommandLine, BadFilesAreNamed) {
    expect_error("path missing.map 0,0 1,1", 4, "missing.map");
    folder_.file("bad.map", "type octile\nheight 2\nwidth 2\nmap\n..\n.\n");
    expect_error("path bad.map 0,0 1,1", 3, "bad.map:6");
    ASSERT_EQ(run("build two.map").code, 0);
    expect_error("path two.map 0,0 5,3 --index two.cairn --corners free", 3, "two.cairn");
    expect_error("path two.map 0,0 5,3 --index two.cairn --levels 2", 2, "--levels");
    folder_.file("cut.cairn", bytes_of(folder_.path() / "two.cairn").substr(0, 200));
    expect_error("inspect cut.cairn", 3, "cut.cairn");
    expect_error("verify two.map --index cut.cairn", 3, "cut.cairn");
    expect_error("build two.map missing/two.cairn", 4, "missing/two.cairn");
    expect_error("generate rooms missing/a.map", 4, "missing/a.map");
}

TEST_F(CommandLine, AnIndexFileReplacesItsOptions) {
    const Ran built = run("build two.map two.cairn --levels 2 --cluster-size 3 --json");
    ASSERT_EQ(built.code, 0) << built.err;
    EXPECT_EQ(built.json()["levels"].size(), 2U);
    EXPECT_EQ(run("path two.map 0,0 5,3 --index two.cairn").code, 0);
    EXPECT_EQ(run("inspect two.cairn --json").json()["options"]["cluster_size"], 3);
    EXPECT_EQ(run("inspect two.cairn --map two.map --json").json()["map"]["free_cells"], 42);
    const Ran graph = run("inspect two.map --cluster-size 3 --graph 1");
    EXPECT_EQ(graph.json()["clusters"].size(), 8U) << graph.out;
    const Ran verified = run("verify two.map --index two.cairn --queries 200 --json");
    EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
    EXPECT_EQ(verified.json()["ok"], true);
    EXPECT_EQ(run("verify two.map --queries 50 --corners free --neighbours 8").code, 0);
}

TEST_F(CommandLine, EveryPlannerFindsTheSameLength) {
    const auto cost = [&](const std::string& planner) {
        const Ran ran = run("path two.map 0,2 5,1 --json --planner " + planner);
        EXPECT_EQ(ran.code, 0) << planner << ran.out;
        return ran.json().value("cost", 0);
    };
    const int best = cost("astar");
    EXPECT_GT(best, 0);
    for (const char* planner :
         {"astar --open buckets", "jps", "subgoal", "subgoal --engine astar",
          "subgoal --engine levels", "subgoal --engine labels", "subgoal --engine climb",
          "subgoal --label-bytes 1", "subgoal --detail cost", "subgoal --levels 0 --no-prune",
          "subgoal --edges h-reachable --levels 2 --extra-edges none --order random --no-labels"}) {
        EXPECT_EQ(cost(planner), best) << planner;
    }
    const Ran subgoals = run("path two.map 0,2 5,1 --planner subgoal --detail subgoals --json");
    EXPECT_EQ(subgoals.json()["planner"], "subgoal");
    EXPECT_EQ(subgoals.json()["subgoals"].front(), nlohmann::json({0, 2})) << subgoals.out;
    for (const char* planner : {"subgoal", "jps", "astar"}) {
        const std::string by_planner = std::string(" --planner ") + planner;
        expect_error("path two.map 0,0 9,1" + by_planner, 1, "no path");
        EXPECT_EQ(run("path two.map 0,0 9,1 --edit 6,2,1,1,." + by_planner).code, 0) << planner;
        const Ran several =
            run("path two.map 0,0 --goal 9,1 --goal 5,3 --nearest-goal --json" + by_planner);
        EXPECT_EQ(several.json()["nearest_goal"], 1) << several.out;
        EXPECT_EQ(run("path two.map 0,0 --goal 9,1 --goal 8,1" + by_planner).code, 1) << planner;
    }
    EXPECT_EQ(run("path two.map 0,0 9,1 --nearest --planner subgoal").code, 0);
}

TEST_F(CommandLine, OptionsThatAPlannerLacksAreRefused) {
    for (const char* planner : {"subgoal", "jps"}) {
        const std::string path = std::string("path two.map 0,0 5,3 --planner ") + planner;
        expect_error(path + " --corners free", 2, "--planner hpa");
        expect_error(path + " --neighbours 4", 2, "--planner hpa");
        expect_error(path + " --edit 1,3,1,1,5", 2, "--planner hpa");
        expect_error(path + " --cluster-size 5", 2, "--cluster-size");
        expect_error(path + " --smoothing corridor", 2, "--smoothing is not an option of");
    }
    expect_error("path two.map 0,0 5,3 --planner hpa --edges direct", 2, "--planner subgoal");
    expect_error("path two.map 0,0 5,3 --planner jps --levels 2", 2, "--levels");
    expect_error("path two.map 0,0 5,3 --planner astar --nearest", 2,
                 "--nearest is not an option of astar");
    expect_error("path two.map 0,0 5,3 --planner jps --index two.cairn", 2, "--index");
    expect_error("path two.map 0,0 5,3 --planner subgoal --levels -1", 2, "--levels");
    expect_error("path two.map 0,2 5,1 --planner subgoal --no-labels --engine climb", 2,
                 "--engine");
    expect_error("path two.map 0,2 5,1 --planner subgoal --no-labels --engine labels", 2,
                 "--engine");
    expect_error("build two.map --planner jps", 2, "--planner");
}

TEST_F(CommandLine, SubgoalGraphsCanBeInspected) {
    const Ran json = run("inspect two.map --planner subgoal --levels 0 --json");
    ASSERT_EQ(json.code, 0) << json.err;
    const nlohmann::json out = json.json();
    EXPECT_EQ(out["planner"], "subgoal");
    EXPECT_EQ(out["options"]["levels"], 0);
    EXPECT_GT(out["subgoals"], 0);
    EXPECT_GE(out["edges"], out["taut_edges"]);
    EXPECT_FALSE(out["levels"].empty());
    EXPECT_TRUE(out["levels"][0].contains("subgoals"));
    for (const char* part : {"bits", "graph", "levels", "labels", "closure", "total", "per_cell"})
        EXPECT_TRUE(out["bytes"].contains(part)) << part;
    EXPECT_GT(out["bytes"]["closure"], 0);
    const Ran tight = run("inspect two.map --planner subgoal --label-bytes 1 --json");
    EXPECT_EQ(tight.json()["bytes"]["labels"], 0);
    EXPECT_GT(tight.json()["bytes"]["closure"], 0);
    EXPECT_THAT(run("inspect two.map --planner subgoal").out, HasSubstr("core graph"));
    const Ran graph = run("inspect two.map --planner subgoal --graph 1");
    EXPECT_EQ(graph.json()["subgoals"].size(), out["subgoals"]) << graph.out;
    EXPECT_EQ(graph.json()["edges"].size(), out["edges"]);
    expect_error("inspect two.map --planner subgoal --graph 2", 2, "--graph");
}

TEST_F(CommandLine, SubgoalIndexFilesReplaceTheirOptions) {
    const Ran built = run("build two.map --planner subgoal --levels 2 --json");
    ASSERT_EQ(built.code, 0) << built.out;
    EXPECT_EQ(built.json()["planner"], "subgoal");
    const Ran path = run("path two.map 0,2 5,1 --index two.cairn --json");
    EXPECT_EQ(path.json()["planner"], "subgoal") << path.out;
    EXPECT_EQ(run("inspect two.cairn --json").json()["options"]["levels"], 2);
    EXPECT_EQ(run("inspect two.cairn --map two.map --json").json()["planner"], "subgoal");
    expect_error("path two.map 0,0 5,3 --index two.cairn --planner hpa", 2, "other planner");
    expect_error("path two.map 0,0 5,3 --index two.cairn --no-prune", 2, "--no-prune");
    const Ran verified = run("verify two.map --index two.cairn --queries 100 --edits 3 --json");
    EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
    EXPECT_EQ(verified.json()["ok"], true);
    EXPECT_EQ(verified.json()["max_error"], 0);
    EXPECT_EQ(verified.json()["checks"].size(), 6U);
    EXPECT_EQ(run("verify two.map --planner subgoal --levels 0 --queries 50").code, 0);
}

TEST_F(CommandLine, GeneratedMapsConvertToAllFormatsAndBack) {
    ASSERT_EQ(run("generate rooms a.map --width 40 --height 30 --seed 3").code, 0);
    for (const char* file : {"a.png", "a.pgm", "a.yaml"}) {
        EXPECT_EQ(run(std::string("convert a.map ") + file).code, 0) << file;
        EXPECT_EQ(run(std::string("convert ") + file + " back.map").code, 0) << file;
        EXPECT_EQ(bytes_of(folder_.path() / "back.map"), bytes_of(folder_.path() / "a.map"));
    }
    ASSERT_EQ(run("convert a.map A.YAML --resolution 0.2").code, 0);
    ASSERT_EQ(run("convert A.YAML b.yaml").code, 0);  // keeps the resolution
    EXPECT_THAT(bytes_of(folder_.path() / "b.yaml"), HasSubstr("resolution: 0.2"));
    ASSERT_EQ(run("generate scenario a.map.scen --map a.map --count 20 --json").code, 0);
    EXPECT_THAT(bytes_of(folder_.path() / "a.map.scen"), HasSubstr("a.map\t40\t30"));
    EXPECT_EQ(run("generate worked-example b.map --json").json()["width"], 40);
}

TEST_F(CommandLine, PicturesAreRendered) {
    EXPECT_EQ(run("render two.map map.svg --what map").code, 0);
    EXPECT_THAT(bytes_of(folder_.path() / "map.svg"), HasSubstr("<svg"));
    EXPECT_EQ(run("render two.map graph.png --cluster-size 4 --from 0,0 --to 5,3").code, 0);
    EXPECT_THAT(bytes_of(folder_.path() / "graph.png").substr(1, 3), "PNG");
    EXPECT_EQ(run("render two.map f.png --what figure --cluster-size 3 --from 0,0 --to 5,3").code,
              0);
}

TEST_F(CommandLine, APicturesSizeIsThatOfItsFile) {
    const auto png = run("render two.map twice.png --what map --scale 2 --json").json();
    const std::string bytes = bytes_of(folder_.path() / "twice.png");
    const auto side = [&](std::size_t offset) {  // of the header: 32 bits, the highest byte first
        int sum = 0;
        for (std::size_t i = offset; i < offset + 4; ++i)
            sum = 256 * sum + static_cast<unsigned char>(bytes.at(i));
        return sum;
    };
    EXPECT_EQ(png["width"], side(16));
    EXPECT_EQ(png["height"], side(20));
    // An SVG is not enlarged.
    const auto svg = run("render two.map twice.svg --what map --scale 2 --json").json();
    EXPECT_EQ(2 * svg["width"].get<int>(), png["width"].get<int>());
}

TEST_F(CommandLine, OutputThatCannotBeWrittenIsAnError) {
    EXPECT_EQ(run("inspect two.map --json | head -c 1").code, 0);
    const Ran full = run("inspect two.map >/dev/full");
    EXPECT_EQ(full.code, 4);
    EXPECT_THAT(full.err, HasSubstr("standard output"));
    expect_error("build two.map /proc/two.cairn", 4, "/proc/two.cairn");  // even as root
    expect_error("render two.map /proc/two.png", 4, "/proc/two.png");
    if (::geteuid() == 0) return;  // root may write into any folder
    const std::filesystem::path locked = folder_.path() / "locked";
    std::filesystem::create_directory(locked);
    std::filesystem::permissions(
        locked, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    expect_error("build two.map locked/two.cairn", 4, "locked/two.cairn");
}

TEST_F(CommandLine, InterruptedBuildLeavesTheOldFile) {
    ASSERT_EQ(run("generate random big.map --width 2000 --height 2000 --density 30").code, 0);
    folder_.file("big.cairn", "old");
    const Ran stopped = run("build big.map & pid=$!; sleep 0.3; kill -TERM $pid; wait $pid");
    EXPECT_EQ(stopped.code, 130) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("cancelled"));
    EXPECT_EQ(bytes_of(folder_.path() / "big.cairn"), "old");
}

}  // namespace
}  // namespace cairn::test
