#pragma once
// How long an edit takes: single cells of a map blocked or freed, each on the index of the map as
// it was loaded.

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/hpa/options.hpp"
#include "command.hpp"

namespace cairn::app {

/// Edits of one map under one set of index options.
struct EditRun {
    std::string set;
    int levels = 1;
    std::vector<double> seconds;  ///< per edit, sorted
};

/// Toggles `count` cells drawn from a seed, half of them free and half blocked as far as the map
/// has both. With tables, without labels. Errors: as Index::build.
[[nodiscard]] Result<EditRun> measure_edits(const grid::Map& map, hpa::Options options, int count,
                                            std::uint64_t seed);

/// One row per set and number of levels: median, 99th percentile and maximum.
[[nodiscard]] std::string format_edits(const std::vector<EditRun>& runs);
/// The same as a list of objects.
[[nodiscard]] Json edits_json(const std::vector<EditRun>& runs);

}  // namespace cairn::app
