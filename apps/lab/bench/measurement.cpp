#include "bench/measurement.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "cairn/grid/jps.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/subgoal/index.hpp"

namespace cairn::app {

namespace {

/// The seconds that reading the clock adds to a measured time.
double clock_cost() {
    static const double cost = [] {
        constexpr int kTries = 10'000;
        double least = 1;
        for (int i = 0; i < kTries; ++i) {
            const double start = now();
            least = std::min(least, now() - start);
        }
        return least;
    }();
    return cost;
}

/// Makes the planners of one map, with their indexes.
class Planners {
public:
    Planners(const grid::Map& map, const MeasureOptions& measure) : map_(map), measure_(measure) {}

    Result<JpsPlusPlanner> jps_plus(const PlannerSpec& spec, PlannerRun& run) {
        using P = jps_plus::Planner;
        const auto options = spec.options_of<P>();
        MeasureOptions once = measure_;
        if (options.goal_bounds) once.rounds = 1;  // it takes seconds to minutes
        auto index = jps_plus_.get(map_, options, once, run.build_seconds);
        if (!index) return tl::unexpected(std::move(index.error()));
        run.index_bytes = index->bytes();
        return JpsPlusPlanner{*std::move(index), map_, {}, {}};
    }

    Result<GridPlanner> get(const PlannerSpec& spec, PlannerRun& run) {
        if (spec.is<hpa::Planner>()) return get(hpa_, spec, run);
        if (spec.is<subgoal::Planner>()) return get(subgoal_, spec, run);
        if (spec.is<grid::JpsPlanner>()) return get(jps_, spec, run);
        if (spec.is<grid::AstarPlanner>() && !spec.for_agents)
            return grid_planner<grid::AstarPlanner>(map_, spec.query_of<grid::AstarPlanner>(),
                                                    map_);
        return fail(StatusCode::unsupported,
                    std::string(spec.name) + " is for agents: see measure_agents");
    }

private:
    template <class P>
    Result<GridPlanner> get(IndexCache<P>& indexes, const PlannerSpec& spec, PlannerRun& run) {
        const auto index = indexes.get(map_, spec.options_of<P>(), measure_, run.build_seconds);
        if (!index) return tl::unexpected(index.error());
        if constexpr (IndexedPlanner<P>) {
            run.index_bytes = index->statistics().value().bytes();
            if (index->options().labels && !index->has_labels())
                run.note = index->labels_status().message;
        } else {
            run.index_bytes = index->bytes();
        }
        return grid_planner<P>(*index, spec.query_of<P>(), map_);
    }

    const grid::Map& map_;
    const MeasureOptions& measure_;
    IndexCache<hpa::Planner> hpa_;
    IndexCache<subgoal::Planner> subgoal_;
    IndexCache<grid::JpsPlanner> jps_;
    IndexCache<jps_plus::Planner> jps_plus_;
};

}  // namespace

std::vector<double> least_seconds(const TimedQueries& queries, const MeasureOptions& options) {
    constexpr double kLeast = 1e-9;  // ratios need a time above 0
    std::vector<double> least(queries.count, std::numeric_limits<double>::infinity());
    for (int round = 0; round < options.rounds; ++round) {
        for (std::size_t i = 0; i < queries.count; ++i) {
            if (options.cancelled()) return least;
            if (queries.prepare) queries.prepare(i);
            const double start = now();
            queries.run(i);
            least[i] = std::min(least[i], now() - start);
        }
    }
    for (double& seconds : least) seconds = std::max(seconds - clock_cost(), kLeast);
    return least;
}

Result<std::vector<PlannerRun>> measure(const grid::Map& map, std::span<const Problem> problems,
                                        std::span<const PlannerSpec> planners,
                                        const MeasureOptions& options) {
    std::vector<PlannerRun> runs;
    Planners made(map, options);
    for (const PlannerSpec& spec : planners) {
        PlannerRun run;
        run.planner = spec.name;
        const std::span<const Cost> optima =
            runs.empty() ? std::span<const Cost>{} : runs.front().cost;
        const auto measure_with = [&](auto planner) -> Status {
            if (!planner) return std::move(planner.error());
            return measure_queries(
                [&](std::size_t) -> auto& { return *planner; }, problems,
                {spec.exact(), optima, {}}, options, run);
        };
        Status measured = spec.is<jps_plus::Planner>() ? measure_with(made.jps_plus(spec, run))
                                                       : measure_with(made.get(spec, run));
        if (!measured.ok()) return tl::unexpected(std::move(measured));
        runs.push_back(std::move(run));
    }
    return runs;
}

Summary summarise(std::span<const PlannerRun* const> runs) {
    std::vector<double> us;
    std::vector<double> error;
    std::vector<double> expanded;
    for (const PlannerRun* run : runs) {
        for (const double seconds : run->seconds) us.push_back(1e6 * seconds);
        error.insert(error.end(), run->error.begin(), run->error.end());
        expanded.insert(expanded.end(), run->expanded.begin(), run->expanded.end());
    }
    return {.queries = us.size(),
            .mean_us = mean(us),
            .median_us = percentile(us, 50),
            .p99_us = percentile(us, 99),
            .mean_error = mean(error),
            .max_error = std::max(0.0, percentile(error, 100)),
            .mean_expanded = mean(expanded)};
}

double sum(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

double mean(std::span<const double> values) {
    return values.empty() ? 0 : sum(values) / static_cast<double>(values.size());
}

double percentile(std::vector<double> values, std::size_t percent) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[std::min(values.size() - 1, values.size() * percent / 100)];
}

}  // namespace cairn::app
