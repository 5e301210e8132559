#pragma once
// The move tables of a 1-cluster: for every node and every cell, the first move of a shortest path
// inside the cluster from the cell to the node.
//
// Each node has a table, in slot order. A table has an entry of four bits for each cell, row by row
// inside the cluster, eight to a word. An entry is a direction, 0 to 7; kNoMove if no path inside
// the cluster leads from the cell to the node; or kAtNode if the cell is the node.

#include <cstdint>
#include <span>

#include "cairn/grid/map.hpp"
#include "cairn/grid/moves.hpp"
#include "core/host_device.hpp"

namespace cairn::hpa {

class MoveTables {
public:
    static constexpr std::uint32_t kNoMove = 15;
    static constexpr std::uint32_t kAtNode = 8;

    CAIRN_HOST_DEVICE MoveTables(std::span<const std::uint32_t> words,
                                 const grid::Rect& rect) noexcept
        : words_(words.data()),
          rect_(rect),
          words_per_table_(words_for(static_cast<std::uint32_t>(rect.width) *
                                     static_cast<std::uint32_t>(rect.height))) {}

    [[nodiscard]] CAIRN_HOST_DEVICE static constexpr std::uint32_t words_for(
        std::uint32_t cells) noexcept {
        return (cells + 7) / 8;
    }
    /// The local cell of a point of the map inside the cluster.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t local(grid::Point p) const noexcept {
        return static_cast<std::uint32_t>((p.y - rect_.y) * rect_.width + (p.x - rect_.x));
    }
    /// What a move adds to the number of a local cell.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t local_step(int direction) const noexcept {
        return step(direction, rect_.width);
    }
    /// What a move adds to the number of a cell in a rectangle of this width.
    [[nodiscard]] CAIRN_HOST_DEVICE static constexpr std::uint32_t step(int direction,
                                                                        int width) noexcept {
        // kDx + 1 and kDy + 1, two bits for each direction: device code cannot read those arrays.
        constexpr unsigned kPackedDx = 0x01a9;
        constexpr unsigned kPackedDy = 0x1a90;
        const int dx = static_cast<int>(kPackedDx >> 2 * direction & 3) - 1;
        const int dy = static_cast<int>(kPackedDy >> 2 * direction & 3) - 1;
        return static_cast<std::uint32_t>(dy * width + dx);
    }
    /// The entry of local cell `cell` in the table of node `slot`.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t entry(std::uint32_t slot,
                                                        std::uint32_t cell) const noexcept {
        return words_[slot * words_per_table_ + cell / 8] >> (cell % 8 * 4) & 15;
    }
    /// Calls use(direction) for each move from local cell `cell` to node `slot`. False if the table
    /// does not lead there.
    template <class Use>
    CAIRN_HOST_DEVICE bool walk(std::uint32_t slot, std::uint32_t cell, Use&& use) const {
        std::uint32_t move = entry(slot, cell);
        while (move < grid::kDirections) {
            use(static_cast<int>(move));
            cell += local_step(static_cast<int>(move));
            move = entry(slot, cell);
        }
        return move != kNoMove;
    }

private:
    const std::uint32_t* words_;
    grid::Rect rect_;
    std::uint32_t words_per_table_;
};

}  // namespace cairn::hpa
