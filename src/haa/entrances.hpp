#pragma once
// Entrances between clusters for every agent class, and the transitions chosen on them (the
// paper's section "Clusters and Entrances").

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/options.hpp"
#include "haa/annotated_cluster.hpp"
#include "haa/transitions.hpp"
#include "hpa/entrances.hpp"
#include "hpa/partition.hpp"

namespace cairn::haa {

/// All agent classes of a map, in the order in which they choose transitions: by size (largest
/// first), number of terrains (fewest first), number. So a class comes after every larger one, and
/// every one of fewer terrains, whose transitions it can all use. Weights do not matter.
[[nodiscard]] std::vector<std::uint8_t> choosing_order(const AnnotatedMap& map);

/// The weights of one agent class in a window: a cluster and one more cell on each side, on which
/// the moves of the cluster's cells depend, too.
struct ClassWindow {
    grid::Rect window;  ///< may extend beyond the map
    /// Row by row; 0 off the map and where the agent cannot stand.
    std::vector<std::uint8_t> weights;

    /// Reads the window around `cluster`.
    void read(const AnnotatedMap& map, Agent agent, const grid::Rect& cluster);

    /// Copies the weights of the cluster alone, row by row.
    void read_inside(const grid::Rect& cluster, std::vector<std::uint8_t>& inside) const;

    [[nodiscard]] std::uint8_t weight(grid::Point p) const noexcept { return weights[index(p)]; }
    /// The legal moves from a cell of the cluster, as grid::Map::moves.
    [[nodiscard]] std::uint8_t moves(const grid::MoveRules& rules, grid::Point p) const noexcept;

private:
    [[nodiscard]] std::size_t index(grid::Point p) const noexcept {
        return static_cast<std::size_t>((p.y - window.y) * window.width + p.x - window.x);
    }
};

/// Finds the abstract nodes of clusters. Use one per thread for many clusters.
///
/// Entrances are the maximal runs of tiles of a border that an agent class can cross. The classes
/// choose their transitions in turn (choosing_order). A later class moves its choice by up to
/// Options::shift tiles within its entrance if it then coincides with a choice already made.
/// Without a shift the choice of each class is that of HPA* on its class map; HPA* has no
/// best_clearance. A diagonal move over a border is a transition, too, if no other move of the
/// class replaces it, as in HPA* (DiagonalCrossings::needed).
class EntranceFinder {
public:
    EntranceFinder(const AnnotatedMap& map, const hpa::Partition& partition, const Options& options,
                   std::span<const std::uint8_t> choosing_order);

    /// The nodes of `cluster` by ascending cell, valid until the next call. Both clusters beside a
    /// border find the same transitions on it.
    [[nodiscard]] const std::vector<AnnotatedNode>& nodes(std::uint32_t cluster);

    /// Reads the windows around a cluster whose nodes are known.
    void read_windows(const grid::Rect& cluster);
    /// The windows around the last cluster, per agent class.
    [[nodiscard]] std::span<const ClassWindow> windows() const noexcept { return windows_; }

private:
    using Border = hpa::BorderLine;

    /// The tiles of a border from which a class can move straight across.
    [[nodiscard]] Tiles crossable(const ClassWindow& window, const Border& border) const noexcept;
    void add_transitions(const Border& border);
    void compact(const Border& border);
    void add_diagonals(const Border& border);
    void add(grid::Point tile, int direction, const ClassSet& users);

    const AnnotatedMap* map_;
    const hpa::Partition* partition_;
    const Options* options_;
    std::span<const std::uint8_t> choosing_order_;
    BorderChoice choice_;
    grid::Rect rect_;  // of the cluster
    // Per agent class:
    std::vector<ClassWindow> windows_;
    std::vector<BorderClass> classes_;
    // Per agent class, for Abstraction::low_quality:
    std::vector<BorderSets> near_;  // of the cluster
    std::vector<BorderSets> far_;   // of the cluster across the border
    std::vector<AnnotatedNode> nodes_;
};

}  // namespace cairn::haa
