#pragma once
// The closure of a graph in the order of its separator tree: its customizable contraction hierarchy
// (Dibbelt, Strasser, Wagner 2016). Any two nodes joined by a path whose inner nodes are all lower
// in the tree get an edge, as long as the shortest such path. Labels are computed from it.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/graph.hpp"
#include "core/separator/separator_tree.hpp"

namespace cairn {

/// The first hops of a closure edge's path, from either end. A hop is the number of a graph edge
/// among the edges of the node that it leaves.
struct EdgeHops {
    std::uint32_t up = 0;    ///< from the lower node to the upper
    std::uint32_t down = 0;  ///< from the upper node to the lower
};

/// Nodes are positions in the tree. A row holds the edges from a node p to its upper neighbours,
/// which are ancestors of p; each is stored as its depth, in ascending order, so the parent comes
/// last. Rows are stored from the last position to the first: p's row is first[p + 1] to
/// first[p] - 1.
struct Closure {
    std::vector<std::uint64_t> first;  ///< by position, and one more
    std::vector<std::uint32_t> depth;  ///< by edge: of the upper node
    std::vector<Cost> cost;            ///< by edge
    std::vector<EdgeHops> hops;        ///< by edge
};

struct ClosureLimits {
    std::uint64_t edges = 0;
    std::uint64_t steps = 0;  ///< paths of two closure edges to try, which take most of the time
};

/// The memory that find_closure takes for an edge.
inline constexpr std::uint64_t kClosureEdgeBytes = 32;

/// Computes the closure; std::nullopt if it is cancelled or passes a limit. Time O(sum over nodes
/// of the square of their number of upper neighbours), memory O(edges).
[[nodiscard]] std::optional<Closure> find_closure(const Graph& graph, const SeparatorTree& tree,
                                                  const ClosureLimits& limits,
                                                  const BuildControl& control);

}  // namespace cairn
