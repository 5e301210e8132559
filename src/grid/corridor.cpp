#include "cairn/grid/corridor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "core/memory.hpp"
#include "core/open_heap.hpp"
#include "core/slices.hpp"
#include "grid/astar_kernel.hpp"
#include "grid/endpoints.hpp"
#include "grid/flood.hpp"
#include "grid/open_buckets.hpp"
#include "grid/search_labels.hpp"

namespace cairn::grid {
namespace {

// The directions, as bits, whose move along `axis`, kDx or kDy, is `step`.
unsigned directions_with(const std::array<std::int8_t, 8>& axis, int step) {
    unsigned bits = 0;
    for (std::size_t d = 0; d < kDirections; ++d) {
        if (axis[d] == step) bits |= 1U << d;
    }
    return bits;
}

}  // namespace

void Corridor::reset(int width, int height, int block_size) {
    clear();
    if (width == width_ && height == height_ && block_size == block_size_) return;
    width_ = width;
    height_ = height;
    block_size_ = block_size;
    columns_ = static_cast<std::uint32_t>((width - 1) / block_size + 1);
    rows_ = static_cast<std::uint32_t>((height - 1) / block_size + 1);
    used_.assign(std::size_t{columns_} * rows_, 0);
    missing_.assign(used_.size(), 0);

    const auto lay_lines = [&](std::vector<Line>& lines, int length, std::uint32_t stride,
                               const std::array<std::int8_t, 8>& axis) {
        lines.resize(static_cast<std::size_t>(length));
        for (int i = 0; i < length; ++i) {
            unsigned edge = 0;
            if (i % block_size == 0) edge |= directions_with(axis, -1);
            if (i % block_size == block_size - 1 || i == length - 1)
                edge |= directions_with(axis, 1);
            lines[static_cast<std::size_t>(i)] = {
                static_cast<std::uint32_t>(i / block_size) * stride,
                static_cast<std::uint8_t>(edge)};
        }
    };
    lay_lines(column_, width, 1, kDx);
    lay_lines(row_, height, columns_, kDy);
}

void Corridor::clear() noexcept {
    for (const std::uint32_t block : blocks_) used_[block] = 0;
    blocks_.clear();
}

std::size_t Corridor::memory() const noexcept {
    return memory_of(column_, row_, used_, missing_, blocks_);
}

void Corridor::add(Point p) {
    add_block(static_cast<std::uint32_t>(p.x / block_size_),
              static_cast<std::uint32_t>(p.y / block_size_));
}

void Corridor::add_block(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t block = y * columns_ + x;
    if (used_[block] != 0) return;
    used_[block] = 1;
    blocks_.push_back(block);
    unsigned missing = 0;
    for (std::size_t d = 0; d < kDirections; ++d) {
        const std::uint32_t nx = x + static_cast<std::uint32_t>(kDx[d]);  // wraps off the map
        const std::uint32_t ny = y + static_cast<std::uint32_t>(kDy[d]);
        if (nx >= columns_ || ny >= rows_) continue;
        const std::uint32_t neighbour = ny * columns_ + nx;
        if (used_[neighbour] == 0) {
            missing |= 1U << d;
        } else {
            missing_[neighbour] &=
                static_cast<std::uint8_t>(~(1U << opposite(static_cast<int>(d))));
        }
    }
    missing_[block] = static_cast<std::uint8_t>(missing);
}

void Corridor::widen(int rings) {
    const std::size_t count = blocks_.size();
    const auto reach = static_cast<std::uint32_t>(std::max(rings, 0));
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t x = blocks_[i] % columns_;
        const std::uint32_t y = blocks_[i] / columns_;
        const std::uint32_t right = std::min(columns_ - 1, x + reach);
        const std::uint32_t bottom = std::min(rows_ - 1, y + reach);
        for (std::uint32_t by = y - std::min(y, reach); by <= bottom; ++by) {
            for (std::uint32_t bx = x - std::min(x, reach); bx <= right; ++bx) {
                add_block(bx, by);
            }
        }
    }
}

// A diagonal step that leaves its block crosses a column edge, a row edge or both. The edges that
// it crosses tell which block it enters.
unsigned Corridor::exits_over(unsigned column_edge, unsigned row_edge, unsigned missing) noexcept {
    unsigned out = 0;
    for (unsigned bits = column_edge | row_edge; bits != 0; bits &= bits - 1) {
        const auto d = static_cast<std::size_t>(std::countr_zero(bits));
        const int dx = (column_edge >> d & 1) != 0 ? kDx[d] : 0;
        const int dy = (row_edge >> d & 1) != 0 ? kDy[d] : 0;
        if ((missing >> direction_of(dx, dy) & 1) != 0) out |= 1U << d;
    }
    return out;
}

namespace {

// The corridor as the region of a search. Keeps the least f of the moves that leave the corridor.
class Confined {
public:
    static constexpr bool kRestricted = true;

    explicit Confined(const Corridor& corridor) : corridor_(corridor) {}

