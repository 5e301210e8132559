#pragma once
// Jump point search over the bits of obstacles. See cairn/grid/jps.hpp.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/path.hpp"
#include "core/memory.hpp"
#include "core/nearest_open.hpp"
#include "core/search_observer.hpp"
#include "core/search_run.hpp"
#include "grid/astar_kernel.hpp"
#include "grid/bit_grid.hpp"
#include "grid/flood.hpp"
#include "grid/jump_nodes.hpp"
#include "grid/jump_scan.hpp"
#include "grid/open_radix.hpp"

namespace cairn::grid {

// How a jump point was entered: two bits for the cardinal direction and two for the sides to which
// a path may turn there (JumpStop::sides). Every jump point has such a side, so a code without
// sides can stand for the start.
using Entry = unsigned;
inline constexpr Entry kStartEntry = 0;
inline constexpr Entry kExpanded = 16;  // a flag of expanded nodes
[[nodiscard]] constexpr Entry entry(int cardinal, unsigned sides) noexcept {
    return static_cast<unsigned>(cardinal) * 2 + sides;
}

// For each entry the directions to search: straight on, and for each side to which a path may turn
// the cardinal and the diagonal direction on that side. All other cells have paths of no higher
// cost that avoid this jump point.
[[nodiscard]] constexpr std::array<std::uint8_t, 16> make_onward() {
    std::array<std::uint8_t, 16> onward{};
    for (int d = 0; d < kDirections; d += 2) {
        // Scans call the left side of north and east "above", the left side of south and west
        // "below".
        const unsigned left = d == kNorth || d == kEast ? JumpStop::kAbove : JumpStop::kBelow;
        for (unsigned sides = 0; sides < 4; ++sides) {
            unsigned out = 1U << d;
            if ((sides & left) != 0) out |= 1U << ((d + 7) & 7) | 1U << ((d + 6) & 7);
            if ((sides & ~left) != 0) out |= 1U << ((d + 1) & 7) | 1U << ((d + 2) & 7);
            onward[entry(d, sides)] = static_cast<std::uint8_t>(out);
        }
    }
    onward[kStartEntry] = 0xff;
    return onward;
}
inline constexpr std::array<std::uint8_t, 16> kOnward = make_onward();

/// Jump point search: the Search of a SearchRun. `Observer`: see core/search_observer.hpp; its
/// nodes are those of nodes().
template <class Observer>
class BasicJumpSearch {
public:
    [[no_unique_address]] Observer observer;

    /// `rows` and `columns` are the obstacles by rows and by columns.
    void begin(const Map& map, const BitGrid& rows, const BitGrid& columns, Point start, Point goal,
               Cost max_cost) {
        rows_ = &rows;
        columns_ = &columns;
        frame_ = SearchFrame(map, /*want_canonical=*/true, max_cost);
        limit_ = frame_.max_cost();
        step_ = {map.min_straight(), map.min_diagonal()};
        width_ = static_cast<Cell>(map.width());
        goal_ = goal;
        tally_ = {};
        nodes_.begin();
        start_ = start;
        open_.reset(bound(start));
        from_ = nodes_.at(start);
        generate(start, 0, kStartEntry);
    }

    // Expands up to `budget` jump points. If the goal is next, it is settled even if the budget is
    // used up.
    [[nodiscard]] Outcome expand(std::uint64_t budget) {
        while (open_.pop(from_)) {
            JumpNodes::Node& node = nodes_[from_];
            if ((node.entry & kExpanded) != 0) continue;  // an outdated entry
            const Point p = node.point();
            if (p == goal_) return Outcome::found;
            const Cost g = node.g;
            if (budget == 0) {  // put the node back, to be popped next
                open_.push(from_, static_cast<Cost>(g + bound(p)));
                return Outcome::running;
            }
            --budget;
            ++tally_.statistics.expanded;
            tally_.statistics.open_sum += open_.size();
            const Entry entered = node.entry;
            node.entry |= kExpanded;
            observer.expanded(from_, g, g + bound(p));
            jump(p, g, kOnward[entered]);
        }
        return Outcome::exhausted;
    }

    [[nodiscard]] const JumpNodes& nodes() const noexcept { return nodes_; }
    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return tally_.statistics; }
    [[nodiscard]] StatusCode failure(const SearchLimits& limits) {
        const Map& map = frame_.map();
        return why_no_path(map, limits, tally_.pruned,
                           [&] { return flood_.connects(map, map.cell(start_), map.cell(goal_)); });
    }
    void forget_effort() noexcept { tally_ = {}; }

    // The cost of a search that has found its goal.
    [[nodiscard]] Cost cost() const noexcept { return nodes_[from_].g; }
    void append_path(std::vector<Cell>& cells) const { nodes_.append_path(from_, width_, cells); }
    // The jump points of the path, the start and the goal included.
    void append_nodes(std::vector<Cell>& cells) const { nodes_.append_nodes(from_, width_, cells); }
    // After Outcome::running: no path costs less.
    [[nodiscard]] Cost lower_bound() const noexcept { return open_.least_f(); }
    // After Outcome::running: the path to the open node nearest the goal.
    void append_partial_path(std::vector<Cell>& cells) const {
        nodes_.append_path(nearest_open(), width_, cells);
    }
    // The same by jump points.
    void append_partial_nodes(std::vector<Cell>& cells) const {
        nodes_.append_nodes(nearest_open(), width_, cells);
    }
    // Whether nodes were left out for their cost.
    [[nodiscard]] bool pruned() const noexcept { return tally_.pruned; }
    [[nodiscard]] static std::vector<Cell>& list_of(Path& path) noexcept { return path.cells; }
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(nodes_, open_, flood_); }

