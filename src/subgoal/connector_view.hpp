#pragma once
// The arrays of a ConnectorTable as spans, into host or device memory.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/host_device.hpp"

namespace cairn::subgoal {

struct ConnectorView {
    static constexpr std::uint32_t kTileSide = 8;

    /// How many tiles there are along a side of so many cells.
    [[nodiscard]] static constexpr std::size_t tiles_along(int cells) noexcept {
        return (static_cast<std::size_t>(cells) + kTileSide - 1) / kTileSide;
    }

    std::uint32_t tiles_across = 0;
    std::span<const std::uint32_t> first;  // per tile, and one more: its first line
    std::span<const std::uint64_t> cells;  // per line: bit 8 y + x is cell (x, y) of the tile
    std::span<const std::uint32_t> nodes;  // per line: a connector of these cells

    /// The lines of a cell's tile, and the cell's bit in `cells`.
    struct Lines {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::uint32_t bit = 0;
    };
    [[nodiscard]] CAIRN_HOST_DEVICE Lines lines(int x, int y) const noexcept {
        const std::size_t tile = this->tile(x, y);
        return {first[tile], first[tile + 1], bit(x, y)};
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::size_t tile(int x, int y) const noexcept {
        const auto column = static_cast<std::uint32_t>(x);
        const auto row = static_cast<std::uint32_t>(y);
        return std::size_t{row / kTileSide} * tiles_across + column / kTileSide;
    }
    [[nodiscard]] static CAIRN_HOST_DEVICE std::uint32_t bit(int x, int y) noexcept {
        const auto column = static_cast<std::uint32_t>(x);
        const auto row = static_cast<std::uint32_t>(y);
        return row % kTileSide * kTileSide + column % kTileSide;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE bool has(std::uint32_t line, std::uint32_t bit) const noexcept {
        return (cells[line] >> bit & 1) != 0;
    }
};

}  // namespace cairn::subgoal
