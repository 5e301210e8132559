#include "subgoal/sight_lines.hpp"

#include <algorithm>

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
    const BitGrid empty(bits.width(), rows_);
    slants_.fill({empty, {empty, empty}});
    mark_illegal(bits);
    mark_ends(bits);
    mark_lines(bits, useful);
}

// Where a walk ends: before an illegal move, and at a subgoal.
void SightLines::mark_ends(const SubgoalBits& bits) {
    for (std::size_t s = 0; s < slants_.size(); ++s) {
        const BitGrid& illegal = slants_[s].illegal;
        BitGrid::Editor backward(slants_[s].events[0]);
        BitGrid::Editor forward(slants_[s].events[1]);
        for (int r = 0; r < rows_; ++r) {
            BitGrid::Word* const to_smaller = backward.row(r);
            BitGrid::Word* const to_larger = forward.row(r);
            for (int w = 0; w < illegal.stride(); ++w) {
                const BitGrid::Word here = illegal.row(r)[w];
                to_smaller[w] |= here;
                to_larger[w] |= here << 1 | (w > 0 ? illegal.row(r)[w - 1] >> 63 : 0);
            }
        }
        for (int y = 0; y < bits.height(); ++y) {
            bits.for_each_in_row(y, [&](int x, int) {
                const int r = row_of(s, x, y);
                backward.set(x, r, true);
                forward.set(x, r, true);
            });
        }
        slants_[s].events = {backward.take(), forward.take()};
    }
}

// The cells whose line ends in a subgoal that is useful in the octant of the line and the walk:
// from the subgoal back to what stops the line behind it.
void SightLines::mark_lines(const SubgoalBits& bits, const std::vector<Octants>& useful) {
    for (std::size_t s = 0; s < slants_.size(); ++s) {
        BitGrid::Editor backward(slants_[s].events[0]);
        BitGrid::Editor forward(slants_[s].events[1]);
        const auto mark = [&](int x, int y, Octants here) {
            for (int c = 0; c < 8; c += 2) {
                // Of the two diagonals beside a cardinal direction one has this slant.
                const int d = slant_of((c + 1) & 7) == s ? (c + 1) & 7 : (c + 7) & 7;
                if ((here & octant_of(c, d)) == 0) continue;
                const auto dx = grid::kDx[static_cast<std::size_t>(c)];
                const auto dy = grid::kDy[static_cast<std::size_t>(c)];
                BitGrid::Editor& events =
                    grid::kDx[static_cast<std::size_t>(d)] > 0 ? forward : backward;
                for (int i = clearance(bits, x, y, grid::opposite(c)); i > 0; --i) {
                    events.set(x - dx * i, row_of(s, x - dx * i, y - dy * i), true);
                }
            }
        };
        for (int y = 0; y < bits.height(); ++y) {
            bits.for_each_in_row(y, [&](int x, int) { mark(x, y, useful[bits.number(x, y)]); });
        }
        slants_[s].events = {backward.take(), forward.take()};
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
        bytes += slant.illegal.bytes() + slant.events[0].bytes() + slant.events[1].bytes();
    }
    return bytes;
}

}  // namespace cairn::subgoal
