#pragma once
// A separator tree shared out among threads.

#include <cstdint>
#include <functional>
#include <vector>

#include "cairn/control.hpp"
#include "separator_tree.hpp"

namespace cairn {

/// Subtrees small enough to be done each by one thread, and the nodes above them. Depends on the
/// tree alone.
struct Shares {
    explicit Shares(const SeparatorTree& tree);

    /// Does `work(root)` for every share's topmost position, on as many threads as `control` says.
    /// Exceptions come through.
    void run(const BuildControl& control, const std::function<void(std::uint32_t)>& work) const;

    std::vector<std::uint32_t> roots;
    std::vector<std::uint32_t> above;  ///< positions, ascending
};

}  // namespace cairn
