#pragma once
// Planners measured side by side on one map, on the same queries, with every answer checked; and
// the clock and the statistics of all measurements.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/planners.hpp"
#include "cairn/control.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/status.hpp"
#include "command.hpp"
#include "options/planner.hpp"
#include "problems.hpp"

namespace cairn::app {

/// The figures of one planner on one map, query by query. `cost` and `length` have a value for
/// every query, the other lists only for queries with a path.
struct PlannerRun {
    std::string planner;
    double build_seconds = 0;  ///< on the given number of threads; 0 for A*
    std::size_t index_bytes = 0;
    std::vector<double> seconds;  ///< least of all rounds
    std::vector<Cost> cost;       ///< of the path; kInfinity if there is none
    std::vector<double> error;    ///< cost / optimum - 1
    std::vector<std::uint64_t> expanded;
    std::vector<double> length;  ///< of the path; only of the baseline and on meshes
    std::string note;            ///< why the index has no labels, though its options have them
    std::uint64_t wrong = 0;  ///< answers that contradict A*: reachability, an illegal path, a cost
                              ///< below the optimum, or above it by an exact planner
};

/// How planners and experiments are measured.
struct MeasureOptions {
    int rounds = 3;   ///< runs of each query, of which the least time counts
    int threads = 1;  ///< of builds and batches; 0: one per processor
    const CancelFlag* cancel = nullptr;
    std::function<void()> step{};  ///< called after each part of an experiment

    [[nodiscard]] bool cancelled() const noexcept {
        return cancel != nullptr && cancel->cancelled();
    }
    /// The control of builds and batches.
    [[nodiscard]] BuildControl control() const { return {{}, cancel, threads}; }
};

/// Runs all planners, none of which may be for agents, over all problems. The first must be
/// `astar`: its costs are the optima. Errors: an index that cannot be built; cancelled.
[[nodiscard]] Result<std::vector<PlannerRun>> measure(const grid::Map& map,
                                                      std::span<const Problem> problems,
                                                      std::span<const PlannerSpec> planners,
                                                      const MeasureOptions& options);

/// Queries to run many times. Only `run` is timed.
struct TimedQueries {
    std::size_t count = 0;
    std::function<void(std::size_t query)> run;
    std::function<void(std::size_t query)> prepare = {};  ///< called before `run`; may be empty
};

/// The least time of each query, less the time of reading the clock. A round runs all queries in
/// turn. Stops early if cancelled.
[[nodiscard]] std::vector<double> least_seconds(const TimedQueries& queries,
                                                const MeasureOptions& options);

/// The planner that answers a problem; with agents, the planner of the problem's agent class.
using PlannerOf = std::function<GridPlanner&(std::size_t problem)>;

/// The same for problems. No query profits from the start or goal of an earlier one, if problems
/// share none and the planners' searchers cache as few endpoints as they can.
[[nodiscard]] std::vector<double> least_seconds(const PlannerOf& planner_of,
                                                std::span<const Problem> problems,
                                                const MeasureOptions& options);

/// What the answers of a planner must fulfil.
struct AnswerChecks {
    bool exact = false;            ///< every cost must be the optimum
    std::span<const Cost> optima;  ///< A*'s costs; empty for A* itself
    /// A further condition for paths that are legal on the planner's map; may be empty.
    std::function<bool(std::size_t problem, std::span<const grid::Cell> cells)> legal;
};
/// Adds the least time of each query to a run, and checks each answer once. Errors: cancelled.
[[nodiscard]] Status measure_queries(const PlannerOf& planner_of, std::span<const Problem> problems,
                                     const AnswerChecks& checks, const MeasureOptions& options,
                                     PlannerRun& run);

/// The figures of one planner over any number of queries.
struct Summary {
    std::size_t queries = 0;
    double mean_us = 0;
    double median_us = 0;
    double p99_us = 0;
    double mean_error = 0;  ///< cost / optimum - 1
    double max_error = 0;
    double mean_expanded = 0;
};
[[nodiscard]] Summary summarise(std::span<const PlannerRun* const> runs);
[[nodiscard]] inline Summary summarise(const PlannerRun& run) {
    const PlannerRun* one[] = {&run};
    return summarise(one);
}

[[nodiscard]] double sum(std::span<const double> values);
/// 0 if there are no values.
[[nodiscard]] double mean(std::span<const double> values);
/// The value that `percent` percent of the values (0 to 100) do not exceed; 0 if there are none.
[[nodiscard]] double percentile(std::vector<double> values, std::size_t percent);

/// The least seconds of `run` over all rounds. `run` returns a Status. Errors: those of `run`;
/// cancelled.
template <class Run>
[[nodiscard]] Result<double> least_of_rounds(const MeasureOptions& options, const Run& run) {
    Status status;
    const double seconds = least_time(options.rounds, [&] {
        if (status.ok() && !options.cancelled()) status = run();
    });
    if (status.ok() && options.cancelled()) return fail(StatusCode::cancelled);
    if (!status.ok()) return tl::unexpected(std::move(status));
    return seconds;
}

/// Indexes of one map. Equal options share an index. Build times are the least of all rounds.
template <class P>
class IndexCache {
public:
    using Index = typename P::Index;

    Result<Index> get(const typename P::Map& map, const typename P::Options& options,
                      const MeasureOptions& measure, double& build_seconds) {
        for (const Entry& entry : entries_) {
            if (entry.options == options) {
                build_seconds = entry.seconds;
                return entry.index;
            }
        }
        std::optional<Result<Index>> built;
        build_seconds = least_time(
            measure.rounds, [&] { built.reset(); },
            [&] { built = P::build(map, options, measure.control()); });
        if (*built) entries_.push_back({options, **built, build_seconds});
        return *std::move(built);
    }

private:
    struct Entry {
        typename P::Options options;
        Index index;
        double seconds;
    };
    std::vector<Entry> entries_;
};

}  // namespace cairn::app
