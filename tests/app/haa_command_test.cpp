// The commands of cairn with --planner haa: agents of several sizes and capabilities.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lodepng.h>

#include <vector>

#include "command_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;
using Points = std::vector<std::vector<int>>;

/// A map with a wall that has a gap of one cell to the left and trees to the right.
class HaaCommand : public CommandTest {
protected:
    void SetUp() override {
        folder_.file("wood.map",
                     "type octile\nheight 6\nwidth 12\nmap\n"
                     "............\n"
                     "............\n"
                     "@.@@@@@@TTT@\n"
                     "............\n"
                     "............\n"
                     "@@@@@@@@@@@@\n");
    }
};

const std::string kAgents = " --planner haa --capabilities ground,ground+trees:2 --max-size 3";

TEST_F(HaaCommand, HelpListsTheOptionsOfAgents) {
    for (const std::string command : {"build", "path", "inspect", "verify"}) {
        const Ran help = run(command + " --help");
        EXPECT_THAT(help.out, HasSubstr("--capabilities LIST")) << command;
        EXPECT_THAT(help.out, HasSubstr("--planner haa")) << command;
    }
}

TEST_F(HaaCommand, EachAgentGoesWhereItFits) {
    const auto small = json("path wood.map 0,0 1,3 --planner haa --cells");
    EXPECT_EQ(small["agent"], "1:ground");
    EXPECT_EQ(small["planner"], "haa");
    EXPECT_EQ(small["cells"].get<Points>(), (Points{{0, 0}, {1, 1}, {1, 2}, {1, 3}}));
    for (const char* part : {"graph", "map", "view"}) EXPECT_GT(small["bytes"][part], 0) << part;

    // A larger agent does not fit through the gap, and only some may enter trees.
    EXPECT_EQ(run("path wood.map 0,0 1,3 --planner haa --agent 2:ground").code, 1);
    const auto large = json("path wood.map 0,0 1,3 --planner haa --agent 2:ground+trees --compare");
    EXPECT_EQ(large["agent"], "2:ground+trees");
    EXPECT_GT(large["length"], 14);
    EXPECT_LE(large["astar"]["cost"], large["cost"]);

    // Trees cost twice as much for ground+trees:2, which is also found without its weight.
    const auto weighted = json("path wood.map 0,0 1,3" + kAgents + " --agent 2:ground+trees:2");
    EXPECT_GT(weighted["cost"], large["cost"]);
    EXPECT_EQ(json("path wood.map 0,0 1,3" + kAgents + " --agent 2:ground+trees")["cost"],
              weighted["cost"]);
}

TEST_F(HaaCommand, AnAgentCoversItsCellsInDrawings) {
    const std::string query = " --planner haa --draw --agent ";
    const Ran drawn = run("path wood.map 3,0 5,0" + query + "2:ground");
    EXPECT_THAT(drawn.out, HasSubstr("...SoGo.....\n...oooo.....\n#.##########\n"));
    const Ran centred =
        run("path wood.map 3,3 5,3" + query + "3:ground --anchor centred --edit 0,2,12,1,.");
    EXPECT_THAT(centred.out, HasSubstr("\n..ooooo.....\n..oSoGo.....\n..ooooo.....\n"));
    EXPECT_THAT(run("path wood.map 8,2 10,2" + query + "1:ground+trees:2").out,
                HasSubstr("#1######SoG#"));
}

TEST_F(HaaCommand, QueriesHaveTheOptionsOfHpa) {
    const std::string path = "path wood.map 0,0 ";
    EXPECT_FALSE(json(path + "9,3 --planner haa --detail cost").contains("cells"));
    EXPECT_TRUE(json(path + "1,3 --planner haa --detail abstract").contains("abstract_nodes"));
    const auto cost = json(path + "1,3" + kAgents + " --smoothing none --engine astar")["cost"];
    EXPECT_EQ(json(path + "1,3" + kAgents + " --smoothing none --engine labels")["cost"], cost);
    EXPECT_EQ(json(path + "1,3" + kAgents + " --smoothing none --no-prepare")["cost"], cost);
    EXPECT_EQ(json(path + "1,3" + kAgents + " --smoothing none --levels 3")["cost"], cost);
    expect_error(path + "1,3 --planner haa --engine labels --no-prepare --no-direct-line", 2,
                 "--engine");

    const auto table = json(path + "--goal 1,3 --goal 9,2" + kAgents);
    EXPECT_EQ(table["goals"].size(), 2);
    EXPECT_TRUE(table["goals"][1]["cost"].is_null());
    EXPECT_EQ(json(path + "--goal 9,3 --goal 1,3 --nearest-goal" + kAgents)["nearest_goal"], 1);
    EXPECT_EQ(json(path + "9,2 --nearest" + kAgents)["status"], "ok");
    const std::string wide = path + "1,3 --planner haa --agent 2:ground";
    EXPECT_EQ(json(wide + " --edit 2,2,1,1,.")["status"], "ok");
}

