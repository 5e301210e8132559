// Search traces as JSON.

#include "cairn/formats/trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cairn/file.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::formats {
namespace {

using Value = nlohmann::json;

constexpr std::uint32_t kStart = TraceEvent::kStart;
constexpr std::uint32_t kGoal = TraceEvent::kGoal;

SearchTrace small_trace() {
    SearchTrace trace;
    trace.unit = 10;
    trace.events = {
        {TraceStep::source, 0, 0, kStart, kStart, 0, 0, {1, 2}},
        {TraceStep::destination, 0, 0, kGoal, kGoal, 0, 0, {4, 2}},
        {TraceStep::generating, 2, 3, 17, kStart, 5, 25, {1, 3}},
        {TraceStep::expanding, 2, 3, 17, kStart, 5, 25, {1, 3}},
        {TraceStep::closing, 2, 3, 17, kStart, 5, 25, {1, 3}},
        {TraceStep::end, 2, 3, kGoal, 17, 30, 30, {4, 2}},
    };
    trace.path = {{1, 2}, {4, 2}};
    return trace;
}

Value parsed(const SearchTrace& trace) {
    const auto text = format_trace(trace);
    EXPECT_TRUE(text);
    return Value::parse(*text);
}

TEST(TraceFormat, HasAllMembersInLengths) {
    const Value trace = parsed(small_trace());
    EXPECT_EQ(trace["version"], "1.4.0");
    const Value& events = trace["events"];
    ASSERT_EQ(events.size(), 7U);
    EXPECT_EQ(events[0], Value::parse(R"({"type":"source","id":"start","pId":null,"x":1.0,"y":2.0,
        "level":0,"f":0.0,"g":0.0,"h":0.0})"));
    EXPECT_EQ(events[1]["id"], "goal");
    EXPECT_EQ(events[1]["pId"], nullptr);
    EXPECT_EQ(events[2], Value::parse(R"({"type":"generating","id":"3:17","pId":"start","x":1.0,
        "y":3.0,"level":2,"f":2.5,"g":0.5,"h":2.0})"));
    EXPECT_EQ(events[3]["type"], "expanding");
    EXPECT_EQ(events[4]["type"], "closing");
    EXPECT_EQ(events[5], Value::parse(R"({"type":"end","id":"goal","pId":"3:17","x":4.0,"y":2.0,
        "level":2,"f":3.0,"g":3.0,"h":0.0})"));
    // In the middle of cells.
    EXPECT_EQ(events[6], Value::parse(R"({"type":"path","id":"path","pId":null,
        "points":[{"x":1.5,"y":2.5},{"x":4.5,"y":2.5}]})"));
}

TEST(TraceFormat, ViewsFitThePlaces) {
    SearchTrace trace = small_trace();
    const Value cells = parsed(trace)["views"];
    EXPECT_EQ(cells["mark"][0]["$"], "rect");
    EXPECT_EQ(cells["mark"][0]["width"], 1);
    EXPECT_EQ(cells["mark"][0]["x"], "${{ $.x }}");
    EXPECT_EQ(cells["mark"][0]["fill"], "${{ color[$.type] }}");
    EXPECT_EQ(cells["line"][0]["points"][0]["x"], "${{ parent.x + 0.5 }}");
    EXPECT_EQ(cells["path"][0]["points"], "${{ $.points }}");
    for (const Value& component : cells["main"])
        EXPECT_TRUE(cells.contains(component["$"].get<std::string>()));

    trace.cells = false;
    trace.events[1].place = {501, 2};  // 500 wide
    const Value mesh = parsed(trace);
    EXPECT_EQ(mesh["views"]["mark"][0]["$"], "circle");
    EXPECT_EQ(mesh["views"]["mark"][0]["radius"], 2);
    EXPECT_EQ(mesh["views"]["line"][0]["points"][1]["y"], "${{ $.y }}");
    EXPECT_EQ(mesh["pivot"]["x"], "${{ $.x }}");
    EXPECT_EQ(mesh["events"][6]["points"][0]["x"], 1);
}

TEST(TraceFormat, SaysHowManyEventsAreLeftOut) {
    SearchTrace trace = small_trace();
    trace.events.resize(3);
    trace.left_out = 1234567890123;
    const Value events = parsed(trace)["events"];
    ASSERT_EQ(events.size(), 5U);
    EXPECT_EQ(events[3],
              Value::parse(R"({"type":"cut","id":"cut","pId":null,"left_out":1234567890123})"));
    EXPECT_EQ(events[4]["type"], "path");
}

TEST(TraceFormat, OfNothingIsValid) {
    EXPECT_EQ(parsed({})["events"], Value::array());
    SearchTrace point;
    point.cells = false;
    point.events = {{TraceStep::source, 0, 0, kStart, kStart, 0, 0, {-1e30, 1e-30}}};
    EXPECT_EQ(parsed(point)["events"][0]["x"], -1e30);
}

TEST(TraceFormat, IsWrittenAsItIs) {
    const test::ScratchFolder folder;
    const std::string file = folder.path() / "a.trace.json";
    ASSERT_TRUE(write_trace(file, small_trace()).ok());
    EXPECT_EQ(*read_file(file, 1 << 20), *format_trace(small_trace()));
    EXPECT_EQ(write_trace(folder.path() / "none/a.trace.json", small_trace()).code,
              StatusCode::io_error);
}

}  // namespace
}  // namespace cairn::formats
