#pragma once
// The order in which trips are taken up: goal by goal, and near ones one after another.

#include <oneapi/tbb/parallel_sort.h>

#include <bit>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "cairn/batch/routes.hpp"

namespace cairn::batch {

struct TripKey {
    std::uint64_t group = 0;  ///< who it is, where that matters
    std::uint64_t goal = 0;
    std::uint64_t start = 0;
    std::uint32_t trip = 0;
    friend bool operator<(const TripKey& a, const TripKey& b) noexcept {
        return std::tie(a.group, a.goal, a.start, a.trip) <
               std::tie(b.group, b.goal, b.start, b.trip);
    }
};

/// Near points have near numbers: the bits of x and y by turns.
[[nodiscard]] inline std::uint64_t order_number(grid::Point point) noexcept {
    const auto spread = [](std::int32_t coordinate) {
        std::uint64_t bits = std::bit_cast<std::uint32_t>(coordinate);
        bits = (bits | bits << 16) & 0x0000'ffff'0000'ffff;
        bits = (bits | bits << 8) & 0x00ff'00ff'00ff'00ff;
        bits = (bits | bits << 4) & 0x0f0f'0f0f'0f0f'0f0f;
        bits = (bits | bits << 2) & 0x3333'3333'3333'3333;
        return (bits | bits << 1) & 0x5555'5555'5555'5555;
    };
    return spread(point.x) | spread(point.y) << 1;
}

[[nodiscard]] inline TripKey key_of(const CellTrip& trip) noexcept {
    return {0, order_number(trip.goal), order_number(trip.start)};
}

[[nodiscard]] inline TripKey key_of(const AgentTrip& trip) noexcept {
    const auto size = std::bit_cast<std::uint32_t>(trip.agent.size);
    return {std::uint64_t{trip.agent.capability} << 32 | size, order_number(trip.goal),
            order_number(trip.start)};
}

[[nodiscard]] inline TripKey key_of(const MeshTrip& trip) noexcept {
    const auto number = [](const navmesh::Place& place) {
        const auto x = std::bit_cast<std::uint32_t>(place.point.x);
        return std::uint64_t{place.polygon} << 32 | x;
    };
    return {0, number(trip.goal), number(trip.start)};
}

/// All trips, sorted.
template <class Trip>
[[nodiscard]] std::vector<TripKey> trip_order(std::span<const Trip> trips) {
    std::vector<TripKey> keys(trips.size());
    for (std::uint32_t i = 0; i < trips.size(); ++i) {
        keys[i] = key_of(trips[i]);
        keys[i].trip = i;
    }
    oneapi::tbb::parallel_sort(keys.begin(), keys.end());
    return keys;
}

}  // namespace cairn::batch
