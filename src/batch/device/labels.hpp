#pragma once
// Cut labels on a device: where the labels of two lists of connectors meet, and the path from one
// to the other. The meeting is the one that CutLabels::find_path documents.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cairn/cost.hpp"
#include "cairn/cut_labels.hpp"
#include "core/host_device.hpp"
#include "core/labels/cut_labels_climb.hpp"
#include "core/labels/cut_labels_tree.hpp"

namespace cairn::batch {

/// Calls use(span) for every array of labels.
template <class Use>
void for_each_array(CutLabelArrays& labels, Use&& use) {
    const auto all = [&](auto&... spans) { (use(spans), ...); };
    all(labels.nodes, labels.entries, labels.group_common, labels.block_common, labels.hops,
        labels.wide_hops, labels.places, labels.head, labels.groups);
}

/// A list of connectors, slot by slot.
struct LabelSide {
    struct Row {
        std::uint64_t first = 0;   // index of its label's first entry
        std::uint32_t length = 0;  // 0: the connector cannot be reached
        Cost offset = kInfinity;
    };
    std::span<const std::uint32_t> vertices;
    Cost* costs = nullptr;
    Row* rows = nullptr;
    LabelRange range;
};

struct Meeting {
    std::uint32_t cost = kInfinity;
    std::uint32_t goal = 0;  // slots
    std::uint32_t start = 0;
    std::uint32_t entry = 0;

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t cost_and_goal() const noexcept {
        return std::uint64_t{cost} << 32 | goal;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t entry_and_start() const noexcept {
        return std::uint64_t{entry} << 32 | start;
    }
    /// The least cost wins, then the first goal, the topmost entry, the first start.
    CAIRN_HOST_DEVICE void improve(const Meeting& other) noexcept {
        if (other.cost_and_goal() < cost_and_goal() ||
            (other.cost_and_goal() == cost_and_goal() &&
             other.entry_and_start() < entry_and_start())) {
            *this = other;
        }
    }
};

/// Writes the path between the connectors that meet to `nodes`, and returns its number of nodes; 0
/// if the labels have no hops, or are forged, or there is no room. `goal_side` is scratch.
[[nodiscard]] CAIRN_HOST_DEVICE inline std::size_t climb_labels(
    const CutLabelArrays& labels, const LabelSide& from, const LabelSide& to,
    const Meeting& meeting, FixedList nodes, FixedList goal_side) {
    if (labels.groups.empty()) return 0;
    const std::uint32_t start = from.vertices[meeting.start];
    const std::uint32_t target = ancestor_place(labels, labels.nodes[start].group, meeting.entry);
    if (target >= labels.places.size()) return 0;
    CutLabelClimb::Path path;
    if (!CutLabelClimb(labels, target, meeting.entry)
             .climb(start, to.vertices[meeting.goal], nodes, goal_side, path))
        return 0;
    const std::size_t count = path.up + 1 + path.down;
    if (count > nodes.room) return 0;
    nodes[path.up] = path.meeting;
    std::reverse_copy(goal_side.items, goal_side.items + path.down, nodes.items + path.up + 1);
    return count;
}

template <class Team>
class LabelMeeting {
public:
    CAIRN_HOST_DEVICE LabelMeeting(const CutLabelArrays& labels, const Team& team) noexcept
        : labels_(labels), team_(team) {}

    /// Its cost is kInfinity where there is none.
    [[nodiscard]] CAIRN_HOST_DEVICE Meeting find(LabelSide& from, LabelSide& to) const {
        if (!find_ranges(from, to)) return {};
        return find(from, to, common_entries(labels_, from.range, to.range));
    }
    /// The same in two steps. The first fills in `range` of both sides; false if there is nothing
    /// to find. `common` is common_entries of the two ranges.
    [[nodiscard]] CAIRN_HOST_DEVICE bool find_ranges(LabelSide& from, LabelSide& to) const {
        const bool usable = find_ranges(from) && find_ranges(to);
        team_.sync();
        return usable;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE Meeting find(const LabelSide& from, const LabelSide& to,
                                                 std::uint32_t common) const {
        const Meeting mine =
            common != kAllEntries ? meet_all(from, to, common) : meet_pairs(from, to);
        return winner(mine);
    }

    /// CutLabels::distance.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost distance(std::uint32_t from, std::uint32_t to) const {
        const CutLabelNode& a = labels_.nodes[from];
        const CutLabelNode& b = labels_.nodes[to];
        const std::uint32_t common =
            std::min(shared_entries(labels_, a, b), std::min(a.length, b.length));
        std::uint64_t least = kInfinity;
        for (std::uint32_t entry = team_.lane(); entry < common; entry += team_.lanes()) {
            const std::uint64_t sum =
                std::uint64_t{labels_.entries[a.first + entry]} + labels_.entries[b.first + entry];
            least = std::min(least, sum);
        }
        return static_cast<Cost>(team_.least(least));
    }

private:
    static constexpr std::uint64_t kNothing = ~std::uint64_t{0};

