#pragma once
// What batches on grids came to: per map, per set and overall; as a table, CSV or JSON.

#include <string>
#include <vector>

#include "bench_batch.hpp"
#include "command.hpp"

namespace cairn::app {

struct BatchReport {
    std::string text;
    std::string csv;
    Json json;
    bool wrong = false;  ///< some answer is
};

/// `per_map`: rows for every map too. Times of sets are means over their maps.
[[nodiscard]] BatchReport batch_report(const std::vector<BatchBench>& maps, bool per_map,
                                       const BatchMeasureOptions& options);

}  // namespace cairn::app
