#include "cairn/formats/raster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cairn/file.hpp"
#include "cairn/formats/movingai.hpp"
#include "cairn/formats/nav2.hpp"

namespace cairn::formats {
namespace {

/// The largest picture in its longest form: plain PGM, five digits and a blank a pixel.
constexpr std::size_t kMaxPictureBytes = std::size_t{GreyImage::kMaxPixels} * 6 + 4096;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

Result<TerrainImage> load_picture(const std::string& path) {
    return read_image(path).map(terrain_of);
}

Result<TerrainImage> load_occupancy(const std::string& path) {
    auto map = load_occupancy_map(path);
    if (!map) return tl::unexpected(map.error());
    return std::move(map->terrain);
}

}  // namespace

Result<GreyImage> read_image(const std::string& path) {
    const auto bytes = read_file(path, kMaxPictureBytes);
    if (!bytes) return tl::unexpected(bytes.error());
    if (bytes->starts_with("P2") || bytes->starts_with("P5")) return parse_pgm(*bytes, path);
    if (bytes->starts_with("\x89PNG")) return parse_png(*bytes, path);
    return fail(StatusCode::corrupt_file,
                fmt::format("{}:1:1: neither a PGM nor a PNG picture", path));
}

GreyImage picture_of(const TerrainImage& image) {
    const grid::TerrainWeights weights = grid::TerrainWeights::weighted();
    GreyImage picture{image.width, image.height, {}, {}};
    picture.grey.reserve(image.terrain.size());
    for (const std::uint8_t t : image.terrain)
        picture.grey.push_back(weights.weight[t] != 0 ? 254 : 0);
    return picture;
}

TerrainImage terrain_of(const GreyImage& image) {
    TerrainImage terrain{image.width, image.height, {}};
    terrain.terrain.reserve(image.grey.size());
    for (std::size_t i = 0; i < image.grey.size(); ++i) {
        const bool opaque = image.alpha.empty() || image.alpha[i] >= 128;
        terrain.terrain.push_back(opaque && image.grey[i] >= 128 ? '.' : '@');
    }
    return terrain;
}

Result<TerrainImage> load_terrain(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(), lower);
    if (extension == ".map") return read_map(path);
    if (extension == ".pgm" || extension == ".png") return load_picture(path);
    if (extension == ".yaml" || extension == ".yml") return load_occupancy(path);
    return fail(StatusCode::unsupported,
                fmt::format("{}: a map's name must end in .map, .pgm, .png, .yaml or .yml", path));
}

Result<grid::Map> load_terrain_map(const std::string& path, const grid::MapOptions& options) {
    const auto image = load_terrain(path);
    if (!image) return tl::unexpected(image.error());
    auto map = grid::make_map(*image, options);
    if (!map) map.error().message = fmt::format("{}: {}", path, map.error().message);
    return map;
}

}  // namespace cairn::formats
