#pragma once
// Maps, meshes and problems of experiments.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cairn/grid/map.hpp"
#include "command.hpp"
#include "problems.hpp"

namespace cairn::app {

/// --max-maps, of the group "Input".
void add_max_maps(CLI::App& command, int& most);

/// The map files named, with folders replaced by their .map files in order of name; of a folder at
/// most `most`, spread over it, or all if 0. Errors: io_error (a file or folder that does not
/// exist); bad_option (no file is left).
[[nodiscard]] Result<std::vector<std::filesystem::path>> expand_maps(
    const std::vector<std::string>& inputs, int most);

/// Up to `count` problems spread evenly over a scenario; those with start or goal outside the map
/// are left out.
[[nodiscard]] Result<std::vector<Problem>> scenario_problems(const std::filesystem::path& file,
                                                             const grid::Map& map, int count);

/// The folder `inner` of `data`, or of $CAIRN_DATA if `data` is empty; the outer folder if there is
/// no `inner` in it. Errors: bad_option with `message` if neither is given.
[[nodiscard]] Result<std::filesystem::path> data_folder(const std::string& data,
                                                        const std::filesystem::path& inner,
                                                        const std::string& message);

/// Optimal lengths that scenarios publish, compared with A*'s.
struct PublishedCheck {
    std::size_t compared = 0;
    std::size_t different = 0;  ///< by more than a share of 1e-5, or the rounding of old scenarios
    std::string first;          ///< the first of those
};

/// Compares nothing unless the moves are those of published scenarios: eight neighbours, no cut
/// corners, one terrain.
[[nodiscard]] PublishedCheck check_published(const grid::Map& map,
                                             std::span<const Problem> problems,
                                             std::span<const Cost> costs,
                                             std::span<const double> lengths);

}  // namespace cairn::app
