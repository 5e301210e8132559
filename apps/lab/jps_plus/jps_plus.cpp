#include "jps_plus/jps_plus.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/field_of.hpp"
#include "core/guarded.hpp"
#include "grid/endpoints.hpp"
#include "grid/map_checks.hpp"

namespace cairn::jps_plus {
namespace {

using grid::Cell;
using grid::Map;
using grid::Point;

constexpr std::array kFields{flag_field<&Options::goal_bounds>(
    "goal_bounds", "Compute for each cell and direction the rectangle of the goals it serves")};

/// JumpNodes::Node::entry: the straight directions in which the node was entered and that are not
/// yet searched, or this flag at the start.
constexpr unsigned kStart = 1;
constexpr unsigned entered(int straight) noexcept { return 2U << straight; }

/// The directions to search from a node.
unsigned directions_of(unsigned entry, std::uint8_t turns) noexcept {
    if (entry == kStart) return 0xff;
    unsigned directions = 0;
    for (unsigned bits = entry >> 1; bits != 0; bits &= bits - 1)
        directions |= onward(std::countr_zero(bits), turns);
    return directions;
}

}  // namespace

std::span<const Field> Options::fields() noexcept { return kFields; }

Index::Index(const Map& map, JumpTable table, std::shared_ptr<const GoalBounds[]> bounds)
    : map_(map),
      table_(std::make_shared<const JumpTable>(std::move(table))),
      bounds_(std::move(bounds)) {}

Result<Index> Index::build(const Map& map, const Options& options,
                           const BuildControl& control) noexcept try {
    const std::string reason = grid::objection_to_corners(map);
    if (!reason.empty()) return fail(StatusCode::unsupported, "JPS+ does not serve it: " + reason);
    if (!map.costs_fit()) return fail(StatusCode::unsupported, "its paths may cost too much");
    JumpTable table = make_jump_table(map);
    std::shared_ptr<const GoalBounds[]> bounds;
    if (options.goal_bounds) {
        auto made = make_goal_bounds(map, table, control);
        if (!made) return tl::unexpected(std::move(made.error()));
        bounds = *std::move(made);
    }
    return Index(map, std::move(table), std::move(bounds));
} catch (...) {
    return out_of_memory();
}

std::size_t Index::bytes() const noexcept {
    return map_.size() * (sizeof(Jumps) + 1 + (bounds_ == nullptr ? 0 : sizeof(GoalBounds)));
}

StatusCode Search::find_path(const Index& index, Point start, Point goal, grid::Path& out) {
    const Map& map = index.map();
    jumps_ = index.table().jumps.get();
    turns_ = index.table().turns.data();
    bounds_ = index.bounds();
    width_ = map.width();
    straight_ = map.min_straight();
    diagonal_ = map.min_diagonal();
    goal_ = goal;
    statistics_ = {};
    out.cells.clear();
    out.cost = kInfinity;
    out.status = grid::check_endpoints(map, start, goal);
    if (out.status == StatusCode::ok) {
        if (bounds_ != nullptr ? search<true>(start) : search<false>(start)) {
            out.cost = nodes_[from_].g;
            nodes_.append_path(from_, static_cast<Cell>(width_), out.cells);
        } else {
            out.status = StatusCode::no_path;
        }
    }
    out.statistics = statistics_;
    return out.status;
}

/// Returns whether there is a path; from_ is then the goal's node.
template <bool kBounded>
bool Search::search(Point start) {
    nodes_.begin();
    open_.reset(bound(start));
    from_ = nodes_.at(start);
    grid::JumpNodes::Node& node = nodes_[from_];
    node.g = 0;
    node.entry = kStart;
    if (start == goal_) return true;
    do {
        if (expand<kBounded>(from_)) return true;
    } while (open_.pop(from_));
    return false;
}

/// Returns whether the goal was found. No node of the open list has a lower f than this one, and
/// the goal is found only by a path as short as this f says, so this path is a shortest one.
template <bool kBounded>
bool Search::expand(std::uint32_t number) {
    grid::JumpNodes::Node& node = nodes_[number];
    const unsigned entry = std::exchange(node.entry, 0);
    if (entry == 0) return false;  // an outdated entry of the open list
    ++statistics_.expanded;
    const Point p = node.point();
    const Cost g = node.g;
    const Cell c = grid::cell_of(width_, p);
    unsigned directions = directions_of(entry, turns_[c]);
    if constexpr (kBounded) directions &= bounds_[c].towards(goal_);
    const auto has = [&](int d) { return (directions >> d & 1) != 0; };
    const auto walk = [&]<int kX, int kY>() {
        return has(grid::direction_of(kX, kY)) && jump_diagonally<kBounded, kX, kY>(p, c, g);
    };
    const auto scan = [&]<int kX, int kY>() {
        return has(grid::direction_of(kX, kY)) && jump_straight<kX, kY>(p, c, g);
    };
    return walk.template operator()<1, -1>() || walk.template operator()<1, 1>() ||
           walk.template operator()<-1, 1>() || walk.template operator()<-1, -1>() ||
           scan.template operator()<0, -1>() || scan.template operator()<1, 0>() ||
           scan.template operator()<0, 1>() || scan.template operator()<-1, 0>();
}

/// Searches straight from p, reached at cost g. Returns whether the goal was found.
template <int kX, int kY>
bool Search::jump_straight(Point p, Cell c, Cost g) {
    constexpr int kDirection = grid::direction_of(kX, kY);
    const int steps = jumps_[c].steps[kDirection];
    const int ahead = (goal_.x - p.x) * kX + (goal_.y - p.y) * kY;
    const bool in_line = kX != 0 ? p.y == goal_.y : p.x == goal_.x;
    if (in_line && ahead > 0 && ahead <= std::abs(steps))
        return finish(g + static_cast<Cost>(ahead) * straight_);
    if (steps > 0) {
        generate({p.x + steps * kX, p.y + steps * kY}, g + static_cast<Cost>(steps) * straight_,
                 entered(kDirection));
    }
    return false;
}

/// Searches diagonally from p, reached at cost g, and straight from the cells on the way that lead
/// to jump points. Returns whether the goal was found.
template <bool kBounded, int kX, int kY>
bool Search::jump_diagonally(Point p, Cell c, Cost g) {
    constexpr int kDirection = grid::direction_of(kX, kY);
    constexpr int kHorizontal = grid::direction_of(kX, 0);
    constexpr int kVertical = grid::direction_of(0, kY);
    const auto cells = [&](int steps) { return static_cast<Cell>((width_ * kY + kX) * steps); };
    for (;;) {
        const int steps = jumps_[c].steps[kDirection];
        const int right = (goal_.x - p.x) * kX;
        const int down = (goal_.y - p.y) * kY;
        // The walk comes to the goal's row or column here, if it does.
        const int until = std::min(right, down);
        if (until > 0 && until <= std::abs(steps)) {
            const int rest = std::max(right, down) - until;
            const auto& turn = jumps_[c + cells(until)].steps;
            const int free = right > down ? turn[kHorizontal] : turn[kVertical];
            if (rest <= std::abs(free)) {
                return finish(g + static_cast<Cost>(until) * diagonal_ +
                              static_cast<Cost>(rest) * straight_);
            }
        }
        if (steps <= 0) return false;
        p = {p.x + steps * kX, p.y + steps * kY};
        c += cells(steps);
        g += static_cast<Cost>(steps) * diagonal_;
        unsigned directions = 0xff;
        if constexpr (kBounded) directions = bounds_[c].towards(goal_);
        // The goal would have been found above.
        if ((directions & 1U << kHorizontal) != 0) jump_straight<kX, 0>(p, c, g);
        if ((directions & 1U << kVertical) != 0) jump_straight<0, kY>(p, c, g);
        if ((directions & 1U << kDirection) == 0) return false;
    }
}

/// Adds the jump point p, with from_ as its parent, unless it has a cheaper path. Another path of
/// equal cost may go on in further directions.
void Search::generate(Point p, Cost g, unsigned entry) {
    const std::uint32_t number = nodes_.at(p);
    grid::JumpNodes::Node& node = nodes_[number];
    if (g > node.g) return;
    if (g == node.g) {
        const bool waiting = node.entry != 0;
        node.entry |= entry;
        if (waiting) return;
    } else {
        node.g = g;
        node.parent = from_;
        node.entry = entry;
    }
    open_.push(number, g + bound(p));
    ++statistics_.generated;
}

/// Ends the search with a path to the goal that comes from the node from_.
bool Search::finish(Cost g) {
    const std::uint32_t goal = nodes_.at(goal_);
    nodes_[goal].g = g;
    nodes_[goal].parent = from_;
    from_ = goal;
    return true;
}

/// The cost of a path to the goal without obstacles.
Cost Search::bound(Point p) const noexcept {
    const auto columns = static_cast<Cost>(std::abs(p.x - goal_.x));
    const auto rows = static_cast<Cost>(std::abs(p.y - goal_.y));
    const Cost diagonal = std::min(columns, rows);
    return (columns + rows - 2 * diagonal) * straight_ + diagonal * diagonal_;
}

}  // namespace cairn::jps_plus
