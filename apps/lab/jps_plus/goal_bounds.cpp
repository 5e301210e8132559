#include "jps_plus/goal_bounds.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "core/huge_pages.hpp"
#include "core/parallel_loop.hpp"
#include "grid/open_radix.hpp"

namespace cairn::jps_plus {
namespace {

using grid::Cell;
using grid::kDirections;
using grid::Map;
using grid::Point;

/// A run of free cells in a row, from `begin` to before `end`, as numbers of FirstMoves.
struct Span {
    std::uint32_t begin;
    std::uint32_t end;
    Point first;
};

/// What a search knows of a cell, in eight bytes.
struct Label {
    Cost g;              ///< the origin of the search + the cost of the path
    std::uint8_t first;  ///< the directions in which shortest paths leave the source, as bits
    std::uint8_t last;   ///< those in which they enter the cell
    std::uint8_t moves;
    std::uint8_t turns;
};

/// Finds the first moves of shortest paths from one source after another. This is Dijkstra's
/// algorithm over the jump points: each of them sends rays, along which it labels cells until a
/// cell has a shorter path. Rays end sooner the more cells have their final labels, so the jump
/// points send theirs in the order of their costs.
class FirstMoves {
public:
    FirstMoves(const Map& map, const JumpTable& table)
        : stride_(stride_of(map.width())),
          labels_(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(map.height())),
          straight_(map.min_straight()),
          diagonal_(map.min_diagonal()),
          longest_path_(map.max_move() * static_cast<Cost>(map.free_cells())) {
        for (int d = 0; d < kDirections; ++d) {
            const auto i = static_cast<std::size_t>(d);
            offset_[i] = grid::kDy[i] * stride_ + grid::kDx[i];
        }
        for (int y = 0; y < map.height(); ++y) {
            for (int x = 0; x < map.width(); ++x) {
                const Cell c = map.cell({x, y});
                const std::uint32_t at = number({x, y});
                labels_[at] = {kUnreached, 0, 0, map.moves(c), table.turns[c]};
                if (!map.passable(c)) continue;
                if (x == 0 || !map.passable(c - 1)) spans_.push_back({at, at, {x, y}});
                ++spans_.back().end;
            }
        }
    }

    [[nodiscard]] GoalBounds bounds_from(Point source) {
        begin();
        const std::uint32_t from = number(source);
        labels_[from].g = origin_;
        labels_[from].first = labels_[from].last = 0;
        for (unsigned moves = labels_[from].moves; moves != 0; moves &= moves - 1) {
            const int d = std::countr_zero(moves);
            send(d, from, origin_, 1U << d);
        }
        for (std::uint32_t node = 0; open_.pop(node);) expand(node);
        labels_[from].first = 0;  // no goal
        return bounds();
    }

private:
    static constexpr Cost kUnreached = std::numeric_limits<Cost>::max();

    /// Cells from one row to the next. Cells of a column must not all compete for the same lines of
    /// the cache, which a multiple of 64 would cause.
    [[nodiscard]] static int stride_of(int width) noexcept { return (width + 63) / 64 * 64 + 8; }
    [[nodiscard]] std::uint32_t number(Point p) const noexcept {
        return static_cast<std::uint32_t>(p.y * stride_ + p.x);
    }

    /// The costs of this search are all below those of earlier ones, so that old labels need not be
    /// cleared.
    void begin() {
        const Cost range = longest_path_ + 1;
        if (origin_ < range) {
            for (Label& label : labels_) label.g = kUnreached;
            origin_ = kUnreached;
        }
        origin_ -= range;
        open_.reset(origin_);
    }

    /// Sends rays from a jump point in the directions in which shortest paths may turn there. The
    /// rays that came to it went on, so those are left out.
    void expand(std::uint32_t node) {
        const auto at = node >> 2;
        const int entered = static_cast<int>(node & 3) * 2;
        const Label label = labels_[at];
        // A node is not expanded if it has become cheaper: then it has another entry.
        if ((label.last >> entered & 1) == 0) return;
        const unsigned directions = onward(entered, label.turns) & ~(1U << entered) & label.moves;
        for (unsigned bits = directions; bits != 0; bits &= bits - 1)
            send(std::countr_zero(bits), at, label.g, label.first);
    }

    void send(int d, std::uint32_t from, Cost g, unsigned first) {
        if (grid::is_diagonal(d)) {
            walk(d, from, g, static_cast<std::uint8_t>(first));
        } else {
            scan(d, from, g, static_cast<std::uint8_t>(first));
        }
    }

