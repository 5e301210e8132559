#pragma once
// The labels of an A* search: one word for each cell, not cleared between searches.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "core/memory.hpp"

namespace cairn::grid {

// A word has, from the top, 28 bits that count down with every search, 31 bits of g, 1 bit
// "expanded", and 4 bits for the direction of the move into the cell. So a word of an earlier
// search is larger than any of this search, as if its g were infinite, and one comparison tells
// whether a new g is an improvement.
class SearchLabels {
public:
    static constexpr unsigned kStart = 8;  // in place of a direction

    // Forgets all labels and makes room for `cells` of them. Clears only once in 2^28 searches.
    void begin(std::size_t cells) {
        if (cells > words_.size()) words_.resize(cells, ~std::uint64_t{0});
        if (stamp_ == 0) {
            words_.assign(words_.size(), ~std::uint64_t{0});
            stamp_ = kStampUnit * kFirstStamp;
        }
        stamp_ -= kStampUnit;
    }

    // Whether `g` is below the label's g, or the cell has no label yet. Has no meaning for a g that
    // is not below kInfinity, which no search labels a cell with.
    [[nodiscard]] bool improves(Cell c, Cost g) const noexcept {
        return (word(g) | kLowMask) < words_[c];
    }
    // Labels a cell, not expanded yet.
    void set(Cell c, Cost g, unsigned direction) noexcept { words_[c] = word(g) | direction; }

    // Marks a labelled cell as expanded; false if it already was.
    bool close(Cell c) noexcept {
        const std::uint64_t before = words_[c];
        words_[c] = before | kClosed;
        return (before & kClosed) == 0;
    }

    // These three need a labelled cell.
    [[nodiscard]] bool closed(Cell c) const noexcept { return (words_[c] & kClosed) != 0; }
    [[nodiscard]] Cost g(Cell c) const noexcept {
        return static_cast<Cost>(words_[c] >> kCostShift) & kInfinity;
    }
    [[nodiscard]] unsigned direction(Cell c) const noexcept {
        return static_cast<unsigned>(words_[c] & 15);
    }

    // Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(words_); }

private:
    static constexpr unsigned kCostShift = 5;
    static constexpr std::uint64_t kLowMask = 31;
    static constexpr std::uint64_t kClosed = 16;
    static constexpr std::uint64_t kStampUnit = std::uint64_t{1} << 36;
    static constexpr std::uint64_t kFirstStamp = (std::uint64_t{1} << 28) - 1;

    [[nodiscard]] std::uint64_t word(Cost g) const noexcept {
        return stamp_ | std::uint64_t{g} << kCostShift;
    }

    std::vector<std::uint64_t> words_;
    std::uint64_t stamp_ = kStampUnit * kFirstStamp;
};

}  // namespace cairn::grid
