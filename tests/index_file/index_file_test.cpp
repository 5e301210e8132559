// Tests of index files that hold for every planner: loading, inspection, and the refusal of damaged
// or foreign files.

#include "cairn/index_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <type_traits>

#include "small_indexes.hpp"
#include "support/scale.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::index_file::test {
namespace {

namespace fs = std::filesystem;

/// A section value that no version uses, greater than all that are used.
constexpr std::uint16_t kUnknownSection = 40'000;

/// Loads a file of an index, with the index's map if the file does not hold it.
template <class Index>
Result<Index> load_like(const Index& index, const fs::path& path, const LoadOptions& options = {}) {
    if constexpr (IndexFileMap<Index>::kHeld)
        return load<Index>(path, options);
    else
        return load<Index>(path, index.map(), options);
}

/// The map, mesh or terrain that an index is of.
grid::Map map_of(const hpa::Index& index) { return index.map(); }
grid::Map map_of(const subgoal::Index& index) { return index.map(); }
mesh::Mesh map_of(const hna::Index& index) { return index.mesh(); }
grid::TerrainImage map_of(const haa::Index& index) {
    const haa::AnnotatedMap& map = index.map();
    grid::TerrainImage image{map.width(), map.height(), {}};
    for (grid::Cell cell = 0; cell < map.size(); ++cell) image.terrain.push_back(map.terrain(cell));
    return image;
}

/// A copy of the file with one member of its header changed, and valid checksums.
template <class T>
std::string with_header(std::string bytes, T Header::*member, const T& value) {
    Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    header.*member = value;
    std::memcpy(bytes.data(), &header, sizeof header);
    return resealed(std::move(bytes));
}

/// The table of sections of a file.
std::vector<Entry> table_of(const std::string& bytes) {
    Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    std::vector<Entry> table(header.sections);
    std::memcpy(table.data(), bytes.data() + sizeof header, table.size() * sizeof(Entry));
    return table;
}

constexpr std::size_t padded_size(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// A copy of the file with one more section, which must have the greatest section value.
std::string with_section(const std::string& bytes, std::uint16_t section, std::uint32_t flags,
                         const std::string& contents) {
    constexpr auto padded = [](std::string part) {
        part.resize(padded_size(part.size()));
        return part;
    };
    std::vector<Entry> table = table_of(bytes);
    std::string sections;
    for (const Entry& e : table) sections += padded(bytes.substr(e.offset, e.bytes));
    table.push_back({section, 0, flags, 0, contents.size(), 0});
    sections += padded(contents);
    Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    header.sections = static_cast<std::uint32_t>(table.size());
    std::string header_and_table(sizeof header + table.size() * sizeof(Entry), '\0');
    const std::size_t begin = padded(header_and_table).size();
    std::size_t end = begin;
    for (Entry& e : table) {
        e.offset = end;
        end += padded_size(e.bytes);
    }
    std::memcpy(header_and_table.data(), &header, sizeof header);
    std::memcpy(header_and_table.data() + sizeof header, table.data(),
                table.size() * sizeof(Entry));
    return resealed(padded(header_and_table) + sections);
}

template <class Index>
class IndexFile : public testing::Test {
protected:
    using P = Planner<Index>;

    /// The indexes of the planner's fuzz corpus.
    void SetUp() override {
        for (const auto& c : P::cases()) indexes_.push_back(fuzz::build(c));
    }

    [[nodiscard]] const Index& index() const { return indexes_.front(); }
    /// Why the bytes are refused as a file of index(); ok if they are not.
    [[nodiscard]] Status refusal(const std::string& bytes) const {
        const auto loaded = read_like(index(), bytes);
        if (loaded) return {};
        EXPECT_TRUE(loaded.error().message.starts_with("test.cairn: ")) << loaded.error().message;
        return loaded.error();
    }

    std::vector<Index> indexes_;
};

using Indexes = testing::Types<hpa::Index, subgoal::Index, haa::Index, hna::Index>;
TYPED_TEST_SUITE(IndexFile, Indexes);

TYPED_TEST(IndexFile, LoadedIndexesAreTheBuiltOnes) {
    for (const auto& c : TestFixture::P::cases()) {
        const TypeParam built = fuzz::build(c);
        const std::string bytes = bytes_of_index(built);
        const auto loaded = read_like(built, bytes);
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        EXPECT_TRUE(*loaded == built);
        EXPECT_EQ(loaded->options(), built.options());
        if (TestFixture::P::never_edited(c)) {
            EXPECT_EQ(loaded->snapshot_id(), built.snapshot_id());
        }
        EXPECT_EQ(bytes_of_index(*loaded), bytes);
    }
}

TYPED_TEST(IndexFile, FilesAreMappedOrCopiedAndSurviveTheirReplacement) {
    const cairn::test::ScratchFolder folder;
    const auto path = folder.path() / "index.cairn";
    const TypeParam& built = this->index();
    const std::string bytes = bytes_of_index(built);
    ASSERT_TRUE(save(built, path).ok());
    EXPECT_EQ(cairn::test::bytes_of(path), bytes);
    const auto mapped = load_like(built, path);
    ASSERT_TRUE(mapped.has_value()) << mapped.error().message;
    const auto copied = load_like(built, path, {.copy = true});
    ASSERT_TRUE(copied.has_value()) << copied.error().message;
    const TypeParam other = toggled(built, 2);
    ASSERT_TRUE(save(other, path).ok());
    EXPECT_TRUE(load_like(other, path).value() == other);
    EXPECT_TRUE(*mapped == built);
    EXPECT_EQ(bytes_of_index(*mapped), bytes);
    // A copy does not depend on the file, even if that is cut short in place.
    fs::resize_file(path, 0);
    fs::remove(path);
    EXPECT_TRUE(*copied == built);
    EXPECT_EQ(bytes_of_index(*copied), bytes);
}

TYPED_TEST(IndexFile, SystemErrorsNameTheFile) {
    const cairn::test::ScratchFolder folder;
    const TypeParam& index = this->index();
    const auto expect_error = [](const Status& status, StatusCode code, const fs::path& path) {
        EXPECT_EQ(status.code, code) << path;
        EXPECT_TRUE(status.message.starts_with(path.string() + ": ")) << status.message;
    };
    const auto path = folder.path() / "index.cairn";
    ASSERT_TRUE(save(index, path).ok());
    EXPECT_EQ(save(index, folder.path() / "no" / "index.cairn").code, StatusCode::io_error);
    EXPECT_EQ(save(index, folder.path()).code, StatusCode::io_error);
    EXPECT_EQ(cairn::test::bytes_of(path), bytes_of_index(index));
    for (const bool copy : {false, true}) {
        const auto missing = folder.path() / "missing.cairn";
        expect_error(load_like(index, missing, {.copy = copy}).error(), StatusCode::io_error,
                     missing);
        expect_error(load_like(index, folder.path(), {.copy = copy}).error(), StatusCode::io_error,
                     folder.path());
        const auto empty = folder.file("empty.cairn", "");
        expect_error(load_like(index, empty, {.copy = copy}).error(), StatusCode::corrupt_file,
                     empty);
        const auto text = folder.file("map.map", "type octile\nheight 1\nwidth 1\nmap\n.");
        expect_error(load_like(index, text, {.copy = copy}).error(), StatusCode::corrupt_file,
                     text);
        expect_error(inspect(missing).error(), StatusCode::io_error, missing);
        expect_error(inspect(empty).error(), StatusCode::corrupt_file, empty);
        expect_error(inspect(text).error(), StatusCode::corrupt_file, text);
    }
}

TYPED_TEST(IndexFile, InspectionTellsKindVersionsAndSections) {
    const cairn::test::ScratchFolder folder;
    for (const TypeParam& index : this->indexes_) {
        const auto path = folder.path() / "index.cairn";
        ASSERT_TRUE(save(index, path).ok());
        const auto info = inspect(path);
        ASSERT_TRUE(info.has_value()) << info.error().message;
        EXPECT_EQ(info->kind, TestFixture::P::kKind);
        EXPECT_EQ(info->frame_version, kIndexFrameVersion);
        EXPECT_EQ(info->format_version, 4U);
        EXPECT_EQ(info->holds_map, IndexFileMap<TypeParam>::kHeld);
        EXPECT_EQ(info->file_bytes, fs::file_size(path));
        using Options = std::remove_cvref_t<decltype(index.options())>;
        EXPECT_EQ(index_options<Options>(*info), index.options());
        const std::string bytes = bytes_of_index(index);
        std::uint64_t sum = 0;
        for (const IndexFileSection& section : info->sections) {
            sum += section.bytes;
            EXPECT_FALSE(section.name.starts_with("unknown"));
            EXPECT_GE(info->section_bytes(section.name), section.bytes);
        }
        EXPECT_LT(sum, info->file_bytes);
        // The rest is the header, and an entry and less than kAlignment of padding for each
        // section.
        const std::uint64_t overhead = sizeof(Entry) + kAlignment;
        EXPECT_GT(sum + (info->sections.size() + 2) * overhead, info->file_bytes);
    }
}

TYPED_TEST(IndexFile, InspectionLooksAtNoLargeSection) {
    std::string bytes = bytes_of_index(this->index());
    const std::vector<Entry> table = table_of(bytes);
    const auto whole = inspect_bytes(as_bytes(bytes), "x");
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(table[1].offset), bytes.end(), 'x');
    const auto damaged = inspect_bytes(as_bytes(bytes), "x");
    ASSERT_TRUE(damaged.has_value()) << damaged.error().message;
    EXPECT_EQ(damaged->sections, whole->sections);
    EXPECT_EQ(damaged->options, whole->options);
    EXPECT_EQ(this->refusal(bytes).code, StatusCode::corrupt_file);
}

TYPED_TEST(IndexFile, OptionsOfAnotherPlannerAreRefused) {
    const auto info = inspect_bytes(as_bytes(bytes_of_index(this->index())), "x");
    EXPECT_EQ(index_options<hpa::Options>(*info).has_value(),
              (std::is_same_v<TypeParam, hpa::Index>));
    EXPECT_EQ(index_options<hna::Options>(*info).has_value(),
              (std::is_same_v<TypeParam, hna::Index>));
}

TYPED_TEST(IndexFile, EveryPrefixAndEveryDamagedByteIsRefused) {
    const std::string bytes = bytes_of_index(this->indexes_.back());
    const auto expect_refused = [&](const std::string& damaged, std::size_t at) {
        const auto loaded = read_like(this->indexes_.back(), damaged);
        ASSERT_FALSE(loaded.has_value()) << at;
        ASSERT_EQ(loaded.error().code, StatusCode::corrupt_file) << loaded.error().message;
        ASSERT_TRUE(loaded.error().message.starts_with("test.cairn: "));
    };
    const std::size_t step = cairn::test::stride(0.5);
    for (std::size_t n = 0; n < bytes.size(); n += step) {
        ASSERT_NO_FATAL_FAILURE(expect_refused(bytes.substr(0, n), n));
        ASSERT_FALSE(read_like(this->indexes_.back(), resealed(bytes.substr(0, n))).has_value());
    }
    ASSERT_NO_FATAL_FAILURE(expect_refused(bytes + '\0', bytes.size()));
    for (std::size_t bit = 0; bit < bytes.size() * 8; bit += (2 * step) | 1)
        ASSERT_NO_FATAL_FAILURE(expect_refused(flipped(bytes, bit), bit));
}

TYPED_TEST(IndexFile, EverySectionIsNeeded) {
    const std::string bytes = bytes_of_index(this->index());
    const std::size_t sections = table_of(bytes).size();
    for (std::size_t i = 0; i < sections; ++i) {
        // Replace section i by an unknown one of the same size, which comes last.
        std::string without = bytes;
        std::vector<Entry> table = table_of(bytes);
        table[i].section = kUnknownSection;
        table[i].flags = 0;
        std::rotate(table.begin() + static_cast<std::ptrdiff_t>(i),
                    table.begin() + static_cast<std::ptrdiff_t>(i) + 1, table.end());
        std::string contents;
        std::size_t end = table_of(bytes).front().offset;
        for (Entry& e : table) {
            const std::size_t covered = padded_size(e.bytes);
            contents += bytes.substr(e.offset, covered);
            e.offset = end;
            end += covered;
        }
        without.replace(table_of(bytes).front().offset, contents.size(), contents);
        std::memcpy(without.data() + sizeof(Header), table.data(), sections * sizeof(Entry));
        const auto loaded = read_like(this->index(), resealed(without));
        if (loaded) {
            ADD_FAILURE() << "section " << i;
            continue;
        }
        EXPECT_EQ(loaded.error().code, StatusCode::corrupt_file) << loaded.error().message;
    }
}

TYPED_TEST(IndexFile, UnknownSectionsAreIgnoredUnlessTheyAreRequired) {
    const std::string bytes = bytes_of_index(this->index());
    const std::string optional = with_section(bytes, kUnknownSection, 0, "from the future");
    const auto loaded = read_like(this->index(), optional);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    EXPECT_TRUE(*loaded == this->index());
    EXPECT_EQ(bytes_of_index(*loaded), bytes);
    const auto info = inspect_bytes(as_bytes(optional), "x");
    EXPECT_EQ(info->section_bytes("unknown/40000"), 15U);
    // Nothing uses it, so its checksum is not verified.
    std::string damaged = optional;
    damaged.back() = 'x';
    EXPECT_TRUE(read_like(this->index(), damaged).has_value());

    const std::string required = with_section(bytes, kUnknownSection, kRequired, "from the future");
    EXPECT_EQ(this->refusal(required).code, StatusCode::wrong_version);
    EXPECT_TRUE(inspect_bytes(as_bytes(required), "x").has_value());
    // A known section that these indexes do not have.
    const auto centres = static_cast<std::uint16_t>(Section::centre_rows);
    EXPECT_EQ(this->refusal(with_section(bytes, centres, kRequired, "")).code,
              StatusCode::corrupt_file);
}

TYPED_TEST(IndexFile, AnotherMapIsRefused) {
    const auto other = map_of(TestFixture::P::index_of_other_map());
    const auto refused = read<TypeParam>(bytes_of_index(this->index()), other);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, StatusCode::wrong_map) << refused.error().message;
    EXPECT_TRUE(refused.error().message.starts_with("test.cairn: "));
    const auto own = map_of(this->index());
    EXPECT_TRUE(read<TypeParam>(bytes_of_index(this->index()), own).has_value());
}

