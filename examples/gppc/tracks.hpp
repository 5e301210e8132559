#pragma once
// The tracks of the competition: runs the entries as its harness does, and checks every path.

#include <chrono>
#include <filesystem>
#include <span>
#include <string>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/map.hpp"

namespace gppc {

/// Which of a harness's steps to take.
struct Steps {
    bool preprocess = false;  ///< -pre, -full
    bool run = false;         ///< -run, -check, -full: print the measures of every problem
    bool check = false;       ///< -check, -full: compare every path with map and known length
};

/// A map, its problems (none with -pre), and the file in which the entry may keep an index.
struct Contest {
    cairn::grid::Map map;
    cairn::formats::Scenario scenario;
    std::filesystem::path index_file;
};

/// The classic track: the map does not change. Prints a line for each problem, with the columns of
/// the competition's result.csv, and totals; times are in microseconds. Returns the number of wrong
/// paths.
int run_classic(const Contest& contest, const Steps& steps);

/// The dynamic track: every few problems, random rectangles become traversable or obstacles. Every
/// path is compared with A* on the current map. Prints times, and returns the number of wrong
/// paths.
int run_dynamic(const Contest& contest);

/// Solves the problems of all maps of a set by A*, by jump point search and by the entry, each
/// once. Prints a line for each of them, with the columns of kComparison: means over the problems
/// or the maps. Returns the number of paths that do not cost what A*'s path costs.
int run_comparison(const std::string& set, std::span<const Contest> contests);
inline constexpr char kComparison[] =
    "set,planner,maps,problems,mean_us,mean_20_moves_us,longest_call_us,all_s,preprocess_ms,"
    "prepare_ms,memory_kb,disk_kb,wrong";

/// What a trace of the dynamic track is made of: each change is followed by a number of queries.
/// Both at least 1.
struct TraceShape {
    std::size_t changes = 1;
    std::size_t queries = 1;
};

/// Runs a trace of changes and queries by the dynamic entry, and by jump point search whose bits
/// are made again after each change; by turns, five times each. A block is a change and the queries
/// after it, and its time is the median of the five. Prints a line for each of the two, with the
/// columns of kDynamicComparison: a block's median, mean and 99th percentile; the first block after
/// loading; a change and the first query after it; and jump point search's times divided by these,
/// block by block. Returns the number of paths that are not legal or differ in cost.
int run_dynamic_comparison(const std::string& name, const Contest& contest,
                           const TraceShape& shape);
inline constexpr char kDynamicComparison[] =
    "map,planner,changes,queries,median_us,mean_us,p99_us,first_block_us,first_query_us,"
    "first_query_p99_us,ratio,least_ratio,first_query_ratio,least_first_query_ratio,wrong";

/// Measures the time since its construction.
class Stopwatch {
public:
    [[nodiscard]] double microseconds() const {
        return std::chrono::duration<double, std::micro>(Clock::now() - start_).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

/// The cells of a list of points on `map`.
template <class Points>
[[nodiscard]] std::vector<cairn::grid::Cell> to_cells(const cairn::grid::Map& map,
                                                      const Points& points) {
    std::vector<cairn::grid::Cell> cells;
    for (const auto& p : points) cells.push_back(map.cell({p.x, p.y}));
    return cells;
}

}  // namespace gppc
