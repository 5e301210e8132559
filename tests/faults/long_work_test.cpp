// Builds with checkpoints and stores of edits, when an allocation or a call of the system fails.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "../../fuzz/hpa_index_cases.hpp"
#include "cairn/closure.hpp"
#include "cairn/index_file.hpp"
#include "cairn/index_store.hpp"
#include "cairn/work_folder.hpp"
#include "faults/failing_calls.hpp"
#include "faults/planner_faults.hpp"
#include "support/checkpoint_stores.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::test {
namespace {

using grid::TerrainEdit;
using Store = IndexStore<hpa::Index>;

/// A graph with several checkpoints.
Graph lattice() {
    constexpr std::uint32_t kSide = 20;
    std::vector<Edge> edges;
    for (std::uint32_t v = 0; v < kSide * kSide; ++v) {
        if (v % kSide + 1 < kSide) edges.push_back({v, v + 1, 1 + v % 5});
        if (v + kSide < kSide * kSide) edges.push_back({v, v + kSide, 1 + v % 7});
    }
    return graph_from_edges(kSide * kSide, edges).value();
}

/// A hash of all costs of a closure.
std::uint64_t closure_digest(const Closure& closure) {
    std::uint64_t sum = 0;
    for (const Cost cost : closure.arrays().costs) sum = sum * 31 + cost;
    return sum;
}

Result<Closure> build_in(const std::string& path, const Graph& graph) {
    auto folder = WorkFolder::open(path);
    if (!folder) return tl::unexpected(std::move(folder.error()));
    BuildControl control = on_one_thread();
    control.checkpoints = folder->get();
    return Closure::build(graph, {}, control);
}

TEST(AllocationFaults, OfBuildsWithCheckpointsSayOutOfMemory) {
    const Graph graph = lattice();
    // With what the calls before have kept, and without.
    for (const bool keep : {true, false}) {
        MemoryStore store;
        BuildControl control = on_one_thread();
        control.checkpoints = &store;
        expect_survives(
            "a closure with checkpoints",
            [&] {
                if (!keep) store.kept.clear();
                return Closure::build(graph, {}, control);
            },
            [](const Result<Closure>& closure) { return closure_digest(*closure); });
    }
}

TEST(AllocationFaults, OfWorkFoldersSayOutOfMemory) {
    const ScratchFolder scratch;
    const std::string path = scratch.path() / "work";
    const auto use = [&]() -> Status {
        auto folder = WorkFolder::open(path);
        if (!folder) return std::move(folder.error());
        if (Status status = (*folder)->write("a-1", "bytes"); !status.ok()) return status;
        std::string bytes;
        static_cast<void>((*folder)->read("a-1", bytes));
        return (*folder)->clear();
    };
    expect_survives("a work folder", use, [](const Status&) { return 0; });
}

TEST(FileFaults, OfCheckpointsEndTheBuildAndNoMore) {
    const Graph graph = lattice();
    const std::uint64_t expected = closure_digest(Closure::build(graph).value());
    for (const std::string_view call : {"open", "write", "rename", "read"}) {
        const ScratchFolder scratch;
        const std::string path = scratch.path() / "work";
        int failures = 0;
        for (int nth = 1; nth < 14; ++nth) {
            {
                const Failing failing(call, nth, EIO);
                const auto built = build_in(path, graph);
                failures += built ? 0 : 1;
                if (built) {
                    EXPECT_EQ(closure_digest(*built), expected) << call << " " << nth;
                } else {
                    EXPECT_EQ(built.error().code, StatusCode::io_error) << call << " " << nth;
                }
            }
            const auto again = build_in(path, graph);
            ASSERT_TRUE(again) << call << " " << nth;
            EXPECT_EQ(closure_digest(*again), expected) << call << " " << nth;
            if (nth % 3 == 0) {
                ASSERT_TRUE(WorkFolder::open(path).value()->clear().ok());
            }
        }
        if (call == "write" || call == "rename") {
            EXPECT_GT(failures, 4) << call;
        }
    }
}

const std::vector<TerrainEdit> kFirst{{{2, 1, 3, 2}, '@'}};
const std::vector<TerrainEdit> kSecond{{{7, 5, 2, 2}, '.'}, {{4, 4, 2, 1}, '@'}};

TEST(FileFaults, OfStoresLeaveTheLastCommit) {
    const hpa::Index base = fuzz::build(fuzz::hpa_index_cases().back());
    const hpa::Index first = base.edited(kFirst).value();
    const hpa::Index second = first.edited(kSecond).value();
    for (const bool compacts : {false, true}) {
        for (const std::string_view call : {"open", "write", "fsync", "rename", "fstat"}) {
            int failures = 0;
            for (int nth = 1; nth < 12; ++nth) {
                const ScratchFolder scratch;
                const std::string path = scratch.path() / "a.cairn";
                ASSERT_TRUE(save(base, path, {.with_map = true}).ok());
                auto store = Store::open(path, {.access = StoreAccess::write}).value();
                ASSERT_TRUE(store.edit(kFirst).ok());
                ASSERT_TRUE(store.commit().ok());
                ASSERT_TRUE(store.edit(kSecond).ok());
                Status written;
                {
                    const Failing failing(call, nth, EIO);
                    written = compacts ? store.compact() : store.commit();
                }
                failures += written.ok() ? 0 : 1;
                EXPECT_TRUE(store.index() == second) << call << " " << nth;
                const auto reader = Store::open(path);
                ASSERT_TRUE(reader) << call << " " << nth << reader.error().message;
                const bool all = reader->index() == second;
                EXPECT_TRUE(all || (!written.ok() && reader->index() == first))
                    << call << " " << nth;
                // The writer can try again.
                ASSERT_TRUE((compacts ? store.compact() : store.commit()).ok())
                    << call << " " << nth;
                EXPECT_TRUE(Store::open(path)->index() == second) << call << " " << nth;
            }
            if (call == "write" || call == "fsync" || call == "rename") {
                EXPECT_GT(failures, 0) << call;
            }
        }
    }
}

TEST(FileFaults, OfOpeningAndRefreshingLeaveTheStoreAsItWas) {
    const hpa::Index base = fuzz::build(fuzz::hpa_index_cases().back());
    const hpa::Index first = base.edited(kFirst).value();
    const ScratchFolder scratch;
    const std::string path = scratch.path() / "a.cairn";
    ASSERT_TRUE(save(base, path, {.with_map = true}).ok());
    for (const std::string_view call : {"open", "read", "fstat", "mmap"}) {
        for (int nth = 1; nth < 6; ++nth) {
            const Failing failing(call, nth, EIO);
            const auto opened = Store::open(path);
            if (!opened) {
                EXPECT_EQ(opened.error().code, StatusCode::io_error) << call << " " << nth;
            }
        }
    }
    auto reader = Store::open(path).value();
    {
        auto writer = Store::open(path, {.access = StoreAccess::write}).value();
        ASSERT_TRUE(writer.edit(kFirst).ok());
        ASSERT_TRUE(writer.commit().ok());
    }
    for (const std::string_view call : {"open", "read", "fstat", "mmap"}) {
        const Failing failing(call, 1, EIO);
        const bool old = reader.index() == base;
        const auto refreshed = reader.refresh();
        EXPECT_TRUE(reader.index() == (old && !refreshed ? base : first)) << call;
    }
    ASSERT_TRUE(reader.refresh());
    EXPECT_TRUE(reader.index() == first);
}

TEST(AllocationFaults, OfStoresSayOutOfMemory) {
    const hpa::Index base = fuzz::build(fuzz::hpa_index_cases().back());
    const ScratchFolder scratch;
    const std::string path = scratch.path() / "a.cairn";
    const std::string log = path + ".edits";
    const auto digest = [](const Result<hpa::Index>& index) { return digest_of_index(*index); };
    expect_survives(
        "a store",
        [&]() -> Result<hpa::Index> {
            ::unlink(log.c_str());
            if (Status status = save(base, path, {.with_map = true}); !status.ok())
                return tl::unexpected(std::move(status));
            {
                auto writer = Store::open(path, {.access = StoreAccess::write});
                if (!writer) return tl::unexpected(std::move(writer.error()));
                Status status = writer->edit(kFirst);
                if (status.ok()) status = writer->commit();
                if (status.ok()) status = writer->compact();
                if (status.ok()) status = writer->edit(kSecond);
                if (status.ok()) status = writer->commit();
                if (!status.ok()) return tl::unexpected(std::move(status));
            }
            auto reader = Store::open(path);
            if (!reader) return tl::unexpected(std::move(reader.error()));
            return reader->index();
        },
        digest);
}

}  // namespace
}  // namespace cairn::test
