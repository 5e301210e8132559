// The command `cairn render` with --what tree, closure and repair.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "command_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

class ClosureRender : public CommandTest {
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
    }
    /// The picture that `arguments` render.
    [[nodiscard]] std::string svg(const std::string& arguments) const {
        const Ran ran = run("render hall.map out.svg " + arguments);
        EXPECT_EQ(ran.code, 0) << arguments << ran.err;
        return bytes_of(folder_.path() / "out.svg");
    }
    void expect_refused(const std::string& arguments, const std::string& text) const {
        expect_error("render hall.map out.svg " + arguments, 2, text);
    }
};

TEST_F(ClosureRender, MapsOfAllPlannersAreDrawn) {
    for (const std::string planner :
         {"hpa --cluster-size 4 ", "subgoal ", "haa --agent 1:ground --cluster-size 4 "}) {
        const std::string given = "--planner " + planner;
        EXPECT_THAT(svg(given + "--what tree"), HasSubstr("topmost separators: ")) << planner;
        const std::string one = svg(given + "--what closure --from 1,0");
        EXPECT_THAT(one, HasSubstr("visited from S: ")) << planner;
        const std::string two = svg(given + "--what closure --from 1,0 --to 10,5");
        for (const char* part : {"path: ", "where the climbs meet", "class=\"ends"})
            EXPECT_THAT(two, HasSubstr(part)) << planner;
        const std::string repair = svg(given + "--what repair --edit 5,4,1,1,@ --edit 0,4,1,1,.");
        for (const char* part : {"the edit", "rows of nodes that stay, changed: "})
            EXPECT_THAT(repair, HasSubstr(part)) << planner;
    }
}

TEST_F(ClosureRender, ClosuresOfIndexFilesAreDrawn) {
    ASSERT_EQ(run("build hall.map hall.cairn --cluster-size 4").code, 0);
    for (const std::string what : {"tree", "closure --from 1,0", "repair --edit 5,4,1,1,@"}) {
        const std::string file = svg("--index hall.cairn --what " + what);
        EXPECT_EQ(file, svg("--cluster-size 4 --what " + what)) << what;
    }
}

TEST_F(ClosureRender, MeshesAreDrawn) {
    const std::string mesh = "--planner hna --mu 2 ";
    EXPECT_THAT(svg(mesh + "--what tree"), HasSubstr("topmost separators: "));
    EXPECT_THAT(svg(mesh + "--what closure --from 1,0.5"), HasSubstr("visited from S: "));
    EXPECT_THAT(svg(mesh + "--what closure --from 1,0.5 --to 10.5,5.5"), HasSubstr("path: "));
}

TEST_F(ClosureRender, BadOptionsAreExplained) {
    expect_refused("--what closure", "--from");
    expect_refused("--what closure --to 1,1", "--from");
    expect_refused("--what closure --from 1", "--from '1'");
    expect_refused("--what closure --from 1,1 --to x", "--to 'x'");
    expect_refused("--cluster-size 4 --what closure --from 99,1", "99,1");
    expect_refused("--what tree --from 1,1 --to 2,2", "leave --from and --to out");
    expect_refused("--what tree --to 2,2", "leave --from and --to out");
    expect_refused("--what repair --edit 1,1,1,1,@ --from 1,1", "leave --from and --to out");
    expect_refused("--what tree --hide nodes", "no layers");
    expect_refused("--what tree --planner subgoal --layers levels", "no layers");
    expect_refused("--what repair", "--edit");
    expect_refused("--what repair --edit 1,1,1", "--edit '1,1,1'");
    expect_refused("--what repair --edit 1,1,1,99,@", "--edit: ");
    expect_refused("--edit 1,1,1,1,@", "--what repair");
    expect_refused("--what graph --edit 1,1,1,1,@", "--what repair");
    expect_refused("--what tree --planner subgoal --layers separators", "'separators'");
    for (const std::string planner : {"hpa --cluster-size 4", "subgoal", "haa --cluster-size 4"}) {
        expect_refused("--what tree --no-labels --planner " + planner, "no closure");
    }
    const std::string mesh = "--planner hna ";
    expect_refused(mesh + "--what repair", "it is for maps");
    expect_refused(mesh + "--what closure", "--from");
    expect_refused(mesh + "--what closure --from x", "--from 'x'");
    expect_refused(mesh + "--what closure --from 1,1 --to x", "--to 'x'");
    expect_refused(mesh + "--what tree --from 1,1", "leave --from and --to out");
    expect_refused(mesh + "--what tree --hide clusters", "no layers");
    expect_refused(mesh + "--what tree --no-labels --mu 2", "no closure");
}

}  // namespace
}  // namespace cairn::test
