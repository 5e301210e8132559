// cairn-mpi batch, run by mpirun with one, two and four processes on this host: the bytes that one
// process of `cairn path --requests` writes, and an end for every run that fails.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "cairn/any.hpp"
#include "cairn/formats/npy.hpp"
#include "mpi_test.hpp"
#include "support/code_blocks.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// How often `part` is in `text`.
std::size_t count_of(const std::string& part, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

class MpiBatch : public MpiTest {
protected:
    void SetUp() override {
        MpiTest::SetUp();
        if (IsSkipped()) return;
        ASSERT_EQ(run("generate rooms a.map --width 70 --height 50").code, 0);
    }

    /// Runs `cairn-mpi batch ARGUMENTS` with so many processes.
    [[nodiscard]] Ran batch(int processes, const std::string& arguments) const {
        return mpirun(fmt::format("-n {} " CAIRN_MPI_APP " batch {}", processes, arguments));
    }
    /// Runs `cairn-mpi batch ARGUMENTS` with two processes; `before` is what the shell of the
    /// second does first.
    [[nodiscard]] Ran with_other(const std::string& before, const std::string& arguments) const {
        const std::string command = CAIRN_MPI_APP " batch " + arguments;
        return mpirun("-n 1 " + command + " : -n 1 sh -c '" + before + "; exec " + command + "'");
    }
    /// Expects a run that failed with one message and left the file `out` as it was.
    void expect_failure(const Ran& ran, int code, const std::string& message) const {
        EXPECT_EQ(ran.code, code) << ran.err;
        EXPECT_THAT(ran.out, IsEmpty());
        EXPECT_THAT(ran.err, HasSubstr("cairn-mpi: " + message));
        EXPECT_EQ(count_of("cairn-mpi: ", ran.err), 1U) << ran.err;
        EXPECT_EQ(bytes("out"), "old");
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
            EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
    }
    /// Writes requests between cells in and around the map; many share a start or a goal.
    void requests(const std::string& name, std::size_t count, int width = 70, int height = 50) {
        std::mt19937 random(static_cast<unsigned>(count));
        const auto number = [&](int side) {
            return static_cast<std::int32_t>(random() % static_cast<unsigned>(side + 2)) - 1;
        };
        std::vector<std::int32_t> numbers;
        for (std::size_t i = 0; i < count; ++i) {
            numbers.insert(numbers.end(),
                           {number(width), number(height), number(width), number(height)});
            if (i % 3 == 1)
                std::copy_n(numbers.end() - 8, 4, numbers.end() - 4);  // the request before
            if (i % 5 == 1) std::copy_n(numbers.begin() + 2, 2, numbers.end() - 2);  // one goal
        }
        folder_.file(name, *formats::format_npy(numbers, 4));
    }
    /// A file named `out`, and an index with requests.
    void prepare_failures() {
        ASSERT_EQ(run("build a.map hpa.cairn --planner hpa").code, 0);
        requests("r.npy", 500);
        folder_.file("out", "old");
    }
};

TEST_F(MpiBatch, AnyNumberOfProcessesWritesTheBytesOfOne) {
    requests("r.npy", 2000);
    struct Case {
        const char* planner;
        const char* build;  // options of the index
        const char* query;  // options of the query
        const char* map;    // what the index needs
    };
    for (const auto& [planner, build, query, map] :
         {Case{"hpa", "", "", "a.map"}, Case{"subgoal", "", "", "a.map"},
          Case{"haa", "--capabilities ground --max-size 2", "--agent 2:ground", ""},
          Case{"hpa", "--corners free", "--corners free --detail path", "a.map"}}) {
        ASSERT_EQ(run(fmt::format("build a.map i.cairn --planner {} {}", planner, build)).code, 0);
        const bool has_map = *map != 0;
        const std::string own_query = has_map && *query == 0 ? "--detail cost" : query;
        const Ran one = run(fmt::format(
            "path a.map --index i.cairn --requests r.npy --statuses one.npy --json {}{}", own_query,
            has_map ? "" : " --detail cost"));
        ASSERT_EQ(one.code, 0) << one.err;
        for (const char* run_options :
             {"1 --threads 1", "2 --threads 1", "4 --threads 2", "4 --chunk 100", "2 --chunk 77"}) {
            const int processes = *run_options - '0';
            const Ran ran = batch(processes, fmt::format("i.cairn {} r.npy o.npy --json {} {}", map,
                                                         query, run_options + 2));
            EXPECT_EQ(ran.code, 0) << ran.err;
            EXPECT_EQ(bytes("o.npy"), bytes("one.npy")) << planner << query << run_options;
            const nlohmann::json report = ran.json();
            for (const char* member : {"planner", "requests", "statuses"})
                EXPECT_EQ(report[member], one.json()[member]) << member;
            EXPECT_NEAR(report["length"].get<double>(), one.json()["length"].get<double>(), 1e-3);
        }
    }
}

TEST_F(MpiBatch, RequestsOnMeshesAreThoseOfSingleQueries) {
    ASSERT_EQ(run("convert a.map a.mesh").code, 0);
    ASSERT_EQ(run("build a.mesh").code, 0);
    std::mt19937 random(7);
    const auto number = [&](int side) {
        return 0.25 * static_cast<double>(random() % (4U * side));
    };
    std::vector<double> numbers;
    for (int i = 0; i < 600; ++i)
        numbers.insert(numbers.end(), {number(71), 0, number(51), number(71), 0, number(51)});
    folder_.file("r.npy", *formats::format_npy(numbers, 6));
    const auto index = AnyIndex::load(folder_.path() / "a.crhn");
    ASSERT_TRUE(index) << index.error().message;
    const auto query = index->query();
    AnySearcher searcher;
    AnyAnswer answer;
    std::vector<std::int32_t> rows;
    for (std::size_t i = 0; i < 600; ++i) {
        const auto place = [&](std::size_t column) {
            const double* const at = numbers.data() + 6 * i + column;
            return mesh::Place{mesh::kNone, {float(at[0]), float(at[1]), float(at[2])}};
        };
        const StatusCode code = searcher.find(*index, *query, place(0), place(3), answer);
        rows.insert(rows.end(),
                    {static_cast<std::int32_t>(i), static_cast<std::int32_t>(code),
                     code == StatusCode::ok ? static_cast<std::int32_t>(answer.cost()) : -1});
    }
    folder_.file("expected.npy", *formats::format_npy(rows, 3));
    ASSERT_EQ(run("path a.crhn --requests r.npy --statuses one.npy").code, 0);
    EXPECT_EQ(bytes("one.npy"), bytes("expected.npy"));
    for (const int processes : {1, 2, 4}) {
        EXPECT_EQ(batch(processes, "a.crhn r.npy o.npy --chunk 50").code, 0);
        EXPECT_EQ(bytes("o.npy"), bytes("expected.npy")) << processes;
    }
}

TEST_F(MpiBatch, PathsAreThoseOfOneProcess) {
    requests("r.npy", 700);
    ASSERT_EQ(run("build a.map i.cairn --planner hpa").code, 0);
    ASSERT_EQ(run("convert a.map a.mesh").code, 0);
    ASSERT_EQ(run("build a.mesh").code, 0);
    std::vector<double> places;
    std::mt19937 random(8);
    for (int i = 0; i < 300; ++i) {
        for (const unsigned side : {70U, 1U, 50U, 70U, 1U, 50U})
            places.push_back(side == 1 ? 0 : 0.5 * static_cast<double>(random() % (2 * side)));
    }
    folder_.file("places.npy", *formats::format_npy(places, 6));
    struct Case {
        const char* one;
        const char* many;
    };
    for (const auto& [one, many] :
         {Case{"path a.map --index i.cairn --requests r.npy", "i.cairn a.map r.npy o.npy"},
          Case{"path a.map --index i.cairn --requests r.npy --smoothing none",
               "i.cairn a.map r.npy o.npy --smoothing none"},
          Case{"path a.crhn --requests places.npy", "a.crhn places.npy o.npy"}}) {
        const nlohmann::json report =
            json(std::string(one) + " --statuses one.npy --paths one-paths.npy");
        for (const char* options : {"1", "2 --chunk 90", "4 --chunk 20 --threads 2", "3"}) {
            const Ran ran =
                batch(*options - '0', many + std::string(" --paths p.npy --json") + (options + 1));
            ASSERT_EQ(ran.code, 0) << ran.err;
            EXPECT_EQ(bytes("o.npy"), bytes("one.npy")) << many << options;
            EXPECT_EQ(bytes("p.npy"), bytes("one-paths.npy")) << many << options;
            EXPECT_EQ(ran.json()["paths"]["rows"], report["paths"]["rows"]);
        }
    }
    // Both files stay as they are where one cannot be written.
    folder_.file("out", "old");
    expect_failure(batch(2, "i.cairn a.map r.npy out --paths none/p.npy"), 4,
                   "none/p.npy: cannot create a new file beside it");
    expect_failure(batch(2, "i.cairn a.map r.npy out --paths out"), 4,
                   "out: cannot write: another writer has removed the new file");
    EXPECT_EQ(batch(2, "i.cairn a.map r.npy o.npy --detail cost --paths p.npy").code, 0);
    EXPECT_EQ(bytes("p.npy"), *formats::format_npy(std::span<const std::int32_t>(), 3));
}

TEST_F(MpiBatch, FewerRequestsThanProcesses) {
    ASSERT_EQ(run("build a.map i.cairn --planner subgoal").code, 0);
    for (const std::size_t count : {0U, 1U, 3U, 7U}) {
        requests("r.npy", count);
        const Ran one =
            run("path a.map --index i.cairn --requests r.npy --statuses one.npy --detail cost");
        for (const char* chunk : {"", " --chunk 1"}) {
            const Ran ran = batch(4, std::string("i.cairn a.map r.npy o.npy") + chunk);
            EXPECT_EQ(ran.code, one.code) << count << ran.err;
            EXPECT_EQ(bytes("o.npy"), bytes("one.npy")) << count;
        }
    }
    // Without any path the exit code is that of `cairn path`.
    folder_.file("r.npy", *formats::format_npy(std::vector<std::int32_t>{-5, 0, 1, 1}, 4));
    EXPECT_EQ(batch(2, "i.cairn a.map r.npy o.npy").code, 1);
}

TEST_F(MpiBatch, OnlyTheFirstProcessPrints) {
    prepare_failures();
    const Ran ran = batch(3, "hpa.cairn a.map r.npy o.npy --chunk 100 --progress");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(count_of("requests  500\n", ran.out), 1U) << ran.out;
    EXPECT_EQ(count_of("500 rows, written to o.npy", ran.out), 1U);
    EXPECT_EQ(count_of("300 of 500 requests", ran.err), 1U) << ran.err;
    EXPECT_EQ(count_of("500 of 500 requests", ran.err), 1U) << ran.err;
    const Ran help = batch(3, "--help");
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(count_of("[MAP] REQUESTS.npy OUT.npy", help.out), 1U) << help.out;
    EXPECT_EQ(mpirun("-n 2 " CAIRN_MPI_APP " --version").out.find("cairn-mpi "), 0U);
    // Without mpirun it is one process.
    const Ran alone = run_program(CAIRN_MPI_APP, folder_.path(),
                                  "batch hpa.cairn a.map r.npy alone.npy --threads 1");
    EXPECT_EQ(alone.code, 0) << alone.err;
    EXPECT_EQ(bytes("alone.npy"), bytes("o.npy"));
}

TEST_F(MpiBatch, TheCommandsOfThePageRun) {
    const auto has_numpy = [&](const char* python) {
        return run_program(python, folder_.path(), "-c 'import numpy'").code == 0;
    };
    const bool usual = has_numpy("python3");
    if (!usual && !has_numpy("/usr/bin/python3")) GTEST_SKIP() << "there is no numpy";
    const std::vector<std::string> blocks = code_blocks("docs/many-machines.md", "sh");
    ASSERT_EQ(blocks.size(), 2U);
    const auto folder_of = [](const char* program) {
        return std::filesystem::path(program).parent_path().string();
    };
    folder_.file("script", "export PATH='" + folder_of(CAIRN_APP) + "':'" +
                               folder_of(CAIRN_MPIRUN) + "':\"$PATH\"\n" + kEnvironment +
                               (usual ? "" : "python3() { /usr/bin/python3 \"$@\"; }\n") +
                               "set -e\n" + blocks[0] + "exec >/dev/null\n" + blocks[1]);
    const Ran ran = run_program("sh", folder_.path(), "script");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("100,000 rows, written to out.npy"));
    EXPECT_GT(std::stod(ran.out.substr(ran.out.rfind('\n', ran.out.size() - 2))), 408.0);
}

