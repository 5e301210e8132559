#pragma once
// What batches on grids came to: per map, per set and overall; as a table, CSV or JSON.

#include <string>
#include <vector>

#include "bench_batch.hpp"
#include "command.hpp"

namespace cairn::app {

struct BatchReport {
    std::string text;  ///< without the maps' rows that map_text() gives
    std::string csv;
    Json json;
    bool wrong = false;    ///< some answer is
    bool stopped = false;  ///< not all maps are there, or not all of one
};

/// A map's rows.
[[nodiscard]] std::string map_text(const BatchBench& map);

/// Of the first maps among so many. `per_map`: rows for every map too, which map_text() has shown.
/// Times of sets are means over their maps, without one that was stopped, whose rows come last.
[[nodiscard]] BatchReport batch_report(const std::vector<BatchBench>& maps, std::size_t among,
                                       bool per_map, const BatchMeasureOptions& options);

}  // namespace cairn::app
