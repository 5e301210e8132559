#pragma once
// Published navigation meshes, in the folder that the environment variable CAIRN_DATA names.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

namespace cairn::test {

/// A test over the published meshes. Skipped if CAIRN_DATA does not have them.
class NavmeshFiles : public testing::Test {
protected:
    void SetUp() override {
        const char* data = std::getenv("CAIRN_DATA");
        if (data == nullptr) GTEST_SKIP() << "CAIRN_DATA is not set";
        folder_ = std::filesystem::path(data) / "navmesh";
        if (!std::filesystem::is_directory(folder_)) GTEST_SKIP() << folder_ << " is missing";
    }

    /// The files of a format ("polyanya", "detour" or "obj") whose names end with `ending`, sorted.
    [[nodiscard]] std::vector<std::filesystem::path> files(std::string_view format,
                                                           std::string_view ending) const {
        std::vector<std::filesystem::path> found;
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / format)) {
            if (entry.path().string().ends_with(ending)) found.push_back(entry.path());
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    std::filesystem::path folder_;
};

}  // namespace cairn::test
