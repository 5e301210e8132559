#pragma once
// The obstacles and subgoals of a map as bits, and the numbers of the subgoals.

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/paged_array.hpp"
#include "grid/obstacle_bits.hpp"

namespace cairn::subgoal {

/// The corners of a free cell, a bit for each diagonal direction (corner_bit). A cell has a corner
/// in a direction if its neighbour there is blocked and both cells beside that move are free. A
/// free cell with a corner is a subgoal (section 15.3.1).
using Corners = std::uint32_t;

inline constexpr Corners kAllCorners = 15;

/// The bit of the corner in diagonal direction `d`.
[[nodiscard]] constexpr Corners corner_bit(int d) noexcept { return Corners{1} << (d >> 1); }

/// As std::popcount, which is a function call unless the compiler may use the instruction.
[[nodiscard]] constexpr std::uint32_t count_bits(std::uint64_t word) noexcept {
    word -= word >> 1 & 0x5555'5555'5555'5555;
    word = (word & 0x3333'3333'3333'3333) + (word >> 2 & 0x3333'3333'3333'3333);
    word = (word + (word >> 4)) & 0x0f0f'0f0f'0f0f'0f0f;
    return static_cast<std::uint32_t>(word * 0x0101'0101'0101'0101 >> 56);
}

/// Immutable. Edited copies share memory.
class SubgoalBits {
public:
    SubgoalBits() = default;
    /// O(map / 64 + subgoals).
    explicit SubgoalBits(const grid::Map& map);
    /// The bits of `new_map`, which is this map with `edits` applied. Shares unchanged memory.
    [[nodiscard]] SubgoalBits edited(const grid::Map& new_map,
                                     std::span<const grid::TerrainEdit> edits) const;

    [[nodiscard]] int width() const noexcept { return obstacles_.rows.width(); }
    [[nodiscard]] int height() const noexcept { return obstacles_.rows.height(); }
    [[nodiscard]] const grid::ObstacleBits& obstacles() const noexcept { return obstacles_; }
    /// A set bit is an obstacle or a subgoal: a cell where clearances end.
    [[nodiscard]] const grid::BitGrid& stop_rows() const noexcept { return stop_rows_; }
    [[nodiscard]] const grid::BitGrid& stop_columns() const noexcept { return stop_columns_; }

    [[nodiscard]] bool blocked(int x, int y) const noexcept { return obstacles_.rows.test(x, y); }
    [[nodiscard]] bool is_subgoal(int x, int y) const noexcept {
        return stop_rows_.test(x, y) && !blocked(x, y);
    }
    /// The corners of a cell of the map; 0 if it is not a subgoal.
    [[nodiscard]] Corners corners(int x, int y) const noexcept;

    [[nodiscard]] std::uint32_t count() const noexcept { return row_first_.back(); }
    /// The number of a subgoal: its rank by row, then column.
    [[nodiscard]] std::uint32_t number(int x, int y) const noexcept {
        const auto bit = static_cast<unsigned>(x + 1);
        const unsigned w = bit / grid::BitGrid::kWordBits;
        const std::uint64_t before =
            subgoal_word(y, w) & ((std::uint64_t{1} << (bit % grid::BitGrid::kWordBits)) - 1);
        const std::size_t index = static_cast<std::size_t>(y) * stride() + w;
        return row_first_[static_cast<std::size_t>(y)] + word_before_[index] + count_bits(before);
    }
    /// The cell of subgoal `number` < count(). O(log height + width / 64).
    [[nodiscard]] grid::Point point(std::uint32_t number) const noexcept;
    /// Calls use(x, y) for each subgoal of row y in the columns `first` to `end` - 1, ascending.
    template <class Use>
    void for_each_in_row(int y, int first, int end, Use&& use) const {
        constexpr int kBits = grid::BitGrid::kWordBits;
        for (int w = (first + 1) / kBits; w * kBits <= end; ++w) {
            std::uint64_t word = subgoal_word(y, static_cast<unsigned>(w));
            if (w * kBits <= first) word &= ~std::uint64_t{0} << (first + 1) % kBits;
            if ((w + 1) * kBits > end + 1) word &= ~(~std::uint64_t{0} << (end + 1) % kBits);
            for (; word != 0; word &= word - 1) use(w * kBits + std::countr_zero(word) - 1, y);
        }
    }
    template <class Use>
    void for_each_in_row(int y, Use&& use) const {
        for_each_in_row(y, 0, width(), use);
    }

    [[nodiscard]] std::size_t bytes() const noexcept;
    friend bool operator==(const SubgoalBits& a, const SubgoalBits& b) noexcept {
        return a.obstacles_ == b.obstacles_ && a.stop_rows_ == b.stop_rows_;
    }

private:
    [[nodiscard]] unsigned stride() const noexcept {
        return static_cast<unsigned>(stop_rows_.stride());
    }
    [[nodiscard]] std::uint64_t subgoal_word(int y, unsigned w) const noexcept {
        return stop_rows_.row(y)[w] & ~obstacles_.rows.row(y)[w];
    }
    /// Word w of row y: a bit for each cell that has a corner.
    [[nodiscard]] std::uint64_t corner_word(int y, int w) const noexcept;
    /// For the rows `first` to `last`: sets `before` (word_before_) and the subgoals in each row.
    void number_rows(int first, int last, PagedArray<std::uint16_t>::Editor& before,
                     std::vector<std::uint32_t>& in_row) const;

    grid::ObstacleBits obstacles_;
    grid::BitGrid stop_rows_;
    grid::BitGrid stop_columns_;
    std::vector<std::uint32_t> row_first_{0};  // per row, and one more: its first subgoal's number
    PagedArray<std::uint16_t> word_before_;  // per row and word: subgoals in the row's words before
};

}  // namespace cairn::subgoal
