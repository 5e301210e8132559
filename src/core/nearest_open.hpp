#pragma once
// The end of a partial path (SearchLimits::partial_path).

#include <cstdint>
#include <limits>
#include <tuple>

#include "cairn/cost.hpp"

namespace cairn {

/// The open node nearest the goal by its lower bound. Of equally near nodes the cheapest is taken,
/// of these the one of least number: the order in which they are offered does not matter.
class NearestOpen {
public:
    static constexpr std::uint32_t kNone = 0xffff'ffff;

    void offer(std::uint32_t node, Cost to_goal, Cost g) noexcept {
        if (std::tie(to_goal, g, node) >= std::tie(to_goal_, cost_, node_)) return;
        to_goal_ = to_goal;
        cost_ = g;
        node_ = node;
    }
    /// kNone if none was offered.
    [[nodiscard]] std::uint32_t node() const noexcept { return node_; }
    /// The cost of the path to it.
    [[nodiscard]] Cost cost() const noexcept { return cost_; }

private:
    Cost to_goal_ = std::numeric_limits<Cost>::max();
    Cost cost_ = std::numeric_limits<Cost>::max();
    std::uint32_t node_ = kNone;
};

}  // namespace cairn
