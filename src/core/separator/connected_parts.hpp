#pragma once
// Divides a graph into connected parts of about equal size with few edges between them: greedily by
// growing one part after another, or by METIS's multi-level k-way partitioning (Karypis, Kumar
// 1998; HNA* paper, sections 2 and 3.1).

#include <cstdint>
#include <vector>

namespace cairn {

/// An undirected graph without loops and parallel edges, as METIS takes it. Weights: at least 1.
struct WeightedGraph {
    std::vector<std::int32_t> first_out{0};  // per node, and one more: index of its first edge
    std::vector<std::int32_t> head;          // per edge: the neighbour
    std::vector<std::int32_t> edge_weight;   // per edge, the same in both directions
    std::vector<std::int32_t> node_weight;

    [[nodiscard]] std::uint32_t num_nodes() const noexcept {
        return static_cast<std::uint32_t>(node_weight.size());
    }
};

enum class PartMethod : std::uint8_t {
    multilevel,  ///< METIS, checked and repaired; `growing` in builds without it
    growing,     ///< adds to a part the node with the greatest weight of edges to it; then moves
                 ///< nodes between parts while that lowers the weight of the edges between them
};

/// Whether Cairn was built with METIS.
[[nodiscard]] bool has_metis() noexcept;

struct Parts {
    std::vector<std::uint32_t> of;  // per node: its part
    std::uint32_t count = 0;
};

/// Connected parts of about `size` nodes each, at the mean: METIS balances node weights, growing
/// the numbers of nodes. `size` is at least 1. Parts are much smaller where the graph is
/// disconnected, or where a part of the partitioning was disconnected and is split. They are
/// numbered in the order of their lowest nodes. Growing is deterministic. METIS draws from the C
/// library's rand(), so its parts depend on that; the program's own sequence of rand() goes on
/// afterwards as if it had not, with the GNU C library and unless another thread draws meanwhile.
[[nodiscard]] Parts connected_parts(const WeightedGraph& graph, std::uint32_t size,
                                    PartMethod method);

}  // namespace cairn
