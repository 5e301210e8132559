#include "grid/bit_grid.hpp"

#include <algorithm>

namespace cairn::grid {

namespace {

// Clears the bits of cells 0 to width - 1 in a row.
void clear_inside(BitGrid::Word* row, int width) {
    const auto end = static_cast<unsigned>(width) + 1;
    for (unsigned bit = 1; bit < end;) {
        const unsigned shift = bit % BitGrid::kWordBits;
        const unsigned count = std::min(end - bit, BitGrid::kWordBits - shift);
        const BitGrid::Word ones = ~BitGrid::Word{0} >> (BitGrid::kWordBits - count);
        row[bit / BitGrid::kWordBits] &= ~(ones << shift);
        bit += count;
    }
}

}  // namespace

BitGrid::BitGrid(int width, int height)
    : width_(width), height_(height), stride_((width + 2 + kWordBits - 1) / kWordBits) {
    const std::size_t rows = static_cast<std::size_t>(height) + 2;
    for (std::size_t first = 0; first < rows; first += kPageRows) {
        auto page = std::make_shared_for_overwrite<Word[]>(page_words());
        std::fill_n(page.get(), page_words(), ~Word{0});
        for (std::size_t r = std::max<std::size_t>(first, 1);
             r < std::min(first + kPageRows, rows - 1); ++r) {
            clear_inside(page.get() + (r - first) * static_cast<std::size_t>(stride_), width);
        }
        pages_.push_back(std::move(page));
    }
}

BitGrid BitGrid::transposed() const {
    BitGrid out(height_, width_);
    Editor editor(out);
    for (int y = 0; y < height_; ++y) {
        const Word* const from = row(y);
        for (int x = next(from, -1); x < width_; x = next(from, x)) editor.set(y, x, true);
    }
    return editor.take();
}

std::size_t BitGrid::bytes() const noexcept {
    return pages_.size() * (page_words() * sizeof(Word) + sizeof(pages_[0]));
}

bool operator==(const BitGrid& a, const BitGrid& b) noexcept {
    if (a.width_ != b.width_ || a.height_ != b.height_) return false;
    for (std::size_t i = 0; i < a.pages_.size(); ++i) {
        if (a.pages_[i] == b.pages_[i]) continue;
        if (!std::equal(a.pages_[i].get(), a.pages_[i].get() + a.page_words(), b.pages_[i].get())) {
            return false;
        }
    }
    return true;
}

BitGrid::Word* BitGrid::Editor::row(int y) {
    const auto r = static_cast<std::size_t>(y + 1);
    auto& page = grid_.pages_[r / kPageRows];
    if (!owned_[r / kPageRows]) {
        auto copy = std::make_shared_for_overwrite<Word[]>(grid_.page_words());
        std::copy_n(page.get(), grid_.page_words(), copy.get());
        page = std::move(copy);
        owned_[r / kPageRows] = true;
    }
    return page.get() + (r % kPageRows) * static_cast<std::size_t>(grid_.stride_);
}

void BitGrid::Editor::set(int x, int y, bool value) {
    const auto b = static_cast<unsigned>(x + 1);
    const Word bit = Word{1} << (b % kWordBits);
    Word& word = row(y)[b / kWordBits];
    word = value ? word | bit : word & ~bit;
}

}  // namespace cairn::grid
