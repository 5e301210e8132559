#pragma once
// The loop of A*, shared by the search on the whole map and the search in a corridor.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/path.hpp"
#include "core/nearest_open.hpp"
#include "core/search_observer.hpp"
#include "core/search_run.hpp"
#include "grid/search_labels.hpp"

namespace cairn::grid {

// The moves out of a cell to try, as bits. The first index is the direction of the move into the
// cell, SearchLabels::kStart at the start. `plain` leaves out only the move back to the parent.
// `canonical` leaves out each move to a cell that the parent reaches by another path, if that path
// is shorter, or as long and diagonal first. After a straight move, the other path begins with a
// diagonal move of the parent, which the strict corner rule may forbid. The second index tells
// whether it is legal: bit 0 to the right of the direction of travel, bit 1 to the left.
//
// Where several parents give a cell its cost, the filter is safe with any of them. Proof: let a
// cheapest path go straight from p to n and on diagonally to m, and let the move to m be left out,
// because p can go diagonally to k and from there straight to m. Follow the straight moves back
// from n until one of the diagonal moves beside them was not left out. It leads to a cell on a
// cheapest path to m, from which only straight moves remain. A straight move is left out only if
// there is a shorter path, and on a cheapest path there is none. So m gets its cost.
struct MoveFilter {
    std::array<std::uint8_t, 9> plain{};
    std::array<std::array<std::uint8_t, 4>, 9> canonical{};
};

[[nodiscard]] constexpr MoveFilter make_move_filter() {
    const auto bit = [](int d) { return 1U << (d & 7); };
    MoveFilter filter;
    for (int d = 0; d < kDirections; ++d) {
        const auto from = static_cast<std::size_t>(d);
        filter.plain[from] = static_cast<std::uint8_t>(~bit(opposite(d)));
        for (unsigned legal = 0; legal < 4; ++legal) {
            unsigned keep = bit(d);
            if (is_diagonal(d)) keep |= bit(d + 1) | bit(d + 7);
            if (!is_diagonal(d) && (legal & 1) == 0) keep |= bit(d + 1) | bit(d + 2);
            if (!is_diagonal(d) && (legal & 2) == 0) keep |= bit(d + 7) | bit(d + 6);
            filter.canonical[from][legal] = static_cast<std::uint8_t>(keep);
        }
    }
    filter.plain[SearchLabels::kStart] = 0xff;
    filter.canonical[SearchLabels::kStart].fill(0xff);
    return filter;
}
inline constexpr MoveFilter kMoveFilter = make_move_filter();

// The properties of a map that a search needs, copied together.
class SearchFrame {
public:
    SearchFrame() = default;
    SearchFrame(const Map& map, bool want_canonical, Cost max_cost)
        : map_(&map),
          max_cost_(std::min(max_cost, kInfinity - 1)),
          uniform_(map.uniform()),
          step_{map.min_straight(), map.min_diagonal()},
          bound_straight_(map.min_straight()),
          bound_diagonal_(map.distance_bound({0, 0}, {1, 1})),
          row_factor_((std::uint64_t{1} << kRowShift) / static_cast<unsigned>(map.width()) + 1) {
        // The proof of MoveFilter needs all of this.
        const auto& [rules, costs, weights] = map.options();
        canonical_ = want_canonical && uniform_ && rules.neighbourhood == Neighbourhood::eight &&
                     rules.corner == CornerRule::strict && costs.straight < costs.diagonal &&
                     costs.diagonal < 2 * costs.straight;
        limit_bound();
    }

    [[nodiscard]] const Map& map() const noexcept { return *map_; }
    [[nodiscard]] Cost max_cost() const noexcept { return max_cost_; }
    // Whether MoveFilter::canonical applies.
    [[nodiscard]] bool canonical() const noexcept { return canonical_; }

