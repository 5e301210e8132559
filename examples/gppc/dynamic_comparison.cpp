// The dynamic entry beside jump point search whose bits are made again: see tracks.hpp.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>
#include <random>

#include "cairn/grid/jps.hpp"
#include "changing_map.hpp"
#include "planner.hpp"
#include "tracks.hpp"

using namespace cairn;

namespace gppc {
namespace {

constexpr std::size_t kRounds = 5;

/// A change and the queries after it.
struct Block {
    std::vector<grid::TerrainEdit> edits;
    std::vector<formats::ScenarioProblem> problems;
};

/// Problems are drawn at random from the scenario, the same in every run. The entry's path is empty
/// if start and goal are one cell, so such problems are left out.
std::vector<Block> make_trace(const Contest& contest, const TraceShape& shape) {
    std::vector<formats::ScenarioProblem> problems = contest.scenario.problems;
    std::erase_if(problems, [](const auto& problem) { return problem.start == problem.goal; });
    if (problems.empty()) return {};
    RandomChanges changes(contest.map.width(), contest.map.height());
    std::mt19937 random(2);
    std::vector<Block> trace(shape.changes);
    for (Block& block : trace) {
        block.edits = changes.next();
        for (std::size_t i = 0; i < shape.queries; ++i)
            block.problems.push_back(problems[random() % problems.size()]);
    }
    return trace;
}

/// Jump point search that makes its bits from the changed map. As it has no use for the active
/// map's bits, the harness edits a Map for it, also outside the clock.
class RebuiltJps {
public:
    explicit RebuiltJps(const Contest& contest) : map_(contest.map) { change(); }

    void edit(std::span<const grid::TerrainEdit> edits) { map_ = *map_.edited(edits); }
    void change() {
        if (auto jps_map = grid::JpsMap::create(map_)) jps_map_ = std::move(*jps_map);
    }
    std::span<const gppc_point> path(const formats::ScenarioProblem& problem) {
        path_.cells.clear();
        if (jps_map_) jps_.find_path(*jps_map_, problem.start, problem.goal, path_);
        to_points(path_.cells, map_.width(), points_);
        return points_;
    }

private:
    grid::Map map_;
    std::optional<grid::JpsMap> jps_map_;
    grid::Jps jps_;
    grid::Path path_;
    std::vector<gppc_point> points_;
};

/// Microseconds of each block: of the change and the first query, and of the change and all
/// queries.
struct Times {
    std::vector<double> first;
    std::vector<double> all;
};

/// One run of the trace.
struct Run {
    Times times;
    std::vector<std::vector<gppc_point>> paths;
};

/// Between the calls there is little but copies of patches and paths, so that the entry's worker
/// gets no time that is not measured.
template <class Contestant>
Run run(const Contest& contest, std::span<const Block> trace) {
    Contestant contestant(contest);
    Run run;
    for (const Block& block : trace) {
        contestant.edit(block.edits);
        const Stopwatch change;
        contestant.change();
        double us = change.microseconds();
        for (const formats::ScenarioProblem& problem : block.problems) {
            const Stopwatch query;
            const std::span<const gppc_point> path = contestant.path(problem);
            us += query.microseconds();
            if (&problem == &block.problems.front()) run.times.first.push_back(us);
            run.paths.emplace_back(path.begin(), path.end());
        }
        run.times.all.push_back(us);
    }
    return run;
}

/// Counts paths that are not legal or do not have these costs. If `costs` is empty, it is filled
/// with those of the paths.
std::size_t count_wrong(const Contest& contest, std::span<const Block> trace, const Run& run,
                        std::vector<Cost>& costs) {
    grid::Map map = contest.map;
    const bool first = costs.empty();
    std::size_t wrong = 0;
    std::size_t id = 0;
    for (const Block& block : trace) {
        map = *map.edited(block.edits);
        for (const formats::ScenarioProblem& problem : block.problems) {
            const auto& path = run.paths[id];
            if (first) costs.push_back(grid::path_cost(map, to_cells(map, path)));
            if (!is_right(map, path, problem, costs[id++])) ++wrong;
        }
    }
    return wrong;
}

/// The least value that `share` of the values do not exceed; above 0, at most 1.
double quantile(std::span<const double> sorted, double share) {
    const double rank = std::ceil(share * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(rank) - 1];
}

/// The median of each block's times in all rounds. `part` is a member of Times.
std::vector<double> of_blocks(std::span<const Times> rounds, std::vector<double> Times::*part) {
    std::vector<double> blocks;
    for (std::size_t i = 0; i < (rounds[0].*part).size(); ++i) {
        std::vector<double> times;
        for (const Times& round : rounds) times.push_back((round.*part)[i]);
        std::sort(times.begin(), times.end());
        blocks.push_back(quantile(times, 0.5));
    }
    return blocks;
}

/// For each block, the time of `jps` divided by the other; sorted.
std::vector<double> ratios(std::span<const double> jps, std::span<const double> other) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < jps.size(); ++i) ratios.push_back(jps[i] / other[i]);
    std::sort(ratios.begin(), ratios.end());
    return ratios;
}

}  // namespace

int run_dynamic_comparison(const std::string& name, const Contest& contest,
                           const TraceShape& shape) {
    const std::vector<Block> trace = make_trace(contest, shape);
    if (trace.empty()) return 0;
    DynamicEntry::preprocess(contest);
    struct Row {
        const char* name;
        Run (*run)(const Contest&, std::span<const Block>);
        std::vector<Times> rounds;
        std::size_t wrong;
    };
    Row rows[] = {{"jps", run<RebuiltJps>, {}, 0}, {kName, run<DynamicEntry>, {}, 0}};
    std::vector<Cost> costs;
    for (std::size_t turn = 0; turn < kRounds * std::size(rows); ++turn) {
        // Each begins every second round.
        Row& row = rows[(turn + turn / 2) % 2];
        Run result = row.run(contest, trace);
        row.wrong += count_wrong(contest, trace, result, costs);
        row.rounds.push_back(std::move(result.times));
    }

    const std::vector<double> jps_first = of_blocks(rows[0].rounds, &Times::first);
    const std::vector<double> jps_all = of_blocks(rows[0].rounds, &Times::all);
    std::size_t wrong = 0;
    for (const Row& row : rows) {
        std::vector<double> first = of_blocks(row.rounds, &Times::first);
        std::vector<double> all = of_blocks(row.rounds, &Times::all);
        const std::vector<double> first_ratios = ratios(jps_first, first);
        const std::vector<double> all_ratios = ratios(jps_all, all);
        const double first_block = all.front();
        std::sort(first.begin(), first.end());
        std::sort(all.begin(), all.end());
        const double sum = std::accumulate(all.begin(), all.end(), 0.0);
        std::printf("%s,%s,%zu,%zu,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.2f,%.2f,%.2f,%.2f,%zu\n",
                    name.c_str(), row.name, shape.changes, shape.queries, quantile(all, 0.5),
                    sum / static_cast<double>(all.size()), quantile(all, 0.99), first_block,
                    quantile(first, 0.5), quantile(first, 0.99), quantile(all_ratios, 0.5),
                    all_ratios.front(), quantile(first_ratios, 0.5), first_ratios.front(),
                    row.wrong);
        wrong += row.wrong;
    }
    return static_cast<int>(wrong);
}

}  // namespace gppc