    [[nodiscard]] unsigned exits(Point p) const noexcept { return corridor_.exits(p); }
    void leave(Cost f) noexcept {
        least_f_ = std::min(least_f_, f);
        left_ = true;
    }
    [[nodiscard]] Cost least_f() const noexcept { return least_f_; }
    // Whether any move leaves the corridor.
    [[nodiscard]] bool left() const noexcept { return left_; }

private:
    const Corridor& corridor_;
    Cost least_f_ = kInfinity;
    bool left_ = false;
};

}  // namespace

struct CorridorSearch::State {
    SearchLabels labels;
    OpenHeap heap;
    OpenBuckets buckets;
    Flood flood;

    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(labels, heap.entries(), buckets, flood);
    }

    // Runs the search to its end. `lower_bound` becomes the least f of all that may lead to the
    // goal: of the path found, or if there is none of the open list; of the moves out of the
    // region; of the paths left out as too costly.
    template <class Queue>
    StatusCode run(const SearchFrame& frame, Queue& open, Cell start, SingleGoal goal,
                   Confined& region, const SearchLimits& limits, SearchTally& tally,
                   Cost& lower_bound) {
        constexpr std::uint64_t kCancelSlice = 512;  // nodes between two checks of the cancel flag
        StatusCode status = StatusCode::ok;
        Outcome outcome = Outcome::running;
        while (outcome == Outcome::running && status == StatusCode::ok) {
            const std::uint64_t remaining = limits.max_expanded - tally.statistics.expanded;
            outcome =
                expand(frame, labels, open, goal, region, std::min(kCancelSlice, remaining), tally);
            if (outcome != Outcome::running) break;
            status = tally.statistics.expanded >= limits.max_expanded ? StatusCode::budget_exhausted
                                                                      : ended_by(limits);
        }
        lower_bound = region.least_f();
        if (tally.pruned) lower_bound = std::min(lower_bound, frame.max_cost() + 1);
        if (outcome == Outcome::found) {
            lower_bound = std::min(lower_bound, labels.g(tally.reached));
        } else if (outcome == Outcome::running) {
            lower_bound = std::min(lower_bound, open.least_f());
        } else if (region.left()) {
            status = StatusCode::over_cost_limit;
        } else {  // the whole map has been searched
            SearchLimits cost_limit;
            cost_limit.max_cost = frame.max_cost();
            status = why_no_path(frame.map(), cost_limit, tally.pruned,
                                 [&] { return flood.connects(frame.map(), start, goal.cell()); });
            if (status != StatusCode::over_cost_limit) lower_bound = kInfinity;
        }
        return status;
    }
};

CorridorSearch::CorridorSearch() : state_(std::make_unique<State>()) {}
CorridorSearch::~CorridorSearch() = default;
CorridorSearch::CorridorSearch(CorridorSearch&&) noexcept = default;
CorridorSearch& CorridorSearch::operator=(CorridorSearch&&) noexcept = default;

std::size_t CorridorSearch::memory() const noexcept { return memory_of(state_); }

StatusCode CorridorSearch::find_path(const Map& map, const Corridor& corridor, Point start,
                                     Point goal, Cost upper_bound, Path& out,
                                     const SearchLimits& limits) {
    out.cost = kInfinity;
    out.lower_bound = 0;
    out.cells.clear();
    out.statistics = {};
    out.status = check_endpoints(map, start, goal);
    if (out.status != StatusCode::ok) return out.status;
    if (corridor.width() != map.width() || corridor.height() != map.height()) {
        return out.status = StatusCode::bad_option;
    }
    if (!corridor.contains(start)) {
        out.lower_bound = std::min(map.distance_bound(start, goal), kInfinity - 1);
        return out.status = StatusCode::over_cost_limit;
    }

    State& s = *state_;
    const bool use_buckets = f_span(map) <= OpenBuckets::kMaxSpan;
    const Cost max_cost = std::min({upper_bound, limits.max_cost, kInfinity - 1});
    const SearchFrame frame(map, use_buckets, max_cost);
    const SingleGoal target(map.cell(goal), goal);
    const Cost f = target.bound(frame, start);
    s.labels.begin(map.size());
    s.labels.set(map.cell(start), 0, SearchLabels::kStart);
    Confined region(corridor);
    SearchTally tally;
    if (use_buckets) {
        s.buckets.reset(f, static_cast<Cost>(f_span(map)));
        s.buckets.push(map.cell(start), f, 0);
        out.status = s.run(frame, s.buckets, map.cell(start), target, region, limits, tally,
                           out.lower_bound);
    } else {
        s.heap.clear();
        s.heap.push(map.cell(start), f, 0);
        out.status =
            s.run(frame, s.heap, map.cell(start), target, region, limits, tally, out.lower_bound);
    }
    out.statistics = tally.statistics;
    if (out.status == StatusCode::ok) {
        out.cost = s.labels.g(tally.reached);
        trace_back(map, s.labels, tally.reached, out.cells);
    }
    return out.status;
}

}  // namespace cairn::grid