    // Map::point without its division. Exact: the cell is below width * 2^15 and the factor at most
    // 1 too large, so the product is off by less than 2^45 / width.
    [[nodiscard]] Point point(Cell c) const noexcept {
        const auto y = static_cast<Cell>(c * row_factor_ >> kRowShift);
        return {static_cast<std::int32_t>(c - y * static_cast<Cell>(map_->width())),
                static_cast<std::int32_t>(y)};
    }
    [[nodiscard]] Cost move_cost(Cell c, int direction) const noexcept {
        return uniform_ ? step_[static_cast<std::size_t>(direction & 1)]
                        : map_->move_cost(c, direction);
    }
    // Map::distance_bound over the given number of columns and rows, or less where that could pass
    // kMostBound.
    [[nodiscard]] Cost bound(Cost dx, Cost dy) const noexcept {
        const Cost diagonal = dx < dy ? dx : dy;
        return (dx + dy - 2 * diagonal) * bound_straight_ + diagonal * bound_diagonal_;
    }

private:
    static constexpr unsigned kRowShift = 45;
    // A g below kInfinity, a move and this fit 32 bits together.
    static constexpr std::uint64_t kMostBound = 0x6000'0000;

    // Makes the bound of the longest displacement at most kMostBound. It stays consistent: it is
    // that of cheaper moves.
    void limit_bound() noexcept {
        const auto longest = static_cast<std::uint64_t>(std::max(map_->width(), map_->height()));
        const Cost most = static_cast<Cost>(kMostBound / longest);
        if (bound_diagonal_ <= most && bound_straight_ <= most / 2) return;
        bound_straight_ = std::min(bound_straight_, most / 2);
        bound_diagonal_ = std::min(bound_diagonal_, 2 * bound_straight_);
    }

    const Map* map_ = nullptr;
    Cost max_cost_ = 0;
    bool uniform_ = true;
    bool canonical_ = false;
    std::array<Cost, 2> step_{};    // least cost of a straight and of a diagonal move
    Cost bound_straight_ = 0;       // at most the least cost of moving one column or row
    Cost bound_diagonal_ = 0;       // at most that of moving one column and one row
    std::uint64_t row_factor_ = 0;  // above 2^kRowShift / width by at most 1
};

// One goal: the search ends there.
class SingleGoal {
public:
    SingleGoal() = default;
    SingleGoal(Cell cell, Point point) : cell_(cell), point_(point) {}

