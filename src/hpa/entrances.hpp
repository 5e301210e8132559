#pragma once
// The entrances between 1-clusters, and the transitions chosen for them (HPA* paper, section 3.1).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/hpa/options.hpp"
#include "hpa/partition.hpp"

namespace cairn::hpa {

/// The tiles at a cluster's border in a straight direction, from west to east or north to south.
struct BorderLine {
    BorderLine(const grid::Rect& cluster, int direction)
        : outward(direction),
          length(direction % 4 == 0 ? cluster.width : cluster.height),
          along(direction % 4 == 0 ? grid::kEast : grid::kSouth),
          first{cluster.x + (direction == grid::kEast ? cluster.width - 1 : 0),
                cluster.y + (direction == grid::kSouth ? cluster.height - 1 : 0)} {}

    [[nodiscard]] grid::Point tile(int i) const noexcept {
        return {first.x + i * grid::kDx[along], first.y + i * grid::kDy[along]};
    }
    /// The tile across the border from tile(i).
    [[nodiscard]] grid::Point across(int i) const noexcept {
        const auto d = static_cast<std::size_t>(outward);
        return {tile(i).x + grid::kDx[d], tile(i).y + grid::kDy[d]};
    }

    int outward;            // the direction out of the cluster
    int length;             // in tiles
    grid::Direction along;  // from one tile to the next: east or south
    grid::Point first;      // tile(0)
};

/// Calls visit(first tile, length, along) for each entrance of a cluster's border in the direction
/// `outward`. A straight move is legal if both tiles are free, so an entrance is a maximal run of
/// tiles with a legal move over the border.
template <class Visit>
void for_each_entrance(const grid::Map& map, const grid::Rect& cluster, int outward,
                       Visit&& visit) {
    const BorderLine line(cluster, outward);
    grid::Cell cell = map.cell(line.first);
    grid::Cell first = cell;
    int run = 0;
    for (int i = 0; i < line.length; ++i, cell = map.step(cell, line.along)) {
        if ((map.moves(cell) >> outward & 1) != 0) {
            if (run++ == 0) first = cell;
        } else if (run > 0) {
            visit(first, run, line.along);
            run = 0;
        }
    }
    if (run > 0) visit(first, run, line.along);
}

/// An abstract node of a 1-cluster. A tile on two borders is one node (as in the paper's table 2).
struct BorderNode {
    grid::Cell cell = 0;
    std::uint8_t crossings = 0;  ///< the directions in which it has inter-edges, as bits

    /// Adds the inter-edges of another entry for the same cell.
    void merge(const BorderNode& other) noexcept { crossings |= other.crossings; }
};

/// Sorts nodes by cell and merges the nodes of each cell.
template <class Node>
void merge_by_cell(std::vector<Node>& nodes) {
    std::sort(nodes.begin(), nodes.end(),
              [](const Node& a, const Node& b) { return a.cell < b.cell; });
    std::size_t kept = 0;
    for (const Node& node : nodes) {
        if (kept > 0 && nodes[kept - 1].cell == node.cell) {
            nodes[kept - 1].merge(node);
        } else {
            nodes[kept++] = node;
        }
    }
    nodes.resize(kept);
}

/// For Transitions::by_cost: the most steps between two transitions of a wide run, and how many
/// straight moves over the entrance's mean terrain a crossing may cost more for lack of a
/// transition. Measured with cairn-lab bench (docs/hpa-star.md).
inline constexpr int kWidestGap = 8;
inline constexpr std::uint64_t kDetour = 4;

/// Finds the abstract nodes of 1-clusters. Reuse one for many clusters; use one per thread.
class EntranceFinder {
public:
    EntranceFinder(const grid::Map& map, const Partition& partition, const Options& options)
        : map_(&map), partition_(&partition), options_(&options) {}

    /// The nodes of `cluster` by ascending cell, valid until the next call. Two neighbouring
    /// clusters get the same transitions between them. O(border).
    [[nodiscard]] const std::vector<BorderNode>& nodes(std::uint32_t cluster);

private:
    void scan_diagonals(int outward);
    // A tile that may become a transition.
    struct Candidate {
        grid::Cell cell;
        Cost crossing;       // of the move over the border
        std::uint64_t walk;  // from the entrance's first tile, along both sides of the border
    };

    void add_entrance(grid::Cell first, int length, int along, int outward);
    void add_by_cost(grid::Cell first, int length, int along, int outward);
    void thin(std::uint64_t most);
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
    std::vector<Candidate> candidates_;
};

}  // namespace cairn::hpa
