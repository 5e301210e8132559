#include "cairn/grid/corridor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "core/memory.hpp"

namespace cairn::grid {
namespace {

// The directions whose step (dx, dy) has `part` in the given axis.
unsigned directions_with(const std::array<std::int8_t, 8>& axis, int part) {
    unsigned bits = 0;
    for (std::size_t d = 0; d < kDirections; ++d) {
        if (axis[d] == part) bits |= 1U << d;
    }
    return bits;
}

}  // namespace

void Corridor::reset(int width, int height, int block_size) {
    clear();
    if (width == width_ && height == height_ && block_size == block_size_) return;
    width_ = width;
    height_ = height;
    block_size_ = block_size;
    columns_ = static_cast<std::uint32_t>((width - 1) / block_size + 1);
    rows_ = static_cast<std::uint32_t>((height - 1) / block_size + 1);
    used_.assign(std::size_t{columns_} * rows_, 0);
    missing_.assign(used_.size(), 0);

    const auto lay = [&](std::vector<Line>& lines, int length, std::uint32_t stride,
                         const std::array<std::int8_t, 8>& axis) {
        lines.resize(static_cast<std::size_t>(length));
        for (int i = 0; i < length; ++i) {
            unsigned edge = 0;
            if (i % block_size == 0) edge |= directions_with(axis, -1);
            if (i % block_size == block_size - 1 || i == length - 1)
                edge |= directions_with(axis, 1);
            lines[static_cast<std::size_t>(i)] = {
                static_cast<std::uint32_t>(i / block_size) * stride,
                static_cast<std::uint8_t>(edge)};
        }
    };
    lay(column_, width, 1, kDx);
    lay(row_, height, columns_, kDy);
}

void Corridor::clear() noexcept {
    for (const std::uint32_t block : blocks_) used_[block] = 0;
    blocks_.clear();
}

std::size_t Corridor::memory() const noexcept {
    return memory_of(column_, row_, used_, missing_, blocks_);
}

void Corridor::add(Point p) {
    add_block(static_cast<std::uint32_t>(p.x / block_size_),
              static_cast<std::uint32_t>(p.y / block_size_));
}

void Corridor::add_block(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t block = y * columns_ + x;
    if (used_[block] != 0) return;
    used_[block] = 1;
    blocks_.push_back(block);
    unsigned missing = 0;
    for (std::size_t d = 0; d < kDirections; ++d) {
        const std::uint32_t nx = x + static_cast<std::uint32_t>(kDx[d]);  // wraps off the map
        const std::uint32_t ny = y + static_cast<std::uint32_t>(kDy[d]);
        if (nx >= columns_ || ny >= rows_) continue;
        const std::uint32_t neighbour = ny * columns_ + nx;
        if (used_[neighbour] == 0) {
            missing |= 1U << d;
        } else {
            missing_[neighbour] &=
                static_cast<std::uint8_t>(~(1U << opposite(static_cast<int>(d))));
        }
    }
    missing_[block] = static_cast<std::uint8_t>(missing);
}

void Corridor::widen(int rings) {
    const std::size_t count = blocks_.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto reach = static_cast<std::uint32_t>(std::max(rings, 0));
        const std::uint32_t x = blocks_[i] % columns_;
        const std::uint32_t y = blocks_[i] / columns_;
        const std::uint32_t right = std::min(columns_ - 1, x + reach);
        const std::uint32_t bottom = std::min(rows_ - 1, y + reach);
        for (std::uint32_t by = y - std::min(y, reach); by <= bottom; ++by) {
            for (std::uint32_t bx = x - std::min(x, reach); bx <= right; ++bx) {
                add_block(bx, by);
            }
        }
    }
}

unsigned Corridor::exits_over(unsigned column_edge, unsigned row_edge, unsigned missing) noexcept {
    unsigned out = 0;
    for (unsigned bits = column_edge | row_edge; bits != 0; bits &= bits - 1) {
        const auto d = static_cast<std::size_t>(std::countr_zero(bits));
        const int dx = (column_edge >> d & 1) != 0 ? kDx[d] : 0;
        const int dy = (row_edge >> d & 1) != 0 ? kDy[d] : 0;
        if ((missing >> direction_of(dx, dy) & 1) != 0) out |= 1U << d;
    }
    return out;
}

}  // namespace cairn::grid
