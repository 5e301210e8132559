#include "grid/blocked_search.hpp"

#include <algorithm>

#include "core/memory.hpp"

namespace cairn::grid {
namespace {

// Calls use(cell) for a cell and its neighbours on a map of this size.
template <class Use>
void for_each_near(Point size, Cell cell, const Use& use) {
    const Point p = point_of(size.x, cell);
    for (int y = std::max(p.y - 1, 0); y <= std::min(p.y + 1, size.y - 1); ++y) {
        for (int x = std::max(p.x - 1, 0); x <= std::min(p.x + 1, size.x - 1); ++x)
            use(cell_of(size.x, {x, y}));
    }
}

}  // namespace

void BlockedCells::set(std::vector<std::uint64_t>& bits, Cell cell, bool value) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << cell % 64;
    bits[cell / 64] = value ? bits[cell / 64] | bit : bits[cell / 64] & ~bit;
}

void BlockedCells::mark(bool value) noexcept {
    for (const Cell cell : cells_) {
        set(blocked_, cell, value);
        for_each_near(size_, cell, [&](Cell near) { set(near_, near, value); });
    }
}

void BlockedCells::block(const Map& map, std::span<const Cell> cells, Cell start) {
    mark(false);
    cells_.clear();
    const std::size_t words = (map.size() + 63) / 64;
    if (blocked_.size() < words) {
        blocked_.resize(words);
        near_.resize(words);
    }
    cells_.reserve(cells.size());
    for (const Cell cell : cells) {
        if (cell < map.size() && cell != start) cells_.push_back(cell);
    }
    map_ = &map;
    size_ = {map.width(), map.height()};
    mark(true);
}

unsigned BlockedCells::forbidden(Point p) const noexcept {
    unsigned free = 0;
    for (int d = 0; d < kDirections; ++d) {
        const auto i = static_cast<std::size_t>(d);
        const Point to{p.x + kDx[i], p.y + kDy[i]};
        if (!map_->contains(to)) continue;
        const Cell cell = map_->cell(to);
        if (map_->passable(cell) && !test(blocked_, cell)) free |= 1U << d;
    }
    return ~unsigned{legal_moves(static_cast<std::uint8_t>(free), map_->options().rules)};
}

std::size_t BlockedCells::first_forbidden(std::span<const Cell> path,
                                          std::size_t from) const noexcept {
    for (std::size_t i = from; i < path.size(); ++i) {
        if (!is_near(path[i])) continue;
        if (test(blocked_, path[i])) return i;
        if (i + 1 == path.size()) continue;
        const int direction = legal_direction(*map_, path[i], path[i + 1]);
        if (direction < 0 || (forbidden(map_->point(path[i])) >> direction & 1) != 0) return i;
    }
    return path.size();
}

std::size_t BlockedCells::memory() const noexcept { return memory_of(cells_, blocked_, near_); }

void BlockedSearch::begin(const Map& map, Point start, Point goal, Cost max_cost) {
    use_buckets_ = f_span(map) <= OpenBuckets::kMaxSpan;
    frame_ = SearchFrame(map, use_buckets_, max_cost);
    goal_ = SingleGoal(map.cell(goal), goal);
    tally_ = {};
    labels_.begin(map.size());
    labels_.set(map.cell(start), 0, SearchLabels::kStart);
    const Cost f = goal_.bound(frame_, start);
    if (use_buckets_) {
        buckets_.reset(f, static_cast<Cost>(f_span(map)));
        buckets_.push(map.cell(start), f, 0);
    } else {
        heap_.clear();
        heap_.push(map.cell(start), f, 0);
    }
    tally_.statistics.generated = 1;
}

Outcome BlockedSearch::expand(std::uint64_t budget) {
    return use_buckets_ ? grid::expand(frame_, labels_, buckets_, goal_, blocked, budget, tally_)
                        : grid::expand(frame_, labels_, heap_, goal_, blocked, budget, tally_);
}

void BlockedSearch::take_partial_path(std::vector<Cell>& cells) const {
    cells.clear();
    const Cell end = use_buckets_ ? nearest_open(frame_, labels_, buckets_, goal_)
                                  : nearest_open(frame_, labels_, heap_, goal_);
    if (end != kNoCell) trace_back(frame_.map(), labels_, end, cells);
}

std::size_t BlockedSearch::memory() const noexcept {
    return blocked.memory() + memory_of(labels_, heap_.entries(), buckets_);
}

}  // namespace cairn::grid
