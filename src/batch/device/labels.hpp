#pragma once
// The search step by cut labels on a device: the ancestor where the labels of two lists of
// connectors meet, and the path through it. Among equals it chooses as CutLabels::find_path.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "batch/device/kernel_task.hpp"
#include "cairn/cost.hpp"
#include "cairn/cut_labels.hpp"
#include "core/host_device.hpp"
#include "core/labels/cut_labels_tree.hpp"
#include "core/labels/hop_path.hpp"

namespace cairn::batch {

/// Whether labels are such that devices read them: of all nodes.
[[nodiscard]] inline bool device_reads(const CutLabels& labels) noexcept {
    return labels.has_labels() && labels.piece() == 0;
}
inline constexpr const char* kNoDeviceLabels =
    "the index has no labels of all nodes (IndexStatistics::label_piece or labels_status says "
    "why): use the engine climb, or build "
    "it with labels and a larger Options::label_bytes, or load the result of with_labels";

/// Calls use(span), which may change the span, for every array of labels that devices need: all but
/// the closure's.
template <class Use>
void for_each_array(CutLabelArrays& labels, Use&& use) {
    const auto all = [&](auto&... spans) { (use(spans), ...); };
    const bool directed = labels.down.entries.data() != labels.up.entries.data();
    all(labels.nodes, labels.up.entries, labels.group_common, labels.block_common, labels.up.hops,
        labels.up.wide_hops, labels.places, labels.head, labels.groups);
    if (directed) {
        all(labels.down.entries, labels.down.hops, labels.down.wide_hops);
    } else {
        labels.down = labels.up;
    }
}

/// The connectors of a start or a goal. A connector's slot is its index in the three arrays.
struct LabelSide {
    /// The label of a connector.
    struct Row {
        std::uint64_t first = 0;   ///< index of its first entry
        std::uint32_t length = 0;  ///< its entries; 0 if the connector cannot be reached
        Cost offset = kInfinity;   ///< the connector's cost
    };
    std::span<const std::uint32_t> vertices;  ///< nodes of the labelled graph
    Cost* costs = nullptr;                    ///< from the start or to the goal
    Row* rows = nullptr;                      ///< set by MeetingSearch::find_ranges
    LabelRange range;                         ///< set by MeetingSearch::find_ranges
    const Cost* entries = nullptr;            ///< of the labels, up from a start or down to a goal;
                                              ///< set by MeetingSearch::find_ranges
};

/// Where two lists of connectors meet; see CutLabelMeeting.
struct Meeting {
    std::uint32_t cost = kInfinity;  ///< of the path; if kInfinity, the rest has no meaning
    std::uint32_t goal = 0;          ///< slot of the goal's connector
    std::uint32_t start = 0;         ///< slot of the start's connector
    std::uint32_t entry = 0;         ///< index of the common ancestor's entry in both labels

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t cost_and_goal() const noexcept {
        return std::uint64_t{cost} << 32 | goal;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t entry_and_start() const noexcept {
        return std::uint64_t{~entry} << 32 | start;
    }
    /// Takes the better of two: that of the least cost, then the first goal, then the
    /// lowest ancestor, then the first start.
    CAIRN_HOST_DEVICE void improve(const Meeting& other) noexcept {
        if (other.cost_and_goal() < cost_and_goal() ||
            (other.cost_and_goal() == cost_and_goal() &&
             other.entry_and_start() < entry_and_start())) {
            *this = other;
        }
    }
};

/// Writes the nodes of a meeting's path, from start to goal, and returns how many there are: 0 if
/// the labels have no hops or are forged, or if there is no room. `goal_side` is scratch.
[[nodiscard]] CAIRN_HOST_DEVICE inline std::size_t follow_hops(
    const CutLabelArrays& labels, const LabelSide& from, const LabelSide& to,
    const Meeting& meeting, FixedList nodes, FixedList goal_side) {
    if (labels.groups.empty()) return 0;
    const std::uint32_t start = from.vertices[meeting.start];
    const std::uint32_t target = ancestor_place(labels, labels.nodes[start].group, meeting.entry);
    if (target >= labels.places.size()) return 0;
    const HopPath hops(labels, target, meeting.entry);
    HopPath::Sides sides;
    if (!hops.follow(start, to.vertices[meeting.goal], nodes, goal_side, sides)) return 0;
    const std::size_t count = sides.up + 1 + sides.down;
    if (count > nodes.room) return 0;
    nodes[sides.up] = hops.meeting();
    std::reverse_copy(goal_side.items, goal_side.items + sides.down, nodes.items + sides.up + 1);
    return count;
}

/// Finds where two lists of connectors meet. All lanes of a team (team.hpp) call each public
/// function, and get the same result.
template <class Team>
class MeetingSearch {
public:
    CAIRN_HOST_DEVICE MeetingSearch(const CutLabelArrays& labels, const Team& team) noexcept
        : labels_(labels), team_(team) {}

