// The dynamic track of the competition: see tracks.hpp.

#include <algorithm>
#include <cstdio>

#include "cairn/grid/astar.hpp"
#include "changing_map.hpp"
#include "tracks.hpp"

using namespace cairn;

namespace gppc {
namespace {

constexpr std::size_t kProblemsPerChange = 10;

void print(const char* name, std::vector<double> microseconds) {
    if (microseconds.empty()) return;
    std::sort(microseconds.begin(), microseconds.end());
    std::printf("# %zu %s: median %.1f us, longest %.1f us\n", microseconds.size(), name,
                microseconds[microseconds.size() / 2], microseconds.back());
}

}  // namespace

int run_dynamic(const Contest& contest) {
    DynamicEntry::preprocess(contest);
    DynamicEntry entry(contest);
    grid::Map map = contest.map;
    RandomChanges random(map.width(), map.height());
    grid::Astar astar;
    grid::Path expected;
    std::vector<double> changes;
    std::vector<double> queries;
    int wrong = 0;
    for (std::size_t i = 0; i < contest.scenario.problems.size(); ++i) {
        if (i != 0 && i % kProblemsPerChange == 0) {
            const auto edits = random.next();
            map = *map.edited(edits);
            entry.edit(edits);
            const Stopwatch watch;
            entry.change();
            changes.push_back(watch.microseconds());
        }
        const formats::ScenarioProblem& problem = contest.scenario.problems[i];
        const Stopwatch watch;
        const std::span<const gppc_point> path = entry.path(problem);
        queries.push_back(watch.microseconds());
        astar.find_path(map, problem.start, problem.goal, expected);
        if (!is_right(map, path, problem, expected.cost)) {
            std::printf("# WRONG: the path of problem %zu\n", i);
            ++wrong;
        }
    }
    print("changes", changes);
    print("queries", queries);
    std::printf("# %d wrong paths\n", wrong);
    return wrong;
}

}  // namespace gppc
