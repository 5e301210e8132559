#pragma once
// Where benchmarks get their maps and problems from.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cairn/grid/map.hpp"
#include "command.hpp"
#include "measurement.hpp"

namespace cairn::app {

/// --max-maps, of the group "Input".
void add_max_maps(CLI::App& command, int& most);

/// The map files named, folders replaced by their .map files in order of name; of a folder at most
/// `most`, spread over it, unless that is 0. Errors: io_error for what does not exist; bad_option
/// where nothing is left.
[[nodiscard]] Result<std::vector<std::filesystem::path>> expand_maps(
    const std::vector<std::string>& inputs, int most);

/// Up to `count` problems spread evenly over a scenario; those with an end outside the map are left
/// out.
[[nodiscard]] Result<std::vector<BenchProblem>> scenario_problems(const std::filesystem::path& file,
                                                                  const grid::Map& map, int count);

/// `count` pairs of different cells, uniform over the free cells but for pairs that no path
/// connects, which are drawn anew. The same for a seed everywhere. Errors: no_path if no two cells
/// are connected.
[[nodiscard]] Result<std::vector<BenchProblem>> random_problems(const grid::Map& map, int count,
                                                                std::uint64_t seed);

}  // namespace cairn::app
