#pragma once
// The order in which a batch answers its requests.
//
// A query by labels reads memory around its start and around its goal, and nothing in between. So
// the requests of each kind of agent are sorted by the part of the map in which they start (there
// are eight), then by goal, then by start; near places are near in the order. The memory around a
// goal is then read once for many requests, and the memory around all starts of a part stays in the
// processor's cache. If there are far fewer starts than goals, starts and goals swap roles.

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
#include "cairn/parts.hpp"
#include "core/parallel_loop.hpp"

#if CAIRN_HAS_MESH
#include "cairn/mesh/paths.hpp"
#endif

namespace cairn::batch {

/// What requests are sorted by: the group first, then the endpoints, then the request.
struct RequestKey {
    std::uint64_t endpoints = 0;  ///< see endpoints_key; different endpoints may have the same
    std::uint32_t group = 0;      ///< see group_of
    std::uint32_t request = 0;    ///< index of the request in the batch
    friend bool operator<(const RequestKey& a, const RequestKey& b) noexcept {
        return std::tie(a.group, a.endpoints, a.request) <
               std::tie(b.group, b.endpoints, b.request);
    }
};

/// Bits of a place's number; see PlaceNumbers.
inline constexpr int kPlaceBits = 30;
/// The highest bits of a place's number say in which of eight parts of the map it lies.
inline constexpr int kPartBits = 3;

/// A key that sorts by the part of `minor`, then by `major`, then by `minor`. Both are numbers of
/// places: those of the goal and the start, or the other way round.
[[nodiscard]] inline std::uint64_t endpoints_key(std::uint32_t major,
                                                 std::uint32_t minor) noexcept {
    const std::uint64_t part = minor >> (kPlaceBits - kPartBits);
    return part << 2 * kPlaceBits | std::uint64_t{major} << kPlaceBits | minor;
}
[[nodiscard]] inline std::uint32_t major_of(const RequestKey& key) noexcept {
    return static_cast<std::uint32_t>(key.endpoints >> kPlaceBits) & ((1U << kPlaceBits) - 1);
}
[[nodiscard]] inline std::uint32_t minor_of(const RequestKey& key) noexcept {
    return static_cast<std::uint32_t>(key.endpoints) & ((1U << kPlaceBits) - 1);
}

/// The start or goal of a request, seen from above.
struct Spot {
    double x = 0;
    double y = 0;
};
[[nodiscard]] inline Spot spot(grid::Point point) noexcept {
    return {static_cast<double>(point.x), static_cast<double>(point.y)};
}
#if CAIRN_HAS_MESH
[[nodiscard]] inline Spot spot(const mesh::Place& place) noexcept {
    return {double{place.point.x}, double{place.point.z}};
}
#endif

/// The extent of places along one axis.
struct PlaceExtent {
    double least = std::numeric_limits<double>::max();
    double most = std::numeric_limits<double>::lowest();

    void include(double at) noexcept {
        if (!std::isfinite(at)) return;
        least = std::min(least, at);
        most = std::max(most, at);
    }
    /// A coordinate, scaled from this extent to 0 to `greatest`. 0 for NaN.
    [[nodiscard]] std::uint32_t number(double at, double greatest) const noexcept {
        if (!(at > least)) return 0;
        if (!(at < most)) return static_cast<std::uint32_t>(greatest);
        return static_cast<std::uint32_t>((at - least) / (most - least) * greatest);
    }
};

/// The extent of the starts and goals of requests.
struct PlaceExtents {
    PlaceExtent x;
    PlaceExtent y;

