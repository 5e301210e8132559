#pragma once
// Pictures whose colours stand for terrains.
//
// A palette gives each colour its terrain. It is a JSON object whose keys are colours, and whose
// values are terrains by name or number:
//
//     {"#ffffff": "ground", "#228b22": "trees", "#3060c0": 3, "#000000": "obstacle"}
//
// All functions are thread-safe.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "cairn/formats/raster.hpp"
#include "cairn/grid/terrain_image.hpp"
#include "cairn/haa/agent.hpp"
#include "cairn/status.hpp"

namespace cairn::formats {

/// The terrain of a name: "ground", "trees", "swamp" and "water" as in MovingAI maps, or "t0" to
/// "t15". std::nullopt for any other word.
[[nodiscard]] std::optional<haa::Terrain> terrain_named(std::string_view name) noexcept;
/// The shortest such name: "ground" for 0, "t7" for 7. Needs terrain < kMaxTerrains.
[[nodiscard]] std::string terrain_name(haa::Terrain terrain);

/// The terrain that each colour stands for. Keys are colours as 0xrrggbb; values are terrains, 0 to
/// 15, or haa::TerrainKey::kObstacle.
using TerrainPalette = std::unordered_map<std::uint32_t, std::uint8_t>;

/// A palette from JSON text; `name` stands for the file in messages. Errors: corrupt_file, with
/// line and column, or the key at fault (not JSON, another form of JSON, a colour twice, an unknown
/// terrain); too_large (more than 65,536 colours).
[[nodiscard]] Result<TerrainPalette> parse_palette(std::string_view text,
                                                   std::string_view name) noexcept;
/// parse_palette of a file. Further errors: io_error; too_large (more than 4 MiB).
[[nodiscard]] Result<TerrainPalette> load_palette(const std::string& path) noexcept;

/// Terrain from a PNG picture of any colour type and depth. Bytes are terrains, as
/// haa::TerrainKey::literal() reads them. A pixel that is less than half opaque is an obstacle.
/// Errors: corrupt_file (not a PNG picture, or a colour that the palette does not have, with pixel
/// and colour); too_large (as parse_png). Linear time.
[[nodiscard]] Result<grid::TerrainImage> parse_terrain_png(
    std::string_view bytes, std::string_view name, const TerrainPalette& palette,
    const PictureLimits& limits = {}) noexcept;
/// parse_terrain_png of a file. Further errors: io_error; too_large (as read_image).
[[nodiscard]] Result<grid::TerrainImage> load_terrain_png(
    const std::string& path, const TerrainPalette& palette,
    const PictureLimits& limits = {}) noexcept;

}  // namespace cairn::formats