TEST_F(MpiBatch, TakesIndexFilesWithTheirMapAndEdits) {
    prepare_failures();
    ASSERT_EQ(run_cairn(folder_.path(), "build a.map held.cairn --planner hpa --with-map").code, 0);
    const auto same = [&](const std::string& name) {
        for (const char* checks : {"", " --checks none"}) {
            const Ran ran = batch(2, std::string("held.cairn r.npy held.npy") + checks);
            EXPECT_EQ(ran.code, 0) << ran.err;
            EXPECT_EQ(bytes_of(folder_.path() / "held.npy"), bytes_of(folder_.path() / name));
        }
    };
    ASSERT_EQ(batch(1, "hpa.cairn a.map r.npy plain.npy").code, 0);
    same("plain.npy");
    ASSERT_EQ(run_cairn(folder_.path(), "edit held.cairn --edit 4,4,6,6,@").code, 0);
    ASSERT_EQ(run_cairn(folder_.path(),
                        "path held.cairn --requests r.npy --detail cost "
                        "--statuses edited.npy")
                  .code,
              0);
    same("edited.npy");
    EXPECT_NE(bytes_of(folder_.path() / "edited.npy"), bytes_of(folder_.path() / "plain.npy"));
}

TEST_F(MpiBatch, WhatIsWrongForAllIsSaidOnce) {
    prepare_failures();
    const auto fails = [&](const std::string& arguments, int code, const std::string& message) {
        expect_failure(batch(3, arguments), code, message);
    };
    fails("hpa.cairn a.map r.npy out --frob", 2, "there is no option '--frob'");
    fails("hpa.cairn out", 2, "files");
    fails("hpa.cairn a.map r.npy out --chunk 0", 2, "--chunk");
    fails("hpa.cairn r.npy out", 2, "hpa.cairn: the file holds no map");
    fails("hpa.cairn none.map r.npy out", 4, "none.map: cannot open");
    fails("none.cairn a.map r.npy out", 4, "none.cairn: cannot open");
    fails("hpa.cairn a.map none.npy out", 4, "none.npy: cannot open");
    fails("hpa.cairn a.map a.map out", 3, "a.map: no array of NumPy");
    fails("hpa.cairn a.map r.npy out --corners free", 3, "hpa.cairn");
    fails("hpa.cairn a.map r.npy out --agent 2", 2, "--agent is an option of HAA*");
    fails("hpa.cairn a.map r.npy out --engine none", 2, "--engine");
    fails("hpa.cairn a.map r.npy none/out", 4, "none/out: cannot create a new file beside it");
    fails("hpa.cairn a.map r.npy /dev/full", 4, "/dev/full: cannot replace");
    std::filesystem::create_directory(folder_.path() / "folder");
    fails("hpa.cairn a.map r.npy folder", 4, "folder: cannot write: Is a directory");
    // A wrong number, which only one process reads.
    std::string array(*formats::format_npy(std::vector<double>(400, 0.0), 4));
    array.replace(array.find("<f8"), 3, "<i8");
    array[array.size() - 1] = '\x7f';
    folder_.file("large.npy", array);
    expect_failure(batch(3, "hpa.cairn a.map large.npy out"), 3, "process 2 (");
    // As JSON on standard output.
    const Ran json = batch(2, "hpa.cairn a.map none.npy out --json");
    EXPECT_EQ(json.code, 4);
    EXPECT_EQ(json.json()["error"]["code"], "io_error") << json.out;
}

