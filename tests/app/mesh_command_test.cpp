// The commands of cairn on navigation meshes: files of meshes, and grid maps with --planner hna.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "command_test.hpp"
#include "support/source_folder.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class MeshCommand : public CommandTest {
protected:
    void SetUp() override {
        folder_.file("hall.map",
                     "type octile\nheight 6\nwidth 12\nmap\n"
                     "............\n"
                     "..@@...@@@..\n"
                     "..@@...@@@..\n"
                     "............\n"
                     "@@@@@.@@@@@@\n"
                     "............\n");
        folder_.file("square.mesh",
                     "mesh\n2\n4 1\n0 0 1 0\n1 0 1 0\n1 1 1 0\n0 1 1 0\n4 0 1 2 3 -1 -1 -1 -1\n");
    }
    /// Renders out.svg, which `arguments` must name, and returns it.
    [[nodiscard]] std::string svg(const std::string& arguments) const {
        const Ran ran = run("render " + arguments);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return bytes_of(folder_.path() / "out.svg");
    }
};

/// The attribute of a layer in an SVG picture.
std::string of_class(const std::string& layer) { return "class=\"" + layer + '"'; }

TEST_F(MeshCommand, HelpDependsOnTheInput) {
    for (const char* command : {"build", "path", "inspect", "verify", "render"}) {
        const Ran grid = run(std::string(command) + " --help");
        EXPECT_EQ(grid.code, 0) << command;
        EXPECT_THAT(grid.out, Not(HasSubstr("--mu"))) << command;
        for (const char* input : {" level.obj --help", " level.crhn --help",
                                  " --planner hna --help", " arena.map --planner=hna --help"}) {
            const Ran mesh = run(command + std::string(input));
            EXPECT_EQ(mesh.code, 0) << command;
            EXPECT_THAT(mesh.out, HasSubstr("--mu")) << command << input;
            EXPECT_THAT(mesh.out, HasSubstr("Examples:")) << command;
            EXPECT_THAT(mesh.out, HasSubstr("--json")) << command;
        }
    }
    EXPECT_THAT(run("convert level.obj --help").out, HasSubstr("--flat"));
    expect_error("path square.mesh --frob", 2, "cairn path MESH --help");
    EXPECT_EQ(run("navmesh path square.mesh").code, 2);
}

TEST_F(MeshCommand, PathsAreFoundOnMapsAndMeshes) {
    const auto answer = json("path hall.map --planner hna 0.5,0,0.5 11.5,0,5.5");
    EXPECT_EQ(answer["status"], "ok");
    EXPECT_EQ(answer["start"]["point"], nlohmann::json({0.5, 0, 0.5}));
    EXPECT_EQ(answer["polygons"].front(), answer["start"]["polygon"]);
    EXPECT_EQ(answer["polygons"].back(), answer["goal"]["polygon"]);
    EXPECT_EQ(answer["polygons"].size(), answer["portals"].size() + 1);
    // Around the lower left corner of the first block, and through the gap at column 5.
    EXPECT_EQ(answer["waypoints"].size(), 5U);
    const double length =
        std::hypot(1.5, 2.5) + std::hypot(3, 1) + std::hypot(1, 1) + std::hypot(5.5, 0.5);
    EXPECT_NEAR(answer["length"].get<double>(), length, 1e-5);

    const auto inside = json("path square.mesh 0.25,0.5 0.75,0.5");
    EXPECT_NEAR(inside["length"].get<double>(), 0.5, 1e-6);
    EXPECT_EQ(inside["engine"], "none");
    const Ran text = run("path hall.map --planner hna '#0' 11.5,5.5 --compare --polygons");
    EXPECT_EQ(text.code, 0) << text.err;
    for (const char* word : {"from ", "polygon 0", "length", "A* ", "corridor   #0", "waypoints"})
        EXPECT_THAT(text.out, HasSubstr(word));
}

