#pragma once
// The sets of the MovingAI benchmark collection, in the folder that the environment variable
// CAIRN_DATA names.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::test {

/// The .map files of a folder, sorted by name.
[[nodiscard]] inline std::vector<std::filesystem::path> maps_of(
    const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> maps;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".map") maps.push_back(entry);
    }
    std::sort(maps.begin(), maps.end());
    return maps;
}

/// Those of maps_of(folder) whose .scen file lies beside them.
[[nodiscard]] inline std::vector<std::filesystem::path> maps_with_scenarios(
    const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> maps = maps_of(folder);
    std::erase_if(maps, [](const std::filesystem::path& map) {
        return !std::filesystem::exists(map.string() + ".scen");
    });
    return maps;
}

/// A test with one benchmark set as its parameter. Skipped if CAIRN_DATA does not have the set.
class BenchmarkSet : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        const char* data = std::getenv("CAIRN_DATA");
        if (data == nullptr) GTEST_SKIP() << "CAIRN_DATA is not set";
        folder_ = std::filesystem::path(data) / "grid" / GetParam();
        if (!std::filesystem::is_directory(folder_)) GTEST_SKIP() << folder_ << " is missing";
    }
    std::filesystem::path folder_;
};

/// The parameters of a BenchmarkSet, which are folders of the collection.
inline const auto kBenchmarkSets =
    testing::Values("bg512", "bg_orig", "cities", "da2", "dao", "mazes512", "random512", "rooms512",
                    "sc1", "wc3maps512");
[[nodiscard]] inline std::string set_name(const testing::TestParamInfo<const char*>& set) {
    return set.param;
}

}  // namespace cairn::test
