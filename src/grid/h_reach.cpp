// H-reachability: whether a path of octile distance connects two cells. Such a path uses the moves
// of the two legs between the cells. Position j of row i is the cell after i moves of legs[0],
// across the rows, and j moves of legs[1], along a row.

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "cairn/grid/line.hpp"
#include "core/memory.hpp"
#include "grid/obstacle_bits.hpp"

namespace cairn::grid {
namespace {

constexpr std::size_t kWordBits = 64;

// The positions reached from `seeds` along `edges`; bit j of `edges` joins positions j and j + 1.
// Adding the seeds to the edges carries each seed along its run of edges. Sets `carry` if position
// 64, bit 0 of the next word, is reached.
std::uint64_t flood(std::uint64_t seeds, std::uint64_t edges, bool& carry) noexcept {
    const std::uint64_t sum = edges + (seeds & edges);
    carry = sum < edges;
    return seeds | (sum ^ edges);
}

// Of 64 neighbouring positions: from which of them each of the two moves is legal.
struct LegalWord {
    std::uint64_t along;
    std::uint64_t across;
};

// Reads the moves of a map, cell by cell.
class MapMoves {
public:
    MapMoves(const Map& map, Point a, const Legs& legs)
        : map_(map), first_(map.cell(a)), across_(legs[0]), along_(legs[1]) {}

    // For positions `begin` to `end` - 1 of `row`; 0 before the first of `seeds`.
    LegalWord operator()(std::int32_t row, std::size_t begin, std::size_t end,
                         std::uint64_t seeds) const {
        const Cell stride = along_.steps == 0 ? 0 : map_.step(0, along_.direction);
        const Cell first = first_ + static_cast<Cell>(row) * (map_.step(0, across_.direction));
        LegalWord legal{0, 0};
        for (std::size_t j = begin + static_cast<std::size_t>(std::countr_zero(seeds)); j < end;
             ++j) {
            const std::uint64_t moves = map_.moves(first + stride * static_cast<Cell>(j));
            legal.along |= (moves >> along_.direction & 1) << (j - begin);
            legal.across |= (moves >> across_.direction & 1) << (j - begin);
        }
        return legal;
    }

private:
    const Map& map_;
    Cell first_;
    Run across_;
    Run along_;
};

// Reads obstacles, 64 at a time. The move along a row goes towards larger x (in a transposed grid,
// larger y). The move across is diagonal: it also goes one cell towards larger x.
class BitMoves {
public:
    // `across` is the step to the next row: 1 or -1.
    BitMoves(const BitGrid& grid, Point a, int across) : grid_(grid), a_(a), across_(across) {}

    LegalWord operator()(std::int32_t row, std::size_t begin, std::size_t, std::uint64_t) const {
        const int x = a_.x + row + static_cast<int>(begin);
        const BitGrid::Word* const here = grid_.row(a_.y + row * across_);
        const std::uint64_t along = ~(window(here, x) | window(here, x + 1));
        const int next_y = a_.y + (row + 1) * across_;
        if (next_y < 0 || next_y >= grid_.height()) return {along, 0};
        const BitGrid::Word* const next = grid_.row(next_y);
        return {along, along & ~(window(next, x) | window(next, x + 1))};
    }

private:
    // The bits of cells x to x + 63; what lies beyond the rim is blocked.
    [[nodiscard]] std::uint64_t window(const BitGrid::Word* row, int x) const noexcept {
        const auto bit = static_cast<std::size_t>(x + 1);
        const std::size_t w = bit / kWordBits;
        const auto words = static_cast<std::size_t>(grid_.stride());
        const std::uint64_t low = w < words ? row[w] : ~std::uint64_t{0};
        const std::uint64_t high = w + 1 < words ? row[w + 1] : ~std::uint64_t{0};
        const std::size_t shift = bit % kWordBits;
        return shift == 0 ? low : low >> shift | high << (kWordBits - shift);
    }

