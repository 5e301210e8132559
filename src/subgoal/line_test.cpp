#include "subgoal/line_test.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace cairn::subgoal {

using grid::BitGrid;
using grid::Point;
using Word = BitGrid::Word;

namespace {

// Calls use(x) for each column x whose move from row `from` to column x + 1 of row `to` is illegal.
// Leaves out moves between two blocked cells: a run from a free cell does not get there.
template <class Use>
void for_each_illegal(const Word* from, const Word* to, int words, Use&& use) {
    const auto next_column = [words](const Word* row, int w) {
        return row[w] >> 1 | (w + 1 < words ? row[w + 1] : ~Word{0}) << 63;
    };
    for (int w = 0; w < words; ++w) {
        const Word target = next_column(to, w);
        Word illegal = from[w] | to[w] | next_column(from, w) | target;
        for (illegal &= ~(from[w] & target); illegal != 0; illegal &= illegal - 1) {
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
                if (x >= 0) slant.set(x, row_of(s, x, y), true);  // column -1 is the rim
            });
        };
        mark(rising, kRising, y - 1);
        mark(falling, kFalling, y + 1);
    }
    // A set bit before each diagonal that does not begin at the west edge.
    for (int x = 1; x < bits.width(); ++x) {
        rising.set(x - 1, row_of(kRising, x, bits.height() - 1), true);
        falling.set(x - 1, row_of(kFalling, x, 0), true);
    }
    illegal_ = {rising.take(), falling.take()};
}

// A move is made of the cells between its ends' rows and columns. So those of the cells in and
// around an edit may change; moves are stored at their western ends.
DiagonalBits DiagonalBits::edited(const SubgoalBits& bits,
                                  std::span<const grid::TerrainEdit> edits) const {
    std::array<BitGrid::Editor, 2> slants{BitGrid::Editor(illegal_[kRising]),
                                          BitGrid::Editor(illegal_[kFalling])};
    const auto is_illegal = [&](int x, int y, int to) {
        const bool from_blocked = bits.blocked(x, y);
        const bool to_blocked = bits.blocked(x + 1, to);
        if (from_blocked && to_blocked) return false;  // left out, as in the constructor
        return from_blocked || to_blocked || bits.blocked(x, to) || bits.blocked(x + 1, y);
    };
    for (const auto& [area, terrain] : edits) {
        const int right = area.x + area.width - 1;
        const int bottom = std::min(area.y + area.height, bits.height() - 1);
        for (int y = std::max(area.y - 1, 0); y <= bottom; ++y) {
            for (int x = std::max(area.x - 1, 0); x <= right; ++x) {
                for (const std::size_t slant : {kRising, kFalling}) {
                    const bool illegal = is_illegal(x, y, slant == kRising ? y - 1 : y + 1);
                    const int row = row_of(slant, x, y);
                    if (slants[slant].grid().test(x, row) != illegal)
                        slants[slant].set(x, row, illegal);
                }
            }
        }
    }
    DiagonalBits out;
    out.rows_ = rows_;
    out.illegal_ = {slants[kRising].take(), slants[kFalling].take()};
    return out;
}

bool DiagonalBits::run_is_free(const SubgoalBits& bits, Point p, grid::Run run) const noexcept {
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
        default:
            return moves(run.direction, p.x, p.y) >= run.steps;
    }
}

bool DiagonalBits::line_is_free(const grid::Map& map, const SubgoalBits& bits, Point a, Point b,
                                grid::LineShape shape) const noexcept {
    const auto [first, second] = grid::in_order(grid::legs(map, a, b), shape);
    return run_is_free(bits, a, first) && run_is_free(bits, grid::run_end(a, first), second);
}

grid::LineShape DiagonalBits::free_line(const grid::Map& map, const SubgoalBits& bits, Point a,
                                        Point b) const noexcept {
    for (const auto shape : {grid::LineShape::diagonal_first, grid::LineShape::straight_first}) {
        if (line_is_free(map, bits, a, b, shape)) return shape;
    }
    return grid::LineShape::none;
}

