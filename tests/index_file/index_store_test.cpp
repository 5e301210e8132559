// Stores: index files with a log of edits.

#include "cairn/index_store.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include "index_file/edit_log.hpp"
#include "small_indexes.hpp"
#include "support/scale.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::index_file::test {
namespace {

namespace fs = std::filesystem;
using Store = IndexStore<hpa::Index>;
using Edits = std::vector<grid::TerrainEdit>;

constexpr StoreOptions kWrite{.access = StoreAccess::write};

std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A batch of one to three edits of up to 5 x 5 cells of a map of weights 0 and 1.
Edits random_edits(const grid::Map& map, std::mt19937_64& random) {
    Edits edits;
    for (auto count = 1 + random() % 3; count > 0; --count) {
        const int width = 1 + static_cast<int>(random() % 5);
        const int height = 1 + static_cast<int>(random() % 5);
        const auto below = [&](int n) {
            return static_cast<int>(random() % static_cast<unsigned>(n));
        };
        edits.push_back({{below(map.width() - width), below(map.height() - height), width, height},
                         static_cast<std::uint8_t>(random() % 2)});
    }
    return edits;
}

/// A folder with an index file that holds its map.
struct Folder {
    cairn::test::ScratchFolder scratch;
    std::string path = (scratch.path() / "city.cairn").string();
    hpa::Index index;