TYPED_TEST(IndexFile, OtherVersionsAreRefusedByTheirNumber) {
    const std::string bytes = bytes_of_index(this->index());
    const std::string newer_frame = with_header(bytes, &Header::frame_version, std::uint32_t{3});
    const Status newer = this->refusal(newer_frame);
    EXPECT_EQ(newer.code, StatusCode::wrong_version);
    EXPECT_NE(newer.message.find("version 3"), std::string::npos) << newer.message;
    EXPECT_NE(newer.message.find("version 2"), std::string::npos) << newer.message;
    EXPECT_EQ(inspect_bytes(as_bytes(newer_frame), "x").error().code, StatusCode::wrong_version);

    const std::string newer_format = with_header(bytes, &Header::format_version, std::uint32_t{7});
    EXPECT_EQ(this->refusal(newer_format).code, StatusCode::wrong_version);
    EXPECT_EQ(inspect_bytes(as_bytes(newer_format), "x")->format_version, 7U);
}

TYPED_TEST(IndexFile, FilesOfVersion1AreRefusedByTheirNumber) {
    for (const char* identifier : {"CRHP", "CRSG", "CRHA", "CRHN"}) {
        std::string old(200, '\0');
        old[0] = 16;
        old.replace(4, 4, identifier);
        const Status status = this->refusal(old);
        EXPECT_EQ(status.code, StatusCode::wrong_version);
        for (const char* part : {"version 1", "version 2", "build the index again"})
            EXPECT_NE(status.message.find(part), std::string::npos) << status.message;
        EXPECT_EQ(inspect_bytes(as_bytes(old), "x").error().code, StatusCode::wrong_version);
    }
}