    const BitGrid& grid_;
    Point a_;
    int across_;
};

}  // namespace

void HReach::begin(const Map& map, Point a, Point b) {
    a_ = a;
    legs_ = legs(map, a, b);
    swapped_ = false;
    words_ = static_cast<std::size_t>(legs_[1].steps) / kWordBits + 1;
    const std::size_t size = words_ * (static_cast<std::size_t>(legs_[0].steps) + 1);
    if (rows_.size() < size) rows_.resize(size);
}

bool HReach::test(const Map& map, Point a, Point b) {
    begin(map, a, b);
    return sweep(MapMoves(map, a, legs_));
}

bool HReach::test(const Map& map, const ObstacleBits& bits, Point a, Point b) {
    const bool vertical = std::abs(b.y - a.y) > std::abs(b.x - a.x);  // the straight leg
    const bool swapped = vertical ? b.y < a.y : b.x < a.x;
    if (swapped) std::swap(a, b);
    begin(map, a, b);
    swapped_ = swapped;
    if (vertical) return sweep(BitMoves(bits.columns, {a.y, a.x}, b.x < a.x ? -1 : 1));
    return sweep(BitMoves(bits.rows, a, b.y < a.y ? -1 : 1));
}

// Row by row: floods along the row, then seeds the next row. Gives up at an empty row.
template <class LegalMoves>
bool HReach::sweep(const LegalMoves& legal) {
    const auto steps = static_cast<std::size_t>(legs_[1].steps);
    std::fill_n(rows_.begin(), words_, 0);
    rows_[0] = 1;
    for (std::int32_t row = 0; row <= legs_[0].steps; ++row) {
        std::uint64_t* const reached = rows_.data() + static_cast<std::size_t>(row) * words_;
        std::uint64_t* const next = row < legs_[0].steps ? reached + words_ : nullptr;
        bool any_reached = false;
        bool carry = false;
        for (std::size_t word = 0; word < words_; ++word) {
            const std::uint64_t seeds = reached[word] | (carry ? 1U : 0U);
            carry = false;
            if (next != nullptr) next[word] = 0;
            if (seeds == 0) continue;
            any_reached = true;
            const std::size_t begin = word * kWordBits;
            const std::size_t end = std::min(begin + kWordBits, steps + 1);
            LegalWord moves = legal(row, begin, end, seeds);
            // No move along from the last position.
            if (steps - begin < kWordBits) {
                moves.along &= (std::uint64_t{1} << (steps - begin)) - 1;
            }
            reached[word] = flood(seeds, moves.along, carry);
            if (next != nullptr) next[word] = reached[word] & moves.across;
        }
        if (!any_reached) return false;
    }
    const std::size_t last_row = words_ * static_cast<std::size_t>(legs_[0].steps);
    return (rows_[last_row + steps / kWordBits] >> steps % kWordBits & 1) != 0;
}

void HReach::append_runs(const Map& map, std::vector<Run>& out) const {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    trace_back(map, out);
    if (swapped_) {  // the sweep began at the path's end
        for (auto run = out.begin() + first; run != out.end(); ++run) {
            run->direction = static_cast<std::uint8_t>(opposite(run->direction));
        }
    } else {
        std::reverse(out.begin() + first, out.end());
    }
}

// Appends the runs from the end of the sweep back to its beginning. The path changes its direction
// only where it must.
void HReach::trace_back(const Map& map, std::vector<Run>& out) const {
    const std::size_t first = out.size();
    std::int32_t i = legs_[0].steps;  // the row of cell c
    std::int32_t j = legs_[1].steps;  // its position in the row
    Cell c = map.cell(run_end(run_end(a_, legs_[0]), legs_[1]));
    std::size_t leg = j > 0 ? 1 : 0;
    // Whether the path may reach c by a move of this leg.
    const auto reached_by = [&](std::size_t last_leg) {
        const std::int32_t row = last_leg == 0 ? i - 1 : i;
        const std::int32_t position = last_leg == 0 ? j : j - 1;
        if (row < 0 || position < 0) return false;
        const auto bit = static_cast<std::size_t>(position);
        const std::uint64_t word = rows_[static_cast<std::size_t>(row) * words_ + bit / kWordBits];
        return (word >> bit % kWordBits & 1) != 0 &&
               (map.moves(c) >> opposite(legs_[last_leg].direction) & 1) != 0;
    };
    while (i > 0 || j > 0) {
        if (!reached_by(leg)) leg ^= 1;
        const std::uint8_t direction = legs_[leg].direction;
        if (out.size() > first && out.back().direction == direction) {
            ++out.back().steps;
        } else {
            out.push_back({direction, 1});
        }
        c = map.step(c, opposite(direction));
        --(leg == 0 ? i : j);
    }
}

void HReach::append_path(const Map& map, std::vector<Cell>& out) {
    runs_.clear();
    append_runs(map, runs_);
    Point p = swapped_ ? run_end(run_end(a_, legs_[0]), legs_[1]) : a_;
    for (const Run run : runs_) {
        append_run(map, map.cell(p), run, out);
        p = run_end(p, run);
    }
}

std::size_t HReach::memory() const noexcept { return memory_of(rows_, runs_); }

}  // namespace cairn::grid