    template <class Request>
    void include(std::span<const Request> requests) noexcept {
        for (const Request& request : requests) {
            for (const Spot at : {spot(request.start), spot(request.goal)}) {
                x.include(at.x);
                y.include(at.y);
            }
        }
    }
};

/// Numbers the starts and goals of requests so that near places mostly have near numbers.
class PlaceNumbers {
public:
    explicit PlaceNumbers(const PlaceExtents& extents) noexcept : extents_(extents) {}
    /// The Morton code of a place: the bits of x and y, each scaled to 15 bits, alternate.
    [[nodiscard]] std::uint32_t operator[](const Spot& at) const noexcept {
        return spread(extents_.x.number(at.x, kMost)) << 1 | spread(extents_.y.number(at.y, kMost));
    }

private:
    static constexpr double kMost = (1 << kPlaceBits / 2) - 1;  // of one coordinate

    /// Moves bit i, of 16 bits, to bit 2 i.
    [[nodiscard]] static std::uint32_t spread(std::uint32_t bits) noexcept {
        bits = (bits | bits << 8) & 0x00ff'00ff;
        bits = (bits | bits << 4) & 0x0f0f'0f0f;
        bits = (bits | bits << 2) & 0x3333'3333;
        return (bits | bits << 1) & 0x5555'5555;
    }

    PlaceExtents extents_;
};

/// A hash of the kind of agent: requests of one kind are answered together. 0 without an agent.
template <class Request>
[[nodiscard]] std::uint32_t group_of(const Request& request) noexcept {
    if constexpr (requires { request.agent; }) {
        return request.agent.capability * 0x9E37'79B1U +
               std::bit_cast<std::uint32_t>(request.agent.size);
    } else {
        return 0;
    }
}

/// How many different numbers the keys have, estimated by their different hashes: never too high.
template <class Number>
[[nodiscard]] std::size_t count_different(std::span<const RequestKey> keys, Number&& number) {
    const int bits = static_cast<int>(std::bit_width(keys.size())) + 2;
    std::vector<bool> seen(std::size_t{1} << bits);
    std::size_t count = 0;
    constexpr std::uint64_t kGoldenRatio = 0x9E37'79B9'7F4A'7C15;  // Fibonacci hashing
    for (const RequestKey& key : keys) {
        const std::size_t hash = (number(key) * kGoldenRatio) >> (64 - bits);
        count += seen[hash] ? 0 : 1;
        seen[hash] = true;
    }
    return count;
}

/// Whether there are far fewer starts than goals. In the keys, starts must be the minor places.
[[nodiscard]] inline bool starts_are_shared(std::span<const RequestKey> keys) {
    constexpr std::size_t kGoalsPerStart = 4;
    const auto goals = count_different(keys, [](const RequestKey& k) { return major_of(k); });
    const auto starts = count_different(keys, [](const RequestKey& k) { return minor_of(k); });
    return kGoalsPerStart * starts <= goals;
}

/// Exchanges the roles of starts and goals in keys.
inline void exchange_roles(std::span<RequestKey> keys) noexcept {
    for (RequestKey& key : keys) key.endpoints = endpoints_key(minor_of(key), major_of(key));
}

/// Replaces `keys` by those of all requests, in their order. Starts are the minor places. The
/// numbers of requests begin with `first`.
template <class Request>
void make_keys(std::span<const Request> requests, const PlaceExtents& extents, std::uint32_t first,
               const BuildControl& control, std::vector<RequestKey>& keys) {
    constexpr std::size_t kGrain = 256;
    const PlaceNumbers numbers(extents);
    keys.resize(requests.size());
    for_each_index(requests.size(), kGrain, control, [&](std::size_t, std::size_t i) {
        const Request& request = requests[i];
        keys[i] = {endpoints_key(numbers[spot(request.goal)], numbers[spot(request.start)]),
                   group_of(request), first + static_cast<std::uint32_t>(i)};
    });
}

/// Replaces `keys` by the sorted keys of all requests. The order depends only on the requests.
template <class Request>
void sort_requests(std::span<const Request> requests, const BuildControl& control,
                   std::vector<RequestKey>& keys) {
    PlaceExtents extents;
    extents.include(requests);
    make_keys(requests, extents, 0, control, keys);
    if (starts_are_shared(keys)) exchange_roles(keys);
    sort_in_parallel(std::span(keys), control);
}

}  // namespace cairn::batch
