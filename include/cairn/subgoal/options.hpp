#pragma once
// How a subgoal graph is built (Uras, Koenig: Subgoal Graphs for Fast Optimal Pathfinding, 2015).

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
    direct,       ///< direct-h-reachable ones: the paper's simple subgoal graph
    h_reachable,  ///< all h-reachable ones, for comparison (Figure 15.3): up to as many as there
                  ///< are pairs, so for small maps, and with one level
};

/// The property P of extra edges of N-level graphs (section 15.5).
enum class ExtraEdges : std::uint8_t {
    none,         ///< no extra edges, so fewer subgoals can stay behind
    h_reachable,  ///< between h-reachable subgoals, as the paper's
};

struct Options {
    Edges edges = Edges::direct;
    /// Leave out of levels and labels the edges that no taut path needs, and of a query the
    /// connectors that lead to none (docs/subgoal-graphs.md). No length is lost.
    bool prune = true;
    /// Levels of the N-level graph: 1 is the simple subgoal graph itself, 2 a two-level one (TSG),
    /// 0 as many as there can be.
    std::uint32_t levels = 1;
    ExtraEdges extra_edges = ExtraEdges::h_reachable;
    ContractionOrder order = NLevelOptions{}.order;
    /// Build cut labels, unless they would take more than `label_bytes`.
    bool labels = true;
    std::uint64_t label_bytes = std::uint64_t{256} << 20;

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
    friend bool operator==(const Options&, const Options&) = default;
};

/// ok, or bad_option with the option at fault.
[[nodiscard]] Status check(const Options& options);

}  // namespace cairn::subgoal
