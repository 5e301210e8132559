#pragma once
// The order in which trips are taken up: goal by goal, and near ones one after another; or start by
// start, where there are far fewer starts.

#include <oneapi/tbb/parallel_sort.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "cairn/batch/routes.hpp"

namespace cairn::batch {

/// Different trips may have one key: that costs time, and nothing else.
struct TripKey {
    std::uint64_t ends = 0;   ///< the goal, and in the lower half the start; or the other way round
    std::uint32_t group = 0;  ///< who it is, where that matters
    std::uint32_t trip = 0;
    friend bool operator<(const TripKey& a, const TripKey& b) noexcept {
        return std::tie(a.group, a.ends, a.trip) < std::tie(b.group, b.ends, b.trip);
    }
};

[[nodiscard]] inline std::uint64_t ends_of(std::uint32_t goal, std::uint32_t start) noexcept {
    return std::uint64_t{goal} << 32 | start;
}
[[nodiscard]] inline std::uint32_t goal_of(const TripKey& key) noexcept {
    return static_cast<std::uint32_t>(key.ends >> 32);
}
[[nodiscard]] inline std::uint32_t start_of(const TripKey& key) noexcept {
    return static_cast<std::uint32_t>(key.ends);
}

/// Near points have near numbers: the lower bits of x and y by turns.
[[nodiscard]] inline std::uint32_t order_number(grid::Point point) noexcept {
    const auto spread = [](std::int32_t coordinate) {
        std::uint32_t bits = std::bit_cast<std::uint32_t>(coordinate) & 0xffff;
        bits = (bits | bits << 8) & 0x00ff'00ff;
        bits = (bits | bits << 4) & 0x0f0f'0f0f;
        bits = (bits | bits << 2) & 0x3333'3333;
        return (bits | bits << 1) & 0x5555'5555;
    };
    return spread(point.x) | spread(point.y) << 1;
}

/// By polygon, and where there is none by x; then by the rest of the place.
[[nodiscard]] inline std::uint32_t order_number(const navmesh::Place& place) noexcept {
    constexpr std::uint32_t kMixed = 12;
    const auto bits = [](float coordinate) { return std::bit_cast<std::uint32_t>(coordinate); };
    const auto [x, y, z] = place.point;
    const std::uint32_t mixed = ((bits(x) * 31 + bits(y)) * 31 + bits(z)) * 0x9E37'79B1U;
    const std::uint32_t at = place.polygon == navmesh::kNone ? bits(x) >> kMixed : place.polygon;
    return at << kMixed | mixed >> (32 - kMixed);
}

[[nodiscard]] inline TripKey key_of(const CellTrip& trip) noexcept {
    return {ends_of(order_number(trip.goal), order_number(trip.start))};
}

[[nodiscard]] inline TripKey key_of(const AgentTrip& trip) noexcept {
    const auto size = std::bit_cast<std::uint32_t>(trip.agent.size);
    return {ends_of(order_number(trip.goal), order_number(trip.start)),
            trip.agent.capability * 0x9E37'79B1U + size};
}

[[nodiscard]] inline TripKey key_of(const MeshTrip& trip) noexcept {
    return {ends_of(order_number(trip.goal), order_number(trip.start))};
}

/// About how many different numbers there are, and never more: how many of their hashes differ.
template <class Number>
[[nodiscard]] std::size_t count_different(std::span<const TripKey> keys, Number&& number) {
    const int bits = static_cast<int>(std::bit_width(keys.size())) + 2;
    std::vector<bool> seen(std::size_t{1} << bits);
    std::size_t count = 0;
    for (const TripKey& key : keys) {
        const std::size_t hash = (number(key) * 0x9E37'79B9'7F4A'7C15U) >> (64 - bits);
        count += seen[hash] ? 0 : 1;
        seen[hash] = true;
    }
    return count;
}

/// Whether so many more trips share starts that they had better be taken up start by start.
[[nodiscard]] inline bool starts_are_shared(std::span<const TripKey> keys) {
    constexpr std::size_t kTimes = 4;
    const auto goals = count_different(keys, [](const TripKey& k) { return goal_of(k); });
    const auto starts = count_different(keys, [](const TripKey& k) { return start_of(k); });
    return kTimes * starts <= goals;
}

/// All trips, sorted. The order depends on nothing else.
template <class Trip>
[[nodiscard]] std::vector<TripKey> trip_order(std::span<const Trip> trips) {
    std::vector<TripKey> keys(trips.size());
    for (std::uint32_t i = 0; i < trips.size(); ++i) {
        keys[i] = key_of(trips[i]);
        keys[i].trip = i;
    }
    if (starts_are_shared(keys)) {
        for (TripKey& key : keys) key.ends = ends_of(start_of(key), goal_of(key));
    }
    oneapi::tbb::parallel_sort(keys.begin(), keys.end());
    return keys;
}

}  // namespace cairn::batch
