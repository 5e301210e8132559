#pragma once
// The connectors of a query, of both ends, in some order.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cairn/closure.hpp"

namespace cairn {

/// Calls `visit(connector, number, is_goal)` for connectors in the order of what `order_of` says of
/// them, where nothing leaves one out. Of equal ones the start's come first, then the lowest
/// number in its list, which is below 2^31. `keys` is working memory. O(n log n).
template <class OrderOf, class Visit>
void visit_sorted(std::span<const Connector> from, std::span<const Connector> to,
                  std::vector<std::uint64_t>& keys, const OrderOf& order_of, const Visit& visit) {
    constexpr std::uint32_t kGoal = std::uint32_t{1} << 31;
    keys.clear();
    const auto add = [&](std::span<const Connector> connectors, std::uint32_t end) {
        for (std::uint32_t i = 0; i < connectors.size(); ++i) {
            const std::optional<std::uint32_t> order = order_of(connectors[i]);
            if (order) keys.push_back(std::uint64_t{*order} << 32 | end | i);
        }
    };
    add(from, 0);
    add(to, kGoal);
    std::sort(keys.begin(), keys.end());
    for (const std::uint64_t key : keys) {
        const bool is_goal = (key & kGoal) != 0;
        const auto number = static_cast<std::uint32_t>(key & (kGoal - 1));
        visit((is_goal ? to : from)[number], number, is_goal);
    }
}

}  // namespace cairn
