#pragma once
// From closure edges to the graph edges of their paths.

#include <cstdint>
#include <vector>

#include "closure_view.hpp"

namespace cairn {

/// Unpacks closure edges by their middles. Forged arrays cannot make it run forever or read out of
/// bounds: a middle is always deeper than the edge's ends.
class ClosureUnpacker {
public:
    /// A half that waits until the other is written: the place of the middle, which is written
    /// first, and the half's edge in the middle's row, kNone if it is an edge of the graph.
    using Half = ClosureScratch::Half;

    ClosureUnpacker(const ClosureView& view, std::vector<Half>& waiting)
        : view_(view), waiting_(waiting) {}

    /// Appends the nodes inside the path of the edge from `lower` to its ancestor at depth `upper`:
    /// from `lower` up if `up`, else from the ancestor down. False on forged arrays, or once there
    /// are more nodes than the graph has.
    [[nodiscard]] bool append_inner(std::uint32_t lower, std::uint32_t upper, bool up,
                                    std::vector<std::uint32_t>& nodes) {
        waiting_.clear();
        Half half{lower, edge_to(lower, upper)};
        for (bool whole = true;; whole = false) {
            const ClosureNode& end = view_.node(half.place);
            if (half.edge >= end.length) return false;
            const std::uint32_t packed = view_.middle(half.place, half.edge);
            // Halves that are edges of the graph are told by the flags of the whole.
            if (packed == ClosureMiddle::kGraphEdge) return whole;
            const std::uint32_t middle = ClosureMiddle::place(packed, half.place);
            if (middle >= view_.num_places() || view_.node(middle).depth <= end.depth) return false;
            const bool lower_is_edge = (packed & ClosureMiddle::kLowerIsEdge) != 0;
            const bool upper_is_edge = (packed & ClosureMiddle::kUpperIsEdge) != 0;
            const std::uint32_t above = view_.row(half.place).depth[half.edge];
            // Down to the middle first, then up from it.
            const bool first_is_edge = up ? lower_is_edge : upper_is_edge;
            const bool second_is_edge = up ? upper_is_edge : lower_is_edge;
            const std::uint32_t first = up ? end.depth : above;
            const std::uint32_t second = up ? above : end.depth;
            half = {middle, second_is_edge ? kNone : edge_to(middle, second)};
            if (!first_is_edge) {
                waiting_.push_back(half);
                half = {middle, edge_to(middle, first)};
                up = false;
                continue;
            }
            if (!write(half, nodes)) return false;
            while (half.edge == kNone) {
                if (waiting_.empty()) return true;
                half = waiting_.back();
                waiting_.pop_back();
                if (!write(half, nodes)) return false;
            }
            up = true;
        }
    }

private:
    static constexpr std::uint32_t kNone = 0xffff'ffff;

    [[nodiscard]] std::uint32_t edge_to(std::uint32_t place, std::uint32_t depth) const noexcept {
        return view_.row(place).find(depth);
    }
    [[nodiscard]] bool write(const Half& half, std::vector<std::uint32_t>& nodes) const {
        if (nodes.size() >= view_.num_places()) return false;
        const std::uint32_t node = view_.node(half.place).node;
        nodes.push_back(node);
        return node != ClosureNode::kNone;
    }

    const ClosureView& view_;
    std::vector<Half>& waiting_;
};

}  // namespace cairn