    [[nodiscard]] Cell cell() const noexcept { return cell_; }
    [[nodiscard]] bool settle(Cell c) const noexcept { return c == cell_; }
    [[nodiscard]] Cost bound(const SearchFrame& frame, Point p) const noexcept {
        return frame.bound(static_cast<Cost>(std::abs(p.x - point_.x)),
                           static_cast<Cost>(std::abs(p.y - point_.y)));
    }

private:
    Cell cell_ = kNoCell;
    Point point_;
};

// The region of a search that may go everywhere. A restricted region has also exits(point), the
// directions that lead out of the region, as bits, and leave(f), called for each such move.
struct WholeMap {
    static constexpr bool kRestricted = false;
};

// The result of a search, besides labels.
struct SearchTally {
    SearchStatistics statistics;
    Cell reached = kNoCell;  // the goal at which the search ended
    bool pruned = false;     // whether a path was left out because it would cost too much
};

// The moves out of `cell` to try (MoveFilter); `direction` is that of the move into it.
template <class Region>
[[nodiscard]] inline unsigned worthwhile_moves(const SearchFrame& frame, const Region& region,
                                               Cell cell, Point p, unsigned direction) noexcept {
    if (!frame.canonical()) return kMoveFilter.plain[direction];
    if (direction == SearchLabels::kStart) return 0xff;
    const auto d = static_cast<int>(direction);
    if constexpr (Region::kRestricted) {
        // The paths that replace those left out must lie in the region, too.
        const Point parent{p.x - kDx[direction], p.y - kDy[direction]};
        if (region.exits(parent) != 0) return kMoveFilter.plain[direction];
    }
    if (is_diagonal(d)) return kMoveFilter.canonical[direction][0];
    const unsigned parent_moves = frame.map().moves(frame.map().step(cell, opposite(d)));
    const unsigned right = parent_moves >> ((d + 1) & 7) & 1;
    const unsigned left = parent_moves >> ((d + 7) & 7) & 1;
    return kMoveFilter.canonical[direction][right | left << 1];
}

// Expands up to `budget` cells, to a SingleGoal or a set of goals with the same functions. If the
// next cell is a goal, it is settled even when the budget is used up. `observer`: see
// core/search_observer.hpp.
template <class Queue, class Goal, class Region, class Observer = NoObserver>
[[nodiscard]] Outcome expand(const SearchFrame& frame, SearchLabels& labels, Queue& open,
                             Goal& goal, Region& region, std::uint64_t budget, SearchTally& tally,
                             const Observer& observer = {}) {
    const Map& map = frame.map();
    SearchStatistics& statistics = tally.statistics;
    for (Cell cell = 0; open.pop(cell);) {
        if (!labels.close(cell)) continue;  // an outdated entry
        if (goal.settle(cell)) {
            tally.reached = cell;
            return Outcome::found;
        }
        const Cost g = labels.g(cell);
        const Point p = frame.point(cell);
        if (budget == 0) {  // reopen the cell, to be popped next
            labels.set(cell, g, labels.direction(cell));
            open.push(cell, g + goal.bound(frame, p), g);
            return Outcome::running;
        }
        --budget;
        ++statistics.expanded;
        statistics.open_sum += open.size();
        observer.expanded(cell, g, g + goal.bound(frame, p));

        unsigned moves = map.moves(cell);
        if constexpr (Region::kRestricted) {
            const unsigned exits = region.exits(p) & moves;
            moves &= ~exits;
            for (unsigned out = exits; out != 0; out &= out - 1) {
                const auto d = std::countr_zero(out);
                const auto i = static_cast<std::size_t>(d);
                const Point to{p.x + kDx[i], p.y + kDy[i]};
                region.leave(saturated(g + frame.move_cost(cell, d) + goal.bound(frame, to)));
            }
        }
        moves &= worthwhile_moves(frame, region, cell, p, labels.direction(cell));

        for (; moves != 0; moves &= moves - 1) {
            const auto d = std::countr_zero(moves);
            const auto i = static_cast<std::size_t>(d);
            const Cell to = map.step(cell, d);
            const Cost to_g = g + frame.move_cost(cell, d);
            if (!labels.improves(to, to_g)) continue;
            const Cost f = to_g + goal.bound(frame, {p.x + kDx[i], p.y + kDy[i]});
            if (f > frame.max_cost()) {
                tally.pruned = true;
                continue;
            }
            labels.set(to, to_g, static_cast<unsigned>(d));
            open.push(to, f, to_g);
            ++statistics.generated;
            observer.generated(to, cell, to_g, f);
        }
    }
    return Outcome::exhausted;
}

// The open cell nearest the goal; kNoCell if none is open.
template <class Queue, class Goal>
[[nodiscard]] Cell nearest_open(const SearchFrame& frame, const SearchLabels& labels,
                                const Queue& open, const Goal& goal) {
    NearestOpen nearest;
    open.for_each([&](Cell cell, Cost /*f*/) {
        if (!labels.closed(cell))
            nearest.offer(cell, goal.bound(frame, frame.point(cell)), labels.g(cell));
    });
    return nearest.node();
}

// Writes the cells from the start to the labelled cell `last` into `cells`, whose memory is reused.
inline void trace_back(const Map& map, const SearchLabels& labels, Cell last,
                       std::vector<Cell>& cells) {
    cells.clear();
    for (Cell c = last;;) {
        cells.push_back(c);
        const unsigned direction = labels.direction(c);
        if (direction == SearchLabels::kStart) break;
        c = map.step(c, opposite(static_cast<int>(direction)));
    }
    std::reverse(cells.begin(), cells.end());
}

// An upper bound of the difference of f between two entries of the open list at one time: a move
// raises g by at most its cost, and a consistent bound by at most as much.
[[nodiscard]] inline std::uint64_t f_span(const Map& map) noexcept {
    return 2 * std::uint64_t{map.max_move()};
}

}  // namespace cairn::grid
