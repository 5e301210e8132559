#pragma once
// Unpacking a path from cut labels where lists are of a given size.

#include <cstddef>
#include <cstdint>

#include "cairn/cut_labels.hpp"
#include "core/host_device.hpp"
#include "core/labels/cut_labels_climb.hpp"
#include "core/labels/cut_labels_tree.hpp"

namespace cairn::batch {

/// Writes to `nodes` those from `from` to `to` by the ancestor of `entry`, and says how many; 0 if
/// the labels have no hops, or are forged, or there is no room. `goal_side` is scratch.
[[nodiscard]] CAIRN_HOST_DEVICE inline std::size_t climb_labels(
    const CutLabelArrays& labels, std::uint32_t from, std::uint32_t to, std::uint32_t entry,
    FixedList nodes, FixedList goal_side) {
    if (labels.groups.empty()) return 0;
    const std::uint32_t target = ancestor_place(labels, labels.nodes[from].group, entry);
    if (target >= labels.places.size()) return 0;
    CutLabelClimb::Ways ways;
    if (!CutLabelClimb(labels, target, entry).climb(from, to, nodes, goal_side, ways)) return 0;
    const std::size_t count = ways.up + 1 + ways.down;
    if (count > nodes.room) return 0;
    nodes[ways.up] = ways.meeting;
    for (std::size_t i = 0; i < ways.down; ++i)
        nodes[ways.up + 1 + i] = goal_side[ways.down - 1 - i];
    return count;
}

}  // namespace cairn::batch
