#pragma once
// Maps of the ROS map_server and Nav2: a YAML file that names a picture and gives its grey values a
// meaning. All functions are thread-safe.

#include <cstdint>
#include <string>
#include <string_view>

#include "cairn/formats/raster.hpp"
#include "cairn/grid/terrain_image.hpp"
#include "cairn/status.hpp"

namespace cairn::formats {

/// A point of the world, in metres.
struct WorldPoint {
    double x = 0.0;
    double y = 0.0;
    friend bool operator==(const WorldPoint&, const WorldPoint&) = default;
};

/// The position of a picture in the world. The world's y grows upwards, while rows are counted
/// downwards. The picture is turned by `yaw` about its lower-left corner.
struct GeoReference {
    double resolution = 1.0;  ///< side of a cell in metres, > 0
    WorldPoint origin;        ///< the lower-left corner of the lower-left cell
    double yaw = 0.0;         ///< radians, counterclockwise
    int height = 0;           ///< rows of the picture

    /// The cell that contains `p`; outside the map if p is. Coordinates beyond the range of int32
    /// are clamped to it, and NaN gives the lowest value. O(1).
    [[nodiscard]] grid::Point to_cell(WorldPoint p) const noexcept;
    /// The centre of a cell.
    [[nodiscard]] WorldPoint to_world(grid::Point cell) const noexcept;

    friend bool operator==(const GeoReference&, const GeoReference&) = default;
};

/// How grey values become occupancy, as in Nav2's map_server. A pixel has the occupancy
/// p = (255 - grey) / 255, or grey / 255 with OccupancyYaml::negate.
enum class OccupancyMode : std::uint8_t {
    trinary,  ///< occupied if p > occupied_thresh, free if p < free_thresh, otherwise unknown;
              ///< alpha counts as one more colour channel of the grey value
    scale,    ///< the same, but 1 to 99 % occupied between the thresholds; pixels that are not
              ///< opaque are unknown
    raw,      ///< the grey value is the occupancy in percent; above 100 is unknown
};

/// The contents of a map's YAML file.
struct OccupancyYaml {
    std::string image;         ///< the picture's path; see load_occupancy_map
    double resolution = 0.05;  ///< metres a cell
    WorldPoint origin;         ///< as in GeoReference
    double yaw = 0.0;          ///< as in GeoReference
    bool negate = false;       ///< white is occupied, not black
    double occupied_thresh = 0.65;
    double free_thresh = 0.25;
    OccupancyMode mode = OccupancyMode::trinary;

    friend bool operator==(const OccupancyYaml&, const OccupancyYaml&) = default;
};

/// How a map is read.
struct OccupancyOptions {
    bool unknown_is_free = false;  ///< otherwise unknown cells are obstacles
    PictureLimits limits = {};
};

/// Terrain and its position. '.' is free, '@' occupied; unknown cells are '@', or '.' with
/// OccupancyOptions::unknown_is_free. A partly occupied cell (modes scale and raw) is a digit from
/// '1' to '9' that grows with its occupancy: costlier terrain with TerrainWeights::weighted(), an
/// obstacle with TerrainWeights::movingai().
struct OccupancyMap {
    TerrainImage terrain;
    GeoReference geo;
};

/// Parses YAML text. As in Nav2, all keys except `mode` are required; unknown keys are ignored.
/// `name` stands for the file in messages. Errors: corrupt_file (with line and column); too_large
/// (a text of more than 64 KiB).
[[nodiscard]] Result<OccupancyYaml> parse_occupancy_yaml(std::string_view text,
                                                         std::string_view name) noexcept;

/// The terrain of a picture by the rules of `yaml`. Needs image.grey of width * height values, and
/// image.alpha of as many or none. Linear time.
[[nodiscard]] Result<TerrainImage> occupancy_terrain(const GreyImage& image,
                                                     const OccupancyYaml& yaml,
                                                     const OccupancyOptions& options = {}) noexcept;

/// Loads a YAML file and its picture. As in map_server, the picture's path is relative to the YAML
/// file's folder, or absolute, and may lead out of the folder by "..". It must be a regular file:
/// no pipe or device is read. Errors: those of parse_occupancy_yaml and read_image.
[[nodiscard]] Result<OccupancyMap> load_occupancy_map(
    const std::string& path, const OccupancyOptions& options = {}) noexcept;

/// YAML text that reads back equal. Errors: bad_option (a value that the reader would refuse).
[[nodiscard]] Result<std::string> format_occupancy_yaml(const OccupancyYaml& yaml) noexcept;

/// Writes the YAML file `path` and, beside it, its picture (picture_of) with the extension .pgm.
/// Errors: bad_option (as format_occupancy_yaml and format_pgm); io_error.
[[nodiscard]] Status write_occupancy_map(const std::string& path, const OccupancyMap& map) noexcept;

}  // namespace cairn::formats
