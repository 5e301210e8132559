#pragma once
// What the edges of a closure have, in the memory of the host or of a device.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/host_device.hpp"

namespace cairn {

/// The two ways along a closure edge.
enum class Way : std::uint8_t {
    up,    ///< from the lower node to the upper one
    down,  ///< from the upper node to the lower one
};
[[nodiscard]] CAIRN_HOST_DEVICE constexpr Way reverse(Way way) noexcept {
    return way == Way::up ? Way::down : Way::up;
}

/// A value for each way.
template <class Value>
struct BothWays {
    Value up;
    Value down;
    [[nodiscard]] CAIRN_HOST_DEVICE constexpr Value& operator[](Way way) noexcept {
        return way == Way::up ? up : down;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE constexpr const Value& operator[](Way way) const noexcept {
        return way == Way::up ? up : down;
    }
};

inline constexpr std::array<Way, 2> kBothWays{Way::up, Way::down};

/// The ways that a closure or labels keep: in an undirected graph, down is as up.
[[nodiscard]] constexpr std::span<const Way> ways(bool directed) noexcept {
    return std::span(kBothWays).first(directed ? 2 : 1);
}

/// What lies in the middle of a closure edge, packed: the middle's place less that of the edge's
/// lower node, modulo 2^30, and whether its edges to the lower and to the upper node are edges of
/// the graph.
struct ClosureMiddle {
    static constexpr std::uint32_t kGraphEdge = 0;  ///< no middle
    static constexpr std::uint32_t kLowerIsEdge = 1;
    static constexpr std::uint32_t kUpperIsEdge = 2;
    static constexpr int kFlagBits = 2;
    static constexpr std::uint32_t kFlags = kLowerIsEdge | kUpperIsEdge;

    [[nodiscard]] static constexpr std::uint32_t pack(std::uint32_t middle, std::uint32_t lower,
                                                      bool lower_is_edge,
                                                      bool upper_is_edge) noexcept {
        return (middle - lower) << kFlagBits | (lower_is_edge ? kLowerIsEdge : 0) |
               (upper_is_edge ? kUpperIsEdge : 0);
    }
    /// The place of the middle. Not for kGraphEdge.
    [[nodiscard]] CAIRN_HOST_DEVICE static constexpr std::uint32_t place(
        std::uint32_t packed, std::uint32_t lower) noexcept {
        constexpr std::uint32_t kMask = 0xffff'ffff >> kFlagBits;
        return ((packed >> kFlagBits) + lower) & kMask;
    }
    /// A middle of a row. Reads up to 3 bytes beyond it.
    [[nodiscard]] CAIRN_HOST_DEVICE static std::uint32_t read(const std::uint8_t* row,
                                                              std::uint32_t width,
                                                              std::uint32_t edge) noexcept {
        std::uint32_t word = 0;
        std::memcpy(&word, row + (std::size_t{edge} << width), sizeof word);
        return width == 0 ? word & 0xff : width == 1 ? word & 0xffff : word;
    }
    /// The bytes that a row of middles takes are 2^w each, with w from 0 to 2. `all` has the bits
    /// of all middles of the row.
    [[nodiscard]] static constexpr std::uint32_t width(std::uint32_t all) noexcept {
        return all <= 0xff ? 0 : all <= 0xffff ? 1 : 2;
    }
};

}  // namespace cairn