TEST_F(MeshCommand, EnginesAgreeAndDetailLimitsTheAnswer) {
    const std::string query = "path hall.map --planner hna --mu 2 '#0' 11.5,5.5 ";
    const auto cost = json(query)["cost"];
    for (const char* engine : {"astar", "climb", "labels"}) {
        for (const char* connect : {"tables", "search"}) {
            const auto answer =
                json(query + "--engine " + engine + " --levels 2 --connect " + connect);
            EXPECT_EQ(answer["cost"], cost) << engine;
            EXPECT_EQ(answer["engine"], engine);
        }
    }
    const auto level = [&](const std::string& forced) {
        return json(query + "--engine astar --levels 2 --search-level " + forced)["searched_level"];
    };
    EXPECT_EQ(level("first"), 1);
    EXPECT_EQ(level("top"), 2);
    EXPECT_FALSE(json(query + "--detail corridor").contains("waypoints"));
    EXPECT_FALSE(json(query + "--detail cost").contains("polygons"));
    EXPECT_FALSE(json(query + "--detail reachable").contains("cost"));
    EXPECT_EQ(json(query + "--scoring centres --pccp centres")["status"], "ok");
}

TEST_F(MeshCommand, PortalPartsMakePathsShorter) {
    const std::string query = "path hall.map --planner hna 0.5,0.5 11.5,3.5 ";
    const auto whole = json(query);
    const auto parts = json(query + "--scoring parts --longest-part 0.5");
    EXPECT_LE(parts["length"], whole["length"]);
    EXPECT_LT(parts["cost"].get<double>() / parts["units_per_length"].get<double>(),
              whole["cost"].get<double>() / whole["units_per_length"].get<double>());
    const auto mesh = json("inspect hall.map --planner hna --mesh-only --scoring parts")["mesh"];
    EXPECT_EQ(mesh["scoring"], "parts");
    EXPECT_GT(mesh["longest_part"], 0);
    EXPECT_GT(mesh["portals"], mesh["whole_portals"]);
    const auto undivided = json("inspect hall.map --planner hna --mesh-only")["mesh"];
    EXPECT_EQ(undivided["portals"], mesh["whole_portals"]);
    EXPECT_FALSE(undivided.contains("longest_part"));
    EXPECT_EQ(run("build hall.map hall.crhn --scoring parts --longest-part 0.5").code, 0);
    EXPECT_EQ(json("path hall.crhn 0.5,0.5 11.5,3.5")["cost"], parts["cost"]);
    expect_error(query + "--longest-part 1", 2, "only for --scoring parts");
    expect_error(query + "--scoring parts --longest-part -1", 2, "--longest-part");
}

TEST_F(MeshCommand, SeveralGoalsGiveATableOrTheNearest) {
    const std::string query =
        "path hall.map --planner hna 0.5,0.5 11.5,5.5 --goal 4,0,0.5 --goal 1,9,1 ";
    const auto table = json(query);
    ASSERT_EQ(table["goals"].size(), 3U);
    const auto single = json("path hall.map --planner hna 0.5,0.5 4,0,0.5");
    EXPECT_EQ(table["goals"][1]["cost"], single["cost"]);
    EXPECT_EQ(table["goals"][1]["goal"], "4,0,0.5");
    EXPECT_EQ(table["goals"][2]["cost"], nullptr);
    const auto nearest = json(query + "--nearest-goal");
    EXPECT_EQ(nearest["nearest_goal"], 1);
    EXPECT_EQ(nearest["waypoints"], single["waypoints"]);
    const Ran text = run(query);
    EXPECT_EQ(text.code, 0) << text.err;
    for (const char* word : {"4,0,0.5", "no path", "--nearest-goal"})
        EXPECT_THAT(text.out, HasSubstr(word));
    EXPECT_THAT(run(query + "--nearest-goal").out, HasSubstr("the nearest goal"));
    expect_error("path hall.map --planner hna 0.5,0.5 1,9,1 --goal 2,9,1 --nearest-goal", 1,
                 "2 goals");
    // Options of a query apply to every goal.
    expect_error(query + "--no-labels --engine labels", 2, "--engine");
    EXPECT_EQ(run(query + "--max-cost 0.5").code, 1);
}

