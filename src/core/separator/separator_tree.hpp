#pragma once
// The separator tree of a graph in a given order, and what the labels and threads need of it.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/graph.hpp"

namespace cairn {

/// A node's ancestors are the nodes ordered before it to which it is connected by nodes ordered
/// after them. (In sparse linear algebra: the elimination tree.) Positions number the nodes in
/// preorder: parents come before children, and every subtree is contiguous.
struct SeparatorTree {
    static constexpr std::uint32_t kNoParent = 0xffff'ffff;

    std::vector<std::uint32_t> node;      ///< by position
    std::vector<std::uint32_t> position;  ///< by node
    std::vector<std::uint32_t> parent;    ///< by position: its parent's position or kNoParent
    std::vector<std::uint32_t> depth;     ///< by position; 0 at a root
    std::vector<std::uint32_t> end;       ///< by position: one past the last of its subtree
    std::uint64_t entries = 0;            ///< label entries: the sum of depth + 1
};

/// `order` is a permutation of the graph's nodes, topmost first. Time O(m log n), no recursion.
[[nodiscard]] SeparatorTree separator_tree(const Graph& graph,
                                           std::span<const std::uint32_t> order);

/// The tables that give the number of common ancestors of two nodes as a range minimum of `common`.
/// Nodes without a branching between them form a group. Groups are numbered in preorder, and
/// CutLabelArrays::kBlock groups form a block.
struct GroupTable {
    std::vector<std::uint32_t> group;   ///< by position
    std::vector<std::uint32_t> top;     ///< by group: the position of its topmost node
    std::vector<std::uint32_t> common;  ///< by group: ancestors shared with the group before
    std::vector<std::uint32_t> before;  ///< by group: minimum from its block's begin up to it
    std::vector<std::uint32_t> after;   ///< by group: minimum behind it in its block
    std::vector<std::uint32_t> blocks;  ///< row j, by block: minimum over 2^j blocks from it on
};

[[nodiscard]] GroupTable group_table(const SeparatorTree& tree);

/// Divides the tree for parallel work: subtrees of at most about 1/64 of the nodes, each worked on
/// by one worker, and the nodes above them. The division depends on the tree alone, not on the
/// threads.
struct Shares {
    explicit Shares(const SeparatorTree& tree);

    /// Calls work(root) for all roots, on the workers of `control`. Passes exceptions on.
    void run(const BuildControl& control, const std::function<void(std::uint32_t)>& work) const;

    std::vector<std::uint32_t> roots;  ///< positions of the subtrees' roots, ascending
    std::vector<std::uint32_t> above;  ///< positions of the nodes above them, ascending
};

}  // namespace cairn
