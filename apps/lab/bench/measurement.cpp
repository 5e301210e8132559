#include "bench/measurement.hpp"

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

/// Makes the planners of one map, with their indexes.
class Planners {
public:
    Planners(const grid::Map& map, const MeasureOptions& measure) : map_(map), measure_(measure) {}

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
            run.index_bytes = index->statistics().bytes();
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

std::vector<double> least_seconds(const Questions& questions, const MeasureOptions& options) {
    constexpr double kLeast = 1e-9;
    std::vector<double> least(questions.count, std::numeric_limits<double>::infinity());
    for (int round = 0; round < options.rounds; ++round) {
        for (std::size_t i = 0; i < questions.count; ++i) {
            if (options.cancel != nullptr && options.cancel->cancelled()) return least;
            if (questions.prepare) questions.prepare(i);
            const auto start = Clock::now();
            questions.ask(i);
            least[i] = std::min(least[i], since(start));
        }
    }
    for (double& seconds : least) seconds = std::max(seconds - clock_cost(), kLeast);
    return least;
}

std::vector<double> least_seconds(const PlannerOf& planner_of, std::span<const Problem> problems,
                                  const MeasureOptions& options) {
    constexpr std::size_t kEnough = 3;
    Questions questions;
    questions.count = problems.size();
    questions.ask = [&](std::size_t i) { planner_of(i).ask(problems[i].start, problems[i].goal); };
    if (problems.size() < kEnough)
        questions.prepare = [&](std::size_t i) { planner_of(i).forget_endpoints(); };
    return least_seconds(questions, options);
}

void check_answers(const PlannerOf& planner_of, std::span<const Problem> problems,
                   std::span<const double> least, const AnswerChecks& checks, PlannerRun& run) {
    const std::span<const Cost> optima = checks.optima;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        GridPlanner& planner = planner_of(i);
        const grid::Map& map = planner.map;
        const bool found = planner.ask(problems[i].start, problems[i].goal) == StatusCode::ok;
        const Cost cost = planner.answer.cost();
        const AnswerDetails reply = planner.answer.details();
        const Cost optimum = optima.empty() ? cost : optima[i];
        const bool legal = reply.cells.empty() || !found ||
                           (path_cost(map, reply.cells) == cost &&
                            (!checks.legal || checks.legal(i, reply.cells)));
        const bool possible = cost == optimum || (!checks.exact && cost > optimum);
        if (found != (optimum < kInfinity) || !possible || !legal) ++run.wrong;
        run.cost.push_back(cost);
        if (optima.empty()) run.length.push_back(found ? path_length(map, reply.cells) : 0);
        if (!found) continue;
        run.seconds.push_back(least[i]);
        run.error.push_back(optimum == 0 ? 0.0 : static_cast<double>(cost) / optimum - 1.0);
        run.expanded.push_back(reply.expanded());
        run.unsure += reply.lower_bound < cost ? 1 : 0;
    }
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
        auto planner = made.get(spec, run);
        if (!planner) return tl::unexpected(std::move(planner.error()));
        const PlannerOf the_one = [&](std::size_t) -> GridPlanner& { return *planner; };
        const std::vector<double> least = least_seconds(the_one, problems, options);
        if (control_of(options).cancelled()) return fail(StatusCode::cancelled);
        check_answers(the_one, problems, least, {spec.exact(), optima, {}}, run);
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
