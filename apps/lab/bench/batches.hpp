#pragma once
// cairn-lab bench --agents: planners find the paths of the same crowds by a loop of single queries,
// by batches on one thread, and by batches on all threads. Every answer of a batch is compared with
// the loop's; the answers of a sample are also compared with A*'s.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "bench/agents.hpp"
#include "bench/measurement.hpp"
#include "bench/planners.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/grid/map.hpp"
#include "lab.hpp"

namespace cairn::app {

/// The options of the group "Many agents".
struct BatchFlags {
    int agents = 0;                ///< 0: no crowds
    int sample = 500;              ///< most agents whose answers are compared with A*'s
    double most_seconds = 2;       ///< for each row: all rounds and methods together
    std::uint64_t chunk_mb = 256;  ///< paths of a batch take about this many MiB
    std::optional<batch::DeviceKind> device{};  ///< a device to measure as well

    void add_to(CLI::App& command);
};

/// Options of the measurement of crowds.
struct BatchMeasureOptions {
    BatchFlags flags;
    std::uint64_t seed = 1;
    MeasureOptions measure;
    std::function<void(double)> progress{};  ///< gets the share of a map's rows that are done
    std::optional<batch::Device> device{};   ///< measured as well; not with agent classes
};

/// Measures random solvable requests on a map. Adds a row to the sheet "batches" for each planner,
/// kind of goals and form of answer, which begins with `key`. The first planner must be `astar`.
/// Slow planners serve only as many agents as fit in `most_seconds`. Errors: no_path (no two cells
/// are connected); bad_option (a planner without batches); those of builds and batches; cancelled
/// (the rows measured until then are kept).
[[nodiscard]] Status measure_batches(const grid::Map& map, std::span<const PlannerSpec> planners,
                                     const BatchMeasureOptions& options, const Row& key,
                                     Sheets& sheets);
/// The same for agents of all classes in turn; the first planner must be `aa`.
[[nodiscard]] Status measure_batches(const haa::AnnotatedMap& map,
                                     std::span<const PlannerSpec> planners,
                                     const BatchMeasureOptions& options, const Row& key,
                                     Sheets& sheets);

}  // namespace cairn::app
