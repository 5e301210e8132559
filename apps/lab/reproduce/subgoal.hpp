#pragma once
// The experiments of the subgoal graph paper (Uras, Koenig 2015) on any maps: kinds of graphs
// measured side by side, with every answer checked against A*.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/subgoal/options.hpp"
#include "cairn/subgoal/query.hpp"
#include "lab.hpp"

namespace cairn::app {

/// A kind of graph and how it is searched.
struct SubgoalVariant {
    std::string name;
    subgoal::Options options;
    subgoal::Engine engine = subgoal::Engine::levels;
};

/// Table 15.1: the paper's graphs, then Cairn's.
[[nodiscard]] std::vector<SubgoalVariant> table_variants();
/// Figures 15.3 and 15.4: edges between all h-reachable subgoals, and between those that are
/// direct-h-reachable.
[[nodiscard]] std::vector<SubgoalVariant> edge_variants();
/// Section 15.4.1: N-level graphs of all five orders, over all edges and over the taut edges. The
/// graph without levels comes before each five.
[[nodiscard]] std::vector<SubgoalVariant> order_variants();

/// A map and its problems.
struct SubgoalMap {
    std::string set;
    std::string name;
    std::optional<grid::Map> map;
    std::vector<Problem> problems;
    // After solve_by_astar all problems have a path:
    std::vector<Cost> optima;          ///< by problem
    std::uint64_t astar_expanded = 0;  ///< nodes, for all problems
};

/// Four generated maps of different kinds.
[[nodiscard]] Result<std::vector<SubgoalMap>> built_in_subgoal_maps(int pairs, std::uint64_t seed);

/// At most `most` maps of each set, spread over it. 0: all.
[[nodiscard]] std::vector<const SubgoalMap*> sample(std::span<const SubgoalMap> maps, int most);

/// A* on every problem: fills optima and astar_expanded, and drops problems without a path. Errors:
/// cancelled.
[[nodiscard]] Status solve_by_astar(std::span<SubgoalMap> maps, const MeasureOptions& options);
/// Measures every variant and A* on a map, on one thread, after solve_by_astar: a row of the sheet
/// "graphs" for each variant, and a row of "levels" for each of its levels. Errors: those of
/// builds; cancelled.
[[nodiscard]] Status measure_variants(const char* study, std::span<const SubgoalVariant> variants,
                                      const SubgoalMap& map, const MeasureOptions& options,
                                      Sheets& sheets);

}  // namespace cairn::app