    /// Labels the cells of a straight ray.
    void scan(int d, std::uint32_t at, Cost g, std::uint8_t first) {
        const auto i = static_cast<std::size_t>(d);
        for (unsigned moves = labels_[at].moves; (moves >> d & 1) != 0;) {
            at += static_cast<std::uint32_t>(offset_[i]);
            g += straight_;
            Label& label = labels_[at];
            if (!improve(label, d, g, first)) return;
            if ((label.turns >> d & 3) != 0)
                open_.push(at << 2 | static_cast<std::uint32_t>(d) / 2, g);
            moves = label.moves;
        }
    }

    /// The same for a diagonal ray and the straight rays from its cells.
    void walk(int d, std::uint32_t at, Cost g, std::uint8_t first) {
        const auto i = static_cast<std::size_t>(d);
        while ((labels_[at].moves >> d & 1) != 0) {
            at += static_cast<std::uint32_t>(offset_[i]);
            g += diagonal_;
            if (!improve(labels_[at], d, g, first)) return;
            scan(d - 1, at, g, first);
            scan((d + 1) & 7, at, g, first);
        }
    }

    /// Whether a ray adds to a label. If not, all that it could label beyond is labelled already.
    static bool improve(Label& label, int d, Cost g, std::uint8_t first) noexcept {
        const auto last = static_cast<std::uint8_t>(1U << d);
        if (g > label.g) return false;
        if (g == label.g) {
            if ((label.last & last) != 0 && (first & ~label.first) == 0) return false;
            label.first |= first;
            label.last |= last;
            return true;
        }
        label.g = g;
        label.first = first;
        label.last = last;
        return true;
    }

    /// The rectangles of the cells with each first move. Runs of cells of equal labels are looked
    /// at together.
    [[nodiscard]] GoalBounds bounds() const {
        constexpr int kNone = std::numeric_limits<std::int16_t>::max();
        std::array<int, kDirections> min_x;
        std::array<int, kDirections> min_y;
        std::array<int, kDirections> max_x;
        std::array<int, kDirections> max_y;
        min_x.fill(kNone);
        min_y.fill(kNone);
        max_x.fill(-1);
        max_y.fill(-1);
        for (const Span& span : spans_) {
            // A span is reached as a whole or not at all.
            if (labels_[span.begin].g > origin_ + longest_path_) continue;
            for (std::uint32_t at = span.begin; at < span.end;) {
                const unsigned first = labels_[at].first;
                const int x = span.first.x + static_cast<int>(at - span.begin);
                do ++at;
                while (at < span.end && labels_[at].first == first);
                const int last_x = span.first.x + static_cast<int>(at - span.begin) - 1;
                for (unsigned bits = first; bits != 0; bits &= bits - 1) {
                    const auto d = static_cast<std::size_t>(std::countr_zero(bits));
                    min_x[d] = std::min(min_x[d], x);
                    max_x[d] = std::max(max_x[d], last_x);
                    min_y[d] = std::min(min_y[d], span.first.y);
                    max_y[d] = std::max(max_y[d], span.first.y);
                }
            }
        }
        GoalBounds out{};
        for (std::size_t d = 0; d < kDirections; ++d) {
            out.min_x[d] = static_cast<std::int16_t>(min_x[d]);
            out.min_y[d] = static_cast<std::int16_t>(min_y[d]);
            out.max_x[d] = static_cast<std::int16_t>(max_x[d]);
            out.max_y[d] = static_cast<std::int16_t>(max_y[d]);
        }
        return out;
    }

    int stride_;
    std::vector<Label> labels_;
    std::vector<Span> spans_;
    std::array<int, kDirections> offset_{};
    Cost straight_;
    Cost diagonal_;
    Cost longest_path_;
    Cost origin_ = kUnreached;
    /// Jump points, as 4 * number + half the direction in which they were entered.
    grid::OpenRadix open_;
};

}  // namespace

Result<std::unique_ptr<GoalBounds[]>> make_goal_bounds(const Map& map, const JumpTable& table,
                                                       const BuildControl& control) {
    auto bounds = unwritten_array<GoalBounds>(map.size());
    Progress progress(control, map.size());
    Status status = for_each_item(
        static_cast<std::uint32_t>(map.size()), control, progress,
        [&] { return FirstMoves(map, table); },
        [&](FirstMoves& search, Cell c) { bounds[c] = search.bounds_from(map.point(c)); });
    if (!status.ok()) return tl::unexpected(std::move(status));
    return bounds;
}

}  // namespace cairn::jps_plus
