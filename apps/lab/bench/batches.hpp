#pragma once
// Many agents at once on grids: planners serve the same crowds by a loop of single queries, by
// batches on one thread, and by batches on all. Every answer of a batch is compared with the
// loop's, those of a sample with A*'s.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/agents.hpp"
#include "bench/batch_planners.hpp"
#include "bench/planners.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/control.hpp"
#include "cairn/grid/map.hpp"
#include "lab.hpp"

namespace cairn::app {

/// The group "Many agents".
struct BatchFlags {
    int agents = 0;           ///< 0: no crowds
    int sample = 500;         ///< most agents that A* also serves
    double most_seconds = 2;  ///< for each row, all rounds and methods
    std::uint64_t chunk_mb = 256;
    std::optional<batch::DeviceKind> device{};  ///< also serves the crowds

    void add_to(CLI::App& command);
};

/// Options of the measurement of crowds.
struct BatchMeasureOptions {
    BatchFlags flags;
    std::uint64_t seed = 1;
    int rounds = 3;
    int threads = 0;  ///< for "all threads"; 0 means one per processor
    const CancelFlag* cancel = nullptr;
    std::function<void(double)> progress;   ///< gets the share of a map's rows that are done
    std::optional<batch::Device> device{};  ///< also serves the crowds; not with agent classes
};

/// Seconds of a frame at 25 and at 60 a second.
inline constexpr std::array kFrames{0.040, 1.0 / 60};

/// One planner, one crowd and one form of answer on one map.
struct BatchRun {
    std::string planner;
    bool shared = false;  ///< a hundred agents share a goal; else each has its own
    PathForm form = PathForm::cells;
    std::size_t agents = 0;         ///< that were served
    std::size_t chunk = 0;          ///< most agents of one batch
    std::uint64_t chunk_bytes = 0;  ///< of the largest batch, as batch::Options counts
    double loop_us = 0;             ///< an agent, one query after another
    double one_thread_us = 0;       ///< an agent, in batches on one thread
    double threads_us = 0;          ///< an agent, in batches on all threads
    std::array<double, kFrames.size()> in_frame{};  ///< agents whose batch takes one of kFrames
    std::uint64_t wrong = 0;            ///< answers that differ from the loop's or contradict A*
    std::optional<DeviceRun> device{};  ///< if one was used
    std::string note;                   ///< of planners without labels, or not on the device
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
