// What `cairn` prints with --json, by the schema in docs/schema/report.json.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/formats/npy.hpp"
#include "command_test.hpp"
#include "json_schema.hpp"
#include "support/source_folder.hpp"

namespace cairn::test {
namespace {

using Value = nlohmann::json;
using ::testing::HasSubstr;

class ReportSchema : public CommandTest {
protected:
    void SetUp() override {
        ASSERT_EQ(run("generate rooms a.map --width 40 --height 30").code, 0);
        ASSERT_EQ(run("convert a.map a.mesh").code, 0);
    }
    /// Runs a command with --json and checks its report.
    Value check(const std::string& arguments) {
        const Ran ran = run(arguments + " --json");
        const Value report = ran.json();
        const std::string name =
            report.contains("error") ? "error" : arguments.substr(0, arguments.find(' '));
        EXPECT_EQ(report.value("format", 0), 1) << arguments;
        EXPECT_THAT(ran.out, ::testing::StartsWith("{\n  \"format\": 1,\n")) << arguments;
        EXPECT_EQ(schema_fault(schema_, schema_["$defs"][name], report), "") << arguments;
        reports_.push_back({{"name", name}, {"report", report}});
        return report;
    }

    const std::string path_ = source_folder() / "docs/schema/report.json";
    const Value schema_ = Value::parse(bytes_of(path_));
    Value reports_ = Value::array();
};

TEST_F(ReportSchema, EveryReportFollowsIt) {
    const std::string ends = " 1,1 20,20";
    for (const char* planner : {"hpa", "subgoal", "haa"}) {
        const std::string by = std::string(" --planner ") + planner;
        check("path a.map" + ends + by + " --compare");
        const Value cells = check("path a.map" + ends + by + " --cells")["cells"];
        EXPECT_EQ(cells.front(), Value({1, 1})) << planner;
        EXPECT_EQ(cells.back(), Value({20, 20})) << planner;
        EXPECT_GE(cells.size(), 20U) << planner;
        check("path a.map" + ends + by + " --detail cost");
        check("path a.map" + ends + by + " --trace a.trace.json");
        check(std::string("build a.map ") + planner + ".cairn" + by);
        check(std::string("inspect ") + planner + ".cairn");
        check(std::string("inspect ") + planner + ".cairn --map a.map");
        check("inspect a.map --graph 1" + by);
        check("build a.map b.cairn --with-map" + by);
        check("inspect b.cairn");
        check("path b.cairn" + ends);
        check("edit b.cairn --compact");
        check("verify a.map --queries 20 --edits 1" + by);
        check("crowd a.map --agents 5 --seconds 1 --edits 5" + by);
    }
    check("crowd a.map --agents 5 --seconds 1 --device host");
    for (const char* planner : {"astar", "jps"}) {
        EXPECT_GE(check("path a.map" + ends + " --cells --planner " + planner)["cells"].size(),
                  20U);
    }
    check("path a.map" + ends + " --detail abstract");
    check("path a.map" + ends + " --paths a.csv");
    check("path a.mesh" + ends + " --paths a.npy");
    check("generate scenario a.scen --map a.map --count 5");
    check("path a.map --requests a.scen --paths a.npy --statuses b.npy");
    check("path a.map 1,1 --goal 20,20 --goal 3,3 --nearest-goal");
    check("path a.map 1,1 --goal 20,20 --goal 0,0");
    for (const char* detail : {"reachable", "cost", "abstract", "corridor", "path"})
        check("path a.mesh" + ends + " --compare --detail " + detail);
    check("path a.mesh 1,1 --goal 20,20 --goal 3,3");
    folder_.file("a.npy", *formats::format_npy(std::vector<double>{1, 0, 1, 20, 0, 20}, 6));
    check("path a.mesh --requests a.npy --paths b.npy --statuses c.npy");
    check("path a.mesh" + ends + " --trace a.trace.json");
    check("build a.mesh");
    check("inspect a.crhn");
    check("inspect a.mesh --mesh-only --scoring parts --area-cost 1=inf");
    check("verify a.mesh --queries 20");
    check("crowd a.mesh --agents 5 --seconds 1");
    check("render a.map a.svg");
    check("render a.mesh a.svg");
    check("convert a.map b.png");
    check("convert a.map b.mesh");
    folder_.file("a.tmx",
                 R"(<map orientation="orthogonal" width="1" height="1"><tileset firstgid="1"/>)"
                 R"(<layer name="w" width="1" height="1"><data encoding="csv">0</data></layer>)"
                 R"(</map>)");
    check("convert a.tmx b.png --layer w");
    check("generate worked-example b.map");
    check("generate scenario b.scen --map a.map --count 3");
    for (const char* wrong : {"path a.map 0,0 1,1", "pth", "path none.map 1,1 2,2"})
        EXPECT_TRUE(check(wrong).contains("error")) << wrong;

    // A validator of the whole standard, where there is one.
    folder_.file("reports", reports_.dump());
    const Ran python = run_program(
        "python3", folder_.path(),
        "-c '\nimport json, sys\ntry: import jsonschema\nexcept ImportError: sys.exit()\n"
        "schema = json.load(open(\"" +
            path_ +
            "\"))\n"
            "jsonschema.Draft202012Validator.check_schema(schema)\n"
            "for r in json.load(open(\"reports\")):\n"
            "    part = {\"$ref\": \"#/$defs/\" + r[\"name\"], \"$defs\": schema[\"$defs\"]}\n"
            "    jsonschema.Draft202012Validator(part).validate(r[\"report\"])\n'");
    EXPECT_TRUE(python.code == 0 || python.code == 127) << python.err;  // 127: no Python
}

TEST_F(ReportSchema, ItsCheckFindsFaults) {
    const Value good = check("path a.map 1,1 20,20 --planner hpa");
    const Value& schema = schema_["$defs"]["path"];
    const auto fault_of = [&](const auto& change) {
        Value bad = good;
        change(bad);
        return schema_fault(schema_, schema, bad);
    };
    EXPECT_EQ(fault_of([](Value& /*same*/) {}), "");
    EXPECT_THAT(fault_of([](Value& bad) { bad.erase("format"); }), HasSubstr("lacks \"format\""));
    EXPECT_THAT(fault_of([](Value& bad) { bad["format"] = 2; }), HasSubstr("/format: must be 1"));
    EXPECT_THAT(fault_of([](Value& bad) { bad["cost"] = "7"; }), HasSubstr("/cost: must be"));
    EXPECT_THAT(fault_of([](Value& bad) { bad["new"] = 1; }), HasSubstr("has the member new"));
    EXPECT_THAT(fault_of([](Value& bad) { bad["turns"][1] = {1}; }), HasSubstr("/turns/1: has"));
    EXPECT_THAT(fault_of([](Value& bad) { bad["statistics"]["connect"].erase("expanded"); }),
                HasSubstr("/statistics/connect: lacks"));
    EXPECT_THAT(fault_of([](Value& bad) { bad["status"] = "odd"; }), HasSubstr("/status: must be"));
}

}  // namespace
}  // namespace cairn::test
