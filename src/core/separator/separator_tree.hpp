#pragma once
// The separator tree of a graph in a given order.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/graph.hpp"

namespace cairn {

/// The nodes renumbered by position, parents before children and every subtree contiguous. (In
/// sparse linear algebra: the elimination tree, in preorder.) A node's ancestors are the nodes
/// ordered before it to which it is connected by nodes ordered after them.
struct SeparatorTree {
    static constexpr std::uint32_t kNoParent = 0xffff'ffff;

    std::vector<std::uint32_t> node;      ///< by position
    std::vector<std::uint32_t> position;  ///< by node
    std::vector<std::uint32_t> parent;    ///< by position, a position or kNoParent
    std::vector<std::uint32_t> depth;     ///< by position; 0 at a root
    std::vector<std::uint32_t> end;       ///< by position: one past the last of its subtree
    std::uint64_t entries = 0;            ///< sum of depth + 1
};

/// `order` is a permutation of the graph's nodes, topmost first. Time O(m log n), no recursion.
[[nodiscard]] SeparatorTree separator_tree(const Graph& graph,
                                           std::span<const std::uint32_t> order);

/// Answers as a range minimum how many ancestors two nodes have in common. Nodes without a
/// branching between them form a group; groups are numbered in preorder.
struct GroupTable {
    std::vector<std::uint32_t> group;   ///< by position
    std::vector<std::uint32_t> top;     ///< by group: the position of its topmost node
    std::vector<std::uint32_t> common;  ///< by group: ancestors shared with the group before
    std::vector<std::uint32_t>
        before;  ///< by group: least of common from the begin of its block to it
    std::vector<std::uint32_t> after;   ///< by group: least of common after it in its block
    std::vector<std::uint32_t> blocks;  ///< row j: least over 2^j blocks from each one on
};

[[nodiscard]] GroupTable group_table(const SeparatorTree& tree);

/// The shares of the tree that threads work on: subtrees small enough for one thread each, and the
/// nodes above them. They depend on the tree alone.
struct Shares {
    explicit Shares(const SeparatorTree& tree);

    /// Calls `work(root)` for the topmost position of every share, on the threads of `control`.
    /// Passes exceptions on.
    void run(const BuildControl& control, const std::function<void(std::uint32_t)>& work) const;

    std::vector<std::uint32_t> roots;
    std::vector<std::uint32_t> above;  ///< positions, ascending
};

}  // namespace cairn
