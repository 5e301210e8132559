#pragma once
// A padded matrix of bits with scans along rows: 64 cells a step, without bounds checks.
//
// A rim of set bits, one cell wide, surrounds the matrix. So every scan ends, and every cell has
// neighbours that may be read. For scans along columns keep a second matrix with x and y swapped
// (`transposed`). Copies share their rows, in pages of sixteen; an Editor copies the pages that it
// writes to.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cairn::grid {

class BitGrid {
public:
    using Word = std::uint64_t;
    static constexpr int kWordBits = 64;

    BitGrid() = default;
    /// All bits inside the rim are clear. Needs sides of 1 to Map::kMaxSide + 1.
    BitGrid(int width, int height);

    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }
    /// Words in each row.
    [[nodiscard]] int stride() const noexcept { return stride_; }

    /// The words of row y, from -1 to height(). Cell x, from -1 to width(), is bit x + 1 of the
    /// row, counted from the lowest bit of word 0. The bits after cell width() are set.
    [[nodiscard]] const Word* row(int y) const noexcept {
        return rows_[static_cast<std::size_t>(y + 1)];
    }
    /// The bit of cell x, from -1 to width(), of row y, from -1 to height().
    [[nodiscard]] bool test(int x, int y) const noexcept { return test(row(y), x); }
    /// The bit of cell x, from -1 to width(), of a row.
    [[nodiscard]] static bool test(const Word* row, int x) noexcept {
        const auto b = static_cast<unsigned>(x + 1);
        return (row[b / kWordBits] >> (b % kWordBits) & 1) != 0;
    }
    /// The least x' > x whose bit in `row` is set; x from -1 to width() - 1.
    [[nodiscard]] static int next(const Word* row, int x) noexcept {
        const auto b = static_cast<unsigned>(x + 2);
        unsigned w = b / kWordBits;
        Word word = row[w] >> (b % kWordBits);
        if (word != 0) return x + 1 + std::countr_zero(word);
        do word = row[++w];
        while (word == 0);
        return static_cast<int>(w * kWordBits) + std::countr_zero(word) - 1;
    }
    /// The greatest x' < x whose bit in `row` is set; x from 0 to width().
    [[nodiscard]] static int previous(const Word* row, int x) noexcept {
        const auto b = static_cast<unsigned>(x);
        unsigned w = b / kWordBits;
        Word word = row[w] << (kWordBits - 1 - b % kWordBits);
        if (word != 0) return x - 1 - std::countl_zero(word);
        do word = row[--w];
        while (word == 0);
        return static_cast<int>(w * kWordBits) + kWordBits - 2 - std::countl_zero(word);
    }

    /// This grid with x and y swapped, 64 x 64 bits at a step. O(size).
    [[nodiscard]] BitGrid transposed() const;
    /// Bytes of pages and tables, including pages shared with copies.
    [[nodiscard]] std::size_t bytes() const noexcept;

    friend bool operator==(const BitGrid& a, const BitGrid& b) noexcept;

    class Editor;

private:
    static constexpr std::size_t kPageRows = 16;
    [[nodiscard]] std::size_t page_words() const noexcept {
        return kPageRows * static_cast<std::size_t>(stride_);
    }
    // Makes `page` the page of rows_[row].
    void set_page(std::size_t row, std::shared_ptr<Word[]> page);

    int width_ = 0;
    int height_ = 0;
    int stride_ = 0;
    std::vector<std::shared_ptr<Word[]>> pages_;
    std::vector<Word*> rows_;  // row y is rows_[y + 1], in pages_; shared pages are not written
};

/// Writes to a copy of a grid; the original does not change.
class BitGrid::Editor {
public:
    explicit Editor(const BitGrid& original)
        : grid_(original), owned_(original.pages_.size(), false) {}
    /// The words of row y, from 0 to height() - 1, for writing; the rim must stay set.
    [[nodiscard]] Word* row(int y);
    void set(int x, int y, bool value);
    /// Sets cells x to x + count - 1 of row y to `value`. Needs count > 0.
    void fill(int x, int y, int count, bool value);
    [[nodiscard]] const BitGrid& grid() const noexcept { return grid_; }
    /// The edited grid. The editor must not be used afterwards.
    [[nodiscard]] BitGrid take() { return std::move(grid_); }

private:
    BitGrid grid_;
    std::vector<bool> owned_;  // of each page: whether it is a copy made here
};

}  // namespace cairn::grid
