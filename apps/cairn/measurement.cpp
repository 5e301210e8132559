#include "measurement.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <optional>

#include "cairn/hpa/index.hpp"
#include "cairn/hpa/searcher.hpp"

namespace cairn::app {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What one query came to, whichever planner answered.
struct Reply {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;
    Cost lower_bound = 0;
    std::uint64_t expanded = 0;
    std::span<const grid::Cell> cells;
};

class GridRunner {
public:
    GridRunner(const grid::Map& map, const PlannerSpec& spec)
        : map_(&map), options_{spec.open, false} {}

    void answer(const BenchProblem& p) {
        astar_.find_path(*map_, p.start, p.goal, path_, options_);
    }
    [[nodiscard]] Reply reply() const {
        return {path_.status, path_.cost, path_.cost, path_.statistics.expanded, path_.cells};
    }

private:
    const grid::Map* map_;
    grid::AstarOptions options_;
    grid::Astar astar_;
    grid::Path path_;
};

class HpaRunner {
public:
    HpaRunner(const hpa::Index& index, const PlannerSpec& spec)
        : index_(&index), query_(spec.query) {}

    void answer(const BenchProblem& p) {
        query_.start = p.start;
        query_.goal = p.goal;
        searcher_.find(*index_, query_, answer_);
    }
    [[nodiscard]] Reply reply() const {
        const hpa::QueryStatistics& s = answer_.statistics;
        return {answer_.status, answer_.cost, answer_.lower_bound,
                s.connect.expanded + s.search.expanded + s.refine.expanded, answer_.cells};
    }

private:
    const hpa::Index* index_;
    hpa::Query query_;
    // No end is connected before its query: problems of a scenario have nothing to do with each
    // other.
    hpa::Searcher searcher_{0};
    hpa::Answer answer_;
};

/// Times a runner over all problems, then looks at every answer once.
template <class Runner>
void run_all(Runner& runner, const grid::Map& map, std::span<const BenchProblem> problems,
             std::span<const Cost> optima, const MeasureOptions& options, PlannerRun& run) {
    std::vector<double> least(problems.size(), std::numeric_limits<double>::infinity());
    for (int round = 0; round < options.rounds; ++round) {
        for (std::size_t i = 0; i < problems.size(); ++i) {
            if (options.cancel != nullptr && options.cancel->cancelled()) return;
            const auto start = Clock::now();
            runner.answer(problems[i]);
            least[i] = std::min(least[i], since(start));
        }
    }
    for (std::size_t i = 0; i < problems.size(); ++i) {
        runner.answer(problems[i]);
        const Reply reply = runner.reply();
        const bool found = reply.status == StatusCode::ok;
        const Cost optimum = optima.empty() ? reply.cost : optima[i];
        const bool legal =
            reply.cells.empty() || !found || path_cost(map, reply.cells) == reply.cost;
        if (found != (optimum < kInfinity) || reply.cost < optimum || !legal) ++run.wrong;
        run.cost.push_back(reply.cost);
        if (!found) continue;
        run.seconds.push_back(least[i]);
        run.error.push_back(optimum == 0 ? 0.0 : static_cast<double>(reply.cost) / optimum - 1.0);
        run.expanded.push_back(reply.expanded);
        run.unsure += reply.lower_bound < reply.cost ? 1 : 0;
    }
}

/// Indexes built for the specs of one map; specs with equal options share one.
class IndexShelf {
public:
    Result<const hpa::Index*> get(const grid::Map& map, const hpa::Options& options,
                                  const MeasureOptions& measure, double& build_seconds) {
        for (const Entry& entry : entries_) {
            if (entry.index.options() == options) {
                build_seconds = entry.seconds;
                return &entry.index;
            }
        }
        BuildControl control;
        control.threads = measure.threads;
        control.cancel = measure.cancel;
        std::optional<hpa::Index> best;
        double seconds = std::numeric_limits<double>::infinity();
        for (int round = 0; round < measure.rounds; ++round) {
            const auto start = Clock::now();
            auto index = hpa::Index::build(map, options, control);
            if (!index) return tl::unexpected(index.error());
            seconds = std::min(seconds, since(start));
            best = std::move(*index);
        }
        build_seconds = seconds;
        entries_.reserve(kMost);
        entries_.push_back({std::move(*best), seconds});
        return &entries_.back().index;
    }

private:
    static constexpr std::size_t kMost = 64;  // pointers into entries_ must stay good
    struct Entry {
        hpa::Index index;
        double seconds;
    };
    std::vector<Entry> entries_;
};

}  // namespace

Result<std::vector<PlannerRun>> measure(const grid::Map& map,
                                        std::span<const BenchProblem> problems,
                                        std::span<const PlannerSpec> planners,
                                        const MeasureOptions& options) {
    std::vector<PlannerRun> runs;
    IndexShelf shelf;
    for (const PlannerSpec& spec : planners) {
        PlannerRun run;
        run.planner = spec.name;
        const std::span<const Cost> optima =
            runs.empty() ? std::span<const Cost>{} : runs.front().cost;
        if (spec.kind == PlannerSpec::Kind::grid) {
            GridRunner runner(map, spec);
            run_all(runner, map, problems, optima, options, run);
        } else {
            auto index = shelf.get(map, spec.index, options, run.build_seconds);
            if (!index) return tl::unexpected(index.error());
            run.index_bytes = (*index)->statistics().bytes();
            HpaRunner runner(**index, spec);
            run_all(runner, map, problems, optima, options, run);
        }
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
