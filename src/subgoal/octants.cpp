// One pass over the map for each octant, 64 cells at a step. Turn, rise and fall: see octants.hpp.

#include "subgoal/octants.hpp"

#include <algorithm>

namespace cairn::subgoal {
namespace {

using grid::BitGrid;
using Word = BitGrid::Word;

// The pass of one octant. C goes to larger x if kForward, else to smaller x; D goes also to smaller
// y if kUp, else to larger y. For octants whose C goes along columns the grid is transposed.
template <bool kForward, bool kUp>
class OctantPass {
public:
    explicit OctantPass(const BitGrid& obstacles)
        : obstacles_(obstacles),
          words_(static_cast<std::size_t>(obstacles.stride())),
          turns_(words_),
          rises_(words_),
          falls_(words_),
          useful_(words_),
          useful_near_(words_) {}

    // Calls use(y, words) for each row. A cell's bit says whether the octant is useful there.
    template <class Use>
    void run(Use&& use) {
        for (int i = 0; i < obstacles_.height(); ++i) {
            const int y = kUp ? i : obstacles_.height() - 1 - i;
            find_corners(y);
            std::fill(useful_.begin(), useful_.end(), Word{0});
            mark_turns(obstacles_.row(y));
            mark_rises(obstacles_.row(y));
            mark_diagonal(y);
            use(y, useful_.data());
            std::swap(useful_, useful_near_);
        }
    }

private:
    using Row = std::vector<Word>;

    // Word w of `row`, in which each cell has the bit of its neighbour: that at larger x, at
    // smaller x, ahead in direction C, or behind.
    [[nodiscard]] Word higher(const Word* row, std::size_t w) const noexcept {
        return row[w] >> 1 | (w + 1 < words_ ? row[w + 1] << 63 : Word{0});
    }
    [[nodiscard]] Word lower(const Word* row, std::size_t w) const noexcept {
        return row[w] << 1 | (w > 0 ? row[w - 1] >> 63 : Word{0});
    }
    [[nodiscard]] Word ahead(const Word* row, std::size_t w) const noexcept {
        return kForward ? higher(row, w) : lower(row, w);
    }
    [[nodiscard]] Word behind(const Word* row, std::size_t w) const noexcept {
        return kForward ? lower(row, w) : higher(row, w);
    }

    // `near` is the row that D leads to, `far` the one on the other side.
    void find_corners(int y) {
        const Word* const here = obstacles_.row(y);
        const Word* const near = obstacles_.row(kUp ? y - 1 : y + 1);
        const Word* const far = obstacles_.row(kUp ? y + 1 : y - 1);
        for (std::size_t w = 0; w < words_; ++w) {
            const Word free = ~here[w];
            const Word free_behind = free & ~behind(here, w);
            turns_[w] = free_behind & ~near[w] & behind(near, w);
            rises_[w] = free & ~ahead(here, w) & ~far[w] & ahead(far, w);
            falls_[w] = free_behind & ~far[w] & behind(far, w);
        }
    }

    // Marks the cells from a to b, both included. Either may be the lesser.
    void mark(int a, int b) {
        const auto first = static_cast<unsigned>(std::min(a, b) + 1);
        const auto last = static_cast<unsigned>(std::max(a, b) + 1);
        const std::size_t from = first / BitGrid::kWordBits;
        const std::size_t to = last / BitGrid::kWordBits;
        const Word low = ~Word{0} << (first % BitGrid::kWordBits);
        const Word high = ~Word{0} >> (BitGrid::kWordBits - 1 - last % BitGrid::kWordBits);
        if (from == to) {
            useful_[from] |= low & high;
            return;
        }
        useful_[from] |= low;
        for (std::size_t w = from + 1; w < to; ++w) useful_[w] = ~Word{0};
        useful_[to] |= high;
    }

