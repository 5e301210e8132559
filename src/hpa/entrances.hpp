#pragma once
// Entrances between 1-clusters and the transitions chosen on them (HPA* paper, section 3.1).

#include <cstdint>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/hpa/options.hpp"
#include "overlay/partition.hpp"

namespace cairn::hpa {

/// An abstract node of a 1-cluster: one tile, and the directions in which it has inter-edges. A
/// tile on two borders is one node (CHECKLIST A6.4).
struct BorderNode {
    grid::Cell cell = 0;
    std::uint8_t crossings = 0;
};

/// Finds the abstract nodes of 1-clusters. Reuse one for many clusters; not for several threads at
/// once.
class EntranceFinder {
public:
    EntranceFinder(const grid::Map& map, const Partition& partition, const Options& options)
        : map_(&map), partition_(&partition), options_(&options) {}

    /// The nodes of `cluster` by ascending cell, valid until the next call. Both clusters of a
    /// border find the same transitions on it. O(border).
    [[nodiscard]] const std::vector<BorderNode>& nodes(std::uint32_t cluster);

private:
    void scan_border(int outward);
    void scan_diagonals(int outward);
    void add_entrance(grid::Cell end, int length, int along, int outward);
    void add(grid::Cell cell, int direction) {
        nodes_.push_back({cell, static_cast<std::uint8_t>(1U << direction)});
    }
    [[nodiscard]] bool crosses(grid::Cell cell, int direction) const noexcept {
        return (map_->moves(cell) >> direction & 1) != 0;
    }

    const grid::Map* map_;
    const Partition* partition_;
    const Options* options_;
    grid::Rect rect_;
    std::vector<BorderNode> nodes_;
};

}  // namespace cairn::hpa
