#include "measurement.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>

#include "cairn/grid/jps.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/subgoal/index.hpp"

namespace cairn::app {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Looks at every answer once.
void check_all(AnyPlanner& planner, const PlannerSpec& spec, std::span<const BenchProblem> problems,
               std::span<const double> least, std::span<const Cost> optima, PlannerRun& run) {
    const grid::Map& map = planner.map();
    for (std::size_t i = 0; i < problems.size(); ++i) {
        planner.ask(problems[i].start, problems[i].goal);
        const Reply reply = planner.reply();
        const bool found = reply.status == StatusCode::ok;
        const Cost optimum = optima.empty() ? reply.cost : optima[i];
        const bool legal =
            reply.cells.empty() || !found || path_cost(map, reply.cells) == reply.cost;
        const bool possible = reply.cost == optimum || (!spec.exact() && reply.cost > optimum);
        if (found != (optimum < kInfinity) || !possible || !legal) ++run.wrong;
        run.cost.push_back(reply.cost);
        if (optima.empty()) run.length.push_back(found ? path_length(map, reply.cells) : 0);
        if (!found) continue;
        run.seconds.push_back(least[i]);
        run.error.push_back(optimum == 0 ? 0.0 : static_cast<double>(reply.cost) / optimum - 1.0);
        run.expanded.push_back(reply.expanded());
        run.unsure += reply.lower_bound < reply.cost ? 1 : 0;
    }
}

/// The least time of some builds, and what the last one made.
template <class Build>
auto timed_build(const MeasureOptions& measure, double& build_seconds, Build&& build) {
    for (int round = 1;; ++round) {
        const auto start = Clock::now();
        auto built = build();
        const double seconds = since(start);
        build_seconds = round == 1 ? seconds : std::min(build_seconds, seconds);
        if (!built || round >= measure.rounds) return built;
    }
}

/// Indexes built for the specs of one map; specs with equal options share one.
template <class Index, class Options>
class IndexShelf {
public:
    Result<Index> get(const grid::Map& map, const Options& options, const MeasureOptions& measure,
                      double& build_seconds) {
        for (const Entry& entry : entries_) {
            if (entry.index.options() == options) {
                build_seconds = entry.seconds;
                return entry.index;
            }
        }
        BuildControl control;
        control.threads = measure.threads;
        control.cancel = measure.cancel;
        auto index = timed_build(measure, build_seconds,
                                 [&] { return Index::build(map, options, control); });
        if (index) entries_.push_back({*index, build_seconds});
        return index;
    }

private:
    struct Entry {
        Index index;
        double seconds;
    };
    std::vector<Entry> entries_;
};

/// Makes the planners of one map, with what they are built on.
class PlannerShelf {
public:
    PlannerShelf(const grid::Map& map, const MeasureOptions& measure)
        : map_(map), measure_(measure) {}

    Result<std::unique_ptr<AnyPlanner>> get(const PlannerSpec& spec, PlannerRun& run) {
        switch (spec.kind) {
            case PlannerSpec::Kind::grid:
                return make_planner(map_, {spec.open, false}, {});
            case PlannerSpec::Kind::jps: {
                auto bits = timed_build(measure_, run.build_seconds,
                                        [&] { return grid::JpsMap::create(map_); });
                if (!bits) return tl::unexpected(std::move(bits.error()));
                run.index_bytes = bits->bytes();
                return make_planner(*bits, {}, {});
            }
            case PlannerSpec::Kind::hpa:
                return made(hpa_.get(map_, spec.index, measure_, run.build_seconds), spec.query,
                            run);
            case PlannerSpec::Kind::subgoal:
                break;
        }
        return made(subgoal_.get(map_, spec.subgoal_index, measure_, run.build_seconds),
                    spec.subgoal_query, run);
    }

private:
    template <class Index, class Query>
    static Result<std::unique_ptr<AnyPlanner>> made(Result<Index> index, const Query& query,
                                                    PlannerRun& run) {
        if (!index) return tl::unexpected(std::move(index.error()));
        run.index_bytes = index->statistics().bytes();
        if (index->options().labels && !index->has_labels())
            run.note = index->labels_status().message;
        return make_planner(*index, query);
    }

    const grid::Map& map_;
    const MeasureOptions& measure_;
    IndexShelf<hpa::Index, hpa::Options> hpa_;
    IndexShelf<subgoal::Index, subgoal::Options> subgoal_;
};

}  // namespace

double clock_cost() {
    static const double cost = [] {
        constexpr int kTries = 10'000;
        double least = 1;
        for (int i = 0; i < kTries; ++i) least = std::min(least, since(Clock::now()));
        return least;
    }();
    return cost;
}

std::vector<double> least_seconds(AnyPlanner& planner, std::span<const BenchProblem> problems,
                                  const MeasureOptions& options) {
    constexpr std::size_t kEnough = 3;
    constexpr double kLeast = 1e-9;
    std::vector<double> least(problems.size(), std::numeric_limits<double>::infinity());
    for (int round = 0; round < options.rounds; ++round) {
        for (std::size_t i = 0; i < problems.size(); ++i) {
            if (options.cancel != nullptr && options.cancel->cancelled()) return least;
            if (problems.size() < kEnough) forget_ends(planner);
            const auto start = Clock::now();
            planner.ask(problems[i].start, problems[i].goal);
            least[i] = std::min(least[i], since(start));
        }
    }
    for (double& seconds : least) seconds = std::max(seconds - clock_cost(), kLeast);
    return least;
}

Result<std::vector<PlannerRun>> measure(const grid::Map& map,
                                        std::span<const BenchProblem> problems,
                                        std::span<const PlannerSpec> planners,
                                        const MeasureOptions& options) {
    std::vector<PlannerRun> runs;
    PlannerShelf shelf(map, options);
    for (const PlannerSpec& spec : planners) {
        PlannerRun run;
        run.planner = spec.name;
        const std::span<const Cost> optima =
            runs.empty() ? std::span<const Cost>{} : runs.front().cost;
        auto planner = shelf.get(spec, run);
        if (!planner) return tl::unexpected(std::move(planner.error()));
        const std::vector<double> least = least_seconds(**planner, problems, options);
        check_all(**planner, spec, problems, least, optima, run);
        if (options.cancel != nullptr && options.cancel->cancelled())
            return fail(StatusCode::cancelled);
        runs.push_back(std::move(run));
    }
    return runs;
}

Summary summarise(std::span<const PlannerRun* const> runs) {
    std::vector<double> us;
    Summary s;
    for (const PlannerRun* run : runs) {
        for (std::size_t i = 0; i < run->seconds.size(); ++i) {
            us.push_back(1e6 * run->seconds[i]);
            s.mean_error += run->error[i];
            s.max_error = std::max(s.max_error, run->error[i]);
            s.mean_expanded += static_cast<double>(run->expanded[i]);
        }
    }
    s.queries = us.size();
    if (us.empty()) return s;
    const auto n = static_cast<double>(us.size());
    std::sort(us.begin(), us.end());
    s.mean_us = std::accumulate(us.begin(), us.end(), 0.0) / n;
    s.median_us = us[us.size() / 2];
    s.p99_us = us[us.size() * 99 / 100];
    s.mean_error /= n;
    s.mean_expanded /= n;
    return s;
}

}  // namespace cairn::app
