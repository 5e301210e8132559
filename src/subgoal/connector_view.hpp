#pragma once
// The arrays of a ConnectorTable as spans, into host or device memory.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/host_device.hpp"

namespace cairn::subgoal {

struct ConnectorView {
    static constexpr std::uint32_t kTileSide = 8;

    std::uint32_t tiles_across = 0;
    std::span<const std::uint32_t> first;  // per tile, and one more: its first line
    std::span<const std::uint64_t> cells;  // per line: bit 8 y + x is cell (x, y) of the tile
    std::span<const std::uint32_t> nodes;  // per line: a connector of these cells; ascending

    /// The lines of a cell's tile, and the cell's bit in `cells`.
    struct Lines {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::uint32_t bit = 0;
    };
    [[nodiscard]] CAIRN_HOST_DEVICE Lines lines(int x, int y) const noexcept {
        const auto column = static_cast<std::uint32_t>(x);
        const auto row = static_cast<std::uint32_t>(y);
        const std::size_t tile = std::size_t{row / kTileSide} * tiles_across + column / kTileSide;
        return {first[tile], first[tile + 1], row % kTileSide * kTileSide + column % kTileSide};
    }
    [[nodiscard]] CAIRN_HOST_DEVICE bool has(std::uint32_t line, std::uint32_t bit) const noexcept {
        return (cells[line] >> bit & 1) != 0;
    }
};

}  // namespace cairn::subgoal
