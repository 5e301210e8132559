#pragma once
// The end of a partial path (SearchLimits::partial_path).

#include <compare>
#include <cstdint>
#include <limits>

#include "cairn/cost.hpp"

namespace cairn {

/// The open node nearest the goal by its lower bound. Of equally near nodes the cheapest is taken,
/// of these the one of least number: the order in which they are offered does not matter.
class NearestOpen {
public:
    static constexpr std::uint32_t kNone = 0xffff'ffff;

    void offer(std::uint32_t node, Cost to_goal, Cost g) noexcept {
        const Key key{to_goal, g, node};
        if (key < least_) least_ = key;
    }
    /// kNone if none was offered.
    [[nodiscard]] std::uint32_t node() const noexcept { return least_.node; }
    /// The cost of the path to it.
    [[nodiscard]] Cost cost() const noexcept { return least_.g; }

private:
    struct Key {
        Cost to_goal = std::numeric_limits<Cost>::max();
        Cost g = std::numeric_limits<Cost>::max();
        std::uint32_t node = kNone;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    Key least_;
};

}  // namespace cairn