    [[nodiscard]] CAIRN_HOST_DEVICE const CutLabelNode& node(const LabelSide& side,
                                                             std::uint32_t slot) const noexcept {
        return labels_.nodes[side.vertices[slot]];
    }

    /// False if a side has no usable connector.
    [[nodiscard]] CAIRN_HOST_DEVICE bool find_ranges(LabelSide& side) const {
        std::uint64_t first = kNothing;
        std::uint64_t last = kNothing;
        std::uint64_t longest = kNothing;
        for (std::uint32_t slot = team_.lane(); slot < side.vertices.size();
             slot += team_.lanes()) {
            side.rows[slot] = {};
            if (side.costs[slot] >= kInfinity) continue;
            const CutLabelNode& found = node(side, slot);
            side.rows[slot] = {found.first, found.length, side.costs[slot]};
            first = std::min(first, std::uint64_t{found.group} << 32 | slot);
            last = std::min(last, std::uint64_t{~found.group} << 32 | slot);
            longest = std::min(longest, std::uint64_t{~found.length});
        }
        first = team_.least(first);
        last = team_.least(last);
        longest = team_.least(longest);
        if (first == kNothing) return false;
        side.range.first = &node(side, static_cast<std::uint32_t>(first));
        side.range.last = &node(side, static_cast<std::uint32_t>(last));
        side.range.longest = ~static_cast<std::uint32_t>(longest);
        return true;
    }

    [[nodiscard]] CAIRN_HOST_DEVICE Cost sum(const LabelSide::Row& row,
                                             std::uint32_t entry) const noexcept {
        const Cost cost = row.offset + labels_.entries[row.first + entry];
        return cost < kInfinity ? cost : kInfinity;
    }

    /// The cheapest of a side's connectors for an ancestor, the first of equals.
    struct Least {
        Cost cost = kInfinity;
        std::uint32_t slot = 0;
    };
    [[nodiscard]] CAIRN_HOST_DEVICE Least least(const LabelSide& side,
                                                std::uint32_t entry) const noexcept {
        Least best;
        for (std::uint32_t slot = 0; slot < side.vertices.size(); ++slot) {
            if (entry >= side.rows[slot].length) continue;
            if (const Cost cost = sum(side.rows[slot], entry); cost < best.cost)
                best = {cost, slot};
        }
        return best;
    }

    /// All pairs share the entries below `common`: the lanes share them out.
    [[nodiscard]] CAIRN_HOST_DEVICE Meeting meet_all(const LabelSide& from, const LabelSide& to,
                                                     std::uint32_t common) const {
        Meeting best;
        for (std::uint32_t entry = team_.lane(); entry < common; entry += team_.lanes()) {
            const Least start = least(from, entry);
            if (start.cost == kInfinity) continue;
            const Least goal = least(to, entry);
            const Cost cost = start.cost + goal.cost;
            if (cost < kInfinity) best.improve(Meeting{cost, goal.slot, start.slot, entry});
        }
        return best;
    }

    /// Start and goal are near: every pair shares a number of entries of its own.
    [[nodiscard]] CAIRN_HOST_DEVICE Meeting meet_pairs(const LabelSide& from,
                                                       const LabelSide& to) const {
        Meeting best;
        for (std::uint32_t goal = 0; goal < to.vertices.size(); ++goal) {
            const LabelSide::Row& there = to.rows[goal];
            if (there.length == 0) continue;
            for (std::uint32_t start = 0; start < from.vertices.size(); ++start) {
                const LabelSide::Row& here = from.rows[start];
                if (here.length == 0) continue;
                const std::uint32_t shared =
                    shared_entries(labels_, node(from, start), node(to, goal));
                const std::uint32_t common = std::min(shared, std::min(here.length, there.length));
                for (std::uint32_t entry = team_.lane(); entry < common; entry += team_.lanes()) {
                    const Cost cost = sum(here, entry) + sum(there, entry);
                    if (cost < kInfinity) best.improve(Meeting{cost, goal, start, entry});
                }
            }
        }
        return best;
    }

    [[nodiscard]] CAIRN_HOST_DEVICE Meeting winner(const Meeting& mine) const {
        const std::uint64_t head = team_.least(mine.cost_and_goal());
        const std::uint64_t tail =
            team_.least(mine.cost_and_goal() == head ? mine.entry_and_start() : kNothing);
        const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
        return {low(head >> 32), low(head), low(tail), low(tail >> 32)};
    }

    const CutLabelArrays& labels_;
    const Team& team_;
};

}  // namespace cairn::batch
