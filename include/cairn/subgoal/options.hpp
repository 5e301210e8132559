#pragma once
// The options of a subgoal graph (Uras, Koenig: Subgoal Graphs for Fast Optimal Pathfinding, 2015).

#include <cstdint>
#include <span>

#include "cairn/n_level_graph.hpp"
#include "cairn/status.hpp"

namespace cairn {
struct Field;
}

namespace cairn::subgoal {

/// Which subgoals are joined by edges (section 15.3.1).
enum class Edges : std::uint8_t {
    direct,       ///< direct-h-reachable pairs: the paper's simple subgoal graph
    h_reachable,  ///< all h-reachable pairs, for comparison (Figure 15.3). These may be all pairs
                  ///< of subgoals, so use it only on small maps
};

/// The property P of extra edges of N-level graphs (section 15.5).
enum class ExtraEdges : std::uint8_t {
    none,         ///< no extra edges, so fewer subgoals can stay on their level
    h_reachable,  ///< between h-reachable subgoals, as in the paper
};

/// The options of an index. cairn/subgoal/index.hpp says what "taut" means.
struct Options {
    Edges edges = Edges::direct;
    /// Whether levels and labels leave out edges that no taut path needs, and queries leave out
    /// connectors that no taut path needs (docs/subgoal-graphs.md). Paths stay shortest paths.
    bool prune = true;
    /// Levels of the N-level graph, at most 65,535: 1 is the simple subgoal graph itself, 2 a
    /// two-level one (TSG), 0 as many as possible.
    std::uint32_t levels = 1;
    ExtraEdges extra_edges = ExtraEdges::h_reachable;
    ContractionOrder order = NLevelOptions{}.order;  ///< of the partitioning into levels
    /// Build cut labels and their closure. If labels of all nodes would take more than
    /// `label_bytes`, only nodes high in the separator tree have some, and queries climb the
    /// closure up to these: slower, with the same answers.
    bool labels = true;
    /// The most bytes without the closure; 0: 64 a cell, at least 64 MiB.
    std::uint64_t label_bytes = 0;

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
    friend bool operator==(const Options&, const Options&) = default;
};

/// ok, or bad_option with the option at fault. O(1). Thread-safe.
[[nodiscard]] Status check(const Options& options) noexcept;

}  // namespace cairn::subgoal
