// Index files of HPA* that hold their map, and how much of a file is checked.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cairn/file.hpp"
#include "sections.hpp"
#include "small_indexes.hpp"
#include "support/scale.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::index_file::test {
namespace {

constexpr std::array kAllChecks{FileChecks::contents, FileChecks::checksums, FileChecks::none};

std::string bytes_with_map(const hpa::Index& index) {
    return to_bytes(index, {.with_map = true}).value();
}

/// Indexes of several kinds: levels, move tables, weights, labels, pieces, only a closure, neither,
/// and after edits, with and without new labels.
std::vector<hpa::Index> indexes() {
    std::vector<hpa::Index> all;
    for (int kind = 0; kind < 4; ++kind) {
        hpa::Options options;
        options.cluster_size = 4 + kind;
        options.levels = 1 + kind;
        options.move_tables = kind % 2 == 0;
        options.labels = kind != 3;
        all.push_back(build(noise_map(4, 37, 29, {}, 22, kind == 1 ? 3 : 1), options));
    }
    hpa::Options small;
    small.cluster_size = 4;
    const hpa::Index labelled = build(noise_map(5, 40, 31, {}, 20), small);
    small.label_bytes = labelled.statistics().value().label_bytes - 1;
    all.push_back(build(labelled.map(), small));
    small.label_bytes = 1;
    all.push_back(build(labelled.map(), small));
    EXPECT_FALSE(all.back().has_labels());
    EXPECT_TRUE(all.back().has_closure());
    hpa::Index edited = labelled;
    for (const int cell : {41, 500, 501, 777, 1003}) edited = toggled(edited, cell);
    EXPECT_FALSE(edited.has_labels());
    all.push_back(edited);
    all.push_back(edited.with_labels().value());
    // More cells than a page has, and a last page that is not whole.
    all.push_back(build(noise_map(6, 131, 97, {}, 20), hpa::Options{}));
    return all;
}

void expect_same_answers(const hpa::Index& a, const hpa::Index& b) {
    ASSERT_EQ(engines(a), engines(b));
    hpa::Searcher searcher_a;
    hpa::Searcher searcher_b;
    hpa::Answer answer_a;
    hpa::Answer answer_b;
    const std::uint64_t cells = a.map().size();
    std::mt19937_64 random(7);
    const std::uint64_t pairs = cairn::test::scaled(300, 40);
    std::vector<hpa::Engine> all = engines(a);
    if (a.has_closure()) all.push_back(hpa::Engine::climb);
    int found = 0;
    for (std::uint64_t i = 0; i < pairs; ++i) {
        const auto start = static_cast<grid::Cell>(random() % cells);
        const auto goal = static_cast<grid::Cell>(random() % cells);
        for (const hpa::Engine engine : all) {
            const hpa::Query q = query(a.map(), start, goal, engine);
            searcher_a.find(a, q, answer_a);
            searcher_b.find(b, q, answer_b);
            ASSERT_EQ(answer_a.status, answer_b.status);
            ASSERT_EQ(answer_a.cost, answer_b.cost);
            ASSERT_EQ(answer_a.abstract_nodes, answer_b.abstract_nodes);
            ASSERT_EQ(answer_a.cells, answer_b.cells);
            found += answer_a.status == StatusCode::ok ? 1 : 0;
        }
    }
    EXPECT_GT(found, 0);
}

template <class... Map>
Result<hpa::Index> read_with(FileChecks checks, std::string bytes, const Map&... map) {
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    return from_bytes<hpa::Index>(as_bytes(*owner), owner, "test.cairn", map..., checks);
}

TEST(HeldMapTest, IsLoadedWithoutTheMap) {
    for (const hpa::Index& index : indexes()) {
        const std::string bytes = bytes_with_map(index);
        EXPECT_TRUE(inspect_bytes(as_bytes(bytes), "test.cairn")->holds_map);
        for (const FileChecks checks : kAllChecks) {
            const auto loaded = read_with(checks, bytes);
            ASSERT_TRUE(loaded) << loaded.error().message;
            EXPECT_EQ(*loaded, index);
            EXPECT_EQ(loaded->map(), index.map());
            EXPECT_EQ(loaded->map().free_cells(), index.map().free_cells());
            EXPECT_EQ(loaded->has_labels(), index.has_labels());
            EXPECT_EQ(loaded->labels_status().code, index.labels_status().code);
            expect_same_answers(index, *loaded);
            // The id is that of an index built from scratch, as for any file.
            const auto again = read_with(checks, bytes_of_index(index), index.map());
            EXPECT_EQ(loaded->snapshot_id(), again->snapshot_id());
        }
    }
}

TEST(HeldMapTest, GivesTheSameBytesWhenSavedAgain) {
    for (const hpa::Index& index : indexes()) {
        const std::string bytes = bytes_with_map(index);
        for (const FileChecks checks : kAllChecks) {
            const auto loaded = read_with(checks, bytes);
            ASSERT_TRUE(loaded);
            EXPECT_EQ(bytes_with_map(*loaded), bytes);
            EXPECT_EQ(bytes_of_index(*loaded), bytes_of_index(index));
        }
    }
}

// Pages in the file are copied before they are written.
TEST(HeldMapTest, CanBeEditedInPlace) {
    for (const hpa::Index& index : indexes()) {
        const std::string bytes = bytes_with_map(index);
        for (const FileChecks checks : kAllChecks) {
            const auto owner = std::make_shared<const std::string>(bytes);
            const auto loaded =
                from_bytes<hpa::Index>(as_bytes(*owner), owner, "test.cairn", checks);
            ASSERT_TRUE(loaded);
            hpa::Index current = *loaded;
            for (std::uint64_t i = 0; i < 12; ++i) {
                current = toggled(current, i * 97 + 13);
                EXPECT_EQ(current, build(current.map(), index.options()));
            }
            expect_same_answers(current.without_labels().value(),
                                build(current.map(), index.options()).without_labels().value());
            EXPECT_EQ(*owner, bytes);
        }
    }
}

TEST(HeldMapTest, IsComparedWithAMapThatIsGiven) {
    const hpa::Index index = indexes().front();
    const std::string bytes = bytes_with_map(index);
    const grid::Map other = noise_map(9, index.map().width(), index.map().height(), {}, 22);
    for (const FileChecks checks : kAllChecks) {
        const auto loaded = read_with(checks, bytes, index.map());
        ASSERT_TRUE(loaded) << loaded.error().message;
        EXPECT_EQ(*loaded, index);
        EXPECT_EQ(read_with(checks, bytes, other).error().code, StatusCode::wrong_map);
    }
}

TEST(HeldMapTest, IsNeededWhereTheFileHoldsNone) {
    const hpa::Index index = indexes().front();
    const auto loaded = read<hpa::Index>(bytes_of_index(index));
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, StatusCode::unsupported);
    EXPECT_EQ(loaded.error().message,
              "test.cairn: the file holds no map, so the map must be given");
}

