// The entry beside A* and jump point search, in the competition's measures: see tracks.hpp.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <span>
#include <string>

#include "cairn/grid/astar.hpp"
#include "cairn/grid/jps.hpp"
#include "entry.hpp"
#include "planner.hpp"
#include "tracks.hpp"

using namespace cairn;

namespace gppc {
namespace {

/// Sums over the problems and maps of a set.
struct Totals {
    std::size_t problems = 0;
    std::size_t maps = 0;
    double query_us = 0;
    double longest_us = 0;
    double preprocess_ms = 0;
    double prepare_ms = 0;
    double memory = 0;  ///< bytes
    double disk = 0;    ///< bytes
    std::size_t wrong = 0;
};

/// A planner that is prepared for one map.
struct Contestant {
    std::function<std::span<const grid::Cell>(grid::Point, grid::Point)> path;
    std::function<std::size_t()> memory;
};

/// Solves each of the contest's problems once, in their order. `costs` has the cost of each path,
/// or is filled with them if it is empty.
void solve(const Contest& contest, const Contestant& contestant, std::vector<Cost>& costs,
           Totals& totals) {
    std::vector<xyLoc> points;
    const bool first = costs.empty();
    std::size_t id = 0;
    for (const formats::ScenarioProblem& problem : contest.scenario.problems) {
        if (problem.start == problem.goal) continue;  // the entry's path is empty
        const Stopwatch watch;
        const std::span<const grid::Cell> cells = contestant.path(problem.start, problem.goal);
        to_points(cells, contest.map.width(), points);
        const double us = watch.microseconds();
        totals.query_us += us;
        totals.longest_us = std::max(totals.longest_us, us);
        const Cost cost = cells.empty() ? kInfinity : grid::path_cost(contest.map, cells);
        if (first) costs.push_back(cost);
        if (costs[id++] != cost) ++totals.wrong;
    }
    ++totals.maps;
    totals.problems += id;
    totals.memory += static_cast<double>(contestant.memory());
}

void run_astar(const Contest& contest, std::vector<Cost>& costs, Totals& totals) {
    grid::Astar astar;
    grid::Path path;
    const Contestant contestant{[&](grid::Point start, grid::Point goal) {
                                    astar.find_path(contest.map, start, goal, path);
                                    return std::span<const grid::Cell>(path.cells);
                                },
                                [&] { return contest.map.bytes() + astar.memory(); }};
    solve(contest, contestant, costs, totals);
}

void run_jps(const Contest& contest, std::vector<Cost>& costs, Totals& totals) {
    const Stopwatch watch;
    const auto map = grid::JpsMap::create(contest.map);
    if (!map) return;
    totals.prepare_ms += watch.microseconds() / 1000;
    grid::Jps jps;
    grid::Path path;
    const Contestant contestant{[&](grid::Point start, grid::Point goal) {
                                    jps.find_path(*map, start, goal, path);
                                    return std::span<const grid::Cell>(path.cells);
                                },
                                [&] { return contest.map.bytes() + map->bytes() + jps.memory(); }};
    solve(contest, contestant, costs, totals);
}

void run_entry(const Contest& contest, std::vector<Cost>& costs, Totals& totals) {
    const Stopwatch preprocessing;
    preprocess(contest.map, contest.index_file);
    totals.preprocess_ms += preprocessing.microseconds() / 1000;
    const Stopwatch preparing;
    const auto planner = Planner::open(contest.map, contest.index_file);
    if (planner == nullptr) return;
    totals.prepare_ms += preparing.microseconds() / 1000;
    std::error_code none;
    totals.disk += static_cast<double>(std::filesystem::file_size(contest.index_file, none));
    const Contestant contestant{
        [&](grid::Point start, grid::Point goal) { return planner->path(start, goal); },
        [&] { return planner->memory(); }};
    solve(contest, contestant, costs, totals);
}

void print(const std::string& set, const char* name, const Totals& totals) {
    const auto maps = static_cast<double>(std::max<std::size_t>(totals.maps, 1));
    const auto problems = static_cast<double>(std::max<std::size_t>(totals.problems, 1));
    const double mean = totals.query_us / problems;
    std::printf("%s,%s,%zu,%zu,%.3f,%.3f,%.1f,%.3f,%.1f,%.2f,%.0f,%.0f,%zu\n", set.c_str(), name,
                totals.maps, totals.problems, mean, mean, totals.longest_us, totals.query_us / 1e6,
                totals.preprocess_ms / maps, totals.prepare_ms / maps, totals.memory / maps / 1024,
                totals.disk / maps / 1024, totals.wrong);
}

}  // namespace

int run_comparison(const std::string& set, std::span<const Contest> contests) {
    struct Row {
        const char* name;
        void (*run)(const Contest&, std::vector<Cost>&, Totals&);
        Totals totals;
    };
    Row rows[] = {{"astar", run_astar, {}}, {"jps", run_jps, {}}, {kName, run_entry, {}}};
    std::size_t wrong = 0;
    for (const Contest& contest : contests) {
        std::vector<Cost> costs;
        for (Row& row : rows) row.run(contest, costs, row.totals);
    }
    for (const Row& row : rows) {
        print(set, row.name, row.totals);
        wrong += row.totals.wrong;
    }
    return static_cast<int>(wrong);
}

}  // namespace gppc