TEST_F(MeshCommand, BadEndsAreExplained) {
    expect_error("path hall.map --planner hna 1,2,3,4 1,1", 2, "start '1,2,3,4'");
    expect_error("path hall.map --planner hna 1,x 1,1", 2, "write x,y,z");
    expect_error("path hall.map --planner hna nan,1 1,1", 2, "write x,y,z");
    expect_error("path hall.map --planner hna '#999' 1,1", 2, "polygons #0 to #");
    expect_error("path hall.map --planner hna 90,0,90 1,1", 2, "--reach");
    expect_error("path hall.map --planner hna 1,1 1,9,1", 2, "--nearest");
    EXPECT_EQ(json("path hall.map --planner hna 1,1 1,9,1 --nearest")["goal_moved"], true);
}

TEST_F(MeshCommand, MapsConvertToPolyanyaMeshes) {
    const auto before = json("convert hall.map hall.mesh");
    const auto after = json("inspect hall.mesh --mesh-only")["mesh"];
    EXPECT_EQ(after["polygons"], before["polygons"]);
    EXPECT_EQ(after["portals"], before["portals"]);
    const std::string query = " 0.5,0.5 11.5,5.5";
    EXPECT_EQ(json("path hall.mesh" + query)["length"],
              json("path hall.map --planner hna" + query)["length"]);

    expect_error("convert hall.map out.bin", 2, "tile sets are made of .obj");
    expect_error("convert hall.map out.obj", 2, "written as .mesh");
    expect_error("convert hall.txt out.mesh", 2, "meshes are .mesh (Polyanya)");
    expect_error("convert none.mesh out.mesh", 4, "none.mesh");
}

TEST_F(MeshCommand, GeometryBecomesTileSetsAndMeshes) {
    folder_.file("floor.obj", "v 0 0 0\nv 20 0 0\nv 20 0 10\nv 0 0 10\nf 4 3 2 1\n");
    const Ran built = run("build floor.obj floor.crhn --save-mesh floor.bin --json");
    if (built.out.find("without Detour") != std::string::npos) GTEST_SKIP() << built.out;
    ASSERT_EQ(built.code, 0) << built.err << built.out;
    const std::string query = " 2,2 18,8";
    const auto length = json("path floor.crhn" + query)["length"];
    EXPECT_NEAR(length.get<double>(), std::hypot(16, 6), 0.1);
    EXPECT_EQ(json("path floor.bin" + query)["length"], length);
    EXPECT_EQ(json("convert floor.obj tiles.bin --tile-size 16")["output"], "tiles.bin");
    EXPECT_GT(json("inspect tiles.bin --mesh-only")["mesh"]["portals"], 1);
    expect_error("convert floor.bin floor.mesh", 2, "add --flat");
    EXPECT_EQ(run("convert floor.bin floor.mesh --flat").code, 0);
    EXPECT_EQ(json("path floor.mesh" + query)["status"], "ok");
    expect_error("convert floor.obj out.bin --cell-size -1", 2, "--cell-size -1: must be");
    expect_error("inspect floor.bin --cell-size 1", 2, "--cell-size is for Recast");
    folder_.file("broken.bin", "MSET");
    expect_error("inspect broken.bin", 3, "broken.bin");
    // The set of a tile cache: a house of two storeys, joined by a ramp.
    folder_.file("cache.bin", bytes_of(source_folder() / "fuzz/corpus/detour_tiles/layers.bin"));
    EXPECT_GT(json("inspect cache.bin --mesh-only")["mesh"]["polygons"], 4);
    EXPECT_GT(json("path cache.bin 24,0,14 24,4,14")["length"].get<double>(), 30);
}