TEST(HeldMapTest, OfSubgoalGraphs) {
    for (const bool edited : {false, true}) {
        subgoal::Index index = build(noise_map(4, 73, 57, {}, 12), subgoal::Options{});
        if (edited) index = toggled(toggled(index, 900), 901);
        const std::string bytes = to_bytes(index, {.with_map = true}).value();
        EXPECT_EQ(read<subgoal::Index>(bytes_of_index(index)).error().code,
                  StatusCode::unsupported);
        for (const FileChecks checks : kAllChecks) {
            const auto owner = std::make_shared<const std::string>(bytes);
            const auto loaded =
                from_bytes<subgoal::Index>(as_bytes(*owner), owner, "test.cairn", checks);
            ASSERT_TRUE(loaded) << loaded.error().message;
            EXPECT_EQ(*loaded, index);
            EXPECT_EQ(loaded->map(), index.map());
            EXPECT_EQ(to_bytes(*loaded, {.with_map = true}).value(), bytes);
            const subgoal::Index changed = toggled(*loaded, 1000);
            EXPECT_EQ(changed, build(changed.map(), index.options()));
            subgoal::Searcher searcher;
            subgoal::Answer a;
            subgoal::Answer b;
            std::mt19937_64 random(3);
            for (int i = 0; i < 100; ++i) {
                const auto start = static_cast<grid::Cell>(random() % index.map().size());
                const auto goal = static_cast<grid::Cell>(random() % index.map().size());
                const auto q = query(index.map(), start, goal, subgoal::Engine::automatic);
                searcher.find(index, q, a);
                searcher.find(*loaded, q, b);
                ASSERT_EQ(a.status, b.status);
                ASSERT_EQ(a.cost, b.cost);
                ASSERT_EQ(a.cells, b.cells);
            }
        }
    }
}