TYPED_TEST(IndexFile, FilesOfOtherPlannersAreRefused) {
    const auto expect_other = [&]<class Other>(const Other&) {
        if constexpr (!std::is_same_v<Other, TypeParam>) {
            const Other index = fuzz::build(Planner<Other>::cases().front());
            const Status status = this->refusal(bytes_of_index(index));
            EXPECT_EQ(status.code, StatusCode::corrupt_file);
            EXPECT_NE(status.message.find(Planner<Other>::kKind), std::string::npos);
        }
    };
    expect_other(fuzz::build(Planner<hpa::Index>::cases().front()));
    expect_other(fuzz::build(Planner<subgoal::Index>::cases().front()));
    expect_other(fuzz::build(Planner<haa::Index>::cases().front()));
    expect_other(fuzz::build(Planner<hna::Index>::cases().front()));
    char kind[8] = {'f', 'u', 't', 'u', 'r', 'e'};
    std::string future = bytes_of_index(this->index());
    std::memcpy(future.data() + offsetof(Header, kind), kind, sizeof kind);
    EXPECT_EQ(this->refusal(resealed(future)).code, StatusCode::corrupt_file);
    EXPECT_EQ(inspect_bytes(as_bytes(resealed(future)), "x")->kind, "future");
}

TYPED_TEST(IndexFile, BytesNeedNoAlignment) {
    const std::string bytes = bytes_of_index(this->index());
    for (std::size_t shift = 0; shift < 8; ++shift) {
        const auto owner = std::make_shared<const std::string>(std::string(shift, 'x') + bytes);
        const auto shifted = as_bytes(*owner).subspan(shift);
        const auto loaded = [&] {
            if constexpr (IndexFileMap<TypeParam>::kHeld)
                return from_bytes<TypeParam>(shifted, owner, "shifted");
            else
                return from_bytes<TypeParam>(shifted, owner, "shifted", this->index().map());
        }();
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        EXPECT_TRUE(*loaded == this->index());
        EXPECT_TRUE(inspect_bytes(shifted, "shifted").has_value());
    }
}

TEST(IndexFileGuard, ReportsThatMemoryRanOut) {
    const auto status = guarded([]() -> Status { throw std::bad_alloc(); });
    EXPECT_EQ(status.code, StatusCode::out_of_memory);
    const auto result = guarded([]() -> Result<int> { throw std::bad_alloc(); });
    EXPECT_EQ(result.error().code, StatusCode::out_of_memory);
    EXPECT_EQ(guarded([]() -> Result<int> { return 3; }), 3);
}

}  // namespace
}  // namespace cairn::index_file::test
