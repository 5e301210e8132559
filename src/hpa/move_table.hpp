#pragma once
// The move tables of a 1-cluster: for every node and every cell, the next move from the cell
// towards the node.
//
// A table is four bits a cell, eight cells a word, row by row inside the cluster; a cluster's
// tables follow one another in slot order. 0 to 7 is a direction; kNoMove says that the cluster's
// inside does not lead from the cell to the node, kAtNode that the cell is the node.

#include <cstdint>
#include <span>

#include "cairn/grid/map.hpp"
#include "overlay/record_store.hpp"

namespace cairn::hpa {

class MoveTables {
public:
    static constexpr std::uint32_t kNoMove = 15;
    static constexpr std::uint32_t kAtNode = 8;

    MoveTables(RecordStore::Record words, const grid::Rect& rect) noexcept
        : words_(words.data()),
          rect_(rect),
          words_per_table_(words_for(static_cast<std::uint32_t>(rect.width) *
                                     static_cast<std::uint32_t>(rect.height))) {}

    [[nodiscard]] static constexpr std::uint32_t words_for(std::uint32_t cells) noexcept {
        return (cells + 7) / 8;
    }
    [[nodiscard]] std::uint32_t local(grid::Point p) const noexcept {
        return static_cast<std::uint32_t>((p.y - rect_.y) * rect_.width + (p.x - rect_.x));
    }
    [[nodiscard]] std::uint32_t local_step(int direction) const noexcept {
        const auto d = static_cast<std::size_t>(direction);
        return static_cast<std::uint32_t>(grid::kDy[d] * rect_.width + grid::kDx[d]);
    }
    /// The entry of local cell `cell` in the table of node `slot`.
    [[nodiscard]] std::uint32_t entry(std::uint32_t slot, std::uint32_t cell) const noexcept {
        return words_[slot * words_per_table_ + cell / 8] >> (cell % 8 * 4) & 15;
    }

private:
    const std::uint32_t* words_;
    grid::Rect rect_;
    std::uint32_t words_per_table_;
};

}  // namespace cairn::hpa
