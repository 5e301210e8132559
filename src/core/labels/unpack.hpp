#pragma once
// From closure edges to the graph edges of their paths.

#include <cstddef>
#include <cstdint>
#include <span>

#include "cairn/closure.hpp"
#include "closure_edge.hpp"
#include "core/host_device.hpp"

namespace cairn {

/// Unpacks closure edges by their middles. Forged arrays cannot make it run forever or read out of
/// bounds: a middle is always deeper than the edge's ends. `View`: ClosureView, or what devices
/// have instead. `Halves`: a vector of Half, or a list with room for as many as the tree is high.
template <class View, class Halves>
class ClosureUnpacker {
public:
    /// A half that waits until the other is written: the place of the middle, which is written
    /// first, and the half's edge in the middle's row, kNone if it is an edge of the graph.
    using Half = ClosureHalf;

    CAIRN_HOST_DEVICE ClosureUnpacker(const View& view, Halves& waiting)
        : view_(view), waiting_(waiting) {}

    /// Appends the nodes of the path that goes by closure edges from each of `places` to the next.
    /// False on forged arrays.
    template <class Nodes>
    [[nodiscard]] CAIRN_HOST_DEVICE bool append_path(std::span<const std::uint32_t> places,
                                                     Nodes& nodes) {
        // Rows are far from each other in memory.
        constexpr std::size_t kAhead = 4;
        std::uint32_t before_depth = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (places[i] == kNone) return false;
            if (i + 2 * kAhead < places.size()) view_.prefetch_node(places[i + 2 * kAhead]);
            if (i + kAhead < places.size()) view_.prefetch_row(places[i + kAhead]);
            const ClosureNode& node = view_.node(places[i]);
            if (i > 0) {
                const bool up = node.depth < before_depth;
                const std::uint32_t lower = up ? places[i - 1] : places[i];
                if (!append_inner(lower, up ? node.depth : before_depth, up, nodes)) return false;
            }
            if (node.node == ClosureNode::kNone) return false;
            nodes.push_back(node.node);
            before_depth = node.depth;
        }
        return true;
    }

private:
    static constexpr std::uint32_t kNone = 0xffff'ffff;

    /// Appends the nodes inside the path of the edge from `lower` to its ancestor at depth `upper`:
    /// from `lower` up if `up`, else from the ancestor down. False on forged arrays, or once there
    /// are more nodes than the graph has.
    template <class Nodes>
    [[nodiscard]] CAIRN_HOST_DEVICE bool append_inner(std::uint32_t lower, std::uint32_t upper,
                                                      bool up, Nodes& nodes) {
        waiting_.clear();
        Half half{lower, edge_to(lower, upper)};
        for (bool whole = true;; whole = false) {
            const ClosureNode& end = view_.node(half.place);
            if (half.edge >= end.length) return false;
            const std::uint32_t packed =
                view_.middle(half.place, half.edge, up ? Way::up : Way::down);
            // Halves that are edges of the graph are told by the flags of the whole.
            if (packed == ClosureMiddle::kGraphEdge) return whole;
            const std::uint32_t middle = ClosureMiddle::place(packed, half.place);
            if (middle >= view_.num_places() || view_.node(middle).depth <= end.depth) return false;
            const bool lower_is_edge = (packed & ClosureMiddle::kLowerIsEdge) != 0;
            const bool upper_is_edge = (packed & ClosureMiddle::kUpperIsEdge) != 0;
            const std::uint32_t above = view_.upper_depth(half.place, half.edge);
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

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t edge_to(std::uint32_t place,
                                                          std::uint32_t depth) const noexcept {
        return view_.edge_to(place, depth);
    }
    template <class Nodes>
    [[nodiscard]] CAIRN_HOST_DEVICE bool write(const Half& half, Nodes& nodes) const {
        if (nodes.size() >= view_.num_places()) return false;
        if constexpr (requires { nodes.overflown(); }) {
            if (nodes.overflown()) return false;
        }
        const std::uint32_t node = view_.node(half.place).node;
        nodes.push_back(node);
        return node != ClosureNode::kNone;
    }

    const View& view_;
    Halves& waiting_;
};

}  // namespace cairn
