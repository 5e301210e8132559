#pragma once
// Entrances between clusters for every agent class, and the transitions chosen on them ("Clusters
// and Entrances").

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/options.hpp"
#include "haa/annotated_cluster.hpp"
#include "haa/border_choice.hpp"
#include "haa/class_window.hpp"
#include "haa/serving.hpp"
#include "haa/weak_dominance.hpp"
#include "hpa/partition.hpp"

namespace cairn::haa {

/// Finds the abstract nodes of clusters. Reuse one for many clusters; not for several threads at
/// once.
///
/// Entrances are the maximal runs of tiles of a border that an agent class can cross. Classes
/// choose their transitions in turn, the largest agents of the least capable first; a later one
/// moves its choice by up to Options::shift tiles within its entrance to coincide with one made
/// already. For one class the choice is HPA*'s for its rules. Diagonal moves over a border that
/// nothing replaces are transitions too, as in HPA* (DiagonalCrossings::needed).
class EntranceFinder {
public:
    EntranceFinder(const AnnotatedMap& map, const hpa::Partition& partition, const Options& options,
                   const Serving& serving);

    /// The nodes of `cluster` by ascending cell, valid until the next call. Both clusters of a
    /// border find the same transitions on it, in any order of calls.
    [[nodiscard]] const std::vector<AnnotatedNode>& nodes(std::uint32_t cluster);

    /// The windows of the agent classes for the last cluster.
    [[nodiscard]] std::span<const ClassWindow> windows() const noexcept { return windows_; }

private:
    // The tiles of one border of the cluster.
    struct Border {
        int outward;
        int length;
        grid::Point first;
        int along;  // from one tile to the next: east or south

        [[nodiscard]] grid::Point tile(int i) const noexcept {
            return {first.x + i * grid::kDx[static_cast<std::size_t>(along)],
                    first.y + i * grid::kDy[static_cast<std::size_t>(along)]};
        }
        [[nodiscard]] grid::Point across(int i) const noexcept {
            const grid::Point p = tile(i);
            return {p.x + grid::kDx[static_cast<std::size_t>(outward)],
                    p.y + grid::kDy[static_cast<std::size_t>(outward)]};
        }
    };
    [[nodiscard]] Border border(int outward) const noexcept;
    [[nodiscard]] Tiles crossable(const ClassWindow& window, const Border& border) const noexcept;
    void add_transitions(const Border& border);
    [[nodiscard]] Tiles compacted(Tiles transitions, const Border& border);
    void add_diagonals(const Border& border);
    void add(grid::Point tile, int direction) {
        nodes_.push_back({map_->cell(tile), static_cast<std::uint8_t>(1U << direction)});
    }

    const AnnotatedMap* map_;
    const hpa::Partition* partition_;
    const Options* options_;
    const Serving* serving_;
    BorderChoice choice_;
    grid::Rect rect_;
    std::vector<ClassWindow> windows_;
    std::vector<BorderClass> classes_;
    std::vector<BorderSets> near_;
    std::vector<BorderSets> far_;
    std::vector<AnnotatedNode> nodes_;
};

}  // namespace cairn::haa