TEST(HeldMapTest, ChecksumsFindDamageInEverySection) {
    const hpa::Index index = indexes().front();
    const std::string bytes = bytes_with_map(index);
    Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    std::size_t harmless = 0;
    for (std::uint32_t i = 0; i < header.sections; ++i) {
        Entry entry;
        std::memcpy(&entry, bytes.data() + sizeof header + i * sizeof entry, sizeof entry);
        if (entry.bytes == 0) continue;
        const std::string damaged = flipped(bytes, (entry.offset + entry.bytes / 2) * 8);
        for (const FileChecks checks : {FileChecks::contents, FileChecks::checksums}) {
            const auto loaded = read_with(checks, damaged);
            ASSERT_FALSE(loaded) << entry.section;
            EXPECT_EQ(loaded.error().code, StatusCode::corrupt_file);
        }
        harmless += read_with(FileChecks::none, damaged) ? 1 : 0;
    }
    EXPECT_GT(harmless, header.sections / 2);
}

TEST(HeldMapTest, ForgedFilesAreRefusedOrSafe) {
    std::mt19937_64 random(11);
    int accepted = 0;
    const auto all = indexes();
    const std::uint64_t rounds = cairn::test::scaled(400, 60);
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const hpa::Index& index = all[round % all.size()];
        const std::string forged = resealed(with_words_changed(bytes_with_map(index), random));
        const auto loaded = read<hpa::Index>(forged);
        if (!loaded) {
            EXPECT_TRUE(loaded.error().message.starts_with("test.cairn: "));
            continue;
        }
        ++accepted;
        const grid::Map& map = loaded->map();
        hpa::Searcher searcher;
        hpa::Answer answer;
        for (int i = 0; i < 50; ++i) {
            const auto start = static_cast<grid::Cell>(random() % map.size());
            const auto goal = static_cast<grid::Cell>(random() % map.size());
            if (searcher.find(*loaded, query(map, start, goal, hpa::Engine::automatic), answer) !=
                StatusCode::ok)
                continue;
            EXPECT_LT(grid::path_cost(map, answer.cells), kInfinity);
        }
        const hpa::Index edited = toggled(*loaded, random() % map.size());
        EXPECT_EQ(edited.map().size(), map.size());
    }
    EXPECT_GT(accepted, 0);
}

TEST(HeldMapTest, IsSavedToAFileAndMapped) {
    const cairn::test::ScratchFolder folder;
    const std::string path = (folder.path() / "world.cairn").string();
    for (const hpa::Index& index : indexes()) {
        ASSERT_TRUE(save(index, path, {.with_map = true}).ok());
        for (const FileChecks checks : kAllChecks) {
            const auto loaded = load<hpa::Index>(path, {.checks = checks});
            ASSERT_TRUE(loaded) << loaded.error().message;
            EXPECT_EQ(*loaded, index);
            expect_same_answers(index, *loaded);
        }
    }
}

TEST(HeldMapTestThreads, PagesOfTheFileAreDroppedWhileQueriesRun) {
    const cairn::test::ScratchFolder folder;
    const std::string path = (folder.path() / "world.cairn").string();
    for (const hpa::Index& index : indexes()) {
        ASSERT_TRUE(save(index, path, {.with_map = true}).ok());
        const auto file = std::make_shared<const MappedFile>(MappedFile::open(path).value());
        for (const FileChecks checks : kAllChecks) {
            const auto loaded = load<hpa::Index>("named", {.checks = checks, .file = file});
            ASSERT_TRUE(loaded) << loaded.error().message;
            std::atomic<bool> done{false};
            std::thread dropper([&] {
                while (!done) file->drop_pages();
            });
            expect_same_answers(index, *loaded);
            done = true;
            dropper.join();
        }
    }
    MappedFile().drop_pages();
}

}  // namespace
}  // namespace cairn::index_file::test
