// `cairn navmesh` as a user meets it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "command_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class NavmeshCommand : public CommandTest {
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
    /// The picture that was rendered as out.svg.
    [[nodiscard]] std::string svg(const std::string& arguments) const {
        const Ran ran = run("navmesh render " + arguments);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return bytes_of(folder_.path() / "out.svg");
    }
};

std::string of_class(const std::string& layer) { return "class=\"" + layer + '"'; }

TEST_F(NavmeshCommand, HelpListsTheVerbs) {
    const Ran ran = run("navmesh --help");
    EXPECT_EQ(ran.code, 0);
    for (const char* verb : {"convert", "build", "path", "inspect", "verify", "render"})
        EXPECT_THAT(ran.out, HasSubstr(std::string("\n  ") + verb));
    EXPECT_EQ(run("navmesh").code, 2);
    expect_error("navmesh path hall.map", 2, "cairn navmesh path --help");
}

TEST_F(NavmeshCommand, PathsOfMapsAndMeshes) {
    const auto answer = json("navmesh path hall.map --from 0.5,0,0.5 --to 11.5,0,5.5");
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

    const auto inside = json("navmesh path square.mesh --from 0.25,0.5 --to 0.75,0.5");
    EXPECT_NEAR(inside["length"].get<double>(), 0.5, 1e-6);
    EXPECT_EQ(inside["engine"], "none needed");
    const Ran text = run("navmesh path hall.map --from '#0' --to 11.5,5.5 --compare --polygons");
    EXPECT_EQ(text.code, 0) << text.err;
    for (const char* word : {"from ", "polygon 0", "length", "A* ", "corridor   #0", "waypoints"})
        EXPECT_THAT(text.out, HasSubstr(word));
}

TEST_F(NavmeshCommand, EnginesAgreeAndDetailsAreLeftOut) {
    const std::string query = "navmesh path hall.map --mu 2 --from '#0' --to 11.5,5.5 ";
    const auto cost = json(query)["cost"];
    for (const char* engine : {"astar", "levels", "labels"}) {
        for (const char* connect : {"tables", "search"}) {
            const auto answer =
                json(query + "--engine " + engine + " --levels 2 --connect " + connect);
            EXPECT_EQ(answer["cost"], cost) << engine;
            EXPECT_EQ(answer["engine"], engine);
        }
    }
    EXPECT_FALSE(json(query + "--detail corridor").contains("waypoints"));
    EXPECT_FALSE(json(query + "--detail cost").contains("polygons"));
    EXPECT_FALSE(json(query + "--detail reachable").contains("cost"));
    EXPECT_EQ(json(query + "--scoring centres --pccp centres")["status"], "ok");
}

TEST_F(NavmeshCommand, PartsOfPortalsMakePathsShorter) {
    const std::string query = "navmesh path hall.map --from 0.5,0.5 --to 11.5,3.5 ";
    const auto whole = json(query);
    const auto parts = json(query + "--scoring parts --longest-part 0.5");
    EXPECT_LE(parts["length"], whole["length"]);
    EXPECT_LT(parts["cost"].get<double>() / parts["units_per_length"].get<double>(),
              whole["cost"].get<double>() / whole["units_per_length"].get<double>());
    const auto mesh = json("navmesh inspect hall.map --mesh-only --scoring parts")["mesh"];
    EXPECT_EQ(mesh["scoring"], "parts");
    EXPECT_GT(mesh["longest_part"], 0);
    EXPECT_GT(mesh["portals"], mesh["whole_portals"]);
    const auto undivided = json("navmesh inspect hall.map --mesh-only")["mesh"];
    EXPECT_EQ(undivided["portals"], mesh["whole_portals"]);
    EXPECT_FALSE(undivided.contains("longest_part"));
    EXPECT_EQ(run("navmesh build hall.map hall.crhn --scoring parts --longest-part 0.5").code, 0);
    EXPECT_EQ(json("navmesh path hall.crhn --from 0.5,0.5 --to 11.5,3.5")["cost"], parts["cost"]);
    expect_error(query + "--longest-part 1", 2, "only for --scoring parts");
    expect_error(query + "--scoring parts --longest-part -1", 2, "--longest-part");
}

