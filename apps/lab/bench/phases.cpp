// cairn-lab bench --phases: the parts of a query on a subgoal graph.

#include <vector>

#include "bench/bench.hpp"
#include "cairn/grid/line.hpp"
#include "cairn/subgoal/index.hpp"

namespace cairn::app {
namespace {

/// A path of neighbouring cells as runs: a direction and a number of steps each.
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

/// Only writes the cells of paths, whose runs are found in advance: no output can take less time.
class Writer {
public:
    /// Finds the paths with `planner`, whose answers must have every cell.
    Writer(GridPlanner& planner, std::span<const Problem> problems)
        : map_(planner.map), problems_(problems) {
        for (const Problem& p : problems) {
            found_.push_back(planner.find(p.start, p.goal) == StatusCode::ok ? 1 : 0);
            const auto cells = planner.answer.details().cells;
            cells_ += static_cast<double>(cells.size());
            paths_.push_back(runs_of(map_, cells));
        }
    }
    /// Writes the cells of problem i's path.
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

}  // namespace

Status measure_phases(const grid::Map& map, std::span<const Problem> problems,
                      const PlannerSpec& spec, const MeasureOptions& options, const Row& key,
                      Sheets& sheets) {
    using P = subgoal::Planner;
    const auto index = P::build(map, spec.options_of<P>(), options.control());
    if (!index) return index.error();
    subgoal::Query query = spec.query_of<P>();
    query.detail = subgoal::Detail::path;
    auto path = grid_planner<P>(*index, query, map);
    query.detail = subgoal::Detail::cost;
    auto cost = grid_planner<P>(*index, query, map);
    // A cache of connected endpoints, so large that hardly any endpoint evicts another.
    auto connected = grid_planner<P>(*index, query, map, 16 * problems.size());
    if (!path || !cost || !connected) return fail(StatusCode::out_of_memory).value();
    for (const Problem& p : problems) connected->find(p.start, p.goal);
    Writer writer(*path, problems);

    const auto us_of_found = [&](const std::vector<double>& seconds) {
        std::vector<double> us;
        for (std::size_t i = 0; i < problems.size(); ++i) {
            if (writer.found(i)) us.push_back(1e6 * seconds[i]);
        }
        return us;
    };
    const auto least_of = [&](GridPlanner& planner) {
        return least_seconds([&](std::size_t) -> GridPlanner& { return planner; }, problems,
                             options);
    };
    const double search_us = mean(us_of_found(least_of(*connected)));
    const double cost_us = mean(us_of_found(least_of(*cost)));
    const auto full = us_of_found(least_of(*path));
    const auto write = us_of_found(least_seconds(
        TimedQueries{problems.size(), [&](std::size_t i) { writer.write(i); }}, options));
    if (options.cancelled()) return fail(StatusCode::cancelled).value();
    const double full_us = mean(full);
    const double write_us = mean(write);
    sheets.add("phases",
               joined(key, {{"planner", spec.name},
                            {"connect_us", cost_us - search_us},
                            {"search_us", search_us},
                            {"output_us", full_us - cost_us},
                            {"full_us", full_us},
                            {"full_median_us", percentile(full, 50)},
                            {"cells",
                             full.empty() ? 0 : writer.cells() / static_cast<double>(full.size())},
                            {"write_us", write_us},
                            {"write_median_us", percentile(write, 50)},
                            {"full_over_write", write_us > 0 ? full_us / write_us : 0},
                            {"queries", full.size()}}));
    return {};
}

}  // namespace cairn::app
