#pragma once
// A small vertex separator of one connected piece of a graph.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

/// A piece of a graph with its own node numbers 0..n-1: no loops, no parallel edges.
struct Piece {
    std::vector<std::int32_t> first_out;
    std::vector<std::int32_t> head;

    [[nodiscard]] std::uint32_t num_nodes() const noexcept {
        return static_cast<std::uint32_t>(first_out.size() - 1);
    }
    [[nodiscard]] std::span<const std::int32_t> neighbours(std::size_t v) const noexcept {
        return std::span(head).subspan(static_cast<std::size_t>(first_out[v]),
                                       static_cast<std::size_t>(first_out[v + 1] - first_out[v]));
    }
};

enum class Side : std::int8_t { left = 0, right = 1, separator = 2 };

/// Nodes on each side, by Side.
using SideCounts = std::array<std::size_t, 3>;

[[nodiscard]] inline SideCounts count_sides(const std::vector<Side>& sides) {
    SideCounts counts{};
    for (const Side side : sides) ++counts[static_cast<std::size_t>(side)];
    return counts;
}

/// Whether the separator has a node and neither side has more than about four fifths of all nodes.
[[nodiscard]] inline bool fair(const SideCounts& counts) {
    const std::size_t all = counts[0] + counts[1] + counts[2];
    return counts[2] > 0 && std::max(counts[0], counts[1]) <= all - all / 5 - 1;
}

/// Counts the hops from some roots to all nodes of a connected piece. The caller puts the roots
/// into `found`; at the end it holds all nodes in the order in which they were reached.
void count_hops(const Piece& piece, std::vector<std::int32_t>& found,
                std::vector<std::int32_t>& hops);

/// Puts every node of a connected piece of 3 or more nodes on a side such that no edge joins left
/// and right and the separator is not empty. Returns true if the sides are fair. Otherwise no
/// good separator was found, and the separator is the nodes with the most edges. Uses METIS, whose
/// result is checked and repaired, with up to `tries` runs (at most three) for a large piece.
/// Without METIS it uses flow_separator with `tries` recuts. Deterministic.
[[nodiscard]] bool find_separator(const Piece& piece, std::vector<Side>& sides, int tries = 1);

/// The same by maximum flows: inertial flow (Schild, Sommer 2015) over the nodes in the order of a
/// key, which is made of breadth-first distances here. Takes the best of a few cuts; up to `recuts`
/// more cuts start from the best so far. Returns false, with `sides` unchanged, if no cut is fair.
/// Deterministic: integers only, and ties are broken by number. A cut takes O(m * separator) time
/// in the worst case, mostly far less.
[[nodiscard]] bool flow_separator(const Piece& piece, int recuts, std::vector<Side>& sides);

}  // namespace cairn
