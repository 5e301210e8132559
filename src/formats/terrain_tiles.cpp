#include "terrain_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/guarded.hpp"

namespace cairn::formats {
namespace {

constexpr std::string_view kColumn = "{x}";
constexpr std::string_view kRow = "{y}";

void replace_all(std::string& text, std::string_view what, int number) {
    const std::string with = std::to_string(number);
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size())) {
        text.replace(at, what.size(), with);
    }
}

std::string tile_path(std::string pattern, int column, int row) {
    replace_all(pattern, kColumn, column);
    replace_all(pattern, kRow, row);
    return pattern;
}

bool is_there(const std::string& path) {
    std::error_code error;
    return std::filesystem::exists(path, error);
}

/// Whether `length` more cells still fit on a side of `sum`.
bool fits(int sum, int length) { return length <= grid::Map::kMaxSide - sum; }

}  // namespace

bool is_tile_pattern(std::string_view path) noexcept {
    return path.find(kColumn) != std::string_view::npos &&
           path.find(kRow) != std::string_view::npos;
}

Result<TerrainImage> load_terrain_tiles(const std::string& pattern, const PictureLimits& limits) {
    const auto load = [&](int column, int row) {
        return load_terrain(tile_path(pattern, column, row), limits);
    };
    const auto too_large = [&] {
        return fail(StatusCode::too_large,
                    fmt::format("{}: together the tiles have a side above {} cells", pattern,
                                grid::Map::kMaxSide));
    };
    // The tiles of the first row stay until the height of the rows below is known.
    std::vector<TerrainImage> tiles;
    int width = 0;
    do {
        auto tile = load(static_cast<int>(tiles.size()), 0);
        if (!tile) return tl::unexpected(std::move(tile.error()));
        if (!fits(width, tile->width)) return too_large();
        width += tile->width;
        tiles.push_back(std::move(*tile));
    } while (is_there(tile_path(pattern, static_cast<int>(tiles.size()), 0)));
    TerrainImage image;
    image.width = width;
    for (int row = 0;; ++row) {
        const int height = tiles.front().height;
        if (!fits(image.height, height)) return too_large();
        image.terrain.resize(image.terrain.size() +
                             static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
        int left = 0;
        for (std::size_t column = 0; column < tiles.size(); ++column) {
            const int tile_width = tiles[column].width;
            if (row > 0 && column > 0) {
                auto tile = load(static_cast<int>(column), row);
                if (!tile) return tl::unexpected(std::move(tile.error()));
                tiles[column] = std::move(*tile);
            }
            const TerrainImage& tile = tiles[column];
            if (tile.width != tile_width || tile.height != height) {
                return fail(StatusCode::corrupt_file,
                            fmt::format("{}: {} x {} cells, but its column and row have {} x {}",
                                        tile_path(pattern, static_cast<int>(column), row),
                                        tile.width, tile.height, tile_width, height));
            }
            for (int y = 0; y < height; ++y) {
                std::copy_n(
                    tile.terrain.begin() + std::ptrdiff_t{y} * tile_width, tile_width,
                    image.terrain.begin() + std::ptrdiff_t{image.height + y} * width + left);
            }
            left += tile_width;
        }
        image.height += height;
        if (!is_there(tile_path(pattern, 0, row + 1))) return image;
        auto next = load(0, row + 1);
        if (!next) return tl::unexpected(std::move(next.error()));
        if (next->width != tiles.front().width) {
            return fail(
                StatusCode::corrupt_file,
                fmt::format("{}: {} columns, but its column of tiles has {}",
                            tile_path(pattern, 0, row + 1), next->width, tiles.front().width));
        }
        tiles.front() = std::move(*next);
    }
}

}  // namespace cairn::formats
