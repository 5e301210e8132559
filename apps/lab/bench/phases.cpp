#include "bench/phases.hpp"

#include <algorithm>
#include <memory>

#include "cairn/grid/line.hpp"
#include "cairn/subgoal/index.hpp"

namespace cairn::app {
namespace {

/// The runs of a path over neighbours.
std::vector<grid::Run> runs_of(const grid::Map& map, std::span<const grid::Cell> cells) {
    std::vector<grid::Run> runs;
    for (std::size_t i = 1; i < cells.size(); ++i) {
        int direction = 0;
        while (map.step(cells[i - 1], direction) != cells[i]) ++direction;
        if (runs.empty() || runs.back().direction != direction)
            runs.push_back({static_cast<std::uint8_t>(direction), 0});
        ++runs.back().steps;
    }
    return runs;
}

/// Writes the cells of paths whose runs are known.
class Writer {
public:
    /// Takes the paths of `planner`, whose answers must have every cell.
    Writer(GridPlanner& planner, std::span<const Problem> problems)
        : map_(planner.map), problems_(problems) {
        for (const Problem& p : problems) {
            found_.push_back(planner.ask(p.start, p.goal) == StatusCode::ok ? 1 : 0);
            const auto cells = planner.answer.details().cells;
            cells_ += static_cast<double>(cells.size());
            paths_.push_back(runs_of(map_, cells));
        }
    }
    void write(std::size_t i) {
        out_.clear();
        grid::Cell at = map_.cell(problems_[i].start);
        out_.push_back(at);
        for (const grid::Run& run : paths_[i]) {
            append_run(map_, at, run, out_);
            at = out_.back();
        }
    }

    [[nodiscard]] bool found(std::size_t i) const { return found_[i] != 0; }
    /// The cells of all paths.
    [[nodiscard]] double cells() const noexcept { return cells_; }

private:
    grid::Map map_;
    std::span<const Problem> problems_;
    std::vector<char> found_;
    std::vector<std::vector<grid::Run>> paths_;
    double cells_ = 0;
    std::vector<grid::Cell> out_;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

Result<PhaseRun> measure_phases(const grid::Map& map, std::span<const Problem> problems,
                                const PlannerSpec& spec, const MeasureOptions& options) {
    BuildControl control;
    control.threads = options.threads;
    control.cancel = options.cancel;
    using P = subgoal::Planner;
    const auto index = P::build(map, spec.options_of<P>(), control);
    if (!index) return tl::unexpected(index.error());
    PhaseRun run;
    run.planner = spec.name;
    if (problems.empty()) return run;

    subgoal::Query query = spec.query_of<P>();
    query.detail = subgoal::Detail::path;
    auto path = grid_planner<P>(*index, query, map);
    query.detail = subgoal::Detail::cost;
    auto cost = grid_planner<P>(*index, query, map);
    // Large enough that hardly any endpoint evicts another.
    auto connected = grid_planner<P>(*index, query, map, 16 * problems.size());
    if (!path || !cost || !connected) return fail(StatusCode::out_of_memory);
    for (const Problem& p : problems) connected->ask(p.start, p.goal);
    Writer writer(*path, problems);

    const auto search_seconds = least_seconds(*connected, problems, options);
    const auto cost_seconds = least_seconds(*cost, problems, options);
    const auto path_seconds = least_seconds(*path, problems, options);
    const auto write_seconds =
        least_seconds(Questions{problems.size(), [&](std::size_t i) { writer.write(i); }}, options);
    if (options.cancel != nullptr && options.cancel->cancelled())
        return fail(StatusCode::cancelled);

    std::vector<double> full;
    std::vector<double> write;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        if (!writer.found(i)) continue;
        full.push_back(1e6 * path_seconds[i]);
        write.push_back(1e6 * write_seconds[i]);
        run.search_us += 1e6 * search_seconds[i];
        run.connect_us += 1e6 * (cost_seconds[i] - search_seconds[i]);
        run.output_us += 1e6 * (path_seconds[i] - cost_seconds[i]);
        run.full_us += full.back();
        run.write_us += write.back();
    }
    run.queries = full.size();
    if (full.empty()) return run;
    const auto n = static_cast<double>(full.size());
    for (double* sum :
         {&run.search_us, &run.connect_us, &run.output_us, &run.full_us, &run.write_us})
        *sum /= n;
    run.cells = writer.cells() / n;
    run.full_median_us = median(std::move(full));
    run.write_median_us = median(std::move(write));
    return run;
}

Row row_of(const PhaseRun& run) {
    return {{"planner", run.planner},
            {"connect_us", run.connect_us},
            {"search_us", run.search_us},
            {"output_us", run.output_us},
            {"full_us", run.full_us},
            {"full_median_us", run.full_median_us},
            {"cells", run.cells},
            {"write_us", run.write_us},
            {"write_median_us", run.write_median_us},
            {"full_over_write", run.write_us > 0 ? run.full_us / run.write_us : 0},
            {"queries", run.queries}};
}

}  // namespace cairn::app