TEST_F(NavmeshCommand, SeveralGoals) {
    const std::string query =
        "navmesh path hall.map --from 0.5,0.5 --to 11.5,5.5 --to 4,0,0.5 --to 1,9,1 ";
    const auto table = json(query);
    ASSERT_EQ(table["goals"].size(), 3U);
    const auto one = json("navmesh path hall.map --from 0.5,0.5 --to 4,0,0.5");
    EXPECT_EQ(table["goals"][1]["cost"], one["cost"]);
    EXPECT_EQ(table["goals"][1]["goal"], "4,0,0.5");
    EXPECT_EQ(table["goals"][2]["cost"], nullptr);
    const auto nearest = json(query + "--nearest-goal");
    EXPECT_EQ(nearest["nearest_goal"], 1);
    EXPECT_EQ(nearest["waypoints"], one["waypoints"]);
    const Ran text = run(query);
    EXPECT_EQ(text.code, 0) << text.err;
    for (const char* word : {"4,0,0.5", "no path", "--nearest-goal"})
        EXPECT_THAT(text.out, HasSubstr(word));
    EXPECT_THAT(run(query + "--nearest-goal").out, HasSubstr("the nearest goal"));
    expect_error("navmesh path hall.map --from 0.5,0.5 --to 1,9,1 --to 2,9,1 --nearest-goal", 1,
                 "2 goals");
}

TEST_F(NavmeshCommand, EndsThatCannotBeMeant) {
    expect_error("navmesh path hall.map --from 1,2,3,4 --to 1,1", 2, "--from '1,2,3,4'");
    expect_error("navmesh path hall.map --from 1,x --to 1,1", 2, "write x,y,z");
    expect_error("navmesh path hall.map --from nan,1 --to 1,1", 2, "write x,y,z");
    expect_error("navmesh path hall.map --from '#999' --to 1,1", 2, "polygons #0 to #");
    expect_error("navmesh path hall.map --from 90,0,90 --to 1,1", 2, "--reach");
    expect_error("navmesh path hall.map --from 1,1 --to 1,9,1", 2, "--nearest");
    EXPECT_EQ(json("navmesh path hall.map --from 1,1 --to 1,9,1 --nearest")["goal_moved"], true);
}

TEST_F(NavmeshCommand, ConvertedMapsArePolyanyaMeshes) {
    const auto before = json("navmesh convert hall.map hall.mesh");
    const auto after = json("navmesh inspect hall.mesh --mesh-only")["mesh"];
    EXPECT_EQ(after["polygons"], before["polygons"]);
    EXPECT_EQ(after["portals"], before["portals"]);
    const std::string query = " --from 0.5,0.5 --to 11.5,5.5";
    EXPECT_EQ(json("navmesh path hall.mesh" + query)["length"],
              json("navmesh path hall.map" + query)["length"]);

    expect_error("navmesh convert hall.map out.bin", 2, "tile sets are made of .obj");
    expect_error("navmesh convert hall.map out.obj", 2, "written as .mesh");
    expect_error("navmesh convert hall.txt out.mesh", 2, "meshes are .mesh (Polyanya)");
    expect_error("navmesh convert none.mesh out.mesh", 4, "none.mesh");
}

TEST_F(NavmeshCommand, GeometryAndTileSets) {
    folder_.file("floor.obj", "v 0 0 0\nv 20 0 0\nv 20 0 10\nv 0 0 10\nf 4 3 2 1\n");
    const Ran built = run("navmesh build floor.obj floor.crhn --save-mesh floor.bin --json");
    if (built.out.find("without Detour") != std::string::npos) GTEST_SKIP() << built.out;
    ASSERT_EQ(built.code, 0) << built.err << built.out;
    const std::string query = " --from 2,2 --to 18,8";
    const auto length = json("navmesh path floor.crhn" + query)["length"];
    EXPECT_NEAR(length.get<double>(), std::hypot(16, 6), 0.1);
    EXPECT_EQ(json("navmesh path floor.bin" + query)["length"], length);
    EXPECT_EQ(json("navmesh convert floor.obj tiles.bin --tile-size 16")["output"], "tiles.bin");
    EXPECT_GT(json("navmesh inspect tiles.bin --mesh-only")["mesh"]["portals"], 1);
    expect_error("navmesh convert floor.bin floor.mesh", 2, "add --flat");
    EXPECT_EQ(run("navmesh convert floor.bin floor.mesh --flat").code, 0);
    EXPECT_EQ(json("navmesh path floor.mesh" + query)["status"], "ok");
    expect_error("navmesh convert floor.obj out.bin --cell-size -1", 2, "--cell-size -1: must be");
    expect_error("navmesh inspect floor.bin --cell-size 1", 2, "--cell-size is for Recast");
    folder_.file("broken.bin", "MSET");
    expect_error("navmesh inspect broken.bin", 3, "broken.bin");
}

