// Arrays of NumPy on the command line: maps and requests in, maps and paths out, compared with
// NumPy where it is installed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cairn/formats/movingai.hpp"
#include "cairn/formats/npy.hpp"
#include "command_test.hpp"

namespace cairn::test {
namespace {

using Value = nlohmann::json;
using ::testing::HasSubstr;

class NpyCommand : public CommandTest {
protected:
    void SetUp() override { ASSERT_EQ(run("generate rooms a.map --width 60 --height 40").code, 0); }
    /// Runs a script in the folder. False if there is no NumPy.
    bool python(const std::string& script) {
        folder_.file("script.py",
                     "try: import numpy as np\nexcept ImportError: exit(9)\n" + script);
        const Ran ran = run_program("/usr/bin/python3", folder_.path(), "script.py");
        if (ran.code == 9 || ran.code == 127) return false;
        EXPECT_EQ(ran.code, 0) << ran.err;
        return true;
    }
    /// Writes requests as an array.
    void requests(const std::string& name, const std::vector<std::int32_t>& numbers) {
        folder_.file(name, *formats::format_npy(numbers, 4));
    }
};

TEST_F(NpyCommand, MapsBecomeArraysAndBack) {
    ASSERT_EQ(run("convert a.map a.npy").code, 0);
    ASSERT_EQ(run("convert a.npy b.map").code, 0);
    EXPECT_EQ(formats::load_map(folder_.path() / "a.map")->fingerprint(),
              formats::load_map(folder_.path() / "b.map")->fingerprint());
    EXPECT_EQ(json("path a.npy 1,1 57,37")["cost"], json("path a.map 1,1 57,37")["cost"]);
    EXPECT_EQ(run("convert - - --format npy <a.map >c.npy").code, 0);
    EXPECT_EQ(bytes_of(folder_.path() / "c.npy"), bytes_of(folder_.path() / "a.npy"));
    EXPECT_EQ(run("path - 1,1 57,37 <c.npy").code, 0);
    expect_error("path a.npy 1,1 57,37 --max-pixels 100", 3, "at most");
    folder_.file("bad.npy", "\x93NUMPYxx");
    expect_error("path bad.npy 1,1 57,37", 3, "bad.npy: version");
    expect_error("path a.npy 1,1 57,37 --array-cells walls", 2, "walls");
}

TEST_F(NpyCommand, NumPysArraysAreReadAsNumPyReadsThem) {
    if (!python(R"(
import random
random.seed(5)
types = ["?"] + [o + t for t in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8") for o in "<>"]
for number in range(200):
    height, width = random.randint(1, 9), random.randint(1, 9)
    array = np.array([[random.choice([0, 1, 1, 3, 9]) for x in range(width)] for y in range(height)])
    array = array.astype(random.choice(types))
    if random.random() < 0.5: array = np.asfortranarray(array)
    with open(f"{number}.npy", "wb") as f:
        np.lib.format.write_array(f, array, version=random.choice([(1, 0), (2, 0), (3, 0)]))
    with open(f"{number}.map", "w") as f:
        f.write(f"type octile\nheight {height}\nwidth {width}\nmap\n")
        for y in range(height):
            f.write("".join("@" if array[y, x] == 0 else "." for x in range(width)) + "\n")
    with open(f"{number}.weights.map", "w") as f:
        f.write(f"type octile\nheight {height}\nwidth {width}\nmap\n")
        for y in range(height):
            f.write("".join("@.23456789"[int(array[y, x])] for x in range(width)) + "\n")
)"))
        GTEST_SKIP() << "no NumPy";
    for (int number = 0; number < 200; ++number) {
        const auto file = [&](const char* ending) {
            return (folder_.path() / (std::to_string(number) + ending)).string();
        };
        const auto array = formats::load_terrain(file(".npy"));
        ASSERT_TRUE(array) << array.error().message;
        EXPECT_EQ(*array, *formats::read_map(file(".map"))) << number;
        const auto weights =
            formats::load_terrain(file(".npy"), {.cells = formats::ArrayCells::weights});
        ASSERT_TRUE(weights) << weights.error().message;
        EXPECT_EQ(*weights, *formats::read_map(file(".weights.map"))) << number;
    }
}

TEST_F(NpyCommand, RequestsOfAFileAreAnsweredTogether) {
    requests("r.npy", {1, 1, 57, 37, 57, 37, 1, 1, 0, 0, 5, 5, 3, 3, 3, 3});
    const Value report = json("path a.map --requests r.npy --paths p.csv --smoothing none");
    EXPECT_EQ(report["requests"], 4);
    EXPECT_EQ(report["statuses"], Value({{"ok", 3}, {"start_blocked", 1}}));
    EXPECT_EQ(report["planner"], "hpa");
    // Each path is that of a single query.
    std::string expected = "request,x,y\n";
    std::size_t rows = 0;
    int request = 0;
    for (const char* ends : {"1,1 57,37", "57,37 1,1", "", "3,3 3,3"}) {
        if (*ends != 0) {
            const Value single =
                json(std::string("path a.map ") + ends + " --cells --smoothing none --paths s.csv");
            std::string alone = "request,x,y\n";
            for (const Value& cell : single["cells"]) {
                const std::string place = cell[0].dump() + "," + cell[1].dump() + "\n";
                expected += std::to_string(request) + "," + place;
                alone += "0," + place;
                ++rows;
            }
            EXPECT_EQ(bytes_of(folder_.path() / "s.csv"), alone);
        }
        ++request;
    }
    EXPECT_EQ(bytes_of(folder_.path() / "p.csv"), expected);
    EXPECT_EQ(report["paths"], Value({{"file", "p.csv"}, {"rows", rows}}));

    EXPECT_EQ(run("path a.map --requests r.npy --paths p.npy --smoothing none --threads 1").code,
              0);
    if (python("a = np.load('p.npy')\n"
               "b = np.loadtxt('p.csv', delimiter=',', skiprows=1, dtype=np.int32)\n"
               "assert a.dtype == np.int32 and (a == b).all() and a.shape == b.shape\n"
               "np.save('r8.npy', np.load('r.npy').astype('>i8', order='F'))\n")) {
        const Value same = json("path a.map --requests r8.npy");
        EXPECT_EQ(same["statuses"], report["statuses"]);
    }
    const Ran text = run("path a.map --requests r.npy");
    EXPECT_THAT(text.out, HasSubstr("requests  4"));
    EXPECT_EQ(run("path a.map --requests - --planner jps <r.npy").code, 0);
    EXPECT_THAT(run("path a.map --requests r.npy --paths -").out,
                ::testing::StartsWith("request,"));

    ASSERT_EQ(run("generate scenario s.scen --map a.map --count 20").code, 0);
    EXPECT_EQ(json("path a.map --requests s.scen --planner subgoal")["statuses"],
              Value({{"ok", 20}}));
    requests("none.npy", {});
    EXPECT_EQ(json("path a.map --requests none.npy")["requests"], 0);
    requests("blocked.npy", {0, 0, 1, 1});
    EXPECT_EQ(run("path a.map --requests blocked.npy").code, 1);
}

TEST_F(NpyCommand, EachRequestHasAStatus) {
    // Two rooms without a door, one of them with an obstacle.
    folder_.file("halves.map", "type octile\nheight 3\nwidth 5\nmap\n..@.@\n..@..\n..@..\n");
    const std::string wanted[] = {
        "0,ok,408",         "1,no_path,",      "2,goal_blocked,", "3,start_blocked,",
        "4,start_outside,", "5,goal_outside,", "6,ok,0"};
    requests("r.npy", {0,  0, 0, 1, 0, 0, 3, 0, 3, 0, 4, 0, 2, 0, 0, 0,  //
                       -1, 0, 0, 0, 0, 0, 5, 0, 4, 2, 4, 2});
    std::string expected = "request,status,cost\n";
    for (const std::string& line : wanted) expected += line + "\n";
    for (const char* planner : {"hpa", "subgoal", "astar", "jps", "haa"}) {
        const Value report =
            json(std::string("path halves.map --requests r.npy --statuses s.csv ") + "--planner " +
                 planner);
        EXPECT_EQ(bytes_of(folder_.path() / "s.csv"), expected) << planner;
        EXPECT_EQ(report["status_rows"], Value({{"file", "s.csv"}, {"rows", 7}}));
        EXPECT_EQ(report["statuses"]["ok"], 2);
    }
    const Ran ran = run("path halves.map --requests r.npy --statuses s.npy --paths p.csv");
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.out, HasSubstr("7 rows, written to s.npy"));
    EXPECT_EQ(bytes_of(folder_.path() / "s.npy"),
              *formats::format_npy(std::vector<std::int32_t>{0,  0, 408, 1,  5, -1, 2,  4, -1, 3, 3,
                                                             -1, 4, 1,   -1, 5, 2,  -1, 6, 0,  0},
                                   3));
    // Without costs, and with no path at all.
    EXPECT_EQ(run("path halves.map --requests r.npy --statuses - --detail reachable").out,
              "request,status,cost\n0,ok,\n" +
                  expected.substr(expected.find("1,no_path"),
                                  expected.find("6,ok") - expected.find("1,no_path")) +
                  "6,ok,\n");
    requests("blocked.npy", {2, 0, 0, 0});
    EXPECT_EQ(run("path halves.map --requests blocked.npy --statuses s.csv").code, 1);
    EXPECT_EQ(bytes_of(folder_.path() / "s.csv"), "request,status,cost\n0,start_blocked,\n");
    requests("none.npy", {});
    EXPECT_EQ(run("path halves.map --requests none.npy --statuses s.csv").code, 0);
    EXPECT_EQ(bytes_of(folder_.path() / "s.csv"), "request,status,cost\n");
    expect_error("path halves.map 0,0 1,1 --statuses s.csv", 2, "--statuses is for --requests");
    expect_error("path halves.map --requests r.npy --statuses s.txt", 2, "--statuses is written");
}

TEST_F(NpyCommand, WaypointsOfMeshesAreRowsOfPoints) {
    ASSERT_EQ(run("convert a.map a.mesh").code, 0);
    const Value report = json("path a.mesh 1,1 57,37 --paths p.csv");
    std::string expected = "request,x,y,z\n";
    EXPECT_EQ(report["paths"]["rows"], report["waypoints"].size());
    EXPECT_THAT(bytes_of(folder_.path() / "p.csv"), ::testing::StartsWith(expected + "0,1,0,1\n"));
    EXPECT_EQ(run("path a.mesh 1,1 57,37 --paths p.npy").code, 0);
    if (python("a = np.load('p.npy')\n"
               "b = np.loadtxt('p.csv', delimiter=',', skiprows=1)\n"
               "assert a.dtype == np.float64 and (a == b).all() and a.shape == b.shape\n")) {
        SUCCEED();
    }
}

TEST_F(NpyCommand, RequestsOnMeshesAreAnsweredTogether) {
    ASSERT_EQ(run("convert a.map a.mesh").code, 0);
    ASSERT_EQ(run("build a.mesh").code, 0);
    folder_.file("r.npy",
                 *formats::format_npy(std::vector<double>{1.5, 0, 1.5, 57.5, 0, 37.5,       //
                                                          900, 0, 0, 1, 0, 1,               //
                                                          3.5, 0.25, 3.5, 3.5, 0.25, 3.5},  //
                                      6));
    const Value report = json("path a.crhn --requests r.npy --paths p.csv --statuses s.csv");
    EXPECT_EQ(report["planner"], "hna");
    EXPECT_EQ(report["statuses"], Value({{"ok", 2}, {"start_outside", 1}}));
    const Value single = json("path a.crhn 1.5,0,1.5 57.5,0,37.5 --paths one.csv");
    std::string paths = bytes_of(folder_.path() / "one.csv");
    EXPECT_THAT(paths, ::testing::StartsWith("request,x,y,z\n0,1.5,0,1.5\n"));
    EXPECT_THAT(bytes_of(folder_.path() / "p.csv"), ::testing::StartsWith(paths));
    EXPECT_EQ(
        bytes_of(folder_.path() / "s.csv"),
        "request,status,cost\n0,ok," + single["cost"].dump() + "\n1,start_outside,\n2,ok,0\n");
    EXPECT_EQ(json("path a.mesh --requests r.npy --threads 1")["length"], report["length"]);
    expect_error("path a.crhn 1,1 --requests r.npy", 2, "--requests takes neither");
    expect_error("path a.crhn --requests a.scen", 2, "reads .npy");
    expect_error("path a.crhn", 2, "start is required");
    expect_error("path a.crhn 1,1 2,2 --statuses s.csv", 2, "--statuses is for --requests");
    requests("four.npy", {1, 1, 57, 37});
    expect_error("path a.crhn --requests four.npy", 2, "n x 6");
}

TEST_F(NpyCommand, WrongUsesAreRefused) {
    requests("r.npy", {1, 1, 57, 37});
    expect_error("path a.map 1,1 --requests r.npy", 2, "--requests takes neither");
    expect_error("path a.map --requests r.npy --trace t.trace.json", 2, "--requests takes neither");
    expect_error("path a.map", 2, "start is required");
    expect_error("path a.map --requests a.map", 2, "reads .npy and .scen");
    expect_error("path a.map --requests r.npy --paths p.txt", 2, "written as .npy or .csv");
    expect_error("path a.map 1,1 --goal 3,3 --goal 4,4 --paths p.csv", 2, "take one goal");
    folder_.file("three.npy", *formats::format_npy(std::vector<std::int32_t>{1, 2, 3}, 3));
    expect_error("path a.map --requests three.npy", 2, "n x 4");
    expect_error("path a.map --requests none.npy", 4, "none.npy");
}

}  // namespace
}  // namespace cairn::test
