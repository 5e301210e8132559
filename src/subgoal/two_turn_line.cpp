#include "subgoal/two_turn_line.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace cairn::subgoal {
namespace {

using grid::BitGrid;
using grid::Point;
using Word = BitGrid::Word;

int moves(const DiagonalBits& diagonals, int direction, Point p) {
    switch (direction) {
        case grid::kNorthEast:
            return diagonals.moves<grid::kNorthEast>(p.x, p.y);
        case grid::kSouthEast:
            return diagonals.moves<grid::kSouthEast>(p.x, p.y);
        case grid::kSouthWest:
            return diagonals.moves<grid::kSouthWest>(p.x, p.y);
        default:
            return diagonals.moves<grid::kNorthWest>(p.x, p.y);
    }
}

// Of the cells x to `last` of row `here`, the first that has a legal move to x + 1 in row `there`,
// one of its neighbours; last + 1 if none has.
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

// How many moves the first straight run of a line has, the fewest if there are several lines; 0 if
// there is none. The straight runs go east or south.
int first_run(const SubgoalBits& bits, const DiagonalBits& diagonals, Point a, Point b,
              const grid::Legs& legs) {
    const auto [diagonal, straight] = legs;
    const bool columns = straight.direction == grid::kSouth;
    const BitGrid& obstacles = columns ? bits.obstacles().columns : bits.obstacles().rows;
    if (columns) {
        std::swap(a.x, a.y);
        std::swap(b.x, b.y);
    }
    // The diagonal run leaves a's row before the first obstacle, and enters b's behind the last.
    const int ahead = BitGrid::next(obstacles.row(a.y), a.x) - a.x - 1;
    const int behind = b.x - BitGrid::previous(obstacles.row(b.y), b.x) - 1;
    const int most = std::min(ahead, straight.steps - 1);
    const int step = b.y < a.y ? -1 : 1;
    int run = std::max(straight.steps - behind, 1);
    while (run <= most) {
        const Point turn{a.x + run, a.y};
        const int free =
            moves(diagonals, diagonal.direction, columns ? Point{turn.y, turn.x} : turn);
        if (free >= diagonal.steps) return run;
        // Where this diagonal is blocked, the next ones may be too.
        const int row = a.y + free * step;
        const int origin = a.x + free;
        run = next_legal(obstacles, row, row + step, origin + run + 1, origin + most) - origin;
    }
    return 0;
}

grid::Run turned(grid::Run run) {
    return {static_cast<std::uint8_t>(grid::opposite(run.direction)), run.steps};
}

}  // namespace

std::optional<TwoTurnLine> two_turn_line(const grid::Map& map, const SubgoalBits& bits,
                                         const DiagonalBits& diagonals, Point a, Point b) {
    const grid::Legs legs = grid::legs(map, a, b);
    const auto [diagonal, straight] = legs;
    if (diagonal.steps == 0 || straight.steps < 2) return std::nullopt;
    const bool forward = straight.direction == grid::kEast || straight.direction == grid::kSouth;
    int first = forward ? first_run(bits, diagonals, a, b, legs)
                        : first_run(bits, diagonals, b, a, {turned(diagonal), turned(straight)});
    if (first == 0) return std::nullopt;
    if (!forward) first = straight.steps - first;
    return TwoTurnLine{grid::Run{straight.direction, first}, diagonal,
                       grid::Run{straight.direction, straight.steps - first}};
}

}  // namespace cairn::subgoal