TEST_F(HaaCommand, AnIndexFileReplacesItsOptions) {
    const auto built = json("build wood.map wood.cairn" + kAgents + " --cluster-size 4");
    EXPECT_EQ(built["planner"], "haa");
    EXPECT_EQ(built["classes"], 6);
    EXPECT_EQ(built["options"]["capabilities"], nlohmann::json({"ground", "ground+trees:2"}));
    EXPECT_EQ(built["agents"].size(), 6);
    EXPECT_EQ(built["agents"][3]["agent"], "1:ground+trees:2");
    EXPECT_EQ(built["agents"][3]["places"], 52);
    EXPECT_EQ(built["map"]["free_cells"], 52);

    // The file tells its planner and all options.
    const auto inspected = json("inspect wood.cairn");
    for (const char* same : {"options", "agents", "abstract_nodes", "inter_edges", "intra_edges"})
        EXPECT_EQ(inspected[same], built[same]) << same;
    EXPECT_EQ(inspected["bytes"]["file"], built["file_bytes"]);
    EXPECT_EQ(json("inspect wood.cairn --map wood.map")["agents"], built["agents"]);
    EXPECT_THAT(run("inspect wood.cairn").out, HasSubstr("ground+trees:2"));
    const auto graph = json("inspect wood.cairn --graph 1 --agent 2:ground+trees");
    EXPECT_EQ(graph["nodes"].size(), built["agents"][4]["levels"][0]["nodes"]);

    const std::string query = "path wood.map 0,0 1,3 --agent 2:ground+trees";
    EXPECT_EQ(json(query + " --index wood.cairn")["turns"],
              json(query + ":2 --cluster-size 4" + kAgents)["turns"]);
    EXPECT_EQ(run("verify wood.map --index wood.cairn --queries 60 --edits 2").code, 0);
}

TEST_F(HaaCommand, VerifiesAllAgents) {
    const auto all = json("verify wood.map --queries 120 --edits 6 --anchor centred" + kAgents);
    EXPECT_TRUE(all["ok"]);
    std::string names;
    for (const auto& check : all["checks"]) {
        EXPECT_GT(check["tried"], 0) << check;
        names += check["check"].get<std::string>() + '\n';
    }
    EXPECT_THAT(names, HasSubstr("the agent fits everywhere"));
    EXPECT_TRUE(json("verify wood.map --queries 20 --edits 1 --abstraction low --agent 2:ground" +
                     kAgents)["ok"]);
}

TEST_F(HaaCommand, PicturesAreReadByAPalette) {
    // 4 x 2 pixels: ground and water to the left, an obstacle in column 2, water to the right.
    const std::vector<unsigned char> pixels{255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 255,
                                            255, 255, 255, 0,   0,   255, 0, 0, 0, 0, 0, 255};
    ASSERT_EQ(lodepng::encode((folder_.path() / "sea.png").string(), pixels, 4, 2, LCT_RGB), 0);
    folder_.file("sea.json",
                 "{\"#ffffff\": \"ground\", \"#0000ff\": \"water\", \"#000000\": \"obstacle\"}");
    const std::string boat = " --planner haa --palette sea.json --agent 1:ground+water:3";
    EXPECT_EQ(json("path sea.png 0,0 1,1" + boat)["status"], "ok");
    EXPECT_EQ(run("path sea.png 0,0 3,1" + boat).code, 1);
    EXPECT_EQ(json("path sea.png 0,0 3,1 --edit 2,0,1,2,3" + boat)["status"], "ok");
    EXPECT_EQ(run("path sea.png 0,0 3,1 --edit 2,0,1,2,2" + boat).code, 1);

    EXPECT_EQ(run("build sea.png sea.cairn" + kAgents + " --palette sea.json").code, 0);
    EXPECT_EQ(run("path sea.png 0,0 1,0 --index sea.cairn --palette sea.json").code, 0);
    expect_error("path sea.png 0,0 1,0 --index sea.cairn", 3, "sea.cairn");
    expect_error("path wood.map 0,0 1,1 --planner haa --palette sea.json", 2, "PNG");
    expect_error("path sea.png 0,0 1,1 --planner hpa --palette sea.json", 2, "--planner haa");
    expect_error("path sea.png 0,0 1,1 --planner haa --palette gone.json", 4, "gone.json");
}

