#pragma once
// `cairn bench --agents` over maps: what each came to is shown as soon as it is there.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench_batch.hpp"
#include "command.hpp"

namespace cairn::app {

struct BatchOutput {
    bool per_map = false;  ///< rows of every map too
    std::string csv;       ///< a file for all rows, none if empty
};

/// Measures a map, and names it and its set.
using MeasureBatches =
    std::function<Result<BatchBench>(const std::filesystem::path&, const BatchMeasureOptions&)>;

/// Measures maps, until Ctrl-C. With `per_map` a map's table is printed, and the file written anew,
/// when it is there. Errors: no_device; the first of a map; io_error (the file).
[[nodiscard]] Outcome bench_batches(const std::vector<std::filesystem::path>& files,
                                    const MeasureBatches& measure, BatchMeasureOptions options,
                                    const BatchOutput& output, Context& context);

}  // namespace cairn::app
