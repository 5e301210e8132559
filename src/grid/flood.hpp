#pragma once
// The cells that a start can reach at any cost, and why a search found no path.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/grid/map.hpp"
#include "core/memory.hpp"
#include "core/slices.hpp"

namespace cairn::grid {

/// Follows all moves, without costs. For the rare queries whose search cannot tell whether there is
/// no path or only none that is cheap enough. One per thread; its memory is kept.
class Flood {
public:
    /// Finds all cells that moves connect to `start`. O(size).
    void from(const Map& map, Cell start) {
        reached_.assign((map.size() + 63) / 64, 0);
        open_.clear();
        reach(start);
        while (!open_.empty()) {
            const Cell cell = open_.back();
            open_.pop_back();
            for (unsigned moves = map.moves(cell); moves != 0; moves &= moves - 1)
                reach(map.step(cell, std::countr_zero(moves)));
        }
    }

    /// After `from`: whether a cell is one of them.
    [[nodiscard]] bool reached(Cell c) const noexcept {
        return (reached_[c / 64] >> c % 64 & 1) != 0;
    }
    /// After `from`: these cells as bits, cell c being bit c % 64 of word c / 64.
    [[nodiscard]] std::span<const std::uint64_t> bits() const noexcept { return reached_; }

    /// Whether moves connect two cells. O(size).
    [[nodiscard]] bool connects(const Map& map, Cell a, Cell b) {
        from(map, a);
        return reached(b);
    }

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(reached_, open_); }

private:
    void reach(Cell c) {
        std::uint64_t& word = reached_[c / 64];
        const std::uint64_t bit = std::uint64_t{1} << c % 64;
        if ((word & bit) != 0) return;
        word |= bit;
        open_.push_back(c);
    }

    std::vector<std::uint64_t> reached_;
    std::vector<Cell> open_;  // reached, and not followed yet
};

/// Why a search of a whole map found no path. `pruned`: whether it left out paths as too costly.
/// connected() says whether moves connect start and goal; it is called only if the search cannot
/// tell.
template <class Connected>
[[nodiscard]] StatusCode why_no_path(const Map& map, const SearchLimits& limits, bool pruned,
                                     Connected&& connected) {
    const StatusCode costly = too_costly(limits);
    if (pruned && costly == StatusCode::over_cost_limit) return costly;
    if (!pruned && map.costs_fit()) return StatusCode::no_path;
    return connected() ? costly : StatusCode::no_path;
}

}  // namespace cairn::grid
