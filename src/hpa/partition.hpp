#pragma once
// The nested partition of a grid into square clusters: an l-cluster is branching x branching
// (l-1)-clusters (HPA* paper, sections 3.1 and 3.4). Levels count from 1, clusters from 0, row by
// row.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cairn/grid/map.hpp"

namespace cairn::hpa {

class Partition {
public:
    /// No levels.
    Partition() = default;
    /// `cluster_size` is the side of a 1-cluster in cells.
    Partition(int width, int height, int cluster_size, int branching, int levels)
        : width_(width), height_(height) {
        std::int64_t side = cluster_size;
        for (int l = 0; l < levels; ++l) {
            // A larger side than that of any map makes no difference, but could overflow.
            const auto s = static_cast<int>(std::min<std::int64_t>(side, 2 * grid::Map::kMaxSide));
            levels_.push_back({s, (width + s - 1) / s, (height + s - 1) / s,
                               ((std::uint64_t{1} << 32) + static_cast<std::uint64_t>(s) - 1) /
                                   static_cast<std::uint64_t>(s)});
            side = s * static_cast<std::int64_t>(branching);
        }
    }

    [[nodiscard]] int levels() const noexcept { return static_cast<int>(levels_.size()); }
    /// The side of a cluster, in cells.
    [[nodiscard]] int side(int level) const noexcept { return at(level).side; }
    /// The number of clusters in a row.
    [[nodiscard]] int columns(int level) const noexcept { return at(level).columns; }
    [[nodiscard]] int rows(int level) const noexcept { return at(level).rows; }
    [[nodiscard]] std::uint32_t clusters(int level) const noexcept {
        return static_cast<std::uint32_t>(columns(level)) * static_cast<std::uint32_t>(rows(level));
    }
    /// The cluster that holds a point of the map.
    [[nodiscard]] std::uint32_t cluster(int level, grid::Point p) const noexcept {
        const Level& l = at(level);
        return divide(l, p.y) * static_cast<std::uint32_t>(l.columns) + divide(l, p.x);
    }
    /// The highest level on which two points lie in different clusters; 0 if there is none. For
    /// the two cells of an inter-edge it is the edge's level label (HPA* paper, section 3.4).
    [[nodiscard]] int border_level(grid::Point a, grid::Point b) const noexcept {
        int level = 0;
        while (level < levels() && cluster(level + 1, a) != cluster(level + 1, b)) ++level;
        return level;
    }
    /// The cells of a cluster; smaller at the right and bottom edge of the map.
    [[nodiscard]] grid::Rect rect(int level, std::uint32_t cluster) const noexcept {
        const Level& l = at(level);
        const auto columns = static_cast<std::uint32_t>(l.columns);
        const int x = static_cast<int>(cluster % columns) * l.side;
        const int y = static_cast<int>(cluster / columns) * l.side;
        return {x, y, std::min(l.side, width_ - x), std::min(l.side, height_ - y)};
    }

private:
    struct Level {
        int side;
        int columns;
        int rows;
        std::uint64_t reciprocal;  // ceil(2^32 / side): exact for coordinates below 2^15
    };
    [[nodiscard]] const Level& at(int level) const noexcept {
        return levels_[static_cast<std::size_t>(level - 1)];
    }
    [[nodiscard]] static std::uint32_t divide(const Level& l, std::int32_t coordinate) noexcept {
        return static_cast<std::uint32_t>(static_cast<std::uint64_t>(coordinate) * l.reciprocal >>
                                          32);
    }

    int width_ = 0;
    int height_ = 0;
    std::vector<Level> levels_;
};

/// Whether `p` lies in `r`.
[[nodiscard]] inline bool inside(const grid::Rect& r, grid::Point p) noexcept {
    return p.x >= r.x && p.y >= r.y && p.x < r.x + r.width && p.y < r.y + r.height;
}

}  // namespace cairn::hpa
