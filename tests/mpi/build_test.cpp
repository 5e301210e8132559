// cairn-mpi build, run by mpirun with one, two and four processes on this host: the file that
// `cairn build` writes, also after runs that were killed, and an end for every run that fails.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "mpi_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MpiBuild : public MpiTest {
protected:
    void SetUp() override {
        MpiTest::SetUp();
        if (IsSkipped()) return;
        ASSERT_EQ(run("generate caves a.map --width 400 --height 300").code, 0);
    }
    /// Runs `cairn-mpi build ARGUMENTS` with so many processes.
    [[nodiscard]] Ran build(int processes, const std::string& arguments) const {
        return mpirun(fmt::format("-n {} " CAIRN_MPI_APP " build {}", processes, arguments));
    }
    [[nodiscard]] bool exists(const std::string& name) const {
        return std::filesystem::exists(folder_.path() / name);
    }
};

TEST_F(MpiBuild, WritesTheFileOfOneProcess) {
    ASSERT_EQ(run("convert a.map a.mesh").code, 0);
    for (const std::string what :
         {"a.map --planner hpa --cluster-size 8 --levels 2 --with-map", "a.map", "a.mesh"}) {
        const std::string input = what.substr(0, what.find(' '));
        const std::string options = what.substr(input.size());
        ASSERT_EQ(run("build " + input + " one" + options).code, 0);
        for (const int processes : {1, 2, 4}) {
            const Ran ran = build(processes, input + " many" + options);
            EXPECT_EQ(ran.code, 0) << what << ran.err;
            EXPECT_THAT(ran.out, HasSubstr("written to many"));
            EXPECT_TRUE(bytes("many") == bytes("one")) << what << ", " << processes;
            EXPECT_FALSE(exists("many.work"));
            std::filesystem::remove(folder_.path() / "many");
        }
    }
}

TEST_F(MpiBuild, KilledRunsGoOnWithAnyNumberOfProcesses) {
    const std::string arguments = "a.map many --planner hpa --cluster-size 8 --work w";
    ASSERT_EQ(run("build a.map one --planner hpa --cluster-size 8").code, 0);
    for (int i = 0; i < 5; ++i) {
        static_cast<void>(shell(fmt::format("'" CAIRN_MPIRUN "' -n {} " CAIRN_MPI_APP
                                            " build {} & sleep 0.{}; kill -KILL $!; wait",
                                            1 + i % 4, arguments, 3 + i)));
    }
    // The processes of an mpirun that was killed end a little later, and hold the lock until then.
    Ran ran = build(3, arguments);
    for (int i = 0; i < 20 && ran.code == 4; ++i) {
        static_cast<void>(shell("sleep 0.5"));
        ran = build(3, arguments);
    }
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(bytes("many") == bytes("one"));
    EXPECT_FALSE(exists("w"));
}

TEST_F(MpiBuild, ProgressIsWrittenInLines) {
    const Ran ran = build(2, "a.map many --progress");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("building: "));
}

TEST_F(MpiBuild, EveryRunThatFailsEnds) {
    const auto expect_failure = [&](const Ran& ran, int code, const std::string& message) {
        EXPECT_EQ(ran.code, code) << ran.err;
        EXPECT_THAT(ran.out, IsEmpty());
        EXPECT_THAT(ran.err, HasSubstr(message));
    };
    expect_failure(build(2, "missing.map many"), 4, "missing.map");
    expect_failure(build(2, "a.map many --work no/such"), 4, "no/such");
    expect_failure(build(2, "a.map no/many --work w"), 4, "no/many");
    expect_failure(build(2, "a.map - --planner hpa"), 2, "name the index file");
    expect_failure(build(2, "a.map many --cluster-size 1 --planner hpa"), 2, "--cluster-size");
    // What the third has finished is there still.
    const Ran ran = build(2, "a.map many --work w --json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.json()["checkpoints"]["kept"], 0);
    EXPECT_FALSE(exists("w"));
}

}  // namespace
}  // namespace cairn::test