TEST_F(MpiBatch, AProcessThatFailsEndsTheRun) {
    prepare_failures();
    const std::filesystem::path other = folder_.path() / "other";
    std::filesystem::create_directory(other);
    const std::string out = (folder_.path() / "out").string();
    const std::string arguments = "hpa.cairn a.map r.npy " + out;
    const auto fails = [&](int code, const std::string& message) {
        expect_failure(with_other("cd other", arguments), code, message);
    };
    const auto copy = [&](const char* name, std::size_t cut) {
        folder_.file(std::string("other/") + name, bytes(name).substr(0, bytes(name).size() - cut));
    };
    copy("a.map", 0);
    copy("r.npy", 0);
    fails(4, "process 1 (");  // no index
    copy("hpa.cairn", 9);
    fails(3, "process 1 (");
    copy("hpa.cairn", 0);
    copy("r.npy", 16);
    fails(3, "process 1 (");
    requests("r.npy", 499);
    copy("r.npy", 0);
    requests("r.npy", 500);
    fails(3, "hpa.cairn and r.npy are not the same files at all processes");
    copy("r.npy", 0);
    EXPECT_EQ(with_other("cd other", arguments).code, 0);
    EXPECT_THAT(bytes("out"), StartsWith("\x93NUMPY"));
    // Another command line, and none that can be parsed.
    folder_.file("out", "old");
    const std::string command = CAIRN_MPI_APP " batch " + arguments;
    expect_failure(mpirun("-n 1 " + command + " : -n 1 " + command + " --chunk 5"), 2,
                   "all processes need the same command line");
    expect_failure(mpirun("-n 1 " + command + " : -n 1 " + command + " --frob"), 2,
                   "all processes need the same command line");
}

