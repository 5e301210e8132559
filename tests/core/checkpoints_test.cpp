// Builds with checkpoints: stopped at any of them and continued, by a team, and with checkpoints
// that are damaged. The closure is always the one built without checkpoints.

#include "cairn/checkpoints.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <thread>

#include "cairn/closure.hpp"
#include "cairn/work_folder.hpp"
#include "sample_graphs.hpp"
#include "support/checkpoint_stores.hpp"
#include "support/scratch_folder.hpp"

namespace cairn {
namespace {

namespace fs = std::filesystem;

/// Whether two closures have the same arrays.
bool same(const Closure& a, const Closure& b) {
    const ClosureArrays& x = a.arrays();
    const ClosureArrays& y = b.arrays();
    const auto equal = [](auto left, auto right) {
        return std::equal(left.begin(), left.end(), right.begin(), right.end());
    };
    return equal(x.places, y.places) && equal(x.nodes, y.nodes) && equal(x.costs, y.costs) &&
           equal(x.depths, y.depths) && equal(x.middles, y.middles) &&
           equal(x.down_costs, y.down_costs) && equal(x.down_middles, y.down_middles);
}

Result<Closure> build(const Graph& graph, CheckpointStore* store, int threads = 1,
                      const CancelFlag* cancel = nullptr) {
    BuildControl control;
    control.threads = threads;
    control.checkpoints = store;
    control.cancel = cancel;
    return Closure::build(graph, {}, control);
}

/// Graphs with many checkpoints and with few, undirected and directed, in one piece and in many.
std::vector<test::SampleGraph> graphs() {
    std::vector<test::SampleGraph> result = test::all_sample_graphs();
    result.push_back({"clusters", test::cluster_graph(30, 1)});
    result.push_back({"directed", test::directed_version(test::cluster_graph(20, 2), 1, 9, 3)});
    result.push_back({"islands", test::random_graph(4000, 3000, 1, 9, 4)});
    return result;
}

TEST(Checkpoints, AreTheClosureBuiltWithoutThem) {
    for (const auto& [name, graph] : graphs()) {
        const Closure expected = build(graph, nullptr).value();
        test::MemoryStore store;
        EXPECT_TRUE(same(build(graph, &store).value(), expected)) << name;
        EXPECT_EQ(store.reads, 0U) << name;
        EXPECT_EQ(store.writes, store.kept.size()) << name;
        const std::uint64_t made = store.writes;
        EXPECT_TRUE(same(build(graph, &store, 3).value(), expected)) << name;
        EXPECT_EQ(store.writes, made) << name;
        EXPECT_EQ(store.reads, made) << name;
    }
}

TEST(Checkpoints, AStoppedBuildGoesOn) {
    const Graph graph = test::cluster_graph(30, 5);
    const Closure expected = build(graph, nullptr).value();
    test::MemoryStore whole;
    ASSERT_TRUE(build(graph, &whole));
    ASSERT_GT(whole.writes, 100U);
    std::uint64_t stops = 0;
    for (const int step : {1, 2, 7, 40}) {
        test::MemoryStore store;
        for (;;) {
            CancelFlag cancel;
            store.cancel = &cancel;
            store.most_writes = store.writes + static_cast<std::uint64_t>(step) - 1;
            const auto built = build(graph, &store, 1, &cancel);
            if (built && !cancel.cancelled()) {
                EXPECT_TRUE(same(*built, expected)) << step;
                break;
            }
            ++stops;
            ASSERT_FALSE(built && !same(*built, expected)) << step;
            if (!built) {
                ASSERT_EQ(built.error().code, StatusCode::cancelled);
            }
        }
        // With one worker nothing is made twice.
        EXPECT_EQ(store.writes, whole.writes) << step;
        EXPECT_EQ(store.kept, whole.kept) << step;
    }
    EXPECT_GT(stops, 150U);
}

TEST(Checkpoints, ThoseOfOtherGraphsAreNotTaken) {
    test::MemoryStore store;
    const Graph graph = test::cluster_graph(12, 1);
    ASSERT_TRUE(build(graph, &store));
    Graph heavier = graph;
    for (Cost& cost : heavier.weight) cost += 1;
    ASSERT_TRUE(same(build(heavier, &store).value(), build(heavier, nullptr).value()));
    const Graph other = test::cluster_graph(12, 2);
    ASSERT_TRUE(same(build(other, &store).value(), build(other, nullptr).value()));
}

TEST(CheckpointsThreads, ATeamMakesEachPartOnce) {
    for (const auto& [name, graph] : graphs()) {
        const Closure expected = build(graph, nullptr).value();
        test::MemoryStore alone;
        ASSERT_TRUE(build(graph, &alone));
        for (const int team : {2, 3, 5}) {
            test::MemoryStore shared;
            test::MeetingPlace place(team);
            std::vector<std::thread> processes;
            std::vector<Result<Closure>> built(static_cast<std::size_t>(team), Closure());
            for (int rank = 0; rank < team; ++rank) {
                processes.emplace_back([&, rank, &graph = graph] {
                    test::TeamStore own(shared, place, rank, team);
                    built[static_cast<std::size_t>(rank)] = build(graph, &own, 1 + rank % 2);
                });
            }
            for (std::thread& process : processes) process.join();
            for (const auto& closure : built) {
                ASSERT_TRUE(closure) << name;
                EXPECT_TRUE(same(*closure, expected)) << name << ", " << team;
            }
            EXPECT_EQ(shared.writes, alone.writes) << name;
            EXPECT_EQ(shared.kept, alone.kept) << name;
        }
    }
}

TEST(CheckpointsThreads, AFailureEndsTheBuildsOfAll) {
    const Graph graph = test::cluster_graph(20, 7);
    test::MemoryStore whole;
    ASSERT_TRUE(build(graph, &whole));
    for (std::uint64_t most = 0; most < whole.writes; most += 1 + most / 3) {
        test::MemoryStore shared;
        shared.most_writes = most;
        test::MeetingPlace place(2);
        std::vector<Result<Closure>> built(2, Closure());
        std::vector<std::thread> processes;
        for (int rank = 0; rank < 2; ++rank) {
            processes.emplace_back([&, rank] {
                test::TeamStore own(shared, place, rank, 2);
                built[static_cast<std::size_t>(rank)] = build(graph, &own);
            });
        }
        for (std::thread& process : processes) process.join();
        for (const auto& closure : built) {
            ASSERT_FALSE(closure) << most;
            EXPECT_EQ(closure.error().message, "the disk is full");
        }
    }
}

TEST(Checkpoints, MissingPartsOfOthersAreReported) {
    // Each process has a store of its own, as if it were on another disk.
    test::MeetingPlace place(2);
    std::vector<Result<Closure>> built(2, Closure());
    std::vector<std::thread> processes;
    for (int rank = 0; rank < 2; ++rank) {
        processes.emplace_back([&, rank] {
            test::MemoryStore alone;
            test::TeamStore own(alone, place, rank, 2);
            Result<Closure>& closure = built[static_cast<std::size_t>(rank)];
            closure = build(test::cluster_graph(20, 7), &own);
            // Who misses a part tells the other, which waits at its next meeting.
            if (!closure && closure.error().code == StatusCode::io_error)
                static_cast<void>(place.meet(Status{StatusCode::cancelled, {}}));
        });
    }
    for (std::thread& process : processes) process.join();
    const bool reported = std::any_of(built.begin(), built.end(), [](const auto& closure) {
        return !closure && closure.error().code == StatusCode::io_error &&
               closure.error().message.find("is missing") != std::string::npos;
    });
    EXPECT_TRUE(reported);
}

TEST(Checkpoints, AnyBytesAreSafe) {
    const std::uint32_t cases = 400;
    std::mt19937 random(11);
    for (const bool directed : {false, true}) {
        Graph graph = test::cluster_graph(12, 3);
        if (directed) graph = test::directed_version(graph, 1, 9, 4);
        test::MemoryStore whole;
        ASSERT_TRUE(build(graph, &whole));
        Closure::Scratch scratch;
        std::vector<std::uint32_t> nodes;
        for (std::uint32_t i = 0; i < cases; ++i) {
            test::MemoryStore store;
            store.kept = whole.kept;
            for (int change = 0; change < 3; ++change) {
                auto at = store.kept.begin();
                std::advance(at, random() % store.kept.size());
                std::string& bytes = at->second;
                if (bytes.empty() || random() % 4 == 0) {
                    bytes.resize(random() % (bytes.size() + 9));
                } else {
                    bytes[random() % bytes.size()] = static_cast<char>(random());
                }
            }
            const auto built = build(graph, &store);
            if (!built) continue;
            for (std::uint32_t s = 0; s < graph.num_nodes(); s += 17) {
                const std::vector<Connector> from{{s, 0}};
                const auto goal = static_cast<std::uint32_t>(random() % graph.num_nodes());
                const std::vector<Connector> to{{goal, 0}};
                static_cast<void>(built->find_path(from, to, scratch, nodes));
            }
        }
    }
}

TEST(WorkFolder, KeepsCheckpointsInFiles) {
    const test::ScratchFolder scratch;
    const std::string path = scratch.path() / "work";
    const Graph graph = test::cluster_graph(30, 1);
    const Closure expected = build(graph, nullptr).value();
    std::uint64_t kept = 0;
    {
        const auto folder = WorkFolder::open(path).value();
        EXPECT_TRUE(same(build(graph, folder.get()).value(), expected));
        EXPECT_EQ(folder->found(), 0U);
        kept = folder->kept();
        EXPECT_GT(kept, 100U);
        const auto second = WorkFolder::open(path);
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, StatusCode::io_error);
    }
    const auto folder = WorkFolder::open(path).value();
    EXPECT_TRUE(same(build(graph, folder.get(), 2).value(), expected));
    EXPECT_EQ(folder->found(), kept);
    EXPECT_EQ(folder->kept(), 0U);
    EXPECT_TRUE(folder->clear().ok());
    EXPECT_FALSE(fs::exists(path));
}

TEST(WorkFolder, DamagedFilesAreMadeAnew) {
    const test::ScratchFolder scratch;
    const std::string path = scratch.path() / "work";
    const Graph graph = test::cluster_graph(20, 1);
    const Closure expected = build(graph, nullptr).value();
    const auto folder = WorkFolder::open(path).value();
    ASSERT_TRUE(build(graph, folder.get()));
    std::mt19937 random(5);
    std::uint64_t damaged = 0;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path))
        if (entry.path().extension() == ".part") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const auto size = fs::file_size(file);
        switch (random() % 5) {
            case 0:
                fs::resize_file(file, random() % size);
                break;
            case 1:
                fs::rename(file, files[(random() % files.size())]);
                break;
            case 2: {
                std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
                const auto at = static_cast<std::streamoff>(random() % size);
                out.seekg(at);
                const int byte = out.get();
                out.seekp(at);
                out.put(static_cast<char>(byte ^ (1 << random() % 8)));
                break;
            }
            default:
                continue;
        }
        ++damaged;
    }
    ASSERT_GT(damaged, 20U);
    const std::uint64_t kept = folder->kept();
    EXPECT_TRUE(same(build(graph, folder.get()).value(), expected));
    EXPECT_GE(folder->kept() - kept, damaged / 2);
}

