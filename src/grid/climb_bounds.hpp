#pragma once
// Bounds of climbs between two cells of a map (core/labels/bounded_climb.hpp).

#include <cstdint>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// Bounds by Map::distance_bound. `Nodes` are the nodes of a planner's graph, with
///     size()            all numbers of nodes are below it
///     point(node)       the node's point, or cell(node), its cell; of a removed node (-1, -1), or
///                       kNoCell
///     prefetch(node)    loads it into the cache
template <class Nodes>
class ClimbBounds {
public:
    static constexpr bool kEmpty = false;

    /// Map and nodes must outlive the bounds.
    ClimbBounds(const Map& map, const Nodes& nodes, Point start, Point goal) noexcept
        : map_(&map), nodes_(&nodes), start_(start), goal_(goal) {}

    [[nodiscard]] Cost end_to_end() const noexcept { return map_->distance_bound(start_, goal_); }
    [[nodiscard]] Cost to_start(std::uint32_t node) const noexcept { return to(start_, node); }
    [[nodiscard]] Cost to_goal(std::uint32_t node) const noexcept { return to(goal_, node); }
    void prefetch(std::uint32_t node) const noexcept {
        if (node < nodes_->size()) nodes_->prefetch(node);
    }

private:
    [[nodiscard]] Cost to(Point end, std::uint32_t node) const noexcept {
        if (node >= nodes_->size()) return 0;
        if constexpr (requires { nodes_->point(node); }) {
            const Point p = nodes_->point(node);
            return p.x < 0 ? 0 : map_->distance_bound(p, end);
        } else {
            const Cell cell = nodes_->cell(node);
            return cell == kNoCell ? 0 : map_->distance_bound(map_->point(cell), end);
        }
    }

    const Map* map_;
    const Nodes* nodes_;
    Point start_;
    Point goal_;
};

}  // namespace cairn::grid
