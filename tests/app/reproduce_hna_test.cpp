// cairn reproduce hna, on a mesh made on the spot: every answer right, every table complete.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "run_cairn.hpp"
#include "support/source_folder.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

/// The report of a run whose exhibits these are.
nlohmann::json report_of(const std::string& arguments,
                         std::initializer_list<const char*> exhibits) {
    const Ran ran = run_cairn(source_folder(), "reproduce hna --example-only --json " + arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    nlohmann::json report = ran.json();
    EXPECT_EQ(report["wrong"], 0);
    for (const char* name : exhibits) EXPECT_FALSE(report[name]["rows"].empty()) << name;
    return report;
}

TEST(ReproduceHna, EveryAnswerIsRightAndEveryExhibitComplete) {
    const auto report =
        report_of("--pairs 5", {"hna-table-2", "hna-figure-6", "hna-figure-7-caves",
                                "hna-figure-9-caves", "hna-figure-10", "hna-table-3"});
    EXPECT_EQ(report["hna-figure-9-caves"]["rows"].size(), 21U);
    for (const auto& row : report["hna-figure-9-caves"]["rows"]) EXPECT_EQ(row.size(), 12U);
}

TEST(ReproduceHna, CrowdsAreAnsweredRight) {
    const auto report =
        report_of("--agents 1100", {"hna-figure-11", "hna-figure-12", "hna-crowd-frames"});
    EXPECT_EQ(report["hna-figure-11"]["rows"].size(), 2U);
    EXPECT_EQ(report["hna-crowd-threads"]["rows"].size(), 4U);
}

TEST(ReproduceHna, CrowdsPlanOnADevice) {
    const auto report = report_of("--agents 1100 --device host", {"hna-crowd-device"});
    const auto& rows = report["hna-crowd-device"]["rows"];
    ASSERT_EQ(rows.size(), 4U);
    for (const auto& row : rows) {
        EXPECT_EQ(row["agents"], 1100);
        EXPECT_LT(row["by the host"], 1100) << "the device has to do most";
    }
}

TEST(ReproduceHna, OnlyItHasCrowds) {
    const Ran ran = run_cairn(source_folder(), "reproduce hpa --example-only --agents 10");
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr("--agents"));
    const Ran alone = run_cairn(source_folder(), "reproduce hna --example-only --device host");
    EXPECT_EQ(alone.code, 2);
    EXPECT_THAT(alone.err, HasSubstr("--device"));
}

}  // namespace
}  // namespace cairn::test