private:
    [[nodiscard]] Cost bound(Point p) const noexcept {
        return frame_.bound(static_cast<Cost>(std::abs(p.x - goal_.x)),
                            static_cast<Cost>(std::abs(p.y - goal_.y)));
    }

    [[nodiscard]] std::uint32_t nearest_open() const noexcept {
        NearestOpen nearest;
        for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
            const JumpNodes::Node& n = nodes_[node];
            if (n.g < kInfinity && (n.entry & kExpanded) == 0)
                nearest.offer(node, bound(n.point()), n.g);
        }
        return nearest.node();
    }

    // Searches from p, reached at cost g, in each of `directions`. Costs of jumps are 64-bit
    // numbers until `generate` has compared them with the limit.
    void jump(Point p, std::uint64_t g, unsigned directions) {
        const BitGrid& rows = *rows_;
        const BitGrid& columns = *columns_;
        if ((directions & 1U << kNorth) != 0) scan<true, -1>(jump_rows(columns, p.x), p, g);
        if ((directions & 1U << kNorthEast) != 0) walk<1, -1>(p, g);
        if ((directions & 1U << kEast) != 0) scan<false, 1>(jump_rows(rows, p.y), p, g);
        if ((directions & 1U << kSouthEast) != 0) walk<1, 1>(p, g);
        if ((directions & 1U << kSouth) != 0) scan<true, 1>(jump_rows(columns, p.x), p, g);
        if ((directions & 1U << kSouthWest) != 0) walk<-1, 1>(p, g);
        if ((directions & 1U << kWest) != 0) scan<false, -1>(jump_rows(rows, p.y), p, g);
        if ((directions & 1U << kNorthWest) != 0) walk<-1, -1>(p, g);
    }

    // Searches straight from p, reached at cost g, along its row or column.
    template <bool kColumn, int kStep>
    void scan(const JumpRows& lines, Point p, std::uint64_t g) {
        const int at = kColumn ? p.y : p.x;
        reach<kColumn, kStep>(kStep > 0 ? jump_forward(lines, at) : jump_backward(lines, at), p, g);
    }

    // Adds the jump point at which a scan from p has stopped, or the goal if the scan has passed
    // it.
    template <bool kColumn, int kStep>
    void reach(JumpStop stop, Point p, std::uint64_t g) {
        const int at = kColumn ? p.y : p.x;
        int to = stop.x;
        if (kColumn ? p.x == goal_.x : p.y == goal_.y) {
            const int goal = kColumn ? goal_.y : goal_.x;
            if ((goal - at) * kStep > 0 && (to - goal) * kStep >= 0) {
                generate(goal_,
                         g + static_cast<Cost>((goal - at) * kStep) * std::uint64_t{step_[0]}, 0);
                return;
            }
        }
        if (!stop.jump_point()) return;
        constexpr int kDirection = kColumn ? direction_of(0, kStep) : direction_of(kStep, 0);
        generate(kColumn ? Point{p.x, to} : Point{to, p.y},
                 g + static_cast<Cost>((to - at) * kStep) * std::uint64_t{step_[0]},
                 entry(kDirection, stop.sides));
    }

    // Searches diagonally from p, reached at cost g, and from every cell on the way along its row
    // and its column.
    template <int kX, int kY>
    void walk(Point p, std::uint64_t g) {
        JumpSweep<kX, kY> row(*rows_, p.x, p.y);
        JumpSweep<kY, kX> column(*columns_, p.y, p.x);
        while (row.ahead_free(p.x) && column.ahead_free(p.y)) {
            p = {p.x + kX, p.y + kY};
            row.advance(p.x, p.y);
            column.advance(p.y, p.x);
            if (!row.here_free(p.x)) return;
            g += step_[1];
            if (p == goal_) return generate(p, g, 0);
            reach<false, kX>(row.stop(p.x, p.y), p, g);
            reach<true, kY>(column.stop(p.y, p.x), p, g);
        }
    }

    // Gives the node at p the cost g and the parent from_, unless it has a path as cheap.
    void generate(Point p, std::uint64_t g, Entry entered) {
        const std::uint32_t node = nodes_.at(p);
        if (g >= nodes_[node].g) return;
        const std::uint64_t f = g + bound(p);
        if (f > limit_) {
            tally_.pruned = true;
            return;
        }
        nodes_[node].g = static_cast<Cost>(g);
        nodes_[node].parent = from_;
        nodes_[node].entry = entered;
        open_.push(node, static_cast<Cost>(f));
        ++tally_.statistics.generated;
        if (node == from_) {  // the start
            observer.generated(node, 0, static_cast<Cost>(f));
        } else {
            observer.generated(node, from_, static_cast<Cost>(g), static_cast<Cost>(f));
        }
        if (p == goal_)
            limit_ = static_cast<Cost>(g) - 1;  // from here on only a cheaper path is of use
    }

    const BitGrid* rows_ = nullptr;
    const BitGrid* columns_ = nullptr;
    SearchFrame frame_;
    std::array<Cost, 2> step_{};  // cost of a straight and of a diagonal move
    Cell width_ = 0;
    Point start_;
    Point goal_;
    Cost limit_ = 0;          // of f: nodes above it are left out
    std::uint32_t from_ = 0;  // the jump point being expanded; the goal once it is found
    JumpNodes nodes_;
    OpenRadix open_;
    Flood flood_;
    SearchTally tally_;
};

using JumpSearch = BasicJumpSearch<NoObserver>;

}  // namespace cairn::grid
