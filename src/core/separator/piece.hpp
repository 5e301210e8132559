#pragma once
// One connected piece of a graph, for finding separators.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/graph.hpp"

namespace cairn {

/// A piece of a graph with its own node numbers 0 to n - 1, without loops and parallel edges, in
/// compressed sparse row form. At most kMaxGraphNodes nodes and as many neighbours.
struct Piece {
    std::vector<std::int32_t> first_out{
        0};                          ///< by node, and one more: index of its first neighbour
    std::vector<std::int32_t> head;  ///< neighbours
    std::vector<NodePoint> points;   ///< by node; empty if unknown

    [[nodiscard]] std::uint32_t num_nodes() const noexcept {
        return static_cast<std::uint32_t>(first_out.size() - 1);
    }
    [[nodiscard]] std::span<const std::int32_t> neighbours(std::size_t v) const noexcept {
        return std::span(head).subspan(static_cast<std::size_t>(first_out[v]),
                                       static_cast<std::size_t>(first_out[v + 1] - first_out[v]));
    }
};

/// Searches a connected piece breadth-first from the roots in `reached`, to which it appends all
/// other nodes in the order of the search. hops[v]: the number of edges from the nearest root to v.
void count_hops(const Piece& piece, std::vector<std::int32_t>& reached,
                std::vector<std::int32_t>& hops);

}  // namespace cairn