    explicit Folder(hpa::Options options = {.cluster_size = 5}, int width = 60, int height = 45)
        : index(build(noise_map(3, width, height, {}, 20), options)) {
        EXPECT_TRUE(save(index, path, {.with_map = true}).ok());
    }
    [[nodiscard]] Result<Store> open(const StoreOptions& options = {}) const {
        return Store::open(path, options);
    }
    [[nodiscard]] std::string log() const { return path + ".edits"; }
};

/// Everything that queries see: the graph, and the paths by climbing.
void expect_same(const hpa::Index& a, const hpa::Index& b) {
    ASSERT_EQ(a, b);
    hpa::Searcher searcher;
    hpa::Answer answer_a;
    hpa::Answer answer_b;
    std::mt19937_64 random(5);
    for (int i = 0; i < 40; ++i) {
        const auto start = static_cast<grid::Cell>(random() % a.map().size());
        const auto goal = static_cast<grid::Cell>(random() % a.map().size());
        const hpa::Query q = query(a.map(), start, goal, hpa::Engine::automatic);
        searcher.find(a, q, answer_a);
        searcher.find(b, q, answer_b);
        ASSERT_EQ(answer_a.status, answer_b.status);
        ASSERT_EQ(answer_a.cost, answer_b.cost);
        ASSERT_EQ(answer_a.cells, answer_b.cells);
    }
}

TEST(IndexStoreTest, KeepsWhatWasCommitted) {
    const Folder folder;
    std::mt19937_64 random(1);
    std::optional<hpa::Index> committed;
    {
        auto store = folder.open(kWrite);
        ASSERT_TRUE(store) << store.error().message;
        expect_same(store->index(), folder.index);
        EXPECT_EQ(store->generation(), 0U);
        for (int i = 0; i < 5; ++i)
            ASSERT_TRUE(store->edit(random_edits(store->index().map(), random)).ok());
        EXPECT_EQ(store->generation(), 0U);
        EXPECT_EQ(store->logged(), 5U);
        ASSERT_TRUE(store->commit().ok());
        EXPECT_EQ(store->generation(), 5U);
        committed = store->index();
        ASSERT_TRUE(store->edit(random_edits(store->index().map(), random)).ok());
    }
    for (const FileChecks checks :
         {FileChecks::contents, FileChecks::checksums, FileChecks::none}) {
        const auto again = folder.open({.checks = checks});
        ASSERT_TRUE(again);
        EXPECT_EQ(again->generation(), 5U);
        EXPECT_EQ(again->index().snapshot_id(), committed->snapshot_id());
        expect_same(again->index(), *committed);
    }
}

TEST(IndexStoreTest, CompactingKeepsGraphAndPaths) {
    for (const bool labels : {true, false}) {
        const Folder folder({.cluster_size = 5, .labels = labels});
        std::mt19937_64 random(2);
        auto store = folder.open(kWrite);
        ASSERT_TRUE(store);
        for (int round = 1; round <= 3; ++round) {
            for (int i = 0; i < 4; ++i)
                ASSERT_TRUE(store->edit(random_edits(store->index().map(), random)).ok());
            const hpa::Index before = store->index();
            ASSERT_TRUE(store->compact().ok());
            EXPECT_FALSE(fs::exists(folder.log()));
            EXPECT_EQ(store->logged(), 0U);
            EXPECT_EQ(store->generation(), 4U * static_cast<unsigned>(round));
            const auto reader = folder.open();
            ASSERT_TRUE(reader) << reader.error().message;
            EXPECT_EQ(reader->generation(), store->generation());
            expect_same(reader->index(), before);
        }
    }
}

// A writer that ends at any point loses only what it had not committed.
TEST(IndexStoreTest, ManySessionsOfManyEdits) {
    const Folder folder;
    std::mt19937_64 random(3);
    grid::Map map = folder.index.map();  // as it was committed last
    std::uint64_t batches = 0;
    const std::uint64_t sessions = cairn::test::scaled(60, 12);
    for (std::uint64_t session = 0; session < sessions; ++session) {
        auto store = folder.open(kWrite);
        ASSERT_TRUE(store) << store.error().message;
        ASSERT_EQ(store->index().map(), map);
        ASSERT_EQ(store->generation(), batches);
        grid::Map current = map;
        std::uint64_t made = 0;
        for (auto steps = random() % 12; steps > 0; --steps) {
            const auto kind = random() % 8;
            if (kind == 0) {
                ASSERT_TRUE(store->compact().ok());
            } else if (kind < 3) {
                ASSERT_TRUE(store->commit().ok());
            } else {
                const Edits edits = random_edits(current, random);
                ASSERT_TRUE(store->edit(edits).ok());
                current = current.edited(edits).value();
                ++made;
                continue;
            }
            map = current;
            batches += std::exchange(made, 0);
        }
        ASSERT_EQ(store->index(), build(current, folder.index.options()));
    }
    EXPECT_GT(batches, 0U);
}

TEST(IndexStoreTest, ReadersFollowTheWriter) {
    const Folder folder;
    std::mt19937_64 random(4);
    auto writer = folder.open(kWrite);
    auto reader = folder.open();
    ASSERT_TRUE(writer && reader);
    EXPECT_FALSE(reader->refresh().value());
    for (int i = 0; i < 30; ++i) {
        const hpa::Index kept = reader->index();
        const grid::Map map = kept.map();
        ASSERT_TRUE(writer->edit(random_edits(writer->index().map(), random)).ok());
        EXPECT_FALSE(reader->refresh().value());
        ASSERT_TRUE(i % 5 == 4 ? writer->compact().ok() : writer->commit().ok());
        EXPECT_TRUE(reader->refresh().value());
        EXPECT_EQ(reader->generation(), writer->generation());
        expect_same(reader->index(), writer->index());
        EXPECT_EQ(kept.map(), map);
    }
}

TEST(IndexStoreTest, ReadersSeeWholeGenerationsDuringCommits) {
    const Folder folder;
    std::mt19937_64 random(6);
    auto writer = folder.open(kWrite);
    ASSERT_TRUE(writer);
    std::vector<hpa::Index> generations{writer->index()};
    std::vector<Edits> batches;
    const std::uint64_t count = cairn::test::scaled(60, 15);
    grid::Map map = writer->index().map();
    for (std::uint64_t i = 0; i < count; ++i) {
        batches.push_back(random_edits(map, random));
        map = map.edited(batches.back()).value();
        generations.push_back(generations.back().edited(batches.back()).value());
    }
    std::atomic<bool> done = false;
    std::atomic<int> seen = 0;
    std::vector<std::thread> readers;
    for (int r = 0; r < 2; ++r) {
        readers.emplace_back([&] {
            auto reader = folder.open();
            ASSERT_TRUE(reader) << reader.error().message;
            for (bool last = false; !last;) {
                last = done;
                const auto news = reader->refresh();
                ASSERT_TRUE(news) << news.error().message;
                ASSERT_EQ(reader->index(), generations[reader->generation()]);
                seen += *news ? 1 : 0;
            }
            EXPECT_EQ(reader->generation(), count);
        });
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        ASSERT_TRUE(writer->edit(batches[i]).ok());
        ASSERT_TRUE(i % 9 == 8 ? writer->compact().ok() : writer->commit().ok());
    }
    done = true;
    for (std::thread& reader : readers) reader.join();
    EXPECT_GT(seen, 0);
}

TEST(IndexStoreTest, HasOneWriter) {
    const Folder folder;
    {
        const auto writer = folder.open(kWrite);
        ASSERT_TRUE(writer);
        const auto second = folder.open(kWrite);
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, StatusCode::io_error);
        auto reader = folder.open();
        ASSERT_TRUE(reader);
        const grid::TerrainEdit edit{{1, 1, 1, 1}, 0};
        EXPECT_EQ(reader->edit({&edit, 1}).code, StatusCode::unsupported);
        EXPECT_EQ(reader->commit().code, StatusCode::unsupported);
        EXPECT_EQ(reader->compact().code, StatusCode::unsupported);
    }
    auto writer = folder.open(kWrite);
    ASSERT_TRUE(writer);
    EXPECT_EQ(writer->refresh().error().code, StatusCode::unsupported);
}

TEST(IndexStoreTest, RefusesBadEditsAndStaysAsItWas) {
    const Folder folder;
    auto store = folder.open(kWrite);
    ASSERT_TRUE(store);
    const grid::TerrainEdit outside{{-1, 0, 2, 2}, 0};
    EXPECT_EQ(store->edit({&outside, 1}).code, StatusCode::bad_option);
    EXPECT_EQ(store->logged(), 0U);
    EXPECT_EQ(store->index(), folder.index);
}

