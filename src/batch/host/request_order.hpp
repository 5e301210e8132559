#pragma once
// The order in which trips are taken up. What a trip reads lies around its start, around its goal
// and, of labels, in neither's way. So trips are taken up by the part of the map that they start
// from, of which there are a few, within it goal by goal, near ones one after another, and for one
// goal start by start: then what lies around a goal is read once for many, and what lies around all
// starts of a part stays near the processor. Where there are far fewer starts than goals, it is the
// other way round.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "cairn/grid/paths.hpp"
#include "cairn/mesh/paths.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {

/// Different trips may have one key: that costs time, and nothing else.
struct TripKey {
    std::uint64_t ends = 0;   ///< see ends_of
    std::uint32_t group = 0;  ///< who it is, where that matters
    std::uint32_t trip = 0;
    friend bool operator<(const TripKey& a, const TripKey& b) noexcept {
        return std::tie(a.group, a.ends, a.trip) < std::tie(b.group, b.ends, b.trip);
    }
};

/// Numbers of places have so many bits.
inline constexpr int kPlaceBits = 30;
/// The part of the map that a place lies in is the first bits of its number: eight parts.
inline constexpr int kPartBits = 3;

/// The part that `minor` lies in, `major`, and `minor`.
[[nodiscard]] inline std::uint64_t ends_of(std::uint32_t major, std::uint32_t minor) noexcept {
    const std::uint64_t part = minor >> (kPlaceBits - kPartBits);
    return part << 2 * kPlaceBits | std::uint64_t{major} << kPlaceBits | minor;
}
[[nodiscard]] inline std::uint32_t major_of(const TripKey& key) noexcept {
    return static_cast<std::uint32_t>(key.ends >> kPlaceBits) & ((1U << kPlaceBits) - 1);
}
[[nodiscard]] inline std::uint32_t minor_of(const TripKey& key) noexcept {
    return static_cast<std::uint32_t>(key.ends) & ((1U << kPlaceBits) - 1);
}

/// A place seen from above.
struct Spot {
    double x = 0;
    double y = 0;
};
[[nodiscard]] inline Spot spot(grid::Point point) noexcept {
    return {static_cast<double>(point.x), static_cast<double>(point.y)};
}
[[nodiscard]] inline Spot spot(const mesh::Place& place) noexcept {
    return {double{place.point.x}, double{place.point.z}};
}

/// The numbers of the places that trips are between: near places have near numbers.
class PlaceNumbers {
public:
    template <class Trip>
    explicit PlaceNumbers(std::span<const Trip> trips) noexcept {
        for (const Trip& trip : trips) {
            for (const Spot at : {spot(trip.start), spot(trip.goal)}) {
                x_.include(at.x);
                y_.include(at.y);
            }
        }
    }
    /// The bits of x and y by turns.
    [[nodiscard]] std::uint32_t operator[](const Spot& at) const noexcept {
        return spread(x_.number(at.x)) << 1 | spread(y_.number(at.y));
    }

private:
    static constexpr double kMost = (1 << kPlaceBits / 2) - 1;

    /// The stretch of one axis that places take.
    struct Stretch {
        double least = std::numeric_limits<double>::max();
        double most = std::numeric_limits<double>::lowest();

        void include(double at) noexcept {
            if (!std::isfinite(at)) return;
            least = std::min(least, at);
            most = std::max(most, at);
        }
        [[nodiscard]] std::uint32_t number(double at) const noexcept {
            if (!(at > least)) return 0;  // nor is what is no number
            if (!(at < most)) return static_cast<std::uint32_t>(kMost);
            return static_cast<std::uint32_t>((at - least) / (most - least) * kMost);
        }
    };

    [[nodiscard]] static std::uint32_t spread(std::uint32_t bits) noexcept {
        bits = (bits | bits << 8) & 0x00ff'00ff;
        bits = (bits | bits << 4) & 0x0f0f'0f0f;
        bits = (bits | bits << 2) & 0x3333'3333;
        return (bits | bits << 1) & 0x5555'5555;
    }

    Stretch x_;
    Stretch y_;
};

/// Agents of one kind come together.
template <class Trip>
[[nodiscard]] std::uint32_t group_of(const Trip& trip) noexcept {
    if constexpr (requires { trip.agent; }) {
        return trip.agent.capability * 0x9E37'79B1U + std::bit_cast<std::uint32_t>(trip.agent.size);
    } else {
        return 0;
    }
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

/// Whether so many more trips share starts, the minor ends, that they had better be the major ones.
[[nodiscard]] inline bool starts_are_shared(std::span<const TripKey> keys) {
    constexpr std::size_t kTimes = 4;
    const auto goals = count_different(keys, [](const TripKey& k) { return major_of(k); });
    const auto starts = count_different(keys, [](const TripKey& k) { return minor_of(k); });
    return kTimes * starts <= goals;
}

/// Makes `keys` those of all trips, sorted. The order depends on nothing else.
template <class Trip>
void sort_trips(std::span<const Trip> trips, const BuildControl& control,
                std::vector<TripKey>& keys) {
    constexpr std::size_t kGrain = 256;
    const PlaceNumbers numbers(trips);
    keys.resize(trips.size());
    for_each_range(trips.size(), kGrain, control,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                       for (std::size_t i = begin; i < end; ++i) {
                           const Trip& trip = trips[i];
                           keys[i] = {ends_of(numbers[spot(trip.goal)], numbers[spot(trip.start)]),
                                      group_of(trip), static_cast<std::uint32_t>(i)};
                       }
                   });
    if (starts_are_shared(keys)) {
        for (TripKey& key : keys) key.ends = ends_of(minor_of(key), major_of(key));
    }
    sort_in_parallel(std::span(keys), control);
}

}  // namespace cairn::batch
