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
#include "jps_plus/jps_plus.hpp"
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

/// JPS+ with an index and the working memory of one thread, as GridPlanner.
struct JpsPlusPlanner {
    jps_plus::Index index;
    grid::Map map;
    jps_plus::Search search;
    grid::Path path;  ///< of the last query

    StatusCode find(grid::Point start, grid::Point goal) {
        return search.find_path(index, start, goal, path);
    }
    void forget_endpoints() noexcept {}  // it keeps none
};

/// A planner's answer to its last query.
struct Reply {
    Cost cost = kInfinity;
    std::span<const grid::Cell> cells;
    std::uint64_t expanded = 0;
};
[[nodiscard]] inline Reply reply_of(const GridPlanner& planner) {
    const AnswerDetails details = planner.answer.details();
    return {planner.answer.cost(), details.cells, details.expanded()};
}
[[nodiscard]] inline Reply reply_of(const JpsPlusPlanner& planner) {
    return {planner.path.cost, planner.path.cells, planner.path.statistics.expanded};
}

/// The same for problems. planner_of(i) is the planner that answers problem i, a GridPlanner& or a
/// JpsPlusPlanner&; with agents, that of the problem's agent class. No query profits from the start
/// or goal of an earlier one, if problems share none and the planners' searchers cache as few
/// endpoints as they can.
template <class PlannerOf>
[[nodiscard]] std::vector<double> least_seconds(const PlannerOf& planner_of,
                                                std::span<const Problem> problems,
                                                const MeasureOptions& options) {
    // A searcher caches four endpoints or more. With fewer problems it may still have one of the
    // last round.
    constexpr std::size_t kEnough = 3;
    TimedQueries queries;
    queries.count = problems.size();
    queries.run = [&](std::size_t i) { planner_of(i).find(problems[i].start, problems[i].goal); };
    if (problems.size() < kEnough)
        queries.prepare = [&](std::size_t i) { planner_of(i).forget_endpoints(); };
    return least_seconds(queries, options);
}

/// What the answers of a planner must fulfil.
struct AnswerChecks {
    bool exact = false;            ///< every cost must be the optimum
    std::span<const Cost> optima;  ///< A*'s costs; empty for A* itself
    /// A further condition for paths that are legal on the planner's map; may be empty.
    std::function<bool(std::size_t problem, std::span<const grid::Cell> cells)> legal;
};
/// Adds the least time of each query to a run, and checks each answer once. `planner_of`: as for
/// least_seconds. Errors: cancelled.
template <class PlannerOf>
[[nodiscard]] Status measure_queries(const PlannerOf& planner_of, std::span<const Problem> problems,
                                     const AnswerChecks& checks, const MeasureOptions& options,
                                     PlannerRun& run) {
    const std::vector<double> least = least_seconds(planner_of, problems, options);
    if (options.cancelled()) return fail(StatusCode::cancelled).value();
    const std::span<const Cost> optima = checks.optima;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        auto& planner = planner_of(i);
        const grid::Map& map = planner.map;
        const bool found = planner.find(problems[i].start, problems[i].goal) == StatusCode::ok;
        const Reply reply = reply_of(planner);
        const Cost optimum = optima.empty() ? reply.cost : optima[i];
        const bool legal = reply.cells.empty() || !found ||
                           (path_cost(map, reply.cells) == reply.cost &&
                            (!checks.legal || checks.legal(i, reply.cells)));
        const bool possible = reply.cost == optimum || (!checks.exact && reply.cost > optimum);
        if (found != (optimum < kInfinity) || !possible || !legal) ++run.wrong;
        run.cost.push_back(reply.cost);
        if (optima.empty()) run.length.push_back(found ? path_length(map, reply.cells) : 0);
        if (!found) continue;
        run.seconds.push_back(least[i]);
        run.error.push_back(optimum == 0 ? 0.0 : static_cast<double>(reply.cost) / optimum - 1.0);
        run.expanded.push_back(reply.expanded);
    }
    return {};
}

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

/// The least time of each call over all rounds, which make the same calls.
class LeastTimes {
public:
    void start_round() { next_ = 0; }
    void add(double seconds) {
        if (next_ == seconds_.size()) seconds_.push_back(seconds);
        seconds_[next_] = std::min(seconds_[next_], seconds);
        ++next_;
    }
    [[nodiscard]] const std::vector<double>& seconds() const { return seconds_; }

private:
    std::vector<double> seconds_;
    std::size_t next_ = 0;
};

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