TEST(IndexStoreTest, FindsALogCutOrDamagedAtAnyByte) {
    const Folder folder;
    std::mt19937_64 random(8);
    {
        auto store = folder.open(kWrite);
        ASSERT_TRUE(store);
        for (int i = 0; i < 4; ++i)
            ASSERT_TRUE(store->edit(random_edits(store->index().map(), random)).ok());
        ASSERT_TRUE(store->commit().ok());
    }
    const std::string log = contents(folder.log());
    ASSERT_TRUE(EditLog::parse(log, "log"));
    for (std::size_t size = 0; size < log.size(); ++size) {
        const auto cut = EditLog::parse(log.substr(0, size), "log");
        ASSERT_FALSE(cut) << size;
        EXPECT_EQ(cut.error().code, StatusCode::corrupt_file);
        EXPECT_TRUE(cut.error().message.starts_with("log: "));
        ASSERT_FALSE(EditLog::parse(flipped(log, size * 8 + random() % 8), "log")) << size;
    }
    EXPECT_FALSE(EditLog::parse(log + '\0', "log"));
    folder.scratch.file("city.cairn.edits", log.substr(0, log.size() - 1));
    EXPECT_EQ(folder.open().error().code, StatusCode::corrupt_file);
}

TEST(IndexStoreTest, LogsOfOtherFilesAreNotMade) {
    const Folder folder;
    const Folder other({.cluster_size = 6});
    const grid::TerrainEdit edit{{1, 1, 3, 3}, 0};
    std::string log;
    {
        auto store = folder.open(kWrite);
        ASSERT_TRUE(store && store->edit({&edit, 1}).ok() && store->commit().ok());
        log = contents(folder.log());
        other.scratch.file("city.cairn.edits", log);
        EXPECT_EQ(other.open().error().code, StatusCode::wrong_map);
        ASSERT_TRUE(store->compact().ok());
    }
    // As if the writer had ended between the two files of `compact`.
    folder.scratch.file("city.cairn.edits", log);
    auto store = folder.open(kWrite);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(store->logged(), 0U);
    EXPECT_EQ(store->generation(), 1U);
    EXPECT_EQ(store->index().map(), folder.index.map().edited({&edit, 1}).value());
    const grid::TerrainEdit next{{7, 7, 2, 2}, 0};
    ASSERT_TRUE(store->edit({&next, 1}).ok() && store->commit().ok());
    const auto reader = folder.open();
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->generation(), 2U);
    expect_same(reader->index(), store->index());
}

TEST(IndexStoreTest, AFailedCommitCanBeTriedAgain) {
    const Folder folder;
    auto store = folder.open(kWrite);
    ASSERT_TRUE(store);
    const grid::TerrainEdit edit{{1, 1, 3, 3}, 0};
    ASSERT_TRUE(store->edit({&edit, 1}).ok());
    const fs::path moved = folder.scratch.path().string() + "-moved";
    fs::rename(folder.scratch.path(), moved);
    EXPECT_EQ(store->commit().code, StatusCode::io_error);
    EXPECT_EQ(store->compact().code, StatusCode::io_error);
    EXPECT_EQ(store->generation(), 0U);
    fs::rename(moved, folder.scratch.path());
    EXPECT_TRUE(store->commit().ok());
    EXPECT_EQ(folder.open()->generation(), 1U);
}

TEST(IndexStoreTest, OfAgents) {
    const cairn::test::ScratchFolder scratch;
    const std::string path = (scratch.path() / "agents.cairn").string();
    const haa::Index index = fuzz::build(Planner<haa::Index>::cases()[0]);
    ASSERT_TRUE(save(index, path).ok());
    auto store = IndexStore<haa::Index>::open(path, kWrite);
    ASSERT_TRUE(store) << store.error().message;
    const grid::TerrainEdit edit{{1, 1, 2, 2}, '@'};
    ASSERT_TRUE(store->edit({&edit, 1}).ok() && store->commit().ok());
    const auto reader = IndexStore<haa::Index>::open(path);
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->index(), index.edited({&edit, 1}).value());
    ASSERT_TRUE(store->compact().ok());
    const auto again = IndexStore<haa::Index>::open(path);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->index(), store->index());
}

TEST(IndexStoreTest, NeedsAFileThatHoldsItsMap) {
    const Folder folder;
    ASSERT_TRUE(save(folder.index, folder.path).ok());
    EXPECT_EQ(folder.open().error().code, StatusCode::unsupported);
    EXPECT_EQ(Store::open(folder.path + "-none", kWrite).error().code, StatusCode::io_error);
    EXPECT_FALSE(fs::exists(folder.path + "-none.lock"));
}

}  // namespace
}  // namespace cairn::index_file::test
