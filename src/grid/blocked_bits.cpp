#include "grid/blocked_bits.hpp"

#include "core/memory.hpp"

namespace cairn::grid {

void BlockedBits::block(const ObstacleBits& obstacles, std::uint64_t id,
                        std::span<const Cell> cells, Cell start) {
    const int width = obstacles.rows.width();
    const int height = obstacles.rows.height();
    const bool same =
        rows_ && columns_ && id == id_ && rows().width() == width && rows().height() == height;
    if (same) {
        free_all();
    } else {
        blocked_.clear();
        columns_.reset();  // so that a failed allocation leaves neither or both
        rows_.emplace(obstacles.rows);
        columns_.emplace(obstacles.columns);
        id_ = id;
    }
    for (const Cell cell : cells) {
        const Point p = point_of(width, cell);
        if (cell == start || p.y >= height || rows().test(p.x, p.y)) continue;
        blocked_.push_back(p);
        rows_->set(p.x, p.y, true);
        columns_->set(p.y, p.x, true);
    }
}

void BlockedBits::free_all() {
    for (const Point p : blocked_) {
        rows_->set(p.x, p.y, false);
        columns_->set(p.y, p.x, false);
    }
    blocked_.clear();
}

bool BlockedBits::allows(std::span<const Cell> path) const noexcept {
    const BitGrid& bits = rows();
    Point from{};
    for (std::size_t i = 0; i < path.size(); ++i) {
        const Point to = point_of(bits.width(), path[i]);
        if (bits.test(to.x, to.y)) return false;
        // A straight step passes the cells that it joins, a diagonal one two more.
        if (i > 0 && (bits.test(from.x, to.y) || bits.test(to.x, from.y))) return false;
        from = to;
    }
    return true;
}

std::size_t BlockedBits::memory() const noexcept {
    std::size_t bytes = memory_of(blocked_);
    if (rows_) bytes += rows_->grid().bytes();
    if (columns_) bytes += columns_->grid().bytes();
    return bytes;
}

}  // namespace cairn::grid
