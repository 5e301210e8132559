// The classic track of the competition: see tracks.hpp.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "cairn/grid/astar.hpp"
#include "entry.hpp"
#include "planner.hpp"
#include "tracks.hpp"

using namespace cairn;

namespace gppc {
namespace {

constexpr std::size_t kFirstSteps = 20;

/// The times of one problem, in microseconds, and the length of its path.
struct Measures {
    double total = 0.0;        ///< of all calls
    double first_steps = 0.0;  ///< until the path has kFirstSteps steps or is complete
    double longest_call = 0.0;
    double length = 0.0;  ///< in cells, diagonal steps sqrt 2
};

xyLoc location(grid::Point p) {
    return {static_cast<std::int16_t>(p.x), static_cast<std::int16_t>(p.y)};
}

/// Calls GetPath until the path is complete.
Measures solve(void* data, const formats::ScenarioProblem& problem, std::vector<xyLoc>& path) {
    Measures m;
    path.clear();
    for (bool done = false; !done;) {
        const bool first_steps_missing = path.size() <= kFirstSteps;
        const Stopwatch watch;
        done = GetPath(data, location(problem.start), location(problem.goal), path);
        const double call = watch.microseconds();
        m.total += call;
        if (first_steps_missing) m.first_steps += call;
        m.longest_call = std::max(m.longest_call, call);
    }
    return m;
}

/// Compares paths with the map, and their lengths with the scenario's. Some scenarios round to two
/// decimals, and some problems have no path: where the lengths differ, A* decides.
class Checker {
public:
    explicit Checker(const grid::Map& map) : map_(map) {}

    /// Prints what is wrong with the path of problem `id`, if anything.
    void check(std::size_t id, const formats::ScenarioProblem& problem,
               const std::vector<grid::Cell>& cells, double length) {
        const char* const fault = fault_of(problem, cells, length);
        if (fault == nullptr) return;
        std::printf("# WRONG: the path of problem %zu %s\n", id, fault);
        ++wrong_;
    }
    [[nodiscard]] int wrong() const noexcept { return wrong_; }
    [[nodiscard]] int astar_searches() const noexcept { return astar_searches_; }

private:
    /// What is wrong with a path, as the end of a sentence; null if nothing is.
    const char* fault_of(const formats::ScenarioProblem& problem,
                         const std::vector<grid::Cell>& cells, double length) {
        if (problem.start == problem.goal) return cells.empty() ? nullptr : "should be empty";
        if (!cells.empty()) {
            if (cells.front() != map_.cell(problem.start)) return "does not begin at the start";
            if (cells.back() != map_.cell(problem.goal)) return "does not end at the goal";
            if (grid::path_cost(map_, cells) == kInfinity) return "has an illegal step";
        }
        if (equal(length, problem.optimal_length) || equal(length, astar_length(problem))) {
            return nullptr;
        }
        return cells.empty() ? "is missing" : "is not a shortest one";
    }

    static bool equal(double a, double b) { return std::abs(a - b) <= 1e-5 * std::max(a, b); }

    double astar_length(const formats::ScenarioProblem& problem) {
        ++astar_searches_;
        astar_.find_path(map_, problem.start, problem.goal, path_);
        return grid::path_length(map_, path_.cells);
    }

    const grid::Map& map_;
    grid::Astar astar_;
    grid::Path path_;
    int wrong_ = 0;
    int astar_searches_ = 0;
};

/// Runs the steps before the first problem. Returns the `data` of GetPath, null if -run is not
/// among the steps.
void* prepare(const Contest& contest, const Steps& steps) {
    const grid::Map& map = contest.map;
    std::vector<bool> bits(map.size());
    for (grid::Cell c = 0; c < map.size(); ++c) bits[c] = map.passable(c);
    const std::string file = contest.index_file.string();
    if (steps.preprocess) {
        const Stopwatch watch;
        PreprocessMap(bits, map.width(), map.height(), file);
        std::printf("# preprocessed in %.1f ms\n", watch.microseconds() / 1000);
    }
    if (!steps.run) return nullptr;
    const Stopwatch watch;
    void* const data = PrepareForSearch(bits, map.width(), map.height(), file);
    std::printf("# prepared in %.1f ms\n", watch.microseconds() / 1000);
    return data;
}

}  // namespace

int run_classic(const Contest& contest, const Steps& steps) {
    // The competition's harness never frees the data.
    const std::unique_ptr<Planner> data(static_cast<Planner*>(prepare(contest, steps)));
    if (!steps.run) return 0;
    std::puts(
        "experiment_id,path_size,path_length,ref_length,time_cost,20steps_cost,max_step_time");
    Checker checker(contest.map);
    std::size_t id = 0;
    Measures sum;
    std::vector<xyLoc> path;
    for (const formats::ScenarioProblem& problem : contest.scenario.problems) {
        Measures m = solve(data.get(), problem, path);
        const std::vector<grid::Cell> cells = to_cells(contest.map, path);
        m.length = grid::path_length(contest.map, cells);
        std::printf("%zu,%zu,%.6f,%.6f,%.3f,%.3f,%.3f\n", id, path.size(), m.length,
                    problem.optimal_length, m.total, m.first_steps, m.longest_call);
        if (steps.check) checker.check(id, problem, cells, m.length);
        sum.total += m.total;
        sum.first_steps += m.first_steps;
        sum.longest_call = std::max(sum.longest_call, m.longest_call);
        sum.length += m.length;
        ++id;
    }
    std::printf(
        "# %s: %zu problems, total %.1f us, first 20 steps %.1f us, longest call %.1f us, "
        "length %.3f\n",
        GetName().c_str(), id, sum.total, sum.first_steps, sum.longest_call, sum.length);
    if (steps.check) {
        std::printf("# %d wrong paths; %d lengths unlike the scenario's were compared with A*\n",
                    checker.wrong(), checker.astar_searches());
    }
    return checker.wrong();
}

}  // namespace gppc
