#include "grid/bit_grid.hpp"

#include <algorithm>
#include <array>

#include "cairn/paged_array.hpp"

namespace cairn::grid {

namespace {

// Calls `use(word, mask)` for each word with cells from x to x + count - 1 of a row; `mask` has
// their bits.
template <class Use>
void for_each_word(BitGrid::Word* row, int x, int count, const Use& use) {
    const auto end = static_cast<unsigned>(x + 1 + count);
    for (auto bit = static_cast<unsigned>(x + 1); bit < end;) {
        const unsigned shift = bit % BitGrid::kWordBits;
        const unsigned bits = std::min(end - bit, BitGrid::kWordBits - shift);
        use(row[bit / BitGrid::kWordBits], ~BitGrid::Word{0} >> (BitGrid::kWordBits - bits)
                                                                    << shift);
        bit += bits;
    }
}

void clear_cells(BitGrid::Word* row, int x, int count) {
    for_each_word(row, x, count, [](BitGrid::Word& word, BitGrid::Word mask) { word &= ~mask; });
}

// Swaps bit j of word i with bit i of word j, for all i and j: exchanges the squares of 32 x 32
// bits beside the diagonal, then those of 16 x 16 within each quarter, and so on.
void transpose(std::array<BitGrid::Word, 64>& square) {
    BitGrid::Word mask = 0x0000'0000'ffff'ffffU;
    for (unsigned side = 32; side != 0; side /= 2, mask ^= mask << side) {
        for (unsigned i = 0; i < 64; i = (i + side + 1) & ~side) {
            const BitGrid::Word differing = (square[i] >> side ^ square[i + side]) & mask;
            square[i] ^= differing << side;
            square[i + side] ^= differing;
        }
    }
}

}  // namespace

BitGrid::BitGrid(int width, int height)
    : width_(width), height_(height), stride_((width + 2 + kWordBits - 1) / kWordBits) {
    const std::size_t rows = static_cast<std::size_t>(height) + 2;
    rows_.resize(rows);
    for (std::size_t first = 0; first < rows; first += kPageRows) {
        auto page = unwritten_page<Word>(page_words());
        std::fill_n(page.get(), page_words(), ~Word{0});
        for (std::size_t r = std::max<std::size_t>(first, 1);
             r < std::min(first + kPageRows, rows - 1); ++r) {
            clear_cells(page.get() + (r - first) * static_cast<std::size_t>(stride_), 0, width);
        }
        pages_.emplace_back();
        set_page(first, std::move(page));
    }
}

void BitGrid::set_page(std::size_t row, std::shared_ptr<Word[]> page) {
    const std::size_t first = row / kPageRows * kPageRows;
    for (std::size_t r = first; r < std::min(first + kPageRows, rows_.size()); ++r) {
        rows_[r] = page.get() + (r - first) * static_cast<std::size_t>(stride_);
    }
    pages_[row / kPageRows] = std::move(page);
}

BitGrid BitGrid::transposed() const {
    BitGrid out(height_, width_);
    std::array<Word, kWordBits> square;
    for (int y = -1; y <= height_; y += kWordBits) {
        const auto to_word = static_cast<std::size_t>(y + 1) / kWordBits;
        const int rows = std::min(height_ + 1 - y, kWordBits);
        for (int from_word = 0; from_word < stride_; ++from_word) {
            square.fill(~Word{0});
            for (int i = 0; i < rows; ++i)
                square[static_cast<std::size_t>(i)] = row(y + i)[from_word];
            transpose(square);
            const int first = from_word * kWordBits;
            const int columns = std::min(width_ + 2 - first, kWordBits);
            for (int i = 0; i < columns; ++i) {
                out.rows_[static_cast<std::size_t>(first + i)][to_word] =
                    square[static_cast<std::size_t>(i)];
            }
        }
    }
    return out;
}

std::size_t BitGrid::bytes() const noexcept {
    return pages_.size() * (page_words() * sizeof(Word) + sizeof(pages_[0])) +
           rows_.size() * sizeof(rows_[0]);
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
    if (!owned_[r / kPageRows]) {
        auto copy = unwritten_page<Word>(grid_.page_words());
        std::copy_n(grid_.pages_[r / kPageRows].get(), grid_.page_words(), copy.get());
        grid_.set_page(r, std::move(copy));
        owned_[r / kPageRows] = true;
    }
    return grid_.rows_[r];
}

void BitGrid::Editor::set(int x, int y, bool value) {
    const auto b = static_cast<unsigned>(x + 1);
    const Word bit = Word{1} << (b % kWordBits);
    Word& word = row(y)[b / kWordBits];
    word = value ? word | bit : word & ~bit;
}

void BitGrid::Editor::fill(int x, int y, int count, bool value) {
    if (!value) return clear_cells(row(y), x, count);
    for_each_word(row(y), x, count, [](Word& word, Word mask) { word |= mask; });
}

}  // namespace cairn::grid
