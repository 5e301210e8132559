#pragma once
// Unpacks a path from cut labels into lists of a given size.

#include <cstddef>
#include <cstdint>

#include "cairn/cut_labels.hpp"
#include "core/host_device.hpp"
#include "core/labels/cut_labels_climb.hpp"
#include "core/labels/cut_labels_tree.hpp"

namespace cairn::batch {

/// Writes the path from `from` to `to` by the ancestor of `entry` to `nodes`, and returns its
/// number of nodes; 0 if the labels have no hops, or are forged, or there is no room. `goal_side`
/// is scratch.
[[nodiscard]] CAIRN_HOST_DEVICE inline std::size_t climb_labels(
    const CutLabelArrays& labels, std::uint32_t from, std::uint32_t to, std::uint32_t entry,
    FixedList nodes, FixedList goal_side) {
    if (labels.groups.empty()) return 0;
    const std::uint32_t target = ancestor_place(labels, labels.nodes[from].group, entry);
    if (target >= labels.places.size()) return 0;
    CutLabelClimb::Path path;
    if (!CutLabelClimb(labels, target, entry).climb(from, to, nodes, goal_side, path)) return 0;
    const std::size_t count = path.up + 1 + path.down;
    if (count > nodes.room) return 0;
    nodes[path.up] = path.meeting;
    for (std::size_t i = 0; i < path.down; ++i)
        nodes[path.up + 1 + i] = goal_side[path.down - 1 - i];
    return count;
}

}  // namespace cairn::batch
