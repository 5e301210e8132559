#pragma once
// A grid map and its clusters as the base graph of an overlay. overlay/overlay.hpp says what the
// members of a base graph mean.

#include <cstdint>

#include "cairn/grid/map.hpp"
#include "hpa/partition.hpp"
#include "overlay/level_search.hpp"
#include "overlay/overlay.hpp"

namespace cairn::hpa {

/// Nodes are cells. The crossings of a node are the directions in which it has inter-edges.
struct GridBase {
    using Area = grid::Rect;
    using Place = grid::Point;

    grid::Map map;
    Partition partition;

    [[nodiscard]] static constexpr bool directed() noexcept { return false; }
    [[nodiscard]] int levels() const noexcept { return partition.levels(); }
    [[nodiscard]] std::uint32_t clusters(int level) const noexcept {
        return partition.clusters(level);
    }
    [[nodiscard]] std::uint32_t parent(int level, std::uint32_t child) const noexcept {
        const grid::Rect rect = partition.rect(level - 1, child);
        return partition.cluster(level, {rect.x, rect.y});
    }
    template <class Use>
    void for_each_child(int level, std::uint32_t cluster, Use&& use) const {
        const grid::Rect rect = partition.rect(level, cluster);
        const int side = partition.side(level - 1);
        for (int y = rect.y; y < rect.y + rect.height; y += side) {
            for (int x = rect.x; x < rect.x + rect.width; x += side) {
                use(partition.cluster(level - 1, {x, y}));
            }
        }
    }
    [[nodiscard]] Area area(int level, std::uint32_t cluster) const noexcept {
        return partition.rect(level, cluster);
    }
    [[nodiscard]] Area everywhere() const noexcept { return {0, 0, map.width(), map.height()}; }

    [[nodiscard]] Place place(grid::Cell cell) const noexcept { return map.point(cell); }
    [[nodiscard]] std::uint32_t cluster_at(int level, Place p) const noexcept {
        return partition.cluster(level, p);
    }
    [[nodiscard]] static bool contains(const Area& area, Place p) noexcept {
        return inside(area, p);
    }
    [[nodiscard]] Cost bound(Place from, Place to) const noexcept {
        return map.distance_bound(from, to);
    }

    [[nodiscard]] grid::Cell across(grid::Cell cell, int direction) const noexcept {
        return map.step(cell, direction);
    }
    [[nodiscard]] Cost crossing_cost(grid::Cell cell, int direction) const noexcept {
        return map.move_cost(cell, direction);
    }
    [[nodiscard]] static std::uint32_t exits(std::uint32_t crossings) noexcept { return crossings; }
    [[nodiscard]] static std::uint32_t entries(std::uint32_t crossings) noexcept {
        return crossings;
    }

    /// The highest level on which two neighbouring cells lie in different clusters: the level label
    /// of the inter-edge between them (HPA* paper, section 3.4).
    [[nodiscard]] int border_level(grid::Cell a, grid::Cell b) const noexcept {
        return partition.border_level(map.point(a), map.point(b));
    }
};

using Overlay = cairn::Overlay<GridBase>;

}  // namespace cairn::hpa

// Compiled once, in snapshot.cpp.
extern template class cairn::LevelSearch<cairn::hpa::GridBase>;
extern template void cairn::LevelSearch<cairn::hpa::GridBase>::begin(
    const cairn::hpa::Overlay&, const cairn::LevelSearch<cairn::hpa::GridBase>::Task&,
    const cairn::NoObserver&);
extern template cairn::LevelSearch<cairn::hpa::GridBase>::State
cairn::LevelSearch<cairn::hpa::GridBase>::advance(std::uint64_t, const cairn::NoObserver&);
