// `cairn path --trace`: what it writes, by the schema in docs/schema/trace.json.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "command_test.hpp"
#include "json_schema.hpp"
#include "support/source_folder.hpp"

namespace cairn::test {
namespace {

using Value = nlohmann::json;
using ::testing::HasSubstr;

class TraceCommand : public CommandTest {
protected:
    void SetUp() override {
        ASSERT_EQ(run("generate rooms a.map --width 60 --height 40").code, 0);
        ASSERT_EQ(run("convert a.map a.mesh").code, 0);
        part_ = schema_;
        for (const char* of_root : {"$schema", "title", "$defs"}) part_.erase(of_root);
    }
    /// Runs `cairn path ARGUMENTS --trace t.trace.json` and checks the file.
    Value check(const std::string& arguments, int code = 0) {
        const Ran ran = run("path " + arguments + " --trace t.trace.json");
        EXPECT_EQ(ran.code, code) << arguments << ran.err;
        Value trace = Value::parse(bytes_of(folder_.path() / "t.trace.json"));
        EXPECT_EQ(schema_fault(schema_, part_, trace), "") << arguments;
        traces_.push_back(trace);
        return trace;
    }
    [[nodiscard]] static std::set<std::string> types(const Value& trace) {
        std::set<std::string> out;
        for (const Value& event : trace["events"]) out.insert(event["type"]);
        return out;
    }

    const std::string path_ = source_folder() / "docs/schema/trace.json";
    const Value schema_ = Value::parse(bytes_of(path_));
    Value part_;
    Value traces_ = Value::array();
};

TEST_F(TraceCommand, WritesTheSearchOfEveryPlanner) {
    const std::set<std::string> all{"source",  "destination", "generating", "expanding",
                                    "closing", "end",         "path"};
    for (const char* planner : {"hpa --no-direct-line", "hpa --levels 3 --no-direct-line", "haa",
                                "subgoal --engine astar", "subgoal", "astar", "jps"}) {
        const Value trace = check(std::string("a.map 1,1 57,37 --planner ") + planner);
        EXPECT_EQ(types(trace), all) << planner;
        const Value& events = trace["events"];
        EXPECT_EQ(events[0]["x"], 1);
        EXPECT_EQ(events[1]["y"], 37);
        const Value& points = events.back()["points"];
        EXPECT_EQ(points.front(), Value({{"x", 1.5}, {"y", 1.5}})) << planner;
        EXPECT_EQ(points.back(), Value({{"x", 57.5}, {"y", 37.5}})) << planner;
        EXPECT_EQ(events[events.size() - 2]["type"], "end");
    }
    for (const char* search : {" --levels 1 --mu 4", " --trace-astar", " --levels 2 --mu 4"})
        EXPECT_EQ(types(check(std::string("a.mesh 1,1 57,37") + search)), all) << search;
    const Value nearest = check("a.map 1,1 --goal 57,37 --goal 57,36 --nearest-goal");
    EXPECT_EQ(nearest["events"][1]["x"], 57);

    // A validator of the whole standard, where there is one.
    folder_.file("traces", traces_.dump());
    const Ran python = run_program(
        "python3", folder_.path(),
        "-c '\nimport json, sys\ntry: import jsonschema\nexcept ImportError: sys.exit()\n"
        "schema = json.load(open(\"" +
            path_ +
            "\"))\n"
            "jsonschema.Draft202012Validator.check_schema(schema)\n"
            "for trace in json.load(open(\"traces\")):\n"
            "    jsonschema.Draft202012Validator(schema).validate(trace)\n'");
    EXPECT_TRUE(python.code == 0 || python.code == 127) << python.err;  // 127: no Python
}

TEST_F(TraceCommand, TracesASearchThatFindsNothing) {
    ASSERT_EQ(
        run("path a.map 1,1 57,37 --planner astar --edit 30,0,1,40,@ --trace t.trace.json").code,
        1);
    const Value trace = check("a.map 1,1 57,37 --planner astar --edit 30,0,1,40,@", 1);
    EXPECT_EQ(types(trace), (std::set<std::string>{"source", "destination", "generating",
                                                   "expanding", "closing"}));
    EXPECT_EQ(types(check("a.map 0,0 57,37 --planner astar", 1)), std::set<std::string>{});
}

TEST_F(TraceCommand, ReportsEventsAndThoseLeftOut) {
    const Value all = json("path a.map 1,1 57,37 --planner astar --trace t.trace.json")["trace"];
    EXPECT_EQ(all["file"], "t.trace.json");
    EXPECT_EQ(all["engine"], "astar");
    EXPECT_EQ(all["left_out"], 0);
    const auto events = all["events"].get<std::uint64_t>();
    const Value trace = check("a.map 1,1 57,37 --planner astar --trace-events 10");
    ASSERT_EQ(trace["events"].size(), 12U);
    EXPECT_EQ(trace["events"][10]["type"], "cut");
    EXPECT_EQ(trace["events"][10]["left_out"], events - 10);
    EXPECT_THAT(run("path a.map 1,1 57,37 --planner jps --trace t.trace.json").out,
                HasSubstr("events of the search by jps, written to t.trace.json"));
    const Ran piped = run("path a.map 1,1 57,37 --trace -");
    EXPECT_EQ(piped.code, 0);
    EXPECT_EQ(Value::parse(piped.out)["version"], "1.4.0");
    EXPECT_THAT(piped.err, HasSubstr("written to /dev/stdout"));
}

TEST_F(TraceCommand, RefusesWhatItCannotTrace) {
    expect_error("path a.map 1,1 --goal 57,37 --goal 3,3 --trace t.trace.json", 2,
                 "--trace and --paths take");
    expect_error("path a.mesh 1,1 --goal 57,37 --goal 3,3 --trace t.trace.json", 2,
                 "--trace and --paths take");
    expect_error("path a.mesh 1,1 57,37 --radius 0.4 --trace t.trace.json", 2, "--trace");
    expect_error("path a.map 1,1 57,37 --trace none/t.trace.json", 4, "none");
}

}  // namespace
}  // namespace cairn::test