    // The nearest cell before x, in direction C, whose bit is set; outside the map if none is.
    [[nodiscard]] int last_before(const Word* row, int x) const noexcept {
        constexpr int kBits = BitGrid::kWordBits;
        const int bit = x + 1;
        if constexpr (kForward) {
            int w = bit / kBits;
            Word word = row[w] & ((Word{1} << (bit % kBits)) - 1);
            while (word == 0 && w > 0) word = row[--w];
            return word == 0 ? -2 : w * kBits + kBits - 2 - std::countl_zero(word);
        } else {
            int w = bit / kBits;
            Word word = row[w] & ~(~Word{0} >> (kBits - 1 - bit % kBits));
            const auto end = static_cast<int>(words_);
            while (word == 0 && w + 1 < end) word = row[++w];
            return word == 0 ? end * kBits : w * kBits + std::countr_zero(word) - 1;
        }
    }
    // The last cell, in direction C, whose bit is set.
    [[nodiscard]] int last(const Row& row) const noexcept {
        return last_before(row.data(),
                           kForward ? static_cast<int>(words_) * BitGrid::kWordBits - 2 : -1);
    }
    // Whether a lies before b, in the direction of C.
    [[nodiscard]] static bool precedes(int a, int b) noexcept { return kForward ? a < b : a > b; }
    [[nodiscard]] bool inside(int x) const noexcept { return x >= 0 && x < obstacles_.width(); }

    // Marks the turns, and the cells from which C moves lead to one.
    void mark_turns(const Word* here) {
        for (int x = last(turns_); inside(x);) {
            const int wall = last_before(here, x);
            mark(x, wall + (kForward ? 1 : -1));
            x = last_before(turns_.data(), wall);
        }
    }

    // Marks the rises from which C moves lead to a fall, and the cells before them.
    void mark_rises(const Word* here) {
        for (int x = last(falls_); inside(x);) {
            const int wall = last_before(here, x);
            const int rise = last_before(rises_.data(), x);
            if (precedes(wall, rise)) mark(rise, wall + (kForward ? 1 : -1));
            x = last_before(falls_.data(), wall);
        }
    }

    // Marks the cells from which one D move leads to a marked cell of the near row.
    void mark_diagonal(int y) {
        if (kUp ? y == 0 : y == obstacles_.height() - 1) return;
        const Word* const here = obstacles_.row(y);
        const Word* const near = obstacles_.row(kUp ? y - 1 : y + 1);
        for (std::size_t w = 0; w < words_; ++w) {
            const Word legal = ~(here[w] | ahead(here, w) | near[w] | ahead(near, w));
            useful_[w] |= legal & ahead(useful_near_.data(), w);
        }
    }

    const BitGrid& obstacles_;
    std::size_t words_;  // in a row
    Row turns_;
    Row rises_;
    Row falls_;
    Row useful_;       // the marked cells of this row
    Row useful_near_;  // those of the row that D leads to
};

// The passes of two octants: with C along rows, then along columns.
template <bool kForward, bool kUp>
void add_useful(const SubgoalBits& bits, std::vector<Octants>& useful) {
    constexpr int kAlong = kForward ? 1 : -1;
    constexpr int kAcross = kUp ? -1 : 1;
    constexpr Octants kInRows =
        octant_of(grid::direction_of(kAlong, 0), grid::direction_of(kAlong, kAcross));
    OctantPass<kForward, kUp>(bits.obstacles().rows).run([&](int y, const Word* row) {
        bits.for_each_in_row(y, [&](int x, int) {
            if (BitGrid::test(row, x)) useful[bits.number(x, y)] |= kInRows;
        });
    });
    constexpr Octants kInColumns =
        octant_of(grid::direction_of(0, kAlong), grid::direction_of(kAcross, kAlong));
    OctantPass<kForward, kUp>(bits.obstacles().columns).run([&](int x, const Word* column) {
        const Word* const stops = bits.stop_columns().row(x);
        for (int y = BitGrid::next(stops, -1); y < bits.height(); y = BitGrid::next(stops, y)) {
            if (BitGrid::test(column, y) && !bits.blocked(x, y))
                useful[bits.number(x, y)] |= kInColumns;
        }
    });
}

}  // namespace

std::vector<Octants> useful_octants(const SubgoalBits& bits) {
    std::vector<Octants> useful(bits.count(), 0);
    add_useful<true, true>(bits, useful);
    add_useful<true, false>(bits, useful);
    add_useful<false, true>(bits, useful);
    add_useful<false, false>(bits, useful);
    return useful;
}

}  // namespace cairn::subgoal
