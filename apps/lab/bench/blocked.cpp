// cairn-lab bench --blocked: queries with cells that stand in the way.

#include <algorithm>
#include <random>
#include <vector>

#include "bench/bench.hpp"
#include "cairn/grid/jps.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/subgoal/subgoal.hpp"

namespace cairn::app {
namespace {

/// Up to `count` free cells at most two cells off a path, ascending; neither its start nor its
/// goal.
std::vector<grid::Cell> cells_near(const grid::Map& map, std::span<const grid::Cell> path,
                                   int count, std::mt19937_64& random) {
    constexpr int kOff = 2;
    const auto shift = [&] { return static_cast<int>(random() % (2 * kOff + 1)) - kOff; };
    std::vector<grid::Cell> cells;
    for (int i = 0; i < count && path.size() > 2; ++i) {
        grid::Point p = map.point(path[random() % path.size()]);
        p.x += shift();
        p.y += shift();
        if (!map.contains(p) || !map.passable(map.cell(p))) continue;
        if (map.cell(p) != path.front() && map.cell(p) != path.back()) cells.push_back(map.cell(p));
    }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

template <class P>
Status measure(const grid::Map& map, std::span<const Problem> problems, int count,
               const PlannerSpec& spec, const MeasureOptions& options, const Row& key,
               Sheets& sheets) {
    const auto index = P::build(map, spec.options_of<P>(), options.control());
    if (!index) return index.error();
    typename P::Query query = spec.query_of<P>();
    query.detail = P::Detail::path;
    typename P::Answer answer;
    Searcher<P> searcher(0);
    const auto find = [&](std::size_t i, std::span<const grid::Cell> blocked) {
        assign(problems[i], query);
        query.blocked = blocked;
        return searcher.find(*index, query, answer);
    };

    std::mt19937_64 random(1);
    std::vector<std::vector<grid::Cell>> blocked;
    std::vector<Cost> optima;
    grid::Jps jps;
    grid::Path best;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        find(i, {});
        blocked.push_back(cells_near(map, answer.cells, count, random));
        std::vector<grid::TerrainEdit> walls;
        for (const grid::Cell cell : blocked.back()) {
            const grid::Point p = map.point(cell);
            walls.push_back({{p.x, p.y, 1, 1}, 0});
        }
        const auto walled = map.edited(walls);
        const auto bits = walled ? grid::JpsMap::create(*walled) : tl::unexpected(walled.error());
        if (!bits) return bits.error();
        jps.find_path(*bits, problems[i].start, problems[i].goal, best, {.cost_only = true});
        optima.push_back(best.cost);
    }

    const auto without =
        least_seconds({problems.size(), [&](std::size_t i) { find(i, {}); }}, options);
    const auto with =
        least_seconds({problems.size(), [&](std::size_t i) { find(i, blocked[i]); }}, options);
    if (options.cancelled()) return fail(StatusCode::cancelled).value();
    std::size_t wrong = 0;
    std::size_t detours = 0;
    std::vector<double> ratios;
    std::vector<double> errors;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        find(i, blocked[i]);
        const bool possible = P::kExact ? answer.cost == optima[i] : answer.cost >= optima[i];
        if (!possible || (answer.status == StatusCode::ok) != (optima[i] < kInfinity)) ++wrong;
        if (!answer.detour) continue;
        ++detours;
        ratios.push_back(with[i] / std::max(without[i], 1e-9));
        if (answer.status == StatusCode::ok)
            errors.push_back(static_cast<double>(answer.cost) / std::max<Cost>(optima[i], 1) - 1);
    }
    sheets.add("blocked", joined(key, {{"planner", spec.name},
                                       {"blocked", count},
                                       {"mean_us", 1e6 * mean(without)},
                                       {"median_us", 1e6 * percentile(without, 50)},
                                       {"p99_us", 1e6 * percentile(without, 99)},
                                       {"blocked_mean_us", 1e6 * mean(with)},
                                       {"blocked_median_us", 1e6 * percentile(with, 50)},
                                       {"blocked_p99_us", 1e6 * percentile(with, 99)},
                                       {"detour_ratio_median", percentile(ratios, 50)},
                                       {"detour_ratio_p99", percentile(ratios, 99)},
                                       {"detour_mean_error", mean(errors)},
                                       {"detour_max_error", percentile(errors, 100)},
                                       {"detours", detours},
                                       {"queries", problems.size()},
                                       {"wrong", wrong}}));
    return {};
}

}  // namespace

Status measure_blocked(const grid::Map& map, std::span<const Problem> problems, int count,
                       const PlannerSpec& spec, const MeasureOptions& options, const Row& key,
                       Sheets& sheets) {
    if (spec.is<subgoal::Planner>())
        return measure<subgoal::Planner>(map, problems, count, spec, options, key, sheets);
    if (spec.is<hpa::Planner>())
        return measure<hpa::Planner>(map, problems, count, spec, options, key, sheets);
    return {};
}

}  // namespace cairn::app
