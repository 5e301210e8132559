#pragma once
// Pictures as maps: PGM and PNG, and terrain from any format by the file's extension, arrays of
// NumPy (cairn/formats/npy.hpp) and maps of Tiled (cairn/formats/tiled.hpp) among them.
//
// Errors name the file and, for text, line and column. All functions are thread-safe and take
// linear time.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/grid/terrain_image.hpp"
#include "cairn/status.hpp"

namespace cairn::formats {

using grid::TerrainImage;

/// A grey picture, row-major, row 0 at the top. `alpha` is empty if the file has no transparency,
/// else it is as long as `grey`, 255 opaque.
struct GreyImage {
    static constexpr std::uint32_t kMaxPixels = 1U << 28;  ///< of any picture that is read or made

    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> grey;
    std::vector<std::uint8_t> alpha;

    friend bool operator==(const GreyImage&, const GreyImage&) = default;
};

/// What the numbers of an array mean.
enum class ArrayCells : std::uint8_t {
    free,       ///< 0 is an obstacle, all others are free
    obstacles,  ///< 0 is free, all others are obstacles, as in occupancy grids
    weights,    ///< 1 to 9 are the weights of cells, as the digits of a map; 0 and below: obstacles
};

/// What is a wall in a map of Tiled: see cairn/formats/tiled.hpp.
struct TiledWalls {
    /// If not empty: the tiles of the tile layers of this name are walls, and all other cells are
    /// free, whatever marks tiles have; their costs and terrains count.
    std::string layer;
    std::string property = "blocked";  ///< a bool property of tiles and layers: true is a wall
    bool empty_is_free = false;        ///< whether a cell without a tile is free
};

/// Limits for pictures, arrays and maps of Tiled that are read, and what their cells mean.
struct PictureLimits {
    /// A picture with more pixels is refused by its header, before memory is taken for them. At
    /// most GreyImage::kMaxPixels; the default is 8,192 x 8,192.
    std::uint32_t max_pixels = 1U << 26;
    ArrayCells cells = ArrayCells::free;
    TiledWalls tiled = {};
};

/// A PGM picture, plain (P2) or raw (P5), with 8 or 16 bits. Values are scaled from 0..maxval to
/// 0..255, rounded to nearest. Comments are accepted wherever blanks are. Memory grows with the
/// bytes, not with the sizes in the header. Errors: corrupt_file; too_large (a side above
/// grid::Map::kMaxSide, or more pixels than the limit).
[[nodiscard]] Result<GreyImage> parse_pgm(std::string_view bytes, std::string_view name,
                                          const PictureLimits& limits = {}) noexcept;

/// A PNG picture of any colour type and depth; grey is the mean of red, green and blue. Takes
/// memory for at most 8,256 pixels for each byte of `bytes`: PNG compresses by a factor of at most
/// 1,032, and a pixel may have one bit. Errors: corrupt_file; too_large (as parse_pgm).
[[nodiscard]] Result<GreyImage> parse_png(std::string_view bytes, std::string_view name,
                                          const PictureLimits& limits = {}) noexcept;

/// The PGM or PNG picture in a file, told apart by its first bytes. Further errors: io_error;
/// too_large (a file of more than 8 bytes for each pixel allowed, and 4,096).
[[nodiscard]] Result<GreyImage> read_image(const std::string& path,
                                           const PictureLimits& limits = {}) noexcept;

/// The picture as raw PGM (P5), 8 bits, without alpha. Errors: bad_option (sides out of range, or
/// vectors of other sizes).
[[nodiscard]] Result<std::string> format_pgm(const GreyImage& image) noexcept;
/// The picture as grey PNG, 8 bits, with alpha if it has any. Errors: bad_option, as format_pgm.
[[nodiscard]] Result<std::string> format_png(const GreyImage& image) noexcept;
/// Writes format_pgm's bytes atomically. Further errors: io_error.
[[nodiscard]] Status write_pgm(const std::string& path, const GreyImage& image) noexcept;
/// Writes format_png's bytes atomically. Further errors: io_error.
[[nodiscard]] Status write_png(const std::string& path, const GreyImage& image) noexcept;

/// A picture with the grey values of map_server: free cells ('.', 'G', 'S' and the digits '1' to
/// '9') are 254, all others 0.
[[nodiscard]] Result<GreyImage> picture_of(const TerrainImage& image) noexcept;
/// Terrain of a picture: '.' for a pixel that is at least half bright and at least half opaque,
/// otherwise '@'.
[[nodiscard]] Result<TerrainImage> terrain_of(const GreyImage& image) noexcept;

/// Terrain from the bytes of a MovingAI map, a PGM or PNG picture, an array of NumPy or a map of
/// Tiled, told apart by the first ones. Errors: those of the format's parser.
[[nodiscard]] Result<TerrainImage> parse_terrain(std::string_view bytes, std::string_view name,
                                                 const PictureLimits& limits = {}) noexcept;

/// Terrain from a file, by its extension in either case: `.map` (MovingAI), `.pgm`, `.png`
/// (terrain_of), `.yaml` or `.yml` (Nav2, unknown cells blocked), `.npy`, `.tmj` or `.tmx` (Tiled);
/// of a name without an extension by its bytes (parse_terrain). A path that contains {x} and {y}
/// stands for the tiles of a map, side by side: "city/{x}-{y}.png" for city/0-0.png, city/1-0.png
/// and so on, as many columns and rows as there are files. The limits are for each tile. Errors:
/// unsupported (another extension; the message lists these); those of the format's reader; for
/// tiles also io_error (one is missing), corrupt_file (a tile has another size than its column and
/// row) and too_large (a side above grid::Map::kMaxSide).
[[nodiscard]] Result<TerrainImage> load_terrain(const std::string& path,
                                                const PictureLimits& limits = {}) noexcept;

/// load_terrain, then grid::make_map. Further errors: those of Map::create, with the file's name.
[[nodiscard]] Result<grid::Map> load_terrain_map(const std::string& path,
                                                 const grid::MapOptions& options = {},
                                                 const PictureLimits& limits = {}) noexcept;

}  // namespace cairn::formats
