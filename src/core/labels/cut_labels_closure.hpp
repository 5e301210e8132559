#pragma once
// The closure of a graph in the order of its separator tree: an edge between any two nodes joined
// by a path over lower nodes alone, as long as the shortest such path (the customizable contraction
// hierarchy of that order).

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/graph.hpp"
#include "core/separator/separator_tree.hpp"

namespace cairn {

/// The key by which paths are compared. Every hop must lead strictly nearer to its target. So where
/// weights may be zero, the number of edges decides between equal costs.
struct PlainKey {
    using Type = std::uint32_t;
    static constexpr Type kNever = kInfinity;
    static constexpr Type of(Cost cost) noexcept { return cost; }
    static constexpr Cost cost(Type key) noexcept { return key; }
};

struct EdgeCountKey {
    using Type = std::uint64_t;
    static constexpr Type kNever = std::uint64_t{kInfinity} << 32;
    static constexpr Type of(Cost cost) noexcept { return (std::uint64_t{cost} << 32) + 1; }
    static constexpr Cost cost(Type key) noexcept { return static_cast<Cost>(key >> 32); }
};

/// The hops of an edge. A hop is the number of a graph edge among the edges of the node that it
/// leaves.
struct EdgeHops {
    std::uint32_t up = 0;    ///< from the lower node towards the upper
    std::uint32_t down = 0;  ///< and back
};

/// Nodes are positions in the tree. Rows are stored from the last position to the first: the edges
/// from p up are [first[p + 1], first[p]). The upper node of an edge is an ancestor of p, so it is
/// stored as its depth in the tree. Depths ascend in a row, so the parent comes last.
template <class Key>
struct Closure {
    std::vector<std::uint64_t> first;
    std::vector<std::uint32_t> depth;  ///< of the upper end
    std::vector<typename Key::Type> key;
    std::vector<EdgeHops> hops;
};

struct ClosureLimits {
    std::uint64_t edges = 0;
    std::uint64_t steps = 0;  ///< paths through one node that were tried: the measure of the work
};

/// Empty if cancelled; empty, soon after that, if a limit is passed. Time O(sum over nodes of the
/// square of their closure edges), memory 32 bytes an edge (36 with EdgeCountKey).
template <class Key>
[[nodiscard]] std::optional<Closure<Key>> close(const Graph& graph, const SeparatorTree& tree,
                                                const ClosureLimits& limits,
                                                const BuildControl& control);

}  // namespace cairn