TEST_F(HaaCommand, BadAgentsAreExplained) {
    const std::string haa = "path wood.map 0,0 1,3 --planner haa ";
    expect_error(haa + "--max-size 0", 2, "--max-size 0");
    expect_error(haa + "--max-size 17", 2, "--max-size 17");
    expect_error(haa + "--max-size 16 --capabilities t0,t1,t2,t3,t4,t5,t6,t7,t8", 2, "127");
    expect_error(haa + "--capabilities lava", 2, "capability 'lava'");
    expect_error(haa + "--capabilities ground,", 2, "capability ''");
    expect_error(haa + "--capabilities water:256", 2, "weights of 1 to 255");
    expect_error(haa + "--capabilities water:0", 2, "weights of 1 to 255");
    expect_error(haa + "--capabilities water:nan", 2, "weights of 1 to 255");
    expect_error(haa + "--agent 0:ground", 2, "2:ground+trees");
    expect_error(haa + "--agent large", 2, "2:ground+trees");
    expect_error(haa + "--agent 17:ground", 2, "sizes 1 to 16");
    expect_error(haa + "--agent 2:lava", 2, "capability 'lava'");
    expect_error(haa + "--agent 3 --max-size 2", 2, "sizes 1 to 2");
    expect_error(haa + "--agent 1:water --capabilities ground,trees", 2, "ground, trees");
    expect_error("path wood.map 1,2 1,3 --planner haa --agent 2:ground", 1,
                 "agent 2:ground does not fit at the start");
    expect_error("path wood.map 0,0 1,2 --planner haa --agent 2:ground", 1,
                 "agent 2:ground does not fit at the goal");
    expect_error("path wood.map 0,0 99,2 --planner haa", 2, "outside");
}

TEST_F(HaaCommand, OptionsOfOtherPlannersAreRefused) {
    const std::string path = "path wood.map 0,0 1,3 ";
    expect_error(path + "--planner hpa --agent 2:ground", 2, "--planner haa");
    expect_error(path + "--planner subgoal --max-size 2", 2, "--planner haa");
    expect_error(path + "--planner astar --abstraction low", 2, "--planner haa");
    expect_error(path + "--planner haa --weights movingai", 2, "--capabilities");
    expect_error(path + "--planner haa --diagonals none", 2, "--planner hpa");
    expect_error(path + "--planner haa --no-prune", 2, "--planner subgoal");
    expect_error(path + "--planner hpa --transitions best-clearance", 2, "--planner haa");
    expect_error(path + "--planner haa --cluster-size 1", 2, "--cluster-size 1");
    expect_error(path + "--planner haa --shift 65", 2, "--shift 65");
    expect_error(path + "--planner haa --reach 0", 2, "--reach 0");
    EXPECT_EQ(run(path + "--planner haa --transitions best-clearance").code, 0);
}

TEST_F(HaaCommand, IndexFilesThatDoNotFitAreRefused) {
    ASSERT_EQ(run("build wood.map agents.cairn" + kAgents).code, 0);
    ASSERT_EQ(run("build wood.map cells.cairn").code, 0);
    const std::string path = "path wood.map 0,0 1,3 ";
    expect_error(path + "--planner hpa --index agents.cairn", 2, "leave --planner out");
    expect_error(path + "--planner subgoal --index agents.cairn", 2, "leave --planner out");
    expect_error(path + "--planner haa --index cells.cairn", 2, "leave --planner out");
    expect_error(path + "--agent 2:ground --index cells.cairn", 2, "--agent");
    expect_error(path + "--max-size 3 --index agents.cairn", 2, "--max-size with --index");
    expect_error(path + "--cluster-size 9 --index agents.cairn", 2, "--cluster-size with --index");
    expect_error(path + "--corners free --index agents.cairn", 2, "--corners with --index");
    expect_error(path + "--agent 4:ground --index agents.cairn", 2, "sizes 1 to 3");
    expect_error(path + "--agent 1:water --index agents.cairn", 2, "ground, ground+trees:2");
    expect_error("inspect agents.cairn --graph 1 --agent 4:ground", 2, "sizes 1 to 3");
    folder_.file("other.map", "type octile\nheight 1\nwidth 2\nmap\n..\n");
    expect_error("path other.map 0,0 1,0 --index agents.cairn", 3, "agents.cairn");
    std::filesystem::resize_file(folder_.path() / "agents.cairn", 100);
    expect_error(path + "--index agents.cairn", 3, "agents.cairn");
    expect_error("inspect agents.cairn", 3, "agents.cairn");
}

}  // namespace
}  // namespace cairn::test
