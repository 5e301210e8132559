// Every file of the MovingAI benchmark collection, if the environment variable CAIRN_DATA names the
// folder that has it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cairn/formats/movingai.hpp"

namespace cairn::formats {
namespace {

/// A line of the collection's MANIFEST.tsv.
struct Entry {
    std::string file;
    int width = 0;
    int height = 0;
    std::size_t free_cells = 0;
    bool has_scenario = false;
    std::size_t problems = 0;
};

std::vector<Entry> read_manifest(const std::filesystem::path& path) {
    std::vector<Entry> entries;
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);  // the names of the columns
    while (std::getline(in, line)) {
        std::vector<std::string> fields;
        std::istringstream columns(line);
        for (std::string field; std::getline(columns, field, '\t');) fields.push_back(field);
        if (fields.size() < 9) continue;
        entries.push_back({fields[0], std::stoi(fields[3]), std::stoi(fields[4]),
                           std::stoul(fields[5]), fields[7] == "yes", std::stoul(fields[8])});
    }
    return entries;
}

class BenchmarkMaps : public ::testing::Test {
protected:
    void SetUp() override {
        const char* data = std::getenv("CAIRN_DATA");
        if (data == nullptr) GTEST_SKIP() << "CAIRN_DATA names no folder with the benchmark maps";
        folder_ = std::filesystem::path(data) / "grid";
        entries_ = read_manifest(folder_ / "MANIFEST.tsv");
        ASSERT_FALSE(entries_.empty()) << folder_ << " holds no MANIFEST.tsv with maps";
    }
    std::filesystem::path folder_;
    std::vector<Entry> entries_;
};

TEST_F(BenchmarkMaps, MapsAgreeWithTheManifest) {
    for (const Entry& entry : entries_) {
        const auto image = read_map(folder_ / entry.file);
        ASSERT_TRUE(image) << image.error().message;
        const auto map = grid::make_map(*image);
        ASSERT_TRUE(map) << map.error().message;
        EXPECT_EQ(map->width(), entry.width) << entry.file;
        EXPECT_EQ(map->height(), entry.height) << entry.file;
        EXPECT_EQ(map->free_cells(), entry.free_cells) << entry.file;
        ASSERT_EQ(parse_map(format_map(*image).value(), entry.file).value(), *image) << entry.file;
    }
}

TEST_F(BenchmarkMaps, ScenariosAgreeWithTheManifest) {
    for (const Entry& entry : entries_) {
        if (!entry.has_scenario) continue;
        const auto scenario = load_scenario(folder_ / (entry.file + ".scen"));
        ASSERT_TRUE(scenario) << scenario.error().message;
        EXPECT_EQ(scenario->problems.size(), entry.problems) << entry.file;
        const auto text = format_scenario(*scenario);
        ASSERT_TRUE(text) << text.error().message;
        const auto again = parse_scenario(*text, entry.file);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(format_scenario(*again).value(), *text) << entry.file;
    }
}

}  // namespace
}  // namespace cairn::formats
