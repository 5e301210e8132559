// Maps in tiles, a file each: load_terrain of a pattern.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cairn/formats/movingai.hpp"
#include "cairn/formats/raster.hpp"
#include "cairn/grid/generate.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::formats {
namespace {

TerrainImage generated(grid::MapKind kind, int width, int height) {
    grid::GenerateOptions options;
    options.kind = kind;
    options.width = width;
    options.height = height;
    return grid::generate(options).value();
}

class TerrainTiles : public ::testing::Test {
protected:
    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_.path() / name).string();
    }
    /// Writes `image` in tiles of side x side cells, smaller ones at the right and at the bottom.
    void write_tiles(const TerrainImage& image, int side, const std::string& extension) const {
        for (int top = 0; top < image.height; top += side) {
            for (int left = 0; left < image.width; left += side) {
                TerrainImage tile{
                    std::min(side, image.width - left), std::min(side, image.height - top), {}};
                for (int y = 0; y < tile.height; ++y) {
                    for (int x = 0; x < tile.width; ++x)
                        tile.terrain.push_back(image.at(left + x, top + y));
                }
                const std::string file = path("t" + std::to_string(left / side) + "_" +
                                              std::to_string(top / side) + extension);
                if (extension == ".map") {
                    ASSERT_TRUE(write_map(file, tile).ok());
                } else {
                    const auto picture = picture_of(tile).value();
                    ASSERT_TRUE(
                        (extension == ".png" ? write_png(file, picture) : write_pgm(file, picture))
                            .ok());
                }
            }
        }
    }
    cairn::test::ScratchFolder folder_;
};

TEST_F(TerrainTiles, AreReadForAnyTiling) {
    const TerrainImage image = generated(grid::MapKind::caves, 70, 45);
    for (const char* extension : {".map", ".png", ".pgm"}) {
        for (const int side : {16, 33, 70}) {
            std::filesystem::remove_all(folder_.path());
            std::filesystem::create_directory(folder_.path());
            write_tiles(image, side, extension);
            const auto loaded = load_terrain(path("t{x}_{y}" + std::string(extension)));
            ASSERT_TRUE(loaded) << loaded.error().message;
            EXPECT_EQ(loaded->width, image.width);
            EXPECT_EQ(loaded->height, image.height);
            for (int y = 0; y < image.height; ++y) {
                for (int x = 0; x < image.width; ++x)
                    ASSERT_EQ(loaded->at(x, y) == '.', image.at(x, y) == '.') << x << ' ' << y;
            }
        }
    }
}

TEST_F(TerrainTiles, MissingAndUnequalOnesAreNamed) {
    const TerrainImage image = generated(grid::MapKind::open, 48, 48);
    write_tiles(image, 16, ".map");
    const std::string pattern = path("t{x}_{y}.map");
    ASSERT_TRUE(load_terrain(pattern));
    std::filesystem::remove(path("t1_1.map"));
    auto loaded = load_terrain(pattern);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, StatusCode::io_error);
    EXPECT_NE(loaded.error().message.find("t1_1.map"), std::string::npos);
    for (const char* wrong : {"t1_1.map", "t0_1.map", "t2_0.map", "t0_2.map"}) {
        write_tiles(image, 16, ".map");
        ASSERT_TRUE(write_map(path(wrong), {15, 16, std::vector<std::uint8_t>(15 * 16, '.')}).ok());
        loaded = load_terrain(pattern);
        // The last column and row may be smaller, but all their tiles must be.
        ASSERT_FALSE(loaded) << wrong;
        EXPECT_EQ(loaded.error().code, StatusCode::corrupt_file) << loaded.error().message;
    }
    EXPECT_EQ(load_terrain(path("none{x}{y}.png")).error().code, StatusCode::io_error);
    // One of the two is an ordinary name.
    EXPECT_EQ(load_terrain(path("t{x}_0.map")).error().code, StatusCode::io_error);
}

TEST_F(TerrainTiles, AreRefusedWhereTheyAreTooWide) {
    const int side = grid::Map::kMaxSide;
    const TerrainImage row{side, 1, std::vector<std::uint8_t>(static_cast<std::size_t>(side), '.')};
    ASSERT_TRUE(write_map(path("t0_0.map"), row).ok());
    ASSERT_TRUE(load_terrain(path("t{x}_{y}.map")));
    ASSERT_TRUE(write_map(path("t1_0.map"), {1, 1, {'.'}}).ok());
    EXPECT_EQ(load_terrain(path("t{x}_{y}.map")).error().code, StatusCode::too_large);
}

}  // namespace
}  // namespace cairn::formats
