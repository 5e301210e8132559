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
                return made(subgoal_.get(map_, spec.subgoal_index, measure_, run.build_seconds),
                            spec.subgoal_query, run);
            case PlannerSpec::Kind::aa:
            case PlannerSpec::Kind::haa:
                break;
        }
        return fail(StatusCode::unsupported, spec.name + " is for agents: see measure_agents");
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
        questions.prepare = [&](std::size_t i) { forget_ends(planner_of(i)); };
    return least_seconds(questions, options);
}

void check_answers(const PlannerOf& planner_of, std::span<const Problem> problems,
                   std::span<const double> least, const AnswerChecks& checks, PlannerRun& run) {
    const std::span<const Cost> optima = checks.optima;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        AnyPlanner& planner = planner_of(i);
        const grid::Map& map = planner.map();
        planner.ask(problems[i].start, problems[i].goal);
        const Reply reply = planner.reply();
        const bool found = reply.status == StatusCode::ok;
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
        run.expanded.push_back(reply.expanded());
        run.unsure += reply.lower_bound < reply.cost ? 1 : 0;
    }
}

Result<std::vector<PlannerRun>> measure(const grid::Map& map, std::span<const Problem> problems,
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
        const PlannerOf the_one = [&](std::size_t) -> AnyPlanner& { return **planner; };
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