TEST_F(MpiBatch, TooLittleMemoryAtOneProcessEndsTheRun) {
    ASSERT_EQ(run("generate open a.map --width 400 --height 400").code, 0);
    ASSERT_EQ(run("build a.map i.cairn --planner subgoal").code, 0);
    folder_.file("out", "old");
    requests("r.npy", 400'000, 398, 398);
    // Whole paths take a gigabyte, half of it at each process.
    expect_failure(
        with_other("ulimit -v 400000", "i.cairn a.map r.npy out --threads 1 --detail path"), 6,
        "process 1 (");
}

TEST_F(MpiBatch, ASignalEndsTheRun) {
    ASSERT_EQ(run("generate caves a.map --width 400 --height 400").code, 0);
    ASSERT_EQ(run("build a.map i.cairn --planner hpa").code, 0);
    folder_.file("out", "old");
    requests("r.npy", 2'000'000, 398, 398);
    for (const char* signal : {"INT", "TERM"}) {
        // A new mpirun of its own, which is sent the signal when it has begun to answer.
        folder_.file(
            "script",
            kEnvironment +
                fmt::format(
                    "'{}' -n 2 '{}' batch i.cairn a.map r.npy out --engine astar --chunk 1000 "
                    "--progress &\n"
                    "pid=$!\n"
                    "for i in 1 2 3 4 5 6 7 8 9; do ls out.0.tmp && break; sleep 0.5; done\n"
                    "kill -{} $pid\n"
                    "wait $pid\n",
                    CAIRN_MPIRUN, CAIRN_MPI_APP, signal));
        const Ran ran = run_program("bash", folder_.path(), "script");
        EXPECT_NE(ran.code, 0) << signal;
        EXPECT_THAT(ran.out, Not(HasSubstr("written to"))) << signal;
        EXPECT_THAT(ran.err, HasSubstr("the work was cancelled")) << signal;
        EXPECT_EQ(bytes("out"), "old");
    }
    // What a run that was killed has left is removed by the next one.
    folder_.file("out.0.tmp", "part of an array");
    requests("r.npy", 10, 398, 398);
    EXPECT_EQ(batch(2, "i.cairn a.map r.npy out").code, 0);
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out.0.tmp"));
    EXPECT_THAT(bytes("out"), StartsWith("\x93NUMPY"));
}

}  // namespace
}  // namespace cairn::test