TEST(WorkFolder, ClearLeavesOtherFiles) {
    const test::ScratchFolder scratch;
    const std::string path = scratch.path() / "work";
    const auto folder = WorkFolder::open(path).value();
    ASSERT_TRUE(folder->write("a-1", "bytes").ok());
    std::ofstream(fs::path(path) / "a-2.part.0.tmp") << "of a writer that was killed";
    std::ofstream(fs::path(path) / "notes.txt") << "mine";
    EXPECT_TRUE(folder->clear().ok());
    std::set<std::string> left;
    for (const auto& entry : fs::directory_iterator(path)) left.insert(entry.path().filename());
    EXPECT_EQ(left, (std::set<std::string>{"lock", "notes.txt"}));
}

TEST(WorkFolder, WhatCannotBeOpenedIsRefused) {
    const test::ScratchFolder scratch;
    const auto code = [](const auto& folder) { return folder.error().code; };
    EXPECT_EQ(code(WorkFolder::open(scratch.path() / "missing" / "work")), StatusCode::io_error);
    std::ofstream(scratch.path() / "file") << "x";
    EXPECT_EQ(code(WorkFolder::open(scratch.path() / "file")), StatusCode::io_error);
    EXPECT_EQ(code(WorkFolder::open(scratch.path() / "a", {.rank = 2, .team = 2, .meet = {}})),
              StatusCode::bad_option);
    EXPECT_EQ(code(WorkFolder::open(scratch.path() / "a", {.rank = 0, .team = 2, .meet = {}})),
              StatusCode::bad_option);
}

}  // namespace
}  // namespace cairn
