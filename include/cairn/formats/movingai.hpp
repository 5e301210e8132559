#pragma once
// The MovingAI benchmark formats: `.map` grids and `.scen` problem lists.
//
//   N. Sturtevant, "Benchmarks for Grid-Based Pathfinding", IEEE Transactions on Computational
//   Intelligence and AI in Games 4(2), 2012.
//
// Parsers take text and a name that stands for the file in messages; errors say name:line:column.
// Common variants are accepted (CRLF, trailing blanks, blank lines at the end, no final newline).
// Writers write one canonical form, which reads back equal (lengths to eight decimals). All
// functions are thread-safe and take linear time.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/grid/terrain_image.hpp"
#include "cairn/status.hpp"

namespace cairn::formats {

using grid::TerrainImage;

/// The terrain of a map from `.map` text: lines `type octile`, `height H` and `width W` in any
/// order, `map`, then H rows of W printable letters. Memory grows with the text, not with the sizes
/// in the header. Errors: corrupt_file; too_large (a side above grid::Map::kMaxSide).
[[nodiscard]] Result<TerrainImage> parse_map(std::string_view text, std::string_view name) noexcept;

/// parse_map of a file. Further errors: io_error; too_large (longer than the largest map).
[[nodiscard]] Result<TerrainImage> read_map(const std::string& path) noexcept;

/// read_map, then grid::make_map. Further errors: those of Map::create, with the file's name.
[[nodiscard]] Result<grid::Map> load_map(const std::string& path,
                                         const grid::MapOptions& options = {}) noexcept;

/// `.map` text with newlines as line ends. Errors: bad_option (sides outside 1..kMaxSide, a terrain
/// vector of another size, or a terrain byte that is not a printable letter).
[[nodiscard]] Result<std::string> format_map(const TerrainImage& image) noexcept;

/// Writes format_map's text atomically. Further errors: io_error.
[[nodiscard]] Status write_map(const std::string& path, const TerrainImage& image) noexcept;

/// One line of a `.scen` file.
struct ScenarioProblem {
    std::int32_t bucket = 0;     ///< a group of problems of similar length
    std::string map;             ///< the map's file as the scenario names it
    std::int32_t map_width = 0;  ///< the size that start and goal refer to
    std::int32_t map_height = 0;
    grid::Point start;
    grid::Point goal;
    double optimal_length = 0.0;  ///< in cells, diagonal steps sqrt 2; finite, not negative

    friend bool operator==(const ScenarioProblem&, const ScenarioProblem&) = default;
};

/// The problems of a file, in order.
struct Scenario {
    std::vector<ScenarioProblem> problems;

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

/// Problems from `.scen` text: a line `version 1` (or `1.0`), then one problem in each line, with
/// nine fields separated by single tabs (the map's name may then contain spaces) or by blanks.
/// Whether the points lie on the map is checked by queries, not here. Errors: corrupt_file,
/// wrong_version.
[[nodiscard]] Result<Scenario> parse_scenario(std::string_view text,
                                              std::string_view name) noexcept;

/// parse_scenario of a file. Further errors: io_error; too_large (more than 1 GiB).
[[nodiscard]] Result<Scenario> load_scenario(const std::string& path) noexcept;

/// `.scen` text: `version 1`, tabs, newlines, lengths with eight decimals. Errors: bad_option (a
/// number or a map name that parse_scenario would refuse; such names are empty, begin or end with a
/// blank, or contain a control character).
[[nodiscard]] Result<std::string> format_scenario(const Scenario& scenario) noexcept;

/// Writes format_scenario's text atomically. Further errors: io_error.
[[nodiscard]] Status write_scenario(const std::string& path, const Scenario& scenario) noexcept;

}  // namespace cairn::formats
