#pragma once
// Runs the entries as the competition's harness does, and tells whether every path is right.

#include <chrono>
#include <filesystem>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/map.hpp"

namespace gppc {

/// Which of a harness's steps to take.
struct Steps {
    bool preprocess = false;  ///< -pre, -full
    bool run = false;         ///< -run, -check, -full: print the measures of every problem
    bool check = false;       ///< -check, -full: hold every path against map and known length
};

/// A map, its problems (none with -pre), and the file in which the entry may keep an index.
struct Contest {
    cairn::grid::Map map;
    cairn::formats::Scenario scenario;
    std::filesystem::path index_file;
};

/// The classic track: a map that stays as it is. Prints totals, and for each problem what
/// result.csv of the competition has; times in microseconds. Returns the number of wrong paths.
int run_classic(const Contest& contest, const Steps& steps);

/// The dynamic track: rectangles toggle every few problems. Every path is checked against A* on the
/// map of that moment. Returns the number of wrong paths.
int run_dynamic(const Contest& contest);

class Stopwatch {
public:
    [[nodiscard]] double microseconds() const {
        return std::chrono::duration<double, std::micro>(Clock::now() - start_).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

/// The cells of points on `map`.
template <class Points>
[[nodiscard]] std::vector<cairn::grid::Cell> to_cells(const cairn::grid::Map& map,
                                                      const Points& points) {
    std::vector<cairn::grid::Cell> cells;
    for (const auto& p : points) cells.push_back(map.cell({p.x, p.y}));
    return cells;
}

}  // namespace gppc
