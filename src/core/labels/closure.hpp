#pragma once
// The closure of a graph in the order of its separator tree: its customizable contraction hierarchy
// (Dibbelt, Strasser, Wagner 2016), stored sparsely. Two nodes joined by a path whose inner nodes
// are all lower in the tree get an edge, as long as the shortest such path. Labels are computed
// from it, and ClimbQuery answers from it alone.
//
// The middle of an edge tells its path. If the graph has an edge of that length, it is the path.
// Otherwise the path goes over the lower node of the greatest place that lies on a shortest one:
// the middle. Both halves are edges of the middle's own row.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/graph.hpp"
#include "core/host_device.hpp"
#include "core/separator/separator_tree.hpp"

namespace cairn {

/// The edges from a node to its upper neighbours, which are its ancestors, topmost first: each has
/// the depth of the upper node and the edge's cost.
struct ClosureRow {
    const Cost* cost = nullptr;
    const std::uint16_t* depth = nullptr;
    std::uint32_t length = 0;

    /// The index of the edge to the ancestor at `wanted`; `length` if there is none. Reads up to
    /// kClosurePadding depths beyond the row.
    [[nodiscard]] std::uint32_t find(std::uint32_t wanted) const noexcept {
        constexpr std::uint32_t kStep = 8;
        using Depths [[gnu::vector_size(2 * kStep)]] = std::uint16_t;
        using Halves [[gnu::vector_size(2 * kStep)]] = std::uint64_t;
        for (std::uint32_t i = 0; i < length; i += kStep) {
            Depths depths;
            std::memcpy(&depths, depth + i, sizeof depths);
            const auto equal =
                reinterpret_cast<Halves>(depths == static_cast<std::uint16_t>(wanted));
            if ((equal[0] | equal[1]) == 0) continue;
            const bool low = equal[0] != 0;
            const int bit = std::countr_zero(low ? equal[0] : equal[1]);
            return std::min(length,
                            i + (low ? 0 : kStep / 2) + static_cast<std::uint32_t>(bit) / 16);
        }
        return length;
    }
};

/// What lies in the middle of a closure edge, packed: the middle's place less that of the edge's
/// lower node, and whether its edges to the lower and to the upper node are edges of the graph.
struct ClosureMiddle {
    static constexpr std::uint32_t kGraphEdge = 0;  ///< no middle
    static constexpr std::uint32_t kLowerIsEdge = 1;
    static constexpr std::uint32_t kUpperIsEdge = 2;
    static constexpr int kFlagBits = 2;

    [[nodiscard]] static constexpr std::uint32_t pack(std::uint32_t below, bool lower_is_edge,
                                                      bool upper_is_edge) noexcept {
        return below << kFlagBits | (lower_is_edge ? kLowerIsEdge : 0) |
               (upper_is_edge ? kUpperIsEdge : 0);
    }
};

/// Reads the closure's rows from the arrays of cut labels.
class ClosureView {
public:
    explicit ClosureView(const CutLabelArrays& arrays) noexcept
        : nodes_(arrays.closure.data()),
          costs_(arrays.closure_costs.data()),
          depths_(arrays.closure_depths.data()),
          middles_(arrays.closure_middles.data()) {}

    [[nodiscard]] const CutLabelClosure& node(std::uint32_t place) const noexcept {
        return nodes_[place];
    }
    [[nodiscard]] ClosureRow row(std::uint32_t place) const noexcept {
        const CutLabelClosure& node = nodes_[place];
        return {costs_ + node.first, depths_ + node.first, node.length};
    }
    /// The packed middle of an edge; see ClosureMiddle.
    [[nodiscard]] std::uint32_t middle(const CutLabelClosure& node,
                                       std::uint32_t edge) const noexcept {
        const std::uint32_t width = node.middles & 3;
        const std::uint8_t* const at =
            middles_ + (std::size_t{node.middles >> 2} << 2) + (std::size_t{edge} << width);
        std::uint32_t word = 0;
        std::memcpy(&word, at, sizeof word);
        return width == 0 ? word & 0xff : width == 1 ? word & 0xffff : word;
    }

private:
    const CutLabelClosure* nodes_;
    const Cost* costs_;
    const std::uint16_t* depths_;
    const std::uint8_t* middles_;
};

/// The first hops of a closure edge's path, from either end. A hop is the number of a graph edge
/// among the edges of the node that it leaves.
struct EdgeHops {
    std::uint32_t up = 0;    ///< from the lower node to the upper
    std::uint32_t down = 0;  ///< from the upper node to the lower
};

/// The closure's arrays (see CutLabelArrays), and the hops, which only building labels needs.
struct Closure {
    std::vector<CutLabelClosure> nodes;  ///< by place
    std::vector<Cost> costs;
    std::vector<std::uint16_t> depths;
    std::vector<std::uint8_t> middles;
    std::vector<EdgeHops> hops;  ///< by edge
};

/// Computes the closure. std::nullopt if it is cancelled or takes more than `max_steps` paths of
/// two edges, which take most of the time, or has a node deeper than 65,535. Time O(sum over nodes
/// of the square of their number of upper neighbours), memory about 20 bytes an edge.
[[nodiscard]] std::optional<Closure> find_closure(const Graph& graph, const SeparatorTree& tree,
                                                  std::uint64_t max_steps,
                                                  const BuildControl& control);

}  // namespace cairn
