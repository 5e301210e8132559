#pragma once
// The experiments of section 4 of the HPA* paper on any maps, and its worked example.

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

inline constexpr int kPaperLevels = 3;
inline constexpr int kPaperClusterSize = 10;
inline constexpr std::array<int, 11> kClusterSizes{5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40};

/// The rules of section 4.1: octiles of cost 1 and 1.42, no diagonal between two blocked tiles.
[[nodiscard]] grid::MapOptions paper_map_options();
/// Those of the worked example: four neighbours (sections 3.1 and 3.3).
[[nodiscard]] grid::MapOptions example_map_options();
/// The index of the paper: no move tables, no labels, transitions by T = 6.
[[nodiscard]] hpa::Options paper_index_options(int levels);
/// The query of the paper: the levels engine, every cell, without trying a straight line first, not
/// smoothed.
[[nodiscard]] hpa::Query paper_query();

struct PaperQuery {
    Cost optimum = kInfinity;         ///< A*
    Cost length = kInfinity;          ///< HPA*, before smoothing
    Cost paper_smoothed = kInfinity;  ///< smoothed by the paper's method
    Cost smoothed = kInfinity;        ///< smoothed by Cairn's
    grid::SearchStatistics astar;
    std::array<PaperAnswer, kPaperLevels> levels;  ///< textbook HPA*, [levels - 1]
};

/// The techniques whose times are compared: A*, Cairn's engine in the paper's mode with 1, 2 and 3
/// levels, Cairn with its own defaults (labels, move tables, smoothing).
inline constexpr std::size_t kTimed = kPaperLevels + 2;

struct PaperMap {
    std::string name;
    std::optional<grid::Map> map;
    std::vector<Problem> problems;
    std::array<std::vector<PaperLevelSize>, kPaperLevels> sizes;  ///< [levels - 1][level - 1]
    std::vector<PaperQuery> queries;
    /// Expanded nodes of all queries, one abstract level: [position in kClusterSizes]
    std::array<std::uint64_t, kClusterSizes.size()> size_sg{};
    std::array<std::uint64_t, kClusterSizes.size()> size_main{};
    /// Queries on which the textbook, the engines and A* contradict each other.
    std::uint64_t wrong = 0;
};

/// Sizes and expanded nodes: fills `sizes`, `queries` and `wrong`. Maps in parallel, on
/// `options.threads`, of which no count depends.
[[nodiscard]] Status measure_effort(std::vector<PaperMap>& maps, const MeasureOptions& options);
/// Rows of the sheet "times", one query at a time.
[[nodiscard]] Status measure_times(const std::vector<PaperMap>& maps, const MeasureOptions& options,
                                   Sheets& sheets);

}  // namespace cairn::app
