#pragma once
// Maps of the editor Tiled: .tmj (JSON) and .tmx (XML), with their tilesets .tsj and .tsx.
//
// A cell of the grid is a cell of the map's tile layers, of all of them and of those in groups,
// whether they are visible or not. Object and image layers, the pixel offsets of layers and the
// shapes of tiles are ignored. What stands on a cell is said by custom properties of tiles; those
// of a layer, and of a group, count for its tiles that do not have the property themselves:
//
//   blocked    bool    true: the tile is an obstacle; another name: TiledWalls::property
//   walkable   bool    false: the tile is an obstacle
//   cost       number  weight of the cell, 1 to 9, as the digits of a map; 0 and below: an obstacle
//   terrain    string  ground, trees, swamp or water: '.', 'T', 'S' or 'W', for agents of HAA*
//
// A cell is an obstacle if a tile of any layer is one, or if no layer has a tile there. Among
// several costs and terrains that of the highest layer counts. If tiles are marked by `walkable:
// true` alone, all others are obstacles: a cell is free if one of its tiles is walkable or has a
// cost or terrain. TiledWalls::layer names a layer instead, whose tiles are the walls.
//
// Maps are orthogonal or isometric, finite or infinite, with tile data as numbers, CSV or base64,
// plain or compressed by zlib, gzip or zstd. In staggered and hexagonal maps the neighbours of a
// cell are others than in a grid: they are refused. All functions are thread-safe.

#include <string>
#include <string_view>

#include "cairn/formats/raster.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/terrain_image.hpp"
#include "cairn/status.hpp"

namespace cairn::formats {

/// Terrain in MovingAI letters and the digits '2' to '9'; a cost of 1 is '.'. A digit is costlier
/// terrain with TerrainWeights::weighted(), an obstacle with TerrainWeights::movingai(), the
/// default of MapOptions. Without agents 'T' and 'W' are obstacles.
struct TiledMap {
    TerrainImage terrain;
    /// The cell (0, 0) in the coordinates of Tiled. (0, 0) for finite maps; of an infinite map, the
    /// corner of the smallest rectangle around all chunks.
    grid::Point origin;
};

/// A map from the bytes of a .tmj or .tmx file, told apart by the first ones; `name` stands for the
/// file in messages. `limits.tiled` says what is a wall. Takes memory in proportion to the bytes,
/// to the tile data that they unpack to, and to the cells of the map; the data of all layers has at
/// most limits.max_pixels cells, and so has the map. Errors: corrupt_file; too_large (sides,
/// cells, more than 1,024 tilesets); unsupported (another orientation, another encoding, a cost
/// above 9, no mark of any wall, a tileset in another file); bad_option (no layer of the name).
/// Linear time.
[[nodiscard]] Result<TiledMap> parse_tiled(std::string_view bytes, std::string_view name,
                                           const PictureLimits& limits = {}) noexcept;

/// parse_tiled of a file and the tilesets that it names. Their paths are relative to the map's
/// folder, or absolute, and may lead out of the folder by "..". They must be regular files. Further
/// errors: io_error; too_large (a map of more than 8 bytes for each cell allowed, and 4,096; a
/// tileset of more than 64 MiB).
[[nodiscard]] Result<TiledMap> load_tiled(const std::string& path,
                                          const PictureLimits& limits = {}) noexcept;

}  // namespace cairn::formats
