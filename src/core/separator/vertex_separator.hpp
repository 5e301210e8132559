#pragma once
// A small vertex separator of one connected piece of a graph: a set of nodes without which the rest
// of the piece falls into two sides. The order of cut labels is made of them (separator_order.hpp).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/separator/disjoint_paths.hpp"
#include "core/separator/piece.hpp"

namespace cairn {

/// The number of nodes on each side, indexed by Side.
using SideCounts = std::array<std::size_t, 3>;

[[nodiscard]] inline SideCounts count_sides(std::span<const Side> sides) {
    SideCounts counts{};
    for (const Side side : sides) ++counts[static_cast<std::size_t>(side)];
    return counts;
}

/// Whether the separator has a node and each side has fewer than four fifths of all nodes.
[[nodiscard]] inline bool is_balanced(const SideCounts& counts) {
    const std::size_t all = counts[0] + counts[1] + counts[2];
    return counts[2] > 0 && std::max(counts[0], counts[1]) <= all - all / 5 - 1;
}

/// Finds separators by maximum flows. Inertial flow (Schild, Sommer 2015): sorts the nodes by a
/// key, and takes a minimum vertex cut between the first and the last ones. The keys are the
/// coordinates, if they are known, and differences of breadth-first distances; then the signed
/// distance from the best cut so far, which finds cuts that are not straight. Deterministic: all
/// numbers are integers, and ties are broken by the numbers of nodes. Keeps its memory from piece
/// to piece; one for each thread.
class SeparatorFinder {
public:
    /// A quarter of this many nodes or more is more than a fifth, which is why sides are balanced.
    static constexpr std::size_t kLeast = 16;

    /// Puts every node of a connected piece of at least kLeast nodes on a side such that no edge
    /// joins left and right, and the sides are balanced. Tries up to `recuts` cuts beside the best
    /// one. A cut takes O(edges * separator) time at worst, usually far less.
    void find(const Piece& piece, int recuts, std::vector<Side>& sides);

private:
    static constexpr std::uint64_t kNoPrice = std::numeric_limits<std::uint64_t>::max();

    void try_coordinates();
    void try_far_apart();
    void try_between(std::int32_t a);
    void try_beside_best(std::size_t share);
    void try_key(std::size_t share);
    void keep_if_cheaper(const SideCounts& counts);
    [[nodiscard]] std::size_t max_useful_size() const noexcept;
    std::int32_t measure_from(std::int32_t root, std::vector<std::int32_t>& hops);
    [[nodiscard]] SideCounts refine();
    [[nodiscard]] bool move(std::int32_t v, SideCounts& counts);

    const Piece* piece_ = nullptr;
    std::size_t count_ = 0;           ///< nodes of the piece
    std::size_t share_ = 0;           ///< of the nodes that are sources, and as many that are sinks
    std::uint64_t least_ = kNoPrice;  ///< the price of best_
    std::vector<std::int32_t> key_;   ///< by node
    std::vector<std::uint64_t> order_;   ///< key and node, partly sorted
    std::vector<std::int32_t> reached_;  ///< nodes, in breadth-first order
    std::vector<std::int32_t> from_a_;   ///< by node: distance from one of two distant nodes
    std::vector<std::int32_t> from_b_;
    std::vector<Side> cut_;   ///< by node: the cut that is being tried
    std::vector<Side> best_;  ///< by node: the best cut so far
    DisjointPaths paths_;
};

}  // namespace cairn
