#pragma once
// Maps made from a seed, for tests, benchmarks and examples.
//
// The same options give the same bytes on every compiler and machine: randomness is the raw output
// of std::mt19937_64, which the standard defines, or an integer hash of the seed, and all
// arithmetic is on integers. All functions are thread-safe. They take O(cells) time.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cairn/grid/terrain_image.hpp"
#include "cairn/status.hpp"

namespace cairn::grid {

/// The kinds of maps. Each enumerator says what GenerateOptions::size (in cells) and density mean,
/// with range and default in brackets. Letters are MovingAI's: '.' ground, '@' wall, 'T' tree, 'W'
/// water; `terrain` writes digits for weights.
enum class MapKind : std::uint8_t {
    open,    ///< no obstacles; size and density are not used
    random,  ///< each cell an obstacle by chance: density % (0 to 100, 25)
    rooms,   ///< one building of rooms about `size` wide (4 to 1,000, 12), density % of the walls
             ///< with a second door (0 to 100, 30); all rooms are connected
    maze,   ///< corridors `size` wide (1 to 1,000, 1), density % of the remaining walls opened into
            ///< loops (0 to 100, 0); all corridors are connected
    caves,  ///< cellular automaton, features about 8 * `size` wide (1 to 64, 2) from density % of
            ///< rock (0 to 100, 47)
    city,   ///< streets around blocks about `size` wide (8 to 1,000, 26), density % of them plazas
            ///< or parks (0 to 100, 15), and a diagonal avenue
    forest,  ///< trees at most `size` wide (1 to 3, 3) on density % of the ground (0 to 60, 20), in
             ///< thickets
    terrain,  ///< hills of weight '1' to '9' about `size` wide (4 to 4,096, 64), lakes on density %
              ///< of the map (0 to 90, 15); to be read with TerrainWeights::weighted()
};
inline constexpr std::array<MapKind, 8> kMapKinds{MapKind::open,   MapKind::random, MapKind::rooms,
                                                  MapKind::maze,   MapKind::caves,  MapKind::city,
                                                  MapKind::forest, MapKind::terrain};

/// The kind's name as written above.
[[nodiscard]] std::string_view name(MapKind kind) noexcept;
/// The kind of that name; std::nullopt if there is none.
[[nodiscard]] std::optional<MapKind> map_kind(std::string_view name) noexcept;

struct GenerateOptions {
    MapKind kind = MapKind::rooms;
    int width = 256;   ///< cells, 1 to Map::kMaxSide
    int height = 256;  ///< cells, 1 to Map::kMaxSide
    std::uint64_t seed = 1;
    std::optional<int> size;     ///< see MapKind
    std::optional<int> density;  ///< percent; see MapKind
};

/// The map that `options` describe. Errors: bad_option, with the option and its range.
[[nodiscard]] Result<TerrainImage> generate(const GenerateOptions& options) noexcept;

/// Makes each cell of ground ('.' or 'G') a tree ('T') with a probability of `percent` %: the soft
/// obstacles of the HAA* paper's experiments. Errors: bad_option (percent outside 0 to 100).
[[nodiscard]] Status plant_trees(TerrainImage& image, int percent, std::uint64_t seed) noexcept;

/// A map, and a problem on it.
struct ExampleProblem {
    TerrainImage image;
    Point start;
    Point goal;
};

/// A 40 x 40 map that stands in for the HPA* paper's running example (sections 3.1 to 3.5, Figure
/// 1), whose tiles are not published. With four neighbours, 10 x 10 clusters and T = 6 it has the
/// paper's numbers: 1,463 free tiles, 2,714 edges, 66 abstract nodes, 43 inter-edges, 88
/// intra-edges and 12 nodes of level 2; S and G each reach one border node of their cluster, 8
/// steps away. The top-left quarter is a dead end except for its bottom-left corner, and A* expands
/// nearly every tile.
[[nodiscard]] Result<ExampleProblem> worked_example() noexcept;

}  // namespace cairn::grid
