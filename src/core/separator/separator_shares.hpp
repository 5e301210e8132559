#pragma once
// The shares of a separator tree that threads work on.

#include <cstdint>
#include <functional>
#include <vector>

#include "cairn/control.hpp"
#include "separator_tree.hpp"

namespace cairn {

/// Subtrees small enough for one thread each, and the nodes above them. They depend on the tree
/// alone.
struct Shares {
    explicit Shares(const SeparatorTree& tree);

    /// Calls `work(root)` for the topmost position of every share, on the threads of `control`.
    /// Passes exceptions on.
    void run(const BuildControl& control, const std::function<void(std::uint32_t)>& work) const;

    std::vector<std::uint32_t> roots;
    std::vector<std::uint32_t> above;  ///< positions, ascending
};

}  // namespace cairn
