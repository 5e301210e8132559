#pragma once
// Planners measured side by side on one map: the same queries, in one process, every answer
// checked.

#include <algorithm>
#include <cstdint>
#include <functional>
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

/// What one planner did on one map, query by query. Queries without a path are in no figure but
/// `wrong`.
struct PlannerRun {
    std::string planner;
    double build_seconds = 0;  ///< on the given number of threads; 0 for A*
    std::size_t index_bytes = 0;
    std::vector<double> seconds;  ///< least of all rounds
    std::vector<Cost> cost;       ///< of the path delivered
    std::vector<double> error;    ///< cost / optimum - 1
    std::vector<std::uint64_t> expanded;
    std::vector<double> length;  ///< as `cost`; of `astar` alone
    std::string note;            ///< why the index has no labels, though they were asked for
    std::uint64_t unsure = 0;    ///< answers not known to be optimal from their own lower bound
    std::uint64_t wrong = 0;  ///< answers that contradict A*: reachability, an illegal path, a cost
                              ///< below the optimum, or above it by an exact planner
};

struct MeasureOptions {
    int rounds = 3;
    int threads = 1;  ///< for building
    const CancelFlag* cancel = nullptr;
};

/// Of builds.
[[nodiscard]] inline BuildControl control_of(const MeasureOptions& measure) {
    return {{}, measure.cancel, measure.threads};
}

/// Runs all planners, none of them for agents, over all problems. The first must be `astar`: its
/// costs are the optima. Errors: an index that cannot be built; cancelled.
[[nodiscard]] Result<std::vector<PlannerRun>> measure(const grid::Map& map,
                                                      std::span<const Problem> problems,
                                                      std::span<const PlannerSpec> planners,
                                                      const MeasureOptions& options);

/// What reading the clock adds to a time measured, in seconds.
[[nodiscard]] double clock_cost();

/// Something to be asked many times. Only `ask` counts.
struct Questions {
    std::size_t count = 0;
    std::function<void(std::size_t question)> ask;
    std::function<void(std::size_t question)> prepare = {};  ///< may be empty
};

/// The least time of each question over some rounds, one asked between others each time, without
/// the clock's own. Stops early if cancelled.
[[nodiscard]] std::vector<double> least_seconds(const Questions& questions,
                                                const MeasureOptions& options);

/// The planner that answers a problem: where agents move, that of the problem's agent.
using PlannerOf = std::function<GridPlanner&(std::size_t problem)>;

/// The same for problems. With three or more no end is in a planner's cache that caches none.
[[nodiscard]] std::vector<double> least_seconds(const PlannerOf& planner_of,
                                                std::span<const Problem> problems,
                                                const MeasureOptions& options);

/// The same where one planner answers all.
[[nodiscard]] inline std::vector<double> least_seconds(GridPlanner& planner,
                                                       std::span<const Problem> problems,
                                                       const MeasureOptions& options) {
    return least_seconds([&](std::size_t) -> GridPlanner& { return planner; }, problems, options);
}

/// What answers are held against.
struct AnswerChecks {
    bool exact = false;            ///< every cost is the optimum
    std::span<const Cost> optima;  ///< of A*; empty for A* itself
    /// Whether a path can be walked, beyond its moves on the planner's map; may be empty.
    std::function<bool(std::size_t problem, std::span<const grid::Cell> cells)> legal;
};
/// Looks at every answer once and adds it to the run, with its time in `least`.
void check_answers(const PlannerOf& planner_of, std::span<const Problem> problems,
                   std::span<const double> least, const AnswerChecks& checks, PlannerRun& run);

/// The figures of one planner over any number of queries.
struct Summary {
    std::size_t queries = 0;
    double mean_us = 0;
    double median_us = 0;
    double p99_us = 0;
    double mean_error = 0;  ///< of lengths, as a share
    double max_error = 0;
    double mean_expanded = 0;
};
[[nodiscard]] Summary summarise(std::span<const PlannerRun* const> runs);

/// The least time of some builds, and what the last one made.
template <class Build>
auto timed_build(const MeasureOptions& measure, double& build_seconds, Build&& build) {
    for (int round = 1;; ++round) {
        const double start = now();
        auto built = build();
        const double seconds = now() - start;
        build_seconds = round == 1 ? seconds : std::min(build_seconds, seconds);
        if (!built || round >= measure.rounds) return built;
    }
}

/// Indexes of one map; equal options share one.
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
        auto index = timed_build(measure, build_seconds,
                                 [&] { return P::build(map, options, control_of(measure)); });
        if (index) entries_.push_back({options, *index, build_seconds});
        return index;
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
