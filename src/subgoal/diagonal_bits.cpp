#include "subgoal/diagonal_bits.hpp"

#include <bit>

namespace cairn::subgoal {

using grid::BitGrid;

namespace {

// Calls use(x) for the moves from row `from` to the next column of row `to` that are illegal, but
// for those between two blocked cells, which no run from a free cell comes to.
template <class Use>
void for_each_illegal(const BitGrid::Word* from, const BitGrid::Word* to, int words, Use&& use) {
    const auto next_column = [words](const BitGrid::Word* row, int w) {
        return row[w] >> 1 | (w + 1 < words ? row[w + 1] : ~BitGrid::Word{0}) << 63;
    };
    for (int w = 0; w < words; ++w) {
        const BitGrid::Word end = next_column(to, w);
        BitGrid::Word illegal = from[w] | to[w] | next_column(from, w) | end;
        for (illegal &= ~(from[w] & end); illegal != 0; illegal &= illegal - 1) {
            use(w * BitGrid::kWordBits + std::countr_zero(illegal) - 1);
        }
    }
}

}  // namespace

DiagonalBits::DiagonalBits(const SubgoalBits& bits) : rows_(bits.height() + 1) {
    illegal_.fill(BitGrid(bits.width(), rows_));
    BitGrid::Editor rising(illegal_[kRising]);
    BitGrid::Editor falling(illegal_[kFalling]);
    const BitGrid& obstacles = bits.obstacles().rows;
    for (int y = 0; y < bits.height(); ++y) {
        const auto mark = [&](BitGrid::Editor& slant, std::size_t s, int to) {
            for_each_illegal(obstacles.row(y), obstacles.row(to), obstacles.stride(), [&](int x) {
                if (x >= 0) slant.set(x, row_of(s, x, y), true);  // the rim stands for -1
            });
        };
        mark(rising, kRising, y - 1);
        mark(falling, kFalling, y + 1);
    }
    // The gap before each diagonal that does not begin at the west edge.
    for (int x = 1; x < bits.width(); ++x) {
        rising.set(x - 1, row_of(kRising, x, bits.height() - 1), true);
        falling.set(x - 1, row_of(kFalling, x, 0), true);
    }
    illegal_ = {rising.take(), falling.take()};
}

bool DiagonalBits::run_is_free(const SubgoalBits& bits, grid::Point p,
                               grid::Run run) const noexcept {
    const grid::ObstacleBits& obstacles = bits.obstacles();
    switch (run.direction) {
        case grid::kNorth:
            return p.y - BitGrid::previous(obstacles.columns.row(p.x), p.y) > run.steps;
        case grid::kEast:
            return BitGrid::next(obstacles.rows.row(p.y), p.x) - p.x > run.steps;
        case grid::kSouth:
            return BitGrid::next(obstacles.columns.row(p.x), p.y) - p.y > run.steps;
        case grid::kWest:
            return p.x - BitGrid::previous(obstacles.rows.row(p.y), p.x) > run.steps;
        case grid::kNorthEast:
            return moves<grid::kNorthEast>(p.x, p.y) >= run.steps;
        case grid::kSouthEast:
            return moves<grid::kSouthEast>(p.x, p.y) >= run.steps;
        case grid::kSouthWest:
            return moves<grid::kSouthWest>(p.x, p.y) >= run.steps;
        default:
            return moves<grid::kNorthWest>(p.x, p.y) >= run.steps;
    }
}

grid::LineShape DiagonalBits::free_line(const grid::Map& map, const SubgoalBits& bits,
                                        grid::Point a, grid::Point b) const noexcept {
    const grid::Legs legs = grid::legs(map, a, b);
    for (const auto shape : {grid::LineShape::diagonal_first, grid::LineShape::straight_first}) {
        const auto [one, two] = grid::in_order(legs, shape);
        if (run_is_free(bits, a, one) && run_is_free(bits, grid::run_end(a, one), two))
            return shape;
    }
    return grid::LineShape::none;
}

std::size_t DiagonalBits::bytes() const noexcept {
    return illegal_[kRising].bytes() + illegal_[kFalling].bytes();
}

}  // namespace cairn::subgoal
