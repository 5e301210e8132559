#pragma once
// The form of a closure: what kernels that climb read of it.

#include <cstddef>
#include <cstdint>
#include <span>

#include "cairn/closure.hpp"
#include "cairn/cost.hpp"
#include "core/host_device.hpp"
#include "core/labels/closure_edge.hpp"

namespace cairn::batch {

/// The arrays of a closure in one piece; see ClosureArrays.
struct ClosureForm {
    std::span<const std::uint32_t> places;     // by node
    std::span<const std::uint32_t> positions;  // by place: its number in depth-first order of the
                                               // tree; empty if it is the place
    std::span<const ClosureNode> nodes;        // by place
    std::span<const std::uint16_t> depths;
    BothWays<std::span<const Cost>> costs;
    BothWays<std::span<const std::uint8_t>> middles;
    std::uint32_t height = 0;  // all depths are below this

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t num_places() const noexcept {
        return static_cast<std::uint32_t>(nodes.size());
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t position(std::uint32_t place) const noexcept {
        return positions.empty() ? place : positions[place];
    }

    // What ClosureUnpacker needs: see ClosureView.

    [[nodiscard]] CAIRN_HOST_DEVICE const ClosureNode& node(std::uint32_t place) const noexcept {
        return nodes[place];
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t upper_depth(std::uint32_t place,
                                                              std::uint32_t edge) const noexcept {
        return depths[nodes[place].depths + std::size_t{edge}];
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t edge_to(std::uint32_t place,
                                                          std::uint32_t depth) const noexcept {
        const ClosureNode& lower = nodes[place];
        std::uint32_t begin = 0;
        std::uint32_t end = lower.length;
        while (begin < end) {
            const std::uint32_t middle = (begin + end) / 2;
            if (depths[lower.depths + std::size_t{middle}] < depth) {
                begin = middle + 1;
            } else {
                end = middle;
            }
        }
        return begin < lower.length && upper_depth(place, begin) == depth ? begin : lower.length;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t middle(std::uint32_t place, std::uint32_t edge,
                                                         Way way) const noexcept {
        const std::uint32_t first = nodes[place].middles;
        return ClosureMiddle::read(middles[way].data() + (std::size_t{first >> 2} << 2), first & 3,
                                   edge);
    }
    CAIRN_HOST_DEVICE static void prefetch_node(std::uint32_t /*place*/) noexcept {}
    CAIRN_HOST_DEVICE static void prefetch_row(std::uint32_t /*place*/) noexcept {}
};

/// The form of a closure in one piece, which must outlive it. O(places).
[[nodiscard]] ClosureForm closure_form(const Closure& closure);

/// Calls use(span), which may change the span, for every array of a closure.
template <class Use>
void for_each_array(ClosureForm& closure, Use&& use) {
    const auto all = [&](auto&... spans) { (use(spans), ...); };
    const bool directed = closure.costs.down.data() != closure.costs.up.data();
    all(closure.places, closure.positions, closure.nodes, closure.depths, closure.costs.up,
        closure.middles.up);
    if (directed) {
        all(closure.costs.down, closure.middles.down);
    } else {
        closure.costs.down = closure.costs.up;
        closure.middles.down = closure.middles.up;
    }
}

}  // namespace cairn::batch