TEST_F(MeshCommand, InspectShowsLevelsWithinTheirBound) {
    const auto shown = json("inspect hall.map --planner hna --levels 2 --mu 2");
    EXPECT_EQ(shown["mesh"]["components"], 1);
    EXPECT_EQ(shown["options"]["mu"], 2);
    ASSERT_EQ(shown["levels"].size(), 2U);
    for (const auto& level : shown["levels"])
        EXPECT_LE(level["most_inter_edges"], level["inter_edge_bound"]);
    EXPECT_GT(shown["bytes"]["total"], 0);
    const Ran text = run("inspect square.mesh --area-cost 0=3");
    EXPECT_THAT(text.out, HasSubstr("cut labels"));
    EXPECT_THAT(text.out, HasSubstr("area  polygons"));
    EXPECT_THAT(run("inspect hall.map --planner hna --mesh-only").out, Not(HasSubstr("bound")));
}

TEST_F(MeshCommand, VerifyFindsNoFault) {
    const auto report =
        json("verify hall.map --planner hna --mu 2 --levels 3 --queries 50 --edits 6");
    EXPECT_EQ(report["ok"], true);
    EXPECT_EQ(report["checks"].size(), 8U);
    for (const auto& check : report["checks"]) EXPECT_GT(check["tried"], 0) << check;
}

TEST_F(MeshCommand, IndexFilesHoldTheirMeshAndOptions) {
    const auto built = json("build hall.map --planner hna --mu 2 --levels 2 --scoring centres");
    EXPECT_EQ(built["file"], "hall.crhn");
    EXPECT_GT(built["file_bytes"], 0);
    const auto shown = json("inspect hall.crhn");
    EXPECT_EQ(shown["options"], built["options"]);
    EXPECT_EQ(shown["mesh"], built["mesh"]);
    EXPECT_EQ(run("inspect --json hall.crhn").json(), shown);
    const std::string query = " '#0' 11.5,5.5";
    EXPECT_EQ(json("path hall.crhn" + query)["cost"],
              json("path hall.map --planner hna --scoring centres" + query)["cost"]);
    EXPECT_EQ(json("verify hall.crhn --queries 20")["ok"], true);
    EXPECT_THAT(svg("hall.crhn out.svg"), HasSubstr(of_class("inter-edges")));
    EXPECT_EQ(run("build hall.map -o other.crhn").code, 0);
    EXPECT_EQ(run("inspect other.crhn").code, 0);

    expect_error("path hall.crhn --mu 3" + query, 2, "--mu with an index file");
    expect_error("path hall.crhn --area-cost 0=2" + query, 2, "--area-cost with");
    expect_error("inspect none.crhn", 4, "none.crhn");
    folder_.file("broken.crhn", "CRHN");
    expect_error("inspect broken.crhn", 3, "broken.crhn");
    expect_error("build hall.map --planner hna --save-mesh out.bin", 2, "--save-mesh");
    expect_error("build hall.crhn other.crhn", 2, "meshes are .mesh");
}

TEST_F(MeshCommand, PicturesHaveTheChosenLayers) {
    const std::string all =
        svg("hall.map out.svg --planner hna --mu 2 --intra-edges all --from '#0' --to 11.5,5.5");
    for (const char* layer : {"polygons", "walls", "portals", "inter-edges", "intra-edges",
                              "corridor", "abstract-path", "string", "ends"})
        EXPECT_THAT(all, HasSubstr(of_class(layer)));
    const std::string few =
        svg("hall.map -o out.svg --planner hna --what mesh --hide portals --no-legend");
    for (const char* layer : {"portals", "inter-edges", "string"})
        EXPECT_THAT(few, Not(HasSubstr(of_class(layer))));
    expect_error("render hall.map out.jpg --planner hna", 2, ".svg or .png");
    expect_error("render hall.map out.svg --planner hna --from 1,1", 2, "--from and --to");
    expect_error("render hall.map out.svg --planner hna --level 2", 2, "levels 1 to 1");
    expect_error("render hall.map out.svg --planner hna --area 1,2,0,4", 2, "--area '1,2,0,4'");
}

