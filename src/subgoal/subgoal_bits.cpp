#include "subgoal/subgoal_bits.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cairn::subgoal {

using grid::BitGrid;

Corners SubgoalBits::corners(int x, int y) const noexcept {
    if (!is_subgoal(x, y)) return 0;
    Corners corners = 0;
    for (std::size_t d = grid::kNorthEast; d < grid::kDirections; d += 2) {
        const int to_x = x + grid::kDx[d];
        const int to_y = y + grid::kDy[d];
        if (blocked(to_x, to_y) && !blocked(x, to_y) && !blocked(to_x, y))
            corners |= corner_bit(static_cast<int>(d));
    }
    return corners;
}

BitGrid::Word SubgoalBits::corner_word(int y, int w) const noexcept {
    const auto shifted_west = [&](const BitGrid::Word* row) {  // bit x holds cell x + 1
        return row[w] >> 1 |
               (w + 1 < static_cast<int>(stride()) ? row[w + 1] << 63 : ~BitGrid::Word{0} << 63);
    };
    const auto shifted_east = [&](const BitGrid::Word* row) {  // bit x holds cell x - 1
        return row[w] << 1 | (w > 0 ? row[w - 1] >> 63 : BitGrid::Word{1});
    };
    const BitGrid::Word* const north = obstacles_.rows.row(y - 1);
    const BitGrid::Word* const here = obstacles_.rows.row(y);
    const BitGrid::Word* const south = obstacles_.rows.row(y + 1);
    const BitGrid::Word free_east = ~shifted_west(here);
    const BitGrid::Word free_west = ~shifted_east(here);
    const BitGrid::Word at_north =
        ~north[w] & ((shifted_west(north) & free_east) | (shifted_east(north) & free_west));
    const BitGrid::Word at_south =
        ~south[w] & ((shifted_west(south) & free_east) | (shifted_east(south) & free_west));
    return ~here[w] & (at_north | at_south);
}

void SubgoalBits::number_rows(int first, int last, PagedArray<std::uint16_t>::Editor& before,
                              std::vector<std::uint32_t>& in_row) const {
    for (int y = first; y <= last; ++y) {
        std::uint32_t count = 0;
        for (unsigned w = 0; w < stride(); ++w) {
            before.set(static_cast<std::size_t>(y) * stride() + w,
                       static_cast<std::uint16_t>(count));
            count += count_bits(subgoal_word(y, w));
        }
        in_row[static_cast<std::size_t>(y)] = count;
    }
}

namespace {

// Replaces the count of subgoals in each row by the number of the row's first subgoal.
void sum_up(std::vector<std::uint32_t>& rows) {
    std::uint32_t sum = 0;
    for (std::uint32_t& row : rows) sum += std::exchange(row, sum);
}

}  // namespace

SubgoalBits::SubgoalBits(const grid::Map& map)
    : obstacles_(grid::make_obstacle_bits(map)), stop_rows_(obstacles_.rows) {
    BitGrid::Editor rows(stop_rows_);
    BitGrid::Editor columns(obstacles_.columns);
    for (int y = 0; y < height(); ++y) {
        BitGrid::Word* const row = rows.row(y);
        for (int w = 0; w < static_cast<int>(stride()); ++w) {
            const BitGrid::Word corners = corner_word(y, w);
            row[w] |= corners;
            for (BitGrid::Word left = corners; left != 0; left &= left - 1) {
                columns.set(y, w * BitGrid::kWordBits + std::countr_zero(left) - 1, true);
            }
        }
    }
    stop_rows_ = rows.take();
    stop_columns_ = columns.take();

    const auto words = static_cast<std::size_t>(height()) * stride();
    PagedArray<std::uint16_t>::Editor before{PagedArray<std::uint16_t>(words)};
    row_first_.assign(static_cast<std::size_t>(height()) + 1, 0);
    number_rows(0, height() - 1, before, row_first_);
    sum_up(row_first_);
    word_before_ = before.take();
}

SubgoalBits SubgoalBits::edited(const grid::Map& new_map,
                                std::span<const grid::TerrainEdit> edits) const {
    SubgoalBits out;
    out.obstacles_ = grid::edited(obstacles_, new_map, edits);
    out.stop_rows_ = stop_rows_;
    BitGrid::Editor rows(stop_rows_);
    BitGrid::Editor columns(stop_columns_);
    int first_row = height();
    int last_row = -1;
    for (const auto& [area, terrain] : edits) {
        const int top = std::max(area.y - 1, 0);
        const int bottom = std::min(area.y + area.height, height() - 1);
        const int left = std::max(area.x - 1, 0);
        const int right = std::min(area.x + area.width, width() - 1);
        for (int y = top; y <= bottom; ++y) {
            BitGrid::Word corners = 0;
            int loaded = -1;
            for (int x = left; x <= right; ++x) {
                const int w = (x + 1) / BitGrid::kWordBits;
                if (w != loaded) corners = out.corner_word(y, loaded = w);
                const bool stop =
                    out.blocked(x, y) || (corners >> ((x + 1) % BitGrid::kWordBits) & 1) != 0;
                if (stop == rows.grid().test(x, y)) continue;
                rows.set(x, y, stop);
                columns.set(y, x, stop);
            }
        }
        first_row = std::min(first_row, top);
        last_row = std::max(last_row, bottom);
    }
    out.stop_rows_ = rows.take();
    out.stop_columns_ = columns.take();

    PagedArray<std::uint16_t>::Editor before(word_before_);
    out.row_first_.resize(row_first_.size());
    for (std::size_t y = 0; y + 1 < row_first_.size(); ++y) {
        out.row_first_[y] = row_first_[y + 1] - row_first_[y];
    }
    out.row_first_.back() = 0;
    out.number_rows(first_row, last_row, before, out.row_first_);
    sum_up(out.row_first_);
    out.word_before_ = before.take();
    return out;
}

grid::Point SubgoalBits::point(std::uint32_t number) const noexcept {
    const auto row = std::upper_bound(row_first_.begin(), row_first_.end(), number) - 1;
    const auto y = static_cast<int>(row - row_first_.begin());
    std::uint32_t left = number - *row;
    for (unsigned w = 0;; ++w) {
        BitGrid::Word word = subgoal_word(y, w);
        const std::uint32_t count = count_bits(word);
        if (left >= count) {
            left -= count;
            continue;
        }
        for (; left > 0; --left) word &= word - 1;
        return {static_cast<int>(w * BitGrid::kWordBits) + std::countr_zero(word) - 1, y};
    }
}

std::size_t SubgoalBits::bytes() const noexcept {
    return obstacles_.bytes() + stop_rows_.bytes() + stop_columns_.bytes() +
           row_first_.size() * sizeof(std::uint32_t) + word_before_.size() * sizeof(std::uint16_t);
}

}  // namespace cairn::subgoal