    /// The best meeting; of cost kInfinity if there is none.
    [[nodiscard]] CAIRN_HOST_DEVICE Meeting find(LabelSide& from, LabelSide& to) const {
        if (!find_ranges(from, to)) return {};
        return find(from, to, common_entries(labels_, from.range, to.range));
    }
    /// The same in two steps. The first sets the rows and ranges of both sides; false if a side has
    /// no connector that can be reached. `common` is common_entries of the two ranges,
    /// kAllEntries if pairs may share different numbers of entries.
    [[nodiscard]] CAIRN_HOST_DEVICE bool find_ranges(LabelSide& from, LabelSide& to) const {
        from.entries = labels_.up.entries.data();
        to.entries = labels_.down.entries.data();
        const bool usable = find_ranges(from) && find_ranges(to);
        team_.sync();
        return usable;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE Meeting find(const LabelSide& from, const LabelSide& to,
                                                 std::uint32_t common) const {
        return best_of_lanes(common != kAllEntries ? meet_all(from, to, common)
                                                   : meet_pairs(from, to));
    }

    /// As CutLabels::distance; the lanes share out the entries.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost distance(std::uint32_t from, std::uint32_t to) const {
        const CutLabelNode& a = labels_.nodes[from];
        const CutLabelNode& b = labels_.nodes[to];
        const std::uint32_t common =
            std::min(shared_entries(labels_, a, b), std::min(a.length, b.length));
        std::uint64_t least = kInfinity;
        CAIRN_NO_UNROLL
        for (std::uint32_t entry = team_.lane(); entry < common; entry += team_.lanes()) {
            const std::uint64_t sum = std::uint64_t{labels_.up.entries[a.first + entry]} +
                                      labels_.down.entries[b.first + entry];
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

    /// False if a side has no usable connector. The greatest group has the least complement.
    [[nodiscard]] CAIRN_HOST_DEVICE bool find_ranges(LabelSide& side) const {
        std::uint64_t first = kNothing;    // group, slot
        std::uint64_t last = kNothing;     // ~group, slot
        std::uint64_t longest = kNothing;  // ~length
        for (std::uint32_t slot = team_.lane(); slot < side.vertices.size();
             slot += team_.lanes()) {
            side.rows[slot] = {};
            if (side.costs[slot] >= kInfinity) continue;
            const CutLabelNode& label = node(side, slot);
            side.rows[slot] = {label.first, label.length, side.costs[slot]};
            first = std::min(first, std::uint64_t{label.group} << 32 | slot);
            last = std::min(last, std::uint64_t{~label.group} << 32 | slot);
            longest = std::min(longest, std::uint64_t{~label.length});
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

    /// The cost from the start by a connector to an ancestor, or from it to the goal, at most
    /// kInfinity.
    [[nodiscard]] CAIRN_HOST_DEVICE static Cost cost_of(const LabelSide& side,
                                                        const LabelSide::Row& row,
                                                        std::uint32_t entry) noexcept {
        const Cost cost = row.offset + side.entries[row.first + entry];
        return cost < kInfinity ? cost : kInfinity;
    }

    /// The connector by which an ancestor is reached at the least cost, the first of equals.
    struct Cheapest {
        Cost cost = kInfinity;
        std::uint32_t slot = 0;
    };
    [[nodiscard]] CAIRN_HOST_DEVICE Cheapest cheapest(const LabelSide& side,
                                                      std::uint32_t entry) const noexcept {
        Cheapest best;
        CAIRN_NO_UNROLL
        for (std::uint32_t slot = 0; slot < side.vertices.size(); ++slot) {
            if (entry >= side.rows[slot].length) continue;
            if (const Cost cost = cost_of(side, side.rows[slot], entry); cost < best.cost)
                best = {cost, slot};
        }
        return best;
    }

    /// The best meeting at this lane's entries, where all pairs share the entries below `common`.
    [[nodiscard]] CAIRN_HOST_DEVICE Meeting meet_all(const LabelSide& from, const LabelSide& to,
                                                     std::uint32_t common) const {
        Meeting best;
        for (std::uint32_t entry = team_.lane(); entry < common; entry += team_.lanes()) {
            const Cheapest start = cheapest(from, entry);
            if (start.cost == kInfinity) continue;
            const Cheapest goal = cheapest(to, entry);
            const Cost cost = start.cost + goal.cost;
            if (cost < kInfinity) best.improve(Meeting{cost, goal.slot, start.slot, entry});
        }
        return best;
    }

    /// The same for sides that are near, where pairs may share different numbers of entries.
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
                    const Cost cost = cost_of(from, here, entry) + cost_of(to, there, entry);
                    if (cost < kInfinity) best.improve(Meeting{cost, goal, start, entry});
                }
            }
        }
        return best;
    }

