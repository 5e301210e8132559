#pragma once
// Table 1 and Figures 5 and 6 of the HAA* paper: the paper's graph (textbook_haa.hpp) and Cairn's
// default on the same problems.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/haa/agent.hpp"
#include "lab.hpp"
#include "reproduce/haa.hpp"

namespace cairn::app {

/// The paper's largest agent.
inline constexpr int kHaaPaperSize = 2;
/// The graphs compared: the paper's abstractions, and those of haa::Options by default.
inline constexpr std::array<const char*, 4> kHaaTableGraphs{"paper HQ", "paper LQ", "HQ", "LQ"};

/// A problem and AA*'s answer.
struct HaaTableProblem {
    haa::Agent agent;
    grid::Point start;
    grid::Point goal;
    Cost optimum = kInfinity;
    std::uint64_t expanded = 0;  ///< by AA*
};

/// An answer, not smoothed, with the nodes that each part of the query expanded.
struct HaaTableAnswer {
    Cost cost = kInfinity;
    std::uint64_t insertion = 0;
    std::uint64_t search = 0;
    std::uint64_t refinement = 0;
};

/// One graph of a map.
struct HaaTableGraph {
    std::size_t nodes = 0;
    std::size_t inter_edges = 0;
    std::size_t intra_edges = 0;
    std::vector<HaaTableAnswer> answers;  ///< of HaaTables::problems
    std::uint64_t wrong = 0;
    std::string first_wrong;
};

/// A map, its problems, and for each cluster size the graphs, as kHaaTableGraphs.
struct HaaTables {
    LowLevelSize low;  ///< with diagonals that pass one obstacle, as the paper counts edges
    std::vector<HaaTableProblem> problems;
    std::vector<std::array<HaaTableGraph, kHaaTableGraphs.size()>> graphs;
};

/// Measures one case, whose max_size must be kHaaPaperSize, on one thread. `pairs` random problems
/// are divided among the sizes. As in the paper each has a random capability; draws without a path
/// are drawn again. There are fewer problems if paths are too rare. Searches use neither labels nor
/// move tables. Errors: as measure_haa; bad_option (a cluster size).
[[nodiscard]] Result<HaaTables> measure_haa_tables(const HaaCase& input,
                                                   const std::vector<int>& cluster_sizes, int pairs,
                                                   std::uint64_t seed,
                                                   const MeasureOptions& options);

/// Rows of the sheets "paper_sizes" and "paper_problems".
void add_rows(const HaaCase& input, const std::vector<int>& cluster_sizes, const HaaTables& tables,
              Sheets& sheets);

}  // namespace cairn::app
