#pragma once
// Unpacks a path from cut labels: follows hops from start and goal up to their meeting ancestor.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "core/host_device.hpp"

namespace cairn {

/// A list in memory of a fixed size, for GPUs.
struct FixedList {
    std::uint32_t* items = nullptr;
    std::size_t room = 0;  ///< items that fit
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t& operator[](std::size_t i) const noexcept {
        return items[i];
    }
};

/// Makes room for an item at `index`. False if there is none.
[[nodiscard]] CAIRN_HOST_DEVICE inline bool make_room(const FixedList& list, std::size_t index) {
    return index < list.room;
}
[[nodiscard]] inline bool make_room(std::vector<std::uint32_t>& list, std::size_t index) {
    constexpr std::size_t kFirstRoom = 64;
    if (index >= list.size()) list.resize(std::max(kFirstRoom, 2 * index));
    return true;
}

/// Follows hops up to one ancestor. Functions return false if a list has no room or the arrays are
/// forged; even then they stay in bounds and end.
class HopPath {
public:
    /// The ancestor is the node at place `target`, at index `entry` of the labels below it.
    CAIRN_HOST_DEVICE HopPath(const CutLabelArrays& arrays, std::uint32_t target,
                              std::uint32_t entry) noexcept
        : arrays_(arrays),
          row_(arrays.places[target].hops),
          target_(target),
          entry_(entry),
          max_nodes_(arrays.nodes.size()) {}

    /// The two sides of a path, without the ancestor where they meet.
    struct Sides {
        std::size_t up = 0;    ///< nodes on the start's side
        std::size_t down = 0;  ///< nodes on the goal's side
    };

    /// Writes the nodes from `from` up to the ancestor to `start_side`, and those from `to` up to
    /// the ancestor to `goal_side`, both without the ancestor. `sides` says how many they are. Each
    /// side is a chain of dependent loads, so both are followed at the same time.
    template <class List>
    [[nodiscard]] CAIRN_HOST_DEVICE bool follow(std::uint32_t from, std::uint32_t to,
                                                List& start_side, List& goal_side,
                                                Sides& sides) const {
        std::uint32_t a = arrays_.nodes[from].place;
        std::uint32_t b = arrays_.nodes[to].place;
        std::size_t up = 0;
        while (a != target_ && b != target_) {
            if (!write(a, up, start_side) || !write(b, up, goal_side)) return false;
            ++up;
            a = next(a, arrays_.up);
            b = next(b, arrays_.down);
        }
        sides = {up, up};
        return finish(a, arrays_.up, sides.up, start_side) &&
               finish(b, arrays_.down, sides.down, goal_side);
    }

    /// The ancestor.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t meeting() const noexcept {
        return arrays_.places[target_].node;
    }

    /// Sets `nodes` to the path from `from` over the ancestor to `to`. `goal_side` is scratch.
    [[nodiscard]] bool join(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& nodes,
                            std::vector<std::uint32_t>& goal_side) const {
        Sides sides;
        if (!follow(from, to, nodes, goal_side, sides)) return false;
        nodes.resize(sides.up + 1 + sides.down);
        nodes[sides.up] = meeting();
        const auto last = goal_side.begin() + static_cast<std::ptrdiff_t>(sides.down);
        std::reverse_copy(goal_side.begin(), last,
                          nodes.begin() + static_cast<std::ptrdiff_t>(sides.up + 1));
        return true;
    }

    /// Writes the nodes from `from` up to the first one for which known(node) holds, without that
    /// node. False if it holds for none up to the ancestor. `way` is that of the path: arrays.up,
    /// or arrays.down for a path from the ancestor down to `from`.
    template <class Known>
    [[nodiscard]] bool up_to_known(std::uint32_t from, const CutLabelWay& way,
                                   std::vector<std::uint32_t>& nodes, Known&& known) const {
        std::size_t count = 0;
        std::uint32_t at = arrays_.nodes[from].place;
        while (at != kNowhere && !known(arrays_.places[at].node)) {
            if (at == target_ || !write(at, count, nodes)) return false;
            ++count;
            at = next(at, way);
        }
        nodes.resize(count);
        return at != kNowhere;
    }

    static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

    /// The place that the hop at place `at` leads to; kNowhere on forged arrays.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t next(std::uint32_t at,
                                                       const CutLabelWay& way) const noexcept {
        const std::uint64_t index = row_ + (at - target_);
        if (index >= way.hops.size()) return kNowhere;
        std::size_t step = arrays_.places[at].steps;
        if (const std::uint8_t hop = way.hops[index]; hop != CutLabelArrays::kWideHop) {
            step += hop;
        } else {
            const CutLabelNode& wide = arrays_.nodes[arrays_.places[at].node];
            if (wide.wide == CutLabelArrays::kNotWide || entry_ >= wide.length) return kNowhere;
            step += way.wide_hops[std::size_t{wide.wide} + entry_];
        }
        return step < steps_end(at) ? arrays_.head[step] : kNowhere;
    }

private:
    /// Writes the node at place `at`. False if there is none, the list has no room, or the path has
    /// more nodes than the graph.
    template <class List>
    [[nodiscard]] CAIRN_HOST_DEVICE bool write(std::uint32_t at, std::size_t index,
                                               List& list) const {
        if (at == kNowhere || index == max_nodes_ || !make_room(list, index)) return false;
        list[index] = arrays_.places[at].node;
        return true;
    }

    /// Appends the nodes from place `at` up to the ancestor, without it, to the `count` nodes.
    template <class List>
    [[nodiscard]] CAIRN_HOST_DEVICE bool finish(std::uint32_t at, const CutLabelWay& way,
                                                std::size_t& count, List& list) const {
        for (; at != target_; at = next(at, way)) {
            if (!write(at, count, list)) return false;
            ++count;
        }
        return true;
    }

    /// One past the last step of the node at this place.
    [[nodiscard]] CAIRN_HOST_DEVICE std::size_t steps_end(std::size_t place) const noexcept {
        return place + 1 < arrays_.places.size() ? arrays_.places[place + 1].steps
                                                 : arrays_.head.size();
    }

    const CutLabelArrays& arrays_;
    std::uint64_t row_;  ///< index into `hops` of the ancestor's own hop, the first to it
    std::uint32_t target_;
    std::uint32_t entry_;
    std::size_t max_nodes_;
};

}  // namespace cairn