    /// The best of the lanes' meetings, by Meeting::improve.
    [[nodiscard]] CAIRN_HOST_DEVICE Meeting best_of_lanes(const Meeting& mine) const {
        const std::uint64_t cost_and_goal = team_.least(mine.cost_and_goal());
        const std::uint64_t entry_and_start =
            team_.least(mine.cost_and_goal() == cost_and_goal ? mine.entry_and_start() : kNothing);
        const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
        return {low(cost_and_goal >> 32), low(cost_and_goal), low(entry_and_start),
                ~low(entry_and_start >> 32)};
    }

    const CutLabelArrays& labels_;
    const Team& team_;
};

/// The search step by labels, for kernels that are templates over it. `Plan::search` finds where
/// two lists of connectors meet.
template <class Team>
class ByLabels {
public:
    struct Scratch {
        /// `room`: nodes of the longest path.
        template <class Form>
        CAIRN_HOST_DEVICE Scratch(const Form& /*form*/, std::uint32_t /*most_connectors*/,
                                  std::size_t room, Carver& carver) noexcept
            : goal_side{carver.take<std::uint32_t>(room), room} {}
        FixedList goal_side;
    };

    template <class Form>
    CAIRN_HOST_DEVICE ByLabels(const Form& form, const Team& team, const Scratch& scratch) noexcept
        : labels_(form.labels), team_(team), scratch_(scratch) {}

    template <class Plan, class Request>
    [[nodiscard]] CAIRN_HOST_DEVICE Cost search(const Plan& plan, const Request& request,
                                                LabelSide& from, LabelSide& to,
                                                bool /*with_path*/) {
        meeting_ = plan.search(request, from, to);
        return meeting_.cost;
    }
    /// Writes the nodes of the path that was found, and returns how many there are; 0 where
    /// follow_hops gives 0.
    [[nodiscard]] CAIRN_HOST_DEVICE std::size_t write(const LabelSide& from, const LabelSide& to,
                                                      FixedList nodes) const {
        std::uint64_t count = 0;
        if (team_.lane() == 0)
            count = follow_hops(labels_, from, to, meeting_, nodes, scratch_.goal_side);
        return static_cast<std::size_t>(team_.broadcast(count));
    }

private:
    const CutLabelArrays& labels_;
    const Team& team_;
    Scratch scratch_;
    Meeting meeting_;
};

}  // namespace cairn::batch
