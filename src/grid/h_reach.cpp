// H-reachability: which cells of the parallelogram between two cells can be reached by its two
// moves.

#include <algorithm>
#include <bit>

#include "cairn/grid/line.hpp"

namespace cairn::grid {
namespace {

constexpr std::size_t kWordBits = 64;

// The nodes reached from `seeds` along `edges`; bit j of `edges` joins nodes j and j + 1. Adding
// the seeds to the edges carries each along its run of edges. Sets `carry` if node 64 is reached,
// which is the next word's bit 0.
std::uint64_t flood(std::uint64_t seeds, std::uint64_t edges, bool& carry) noexcept {
    const std::uint64_t sum = edges + (seeds & edges);
    carry = sum < edges;
    return seeds | (sum ^ edges);
}

}  // namespace

bool HReach::test(const Map& map, Point a, Point b) {
    a_ = a;
    legs_ = legs(map, a, b);
    words_ = static_cast<std::size_t>(legs_[1].steps) / kWordBits + 1;
    rows_.assign(words_ * (static_cast<std::size_t>(legs_[0].steps) + 1), 0);
    rows_[0] = 1;
    Cell first = map.cell(a);
    for (std::int32_t row = 0; row <= legs_[0].steps;
         ++row, first = map.step(first, legs_[0].direction)) {
        if (!sweep_row(map, row, first)) return false;
    }
    const auto last = static_cast<std::size_t>(legs_[1].steps);
    return (rows_[rows_.size() - words_ + last / kWordBits] >> last % kWordBits & 1) != 0;
}

// Floods `row`, whose position 0 is the cell `first`, and seeds the next one. False if it was
// empty.
bool HReach::sweep_row(const Map& map, std::int32_t row, Cell first) {
    std::uint64_t* const reached = rows_.data() + static_cast<std::size_t>(row) * words_;
    const Run along = legs_[1];
    const Cell stride = along.steps == 0 ? 0 : map.step(0, along.direction);
    bool any = false;
    bool carry = false;
    for (std::size_t word = 0; word < words_; ++word) {
        std::uint64_t seeds = reached[word] | (carry ? 1U : 0U);
        carry = false;
        if (seeds == 0) continue;
        any = true;
        const std::size_t begin = word * kWordBits;
        const std::size_t end =
            std::min(begin + kWordBits, static_cast<std::size_t>(along.steps) + 1);
        std::uint64_t edges = 0;
        std::uint64_t across = 0;
        for (std::size_t j = begin + static_cast<std::size_t>(std::countr_zero(seeds)); j < end;
             ++j) {
            const std::uint64_t moves = map.moves(first + stride * static_cast<Cell>(j));
            if (j < static_cast<std::size_t>(along.steps)) {
                edges |= (moves >> along.direction & 1) << (j - begin);
            }
            across |= (moves >> legs_[0].direction & 1) << (j - begin);
        }
        reached[word] = flood(seeds, edges, carry);
        if (row < legs_[0].steps) reached[words_ + word] = reached[word] & across;
    }
    return any;
}

void HReach::append_runs(const Map& map, std::vector<Run>& out) const {
    const std::size_t first = out.size();
    std::int32_t i = legs_[0].steps;
    std::int32_t j = legs_[1].steps;
    Cell c = map.cell(run_end(run_end(a_, legs_[0]), legs_[1]));
    std::size_t leg = j > 0 ? 1 : 0;
    const auto can_come_by = [&](std::size_t by) {
        const std::int32_t row = by == 0 ? i - 1 : i;
        const std::int32_t column = by == 0 ? j : j - 1;
        if (row < 0 || column < 0) return false;
        const auto bit = static_cast<std::size_t>(column);
        const std::uint64_t word = rows_[static_cast<std::size_t>(row) * words_ + bit / kWordBits];
        return (word >> bit % kWordBits & 1) != 0 &&
               (map.moves(c) >> opposite(legs_[by].direction) & 1) != 0;
    };
    while (i > 0 || j > 0) {
        if (!can_come_by(leg)) leg ^= 1;
        const std::uint8_t direction = legs_[leg].direction;
        if (out.size() > first && out.back().direction == direction) {
            ++out.back().steps;
        } else {
            out.push_back({direction, 1});
        }
        c = map.step(c, opposite(direction));
        --(leg == 0 ? i : j);
    }
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
}

void HReach::append_path(const Map& map, std::vector<Cell>& out) {
    runs_.clear();
    append_runs(map, runs_);
    Point p = a_;
    for (const Run run : runs_) {
        append_run(map, map.cell(p), run, out);
        p = run_end(p, run);
    }
}

}  // namespace cairn::grid
