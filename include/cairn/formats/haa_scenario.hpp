#pragma once
// The scenario format of the HAA* paper's experiments: problems for agents of a size and a
// capability.
//
// D. Harabor, A. Botea, "Hierarchical Path Planning for Multi-Size Agents in Heterogeneous
// Environments", CIG 2008. The files are those of the author's program; no other program is known
// to write them. As with MovingAI's formats, errors say name:line:column, common variants are
// accepted (CRLF, blanks instead of tabs, blank lines), and one canonical form is written. All
// functions are thread-safe and take linear time.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/grid/moves.hpp"
#include "cairn/haa/agent.hpp"
#include "cairn/status.hpp"

namespace cairn::formats {

/// One line of the file.
struct HaaProblem {
    std::string map;  ///< the map's file as the scenario names it
    grid::Point start;
    grid::Point goal;
    haa::TerrainSet terrains = 0;  ///< what the agent can stand on: ground, trees or both
    std::int32_t size = 1;         ///< 1 to 255
    /// The result of the author's program: in the known files the number of cells of the path,
    /// including start and goal, not its cost. Finite, not negative.
    double distance = 0.0;

    friend bool operator==(const HaaProblem&, const HaaProblem&) = default;
};

/// The problems of a file, in order.
struct HaaScenario {
    std::vector<HaaProblem> problems;

    friend bool operator==(const HaaScenario&, const HaaScenario&) = default;
};

/// Problems from text: a line `2`, the version, then one problem in each line. Its eight fields are
/// separated by single tabs (the map's name may then contain spaces) or by blanks: map, start x and
/// y, goal x and y, capability (4 ground, 64 trees, 68 both), agent size, distance. Whether the
/// points lie on the map is checked by queries, not here. `name` stands for the file in messages.
/// Errors: corrupt_file, wrong_version.
[[nodiscard]] Result<HaaScenario> parse_haa_scenario(std::string_view text,
                                                     std::string_view name) noexcept;

/// parse_haa_scenario of a file. Further errors: io_error; too_large (more than 1 GiB).
[[nodiscard]] Result<HaaScenario> load_haa_scenario(const std::string& path) noexcept;

/// The canonical text: tabs, newlines, distances with the fewest digits that read back equal.
/// Errors: bad_option (values that could not be read back: other terrains, a number out of range,
/// or a map name that is empty, begins or ends with a blank, or contains a control character).
[[nodiscard]] Result<std::string> format_haa_scenario(const HaaScenario& scenario) noexcept;

/// Writes format_haa_scenario's text atomically. Further errors: io_error.
[[nodiscard]] Status write_haa_scenario(const std::string& path,
                                        const HaaScenario& scenario) noexcept;

}  // namespace cairn::formats
