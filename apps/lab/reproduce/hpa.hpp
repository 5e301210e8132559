#pragma once
// The experiments of section 4 of the HPA* paper on any maps, and its worked example.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/hpa/options.hpp"
#include "cairn/hpa/query.hpp"
#include "inputs.hpp"
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
    std::vector<std::array<double, kTimed>> seconds;  ///< as `queries`
    /// Summed over the queries, one abstract level: [position in kClusterSizes]
    std::array<grid::SearchStatistics, kClusterSizes.size()> size_sg;
    std::array<grid::SearchStatistics, kClusterSizes.size()> size_main;
    /// Queries on which the textbook, the engines and A* contradict each other.
    std::uint64_t wrong = 0;
};

struct PaperControl {
    std::function<void()> step;  ///< called from any thread after each map
    const CancelFlag* cancel = nullptr;
    int threads = 0;  ///< 0: one per processor; does not change any count

    [[nodiscard]] bool cancelled() const noexcept {
        return cancel != nullptr && cancel->cancelled();
    }
};

/// Reads the maps and draws `pairs` solvable problems on each. Errors: those of formats::load_map,
/// and no_path for a map without two connected cells.
[[nodiscard]] Result<std::vector<PaperMap>> load_paper_maps(
    std::span<const std::filesystem::path> files, int pairs, std::uint64_t seed);

/// Sizes and expanded nodes: fills `sizes`, `queries` and `wrong`. Maps in parallel.
[[nodiscard]] Status measure_effort(std::vector<PaperMap>& maps, const PaperControl& control);
/// Abstract searches with other cluster sizes: fills `size_sg` and `size_main`. Maps in parallel.
[[nodiscard]] Status measure_cluster_sizes(std::vector<PaperMap>& maps,
                                           const PaperControl& control);
/// Fills `seconds`, least of three rounds, one query at a time.
[[nodiscard]] Status measure_times(std::vector<PaperMap>& maps, const PaperControl& control);

}  // namespace cairn::app