std::size_t DiagonalBits::bytes() const noexcept {
    return illegal_[kRising].bytes() + illegal_[kFalling].bytes();
}

namespace {

// The first column from x to `last` whose cell in row `here` has a legal move to the next column of
// row `there`, which is a neighbouring row; last + 1 if there is none.
int next_legal(const BitGrid& obstacles, int here, int there, int x, int last) {
    const Word* const a = obstacles.row(here);
    const Word* const b = obstacles.row(there);
    const auto words = static_cast<unsigned>(obstacles.stride());
    const auto end = static_cast<unsigned>(last + 1);
    const auto legal = [&](unsigned w) {
        const Word blocked = a[w] | b[w];
        const Word beyond = w + 1 < words ? a[w + 1] | b[w + 1] : ~Word{0};
        return ~(blocked | blocked >> 1 | beyond << 63);
    };
    const auto bit = static_cast<unsigned>(x + 1);
    unsigned w = bit / BitGrid::kWordBits;
    Word word = legal(w) & ~Word{0} << bit % BitGrid::kWordBits;
    while (word == 0 && (w + 1) * BitGrid::kWordBits <= end) word = legal(++w);
    if (word == 0) return last + 1;
    return std::min(last + 1,
                    static_cast<int>(w * BitGrid::kWordBits) + std::countr_zero(word) - 1);
}

// The least number of moves of the first straight run of a line with two turns; 0 if there is no
// such line. The straight runs must go east or south.
int first_run_steps(const SubgoalBits& bits, const DiagonalBits& diagonals, Point a, Point b,
                    const grid::Legs& legs) {
    const auto [diagonal, straight] = legs;
    const bool columns = straight.direction == grid::kSouth;
    const BitGrid& obstacles = columns ? bits.obstacles().columns : bits.obstacles().rows;
    if (columns) {
        std::swap(a.x, a.y);
        std::swap(b.x, b.y);
    }
    // The straight runs must be free: `ahead` limits the first one, `behind` the second.
    const int ahead = BitGrid::next(obstacles.row(a.y), a.x) - a.x - 1;
    const int behind = b.x - BitGrid::previous(obstacles.row(b.y), b.x) - 1;
    const int most = std::min(ahead, straight.steps - 1);
    const int step = b.y < a.y ? -1 : 1;
    int run = std::max(straight.steps - behind, 1);
    while (run <= most) {
        const int turn = a.x + run;
        const int free = columns ? diagonals.moves(diagonal.direction, a.y, turn)
                                 : diagonals.moves(diagonal.direction, turn, a.y);
        if (free >= diagonal.steps) return run;
        // The diagonal is blocked in this row. Skips the diagonals that are blocked there, too.
        const int row = a.y + free * step;
        const int origin = a.x + free;  // a run's diagonal comes to `row` at origin + run
        run = next_legal(obstacles, row, row + step, origin + run + 1, origin + most) - origin;
    }
    return 0;
}

grid::Run backwards(grid::Run run) {
    return {static_cast<std::uint8_t>(grid::opposite(run.direction)), run.steps};
}

}  // namespace

std::optional<TwoTurnLine> two_turn_line(const grid::Map& map, const SubgoalBits& bits,
                                         const DiagonalBits& diagonals, Point a, Point b) {
    const grid::Legs legs = grid::legs(map, a, b);
    const auto [diagonal, straight] = legs;
    if (diagonal.steps == 0 || straight.steps < 2) return std::nullopt;
    const bool forward = straight.direction == grid::kEast || straight.direction == grid::kSouth;
    int first = forward ? first_run_steps(bits, diagonals, a, b, legs)
                        : first_run_steps(bits, diagonals, b, a,
                                          {backwards(diagonal), backwards(straight)});
    if (first == 0) return std::nullopt;
    if (!forward) first = straight.steps - first;
    return TwoTurnLine{grid::Run{straight.direction, first}, diagonal,
                       grid::Run{straight.direction, straight.steps - first}};
}

}  // namespace cairn::subgoal
