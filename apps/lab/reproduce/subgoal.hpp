#pragma once
// The experiments of the subgoal graph paper on any maps: kinds of graphs measured side by side,
// with every answer checked against A*.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/query.hpp"
#include "inputs.hpp"
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
/// Figures 15.3 and 15.4: edges between all h-reachable subgoals, and between direct ones.
[[nodiscard]] std::vector<SubgoalVariant> edge_variants();
/// Section 15.4.1: N-level graphs of every order, over all edges and over the taut ones; before
/// each five, the graph without levels.
[[nodiscard]] std::vector<SubgoalVariant> order_variants();

struct SubgoalMap {
    std::string set;
    std::string name;
    std::optional<grid::Map> map;
    std::vector<Problem> problems;  ///< all have a path
    std::vector<Cost> optima;
    std::uint64_t astar_expanded = 0;
};

/// One variant on one map.
struct SubgoalRun {
    double build_seconds = 0;  ///< of processor time, on one thread
    subgoal::IndexStatistics size;
    /// Of all problems, each the least of three rounds, with every cell of the path.
    double seconds = 0;
    std::uint64_t expanded = 0;
    std::uint64_t wrong = 0;  ///< answers that are not shortest paths
};

struct SubgoalExperiment {
    std::vector<SubgoalVariant> variants;
    std::vector<const SubgoalMap*> maps;
    std::vector<std::vector<SubgoalRun>> runs;  ///< [variant][map]
    std::vector<double> astar_seconds;          ///< [map], as SubgoalRun::seconds
};

struct SubgoalControl {
    std::function<void()> step{};  ///< called after each map and variant
    const CancelFlag* cancel = nullptr;

    [[nodiscard]] bool cancelled() const noexcept {
        return cancel != nullptr && cancel->cancelled();
    }
};

/// Reads up to `most` maps of a folder (0: all), with `pairs` problems each: spread over the
/// scenario beside the map, or else random. Maps without two connected cells are left out. Errors:
/// those of expand_maps, formats::load_map and formats::load_scenario.
[[nodiscard]] Result<std::vector<SubgoalMap>> load_subgoal_maps(const std::string& set,
                                                                const std::filesystem::path& folder,
                                                                int most, int pairs,
                                                                std::uint64_t seed);
/// Four generated maps of different kinds.
[[nodiscard]] Result<std::vector<SubgoalMap>> built_in_subgoal_maps(int pairs, std::uint64_t seed);

/// At most `most` maps of each set, spread over it. 0: all.
[[nodiscard]] std::vector<const SubgoalMap*> sample(std::span<const SubgoalMap> maps, int most);

/// A* on every problem: fills optima and astar_expanded, and drops problems without a path.
[[nodiscard]] Status solve_by_astar(std::span<SubgoalMap> maps, const SubgoalControl& control);
/// Measures every variant and A* on every map, after solve_by_astar. One thread.
[[nodiscard]] Result<SubgoalExperiment> measure_variants(std::vector<SubgoalVariant> variants,
                                                         std::vector<const SubgoalMap*> maps,
                                                         const SubgoalControl& control);

/// A row of the sheet "graphs" for each map and variant, and rows of "levels".
[[nodiscard]] Status add_rows(const char* study, const SubgoalExperiment& measured, Sheets& sheets);

}  // namespace cairn::app
