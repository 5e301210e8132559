// The command `cairn render --planner haa`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_cairn.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class HaaRender : public ::testing::Test {
protected:
    void SetUp() override {
        folder_.file("wood.map",
                     "type octile\nheight 6\nwidth 12\nmap\n"
                     "......T.....\n"
                     "..@@..T.....\n"
                     "......T.....\n"
                     "..WW..T..@@.\n"
                     "......T.....\n"
                     "......T.....\n");
    }
    /// Renders wood.map to out.svg.
    [[nodiscard]] Ran render(const std::string& arguments) const {
        return run_cairn(folder_.path(),
                         "render wood.map out.svg --planner haa --cluster-size 4 " + arguments);
    }
    /// The picture that `arguments` render.
    [[nodiscard]] std::string svg(const std::string& arguments) const {
        const Ran ran = render(arguments);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return bytes_of(folder_.path() / "out.svg");
    }
    /// Expects an error with this exit code whose message holds `text`.
    void expect_error(const std::string& arguments, int code, const std::string& text) const {
        const Ran ran = render(arguments);
        EXPECT_EQ(ran.code, code) << arguments;
        EXPECT_THAT(ran.err, HasSubstr(text)) << arguments;
    }

    ScratchFolder folder_;
};

const std::string kRoute = "--agent 2:ground+trees --from 0,4 --to 10,4 ";

TEST_F(HaaRender, GraphAndPathOfAnAgentAreDrawn) {
    const std::string picture = svg(kRoute);
    for (const char* layer : {"clearance", "nodes-1", "footprints", "smoothed-path", "ends"})
        EXPECT_THAT(picture, HasSubstr(std::string("class=\"") + layer));
    EXPECT_THAT(picture, HasSubstr("covered by 2 x 2 cells"));
    EXPECT_THAT(picture, Not(HasSubstr("other-nodes")));
}

TEST_F(HaaRender, LayersAreChosen) {
    const std::string agents = "--capabilities ground,ground+trees --max-size 3 ";
    EXPECT_THAT(svg(kRoute + agents + "--all-agents"), HasSubstr("class=\"other-nodes"));
    const std::string few = svg(kRoute + "--hide footprints,nodes --clearance none");
    for (const char* layer : {"clearance", "nodes", "footprint"})
        EXPECT_THAT(few, Not(HasSubstr(std::string("class=\"") + layer)));
    const std::string map = svg(kRoute + "--what map");
    EXPECT_THAT(map, HasSubstr("class=\"footprints"));
    EXPECT_THAT(map, Not(HasSubstr("class=\"nodes")));
    EXPECT_THAT(svg(kRoute + "--what figure"), HasSubstr("What serves this agent"));
}

TEST_F(HaaRender, BadOptionsAreExplained) {
    expect_error("--agent 1:ground --from 0,0 --to 11,0", 1, "0,0 to 11,0");
    expect_error("--what figure", 2, "--from and --to");
    expect_error("--agent 3 --max-size 2", 2, "--agent 3");
    expect_error("--layers path", 2, "--planner subgoal");
    expect_error("--diagonals none", 2, "--diagonals");
    const Ran other = run_cairn(folder_.path(), "render wood.map out.svg --agent 1:ground");
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("--planner haa"));
}

}  // namespace
}  // namespace cairn::test