TEST_F(NavmeshCommand, InspectShowsLevelsAgainstTheirBound) {
    const auto shown = json("navmesh inspect hall.map --levels 2 --mu 2");
    EXPECT_EQ(shown["mesh"]["components"], 1);
    EXPECT_EQ(shown["options"]["mu"], 2);
    ASSERT_EQ(shown["levels"].size(), 2U);
    for (const auto& level : shown["levels"])
        EXPECT_LE(level["most_inter_edges"], level["inter_edge_bound"]);
    EXPECT_GT(shown["bytes"]["total"], 0);
    const Ran text = run("navmesh inspect square.mesh --area-cost 0=3");
    EXPECT_THAT(text.out, HasSubstr("cut labels"));
    EXPECT_THAT(text.out, HasSubstr("area  polygons"));
    EXPECT_THAT(run("navmesh inspect hall.map --mesh-only").out, Not(HasSubstr("bound")));
}

TEST_F(NavmeshCommand, VerifyFindsNoFault) {
    const auto report = json("navmesh verify hall.map --mu 2 --levels 3 --queries 50 --edits 6");
    EXPECT_EQ(report["ok"], true);
    EXPECT_EQ(report["checks"].size(), 8U);
    for (const auto& check : report["checks"]) EXPECT_GT(check["tried"], 0) << check;
}

TEST_F(NavmeshCommand, IndexFilesStandForTheirMesh) {
    const auto built = json("navmesh build hall.map --mu 2 --levels 2 --scoring centres");
    EXPECT_EQ(built["file"], "hall.crhn");
    EXPECT_GT(built["file_bytes"], 0);
    const auto shown = json("navmesh inspect hall.crhn");
    EXPECT_EQ(shown["options"], built["options"]);
    EXPECT_EQ(shown["mesh"], built["mesh"]);
    const std::string query = " --from '#0' --to 11.5,5.5";
    EXPECT_EQ(json("navmesh path hall.crhn" + query)["cost"],
              json("navmesh path hall.map --scoring centres" + query)["cost"]);
    EXPECT_EQ(json("navmesh verify hall.crhn --queries 20")["ok"], true);
    EXPECT_THAT(svg("hall.crhn out.svg"), HasSubstr(of_class("inter-edges")));
    EXPECT_EQ(run("navmesh build hall.map -o other.crhn").code, 0);
    EXPECT_EQ(run("navmesh inspect other.crhn").code, 0);

    expect_error("navmesh path hall.crhn --mu 3" + query, 2, "--mu with an index file");
    expect_error("navmesh path hall.crhn --area-cost 0=2" + query, 2, "--area-cost with");
    expect_error("navmesh inspect none.crhn", 4, "none.crhn");
    folder_.file("broken.crhn", "CRHN");
    expect_error("navmesh inspect broken.crhn", 3, "broken.crhn");
    expect_error("navmesh build hall.map --save-mesh out.bin", 2, "--save-mesh");
    expect_error("navmesh build hall.crhn other.crhn", 2, "meshes are .mesh");
}

TEST_F(NavmeshCommand, PicturesHaveTheLayersAskedFor) {
    const std::string all =
        svg("hall.map out.svg --mu 2 --intra-edges all --from '#0' --to 11.5,5.5");
    for (const char* layer : {"polygons", "walls", "portals", "inter-edges", "intra-edges",
                              "corridor", "abstract-path", "string", "ends"})
        EXPECT_THAT(all, HasSubstr(of_class(layer)));
    const std::string few = svg("hall.map -o out.svg --what mesh --hide portals --no-legend");
    for (const char* layer : {"portals", "inter-edges", "string"})
        EXPECT_THAT(few, Not(HasSubstr(of_class(layer))));
    expect_error("navmesh render hall.map out.jpg", 2, ".svg or .png");
    expect_error("navmesh render hall.map out.svg --from 1,1", 2, "--from and --to");
    expect_error("navmesh render hall.map out.svg --level 2", 2, "levels 1 to 1");
    expect_error("navmesh render hall.map out.svg --area 1,2,0,4", 2, "--area '1,2,0,4'");
}

TEST_F(NavmeshCommand, OptionsOutOfRange) {
    expect_error("navmesh inspect hall.map --mu 1", 2, "--mu 1: must be 2 to 1000");
    expect_error("navmesh inspect square.mesh --area-cost 64=1", 2, "--area-cost '64=1'");
    expect_error("navmesh inspect square.mesh --area-cost 3", 2, "--area-cost '3'");
    expect_error("navmesh inspect square.mesh --area-cost 0=1e9", 2, "area");
    expect_error("navmesh inspect hall.map --area-cost 0=2", 2, "--area-cost is not for maps");
    expect_error("navmesh inspect hall.map --pccp centres", 2, "polygon centres");
    folder_.file("broken.mesh", "mesh\n2\n9999999999 1\n");
    expect_error("navmesh inspect broken.mesh", 3, "broken.mesh:3");
}

}  // namespace
}  // namespace cairn::test
