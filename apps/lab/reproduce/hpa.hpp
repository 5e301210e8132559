#pragma once
// The experiments of section 4 of the HPA* paper (Botea, Mueller, Schaeffer 2004) on any maps, and
// its worked example.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/hpa/options.hpp"
#include "cairn/hpa/query.hpp"
#include "lab.hpp"
#include "problems.hpp"
#include "reproduce/textbook.hpp"

namespace cairn::app {

inline constexpr int kPaperLevels = 3;  // the most levels
inline constexpr int kPaperClusterSize = 10;
/// Those of Figure 8.
inline constexpr std::array<int, 11> kClusterSizes{5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40};

/// The rules of section 4.1: octiles of cost 1 and 1.42, no diagonal between two blocked tiles.
[[nodiscard]] grid::MapOptions paper_map_options();
/// The rules of the worked example: four neighbours (sections 3.1 and 3.3).
[[nodiscard]] grid::MapOptions example_map_options();
/// The index of the paper: no move tables, labels or diagonal crossings; entrances of T = 6 tiles
/// or more get two transitions.
[[nodiscard]] hpa::Options paper_index_options(int levels);
/// The query of the paper: the levels engine, every cell, without trying a straight line first, not
/// smoothed.
[[nodiscard]] hpa::Query paper_query();

/// What is measured for one problem: costs of paths, and the effort of searches.
struct PaperQuery {
    Cost optimum = kInfinity;           ///< by A*
    Cost length = kInfinity;            ///< by HPA*, before smoothing
    Cost paper_smoothed = kInfinity;    ///< after smoothing by the paper's method
    Cost smoothed = kInfinity;          ///< after smoothing by Cairn's
    Cost program_length = kInfinity;    ///< by PaperHpa with EntranceRule::program
    Cost program_smoothed = kInfinity;  ///< after smoothing by the paper's method
    grid::SearchStatistics astar;
    /// By PaperHpa, without their cells: [rule][levels - 1].
    std::array<std::array<PaperAnswer, kPaperLevels>, kEntranceRules.size()> answers;
};

/// The techniques whose times are compared: A*, Cairn's engine in the paper's mode with 1, 2 and 3
/// levels, Cairn with its own defaults (labels, move tables, smoothing).
inline constexpr std::size_t kTimed = kPaperLevels + 2;

/// A map and what is measured on it.
struct PaperMap {
    std::string name;
    std::optional<grid::Map> map;
    std::vector<Problem> problems;
    /// [rule][levels - 1][level - 1]
    std::array<std::array<std::vector<PaperLevelSize>, kPaperLevels>, kEntranceRules.size()> sizes;
    std::vector<PaperQuery> queries;
    /// Queries on which PaperHpa, the engines and A* contradict each other, counted once per number
    /// of levels. With EntranceRule::program: lengths below A*'s, or that depend on the levels.
    std::uint64_t wrong = 0;
};

/// Fills `sizes`, `queries` and `wrong` of each map. Maps are measured in parallel, on
/// `options.threads` threads; counts do not depend on their number. Errors: those of building
/// an index; cancelled.
[[nodiscard]] Status measure_effort(std::vector<PaperMap>& maps, const MeasureOptions& options);
/// Rows of the sheet "times", measured on one thread. Errors: those of building an index;
/// cancelled.
[[nodiscard]] Status measure_times(const std::vector<PaperMap>& maps, const MeasureOptions& options,
                                   Sheets& sheets);

}  // namespace cairn::app