TEST_F(MeshCommand, OptionsOutOfRangeAreRefused) {
    expect_error("inspect hall.map --planner hna --mu 1", 2, "--mu 1: must be 2 to 1000");
    expect_error("inspect square.mesh --area-cost 64=1", 2, "--area-cost '64=1'");
    expect_error("inspect square.mesh --area-cost 3", 2, "--area-cost '3'");
    expect_error("inspect square.mesh --area-cost 0=1e9", 2, "area");
    expect_error("inspect hall.map --planner hna --area-cost 0=2", 2,
                 "--area-cost is not for maps");
    expect_error("inspect hall.map --planner hna --pccp centres", 2, "polygon centres");
    folder_.file("broken.mesh", "mesh\n2\n9999999999 1\n");
    expect_error("inspect broken.mesh", 3, "broken.mesh:3");
}

// The published tile sets with odd polygons, if CAIRN_DATA has them.
TEST_F(MeshCommand, DiscsKeepAwayFromWalls) {
    const std::string hall = "path hall.map 1,1 9,5.5 --planner hna";
    const auto narrow = json(hall + " --radius 0.5");
    EXPECT_EQ(narrow["status"], "ok");
    EXPECT_EQ(narrow["radius"], 0.5);
    const auto point = json(hall);
    EXPECT_GT(narrow["length"], point["length"]);
    std::size_t arcs = 0;
    for (const auto& waypoint : narrow["waypoints"]) {
        if (waypoint["onwards"] == "straight") continue;
        ++arcs;
        const auto away = [&](int axis) {
            return waypoint["point"][axis].get<double>() - waypoint["corner"][axis].get<double>();
        };
        EXPECT_NEAR(std::hypot(away(0), away(2)), 0.5, 1e-5);
    }
    EXPECT_GT(arcs, 0U);
    EXPECT_THAT(run(hall + " --radius 0.5").out, HasSubstr("arc"));
    expect_error(hall + " --radius 0.51", 1, "the goal is nearer than 0.51 to a wall");
    expect_error("path hall.map 1,1 11,2 --planner hna --radius 0.51", 1, "no path");
    const std::string from_wall = "path hall.map 0.2,1 9,5.5 --planner hna --radius 0.5";
    EXPECT_THAT(run(from_wall).out, HasSubstr("from       0.5004902,0,1 "));
    expect_error(from_wall + " --reach 0.2", 1, "the start is nearer than 0.5 to a wall");
    expect_error(hall + " --radius 0.5 --goal 1,5", 2, "one goal");
    const std::string picture =
        svg("hall.map out.svg --planner hna --from 1,1 --to 9,5.5 --radius 0.5");
    EXPECT_THAT(picture, HasSubstr(of_class("band")));
    EXPECT_THAT(picture, HasSubstr(of_class("string")));
    EXPECT_THAT(picture, Not(HasSubstr(of_class("gates"))));
    EXPECT_THAT(svg("hall.map out.svg --planner hna --from 5,2 --to 6,2 --radius 0.9"),
                HasSubstr(of_class("gates")));
    expect_error("render hall.map out.svg --planner hna --radius 0.5", 2, "--from and --to");
}

TEST_F(MeshCommand, OddPolygonsCannotBeWrittenAsMeshFiles) {
    const char* const data = std::getenv("CAIRN_DATA");
    if (data == nullptr) GTEST_SKIP() << "CAIRN_DATA is not set";
    const std::filesystem::path file =
        std::filesystem::path(data) / "navmesh" / "refused" / "oasago2-a.bin";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is missing";
    expect_error("convert '" + file.string() + "' out.mesh --flat", 2, "not convex");
}

}  // namespace
}  // namespace cairn::test
