#include "subgoal/sight_lines.hpp"

namespace cairn::subgoal {

using grid::BitGrid;

namespace {

int clearance(const SubgoalBits& bits, int x, int y, int cardinal) {
    switch (cardinal) {
        case grid::kNorth:
            return cardinal_clearance<grid::kNorth>(bits, x, y).moves;
        case grid::kEast:
            return cardinal_clearance<grid::kEast>(bits, x, y).moves;
        case grid::kSouth:
            return cardinal_clearance<grid::kSouth>(bits, x, y).moves;
        default:
            return cardinal_clearance<grid::kWest>(bits, x, y).moves;
    }
}

}  // namespace

SightLines::SightLines(const SubgoalBits& bits, const std::vector<Octants>& useful)
    : rows_(bits.height() + 1) {
    for (Slant& slant : slants_) {
        const BitGrid empty(bits.width(), rows_);
        slant.illegal = slant.subgoals = empty;
        slant.lines.fill(empty);
    }
    mark_illegal(bits);
    for (std::size_t s = 0; s < slants_.size(); ++s) {
        BitGrid::Editor subgoals(slants_[s].subgoals);
        std::array<BitGrid::Editor, 4> lines{
            BitGrid::Editor(slants_[s].lines[0]), BitGrid::Editor(slants_[s].lines[1]),
            BitGrid::Editor(slants_[s].lines[2]), BitGrid::Editor(slants_[s].lines[3])};
        for (int y = 0; y < bits.height(); ++y) {
            bits.for_each_in_row(y, [&](int x, int) {
                subgoals.set(x, row_of(s, x, y), true);
                const Octants here = useful[bits.number(x, y)];
                if (here == 0) return;
                // Back from the subgoal over the line that ends in it. Of the two diagonals beside
                // a cardinal direction one has this slant.
                for (int c = 0; c < 8; c += 2) {
                    const int diagonal = slant_of((c + 1) & 7) == s ? (c + 1) & 7 : (c + 7) & 7;
                    if ((here & octant_of(c, diagonal)) == 0) continue;
                    mark_line(lines[static_cast<std::size_t>(c >> 1)], s, x, y, c,
                              clearance(bits, x, y, grid::opposite(c)));
                }
            });
        }
        slants_[s].subgoals = subgoals.take();
        for (std::size_t i = 0; i < 4; ++i) slants_[s].lines[i] = lines[i].take();
    }
}

// The cells from which `length` moves or fewer towards `cardinal` come to (x, y).
void SightLines::mark_line(BitGrid::Editor& lines, std::size_t slant, int x, int y, int cardinal,
                           int length) const {
    for (int i = 0; i < length; ++i) {
        x -= grid::kDx[cardinal];
        y -= grid::kDy[cardinal];
        lines.set(x, row_of(slant, x, y), true);
    }
}

void SightLines::mark_illegal(const SubgoalBits& bits) {
    BitGrid::Editor rising(slants_[kRising].illegal);
    BitGrid::Editor falling(slants_[kFalling].illegal);
    for (int y = 0; y < bits.height(); ++y) {
        for (int x = 0; x < bits.width(); ++x) {
            const bool column = bits.blocked(x, y) || bits.blocked(x + 1, y);
            if (column || bits.blocked(x, y - 1) || bits.blocked(x + 1, y - 1)) {
                rising.set(x, row_of(kRising, x, y), true);
            }
            if (column || bits.blocked(x, y + 1) || bits.blocked(x + 1, y + 1)) {
                falling.set(x, row_of(kFalling, x, y), true);
            }
        }
    }
    // The gap before each diagonal that does not begin at the west edge.
    for (int x = 1; x < bits.width(); ++x) {
        rising.set(x - 1, row_of(kRising, x, bits.height() - 1), true);
        falling.set(x - 1, row_of(kFalling, x, 0), true);
    }
    slants_[kRising].illegal = rising.take();
    slants_[kFalling].illegal = falling.take();
}

bool SightLines::run_is_free(const SubgoalBits& bits, grid::Point p, grid::Run run) const noexcept {
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
            return diagonal_moves<grid::kNorthEast>(p.x, p.y) >= run.steps;
        case grid::kSouthEast:
            return diagonal_moves<grid::kSouthEast>(p.x, p.y) >= run.steps;
        case grid::kSouthWest:
            return diagonal_moves<grid::kSouthWest>(p.x, p.y) >= run.steps;
        default:
            return diagonal_moves<grid::kNorthWest>(p.x, p.y) >= run.steps;
    }
}

std::size_t SightLines::bytes() const noexcept {
    std::size_t bytes = 0;
    for (const Slant& slant : slants_) {
        bytes += slant.illegal.bytes() + slant.subgoals.bytes();
        for (const BitGrid& lines : slant.lines) bytes += lines.bytes();
    }
    return bytes;
}

}  // namespace cairn::subgoal
