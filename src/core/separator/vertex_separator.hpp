#pragma once
// A small vertex separator of one connected piece of a graph: a set of nodes without which the rest
// of the piece falls into two sides. The order of cut labels is made of them (separator_order.hpp).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

/// A piece of a graph with its own node numbers 0 to n - 1, without loops and parallel edges, in
/// compressed sparse row form as METIS takes it.
struct Piece {
    std::vector<std::int32_t> first_out;  ///< by node, and one more: index of its first neighbour
    std::vector<std::int32_t> head;       ///< neighbours

    [[nodiscard]] std::uint32_t num_nodes() const noexcept {
        return static_cast<std::uint32_t>(first_out.size() - 1);
    }
    [[nodiscard]] std::span<const std::int32_t> neighbours(std::size_t v) const noexcept {
        return std::span(head).subspan(static_cast<std::size_t>(first_out[v]),
                                       static_cast<std::size_t>(first_out[v + 1] - first_out[v]));
    }
};

enum class Side : std::int8_t { left = 0, right = 1, separator = 2 };

/// The number of nodes on each side, indexed by Side.
using SideCounts = std::array<std::size_t, 3>;

[[nodiscard]] inline SideCounts count_sides(const std::vector<Side>& sides) {
    SideCounts counts{};
    for (const Side side : sides) ++counts[static_cast<std::size_t>(side)];
    return counts;
}

/// Whether the separator has a node and each side has fewer than four fifths of all nodes.
[[nodiscard]] inline bool is_balanced(const SideCounts& counts) {
    const std::size_t all = counts[0] + counts[1] + counts[2];
    return counts[2] > 0 && std::max(counts[0], counts[1]) <= all - all / 5 - 1;
}

/// Searches a connected piece breadth-first from the roots in `reached`, to which it appends all
/// other nodes in the order of the search. hops[v]: the number of edges from the nearest root to v.
void count_hops(const Piece& piece, std::vector<std::int32_t>& reached,
                std::vector<std::int32_t>& hops);

/// Puts every node of a connected piece of 3 or more nodes on a side such that no edge joins left
/// and right and the separator is not empty. Returns true if the sides are balanced; otherwise no
/// good separator was found, and the separator is the quarter of the nodes with the most edges.
/// Uses METIS, whose result is checked and repaired, with up to `tries` runs (at most three) for a
/// large piece. Builds without METIS use flow_separator with `tries` recuts. Deterministic.
[[nodiscard]] bool find_separator(const Piece& piece, std::vector<Side>& sides, int tries = 1);

/// A separator by maximum flows: inertial flow (Schild, Sommer 2015), which sorts the nodes by a
/// key and cuts between the first and the last ones. Here keys are made of breadth-first distances.
/// Takes the best of a few cuts; up to `recuts` more cuts use distances from the best so far.
/// Returns false, with `sides` unchanged, if no cut is balanced. Deterministic: integers only, and
/// ties are broken by number. A cut takes O(m * separator) time at worst, usually far less.
[[nodiscard]] bool flow_separator(const Piece& piece, int recuts, std::vector<Side>& sides);

}  // namespace cairn
