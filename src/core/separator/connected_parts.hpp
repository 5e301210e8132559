#pragma once
// Dividing a graph into connected parts of about one size with few edges between them: multi-level
// k-way partitioning (Karypis, Kumar 1998; HNA* paper, sections 2 and 3.1) by METIS, or a simple
// growing of our own.

#include <cstdint>
#include <vector>

namespace cairn {

/// An undirected graph without loops and parallel edges; weights are at least 1.
struct WeightedGraph {
    std::vector<std::int32_t> first_out{0};
    std::vector<std::int32_t> head;
    std::vector<std::int32_t> edge_weight;  // beside head
    std::vector<std::int32_t> node_weight;

    [[nodiscard]] std::uint32_t num_nodes() const noexcept {
        return static_cast<std::uint32_t>(node_weight.size());
    }
};

enum class PartMethod : std::uint8_t {
    multilevel,  ///< METIS, checked and repaired; `growing` in builds without it
    growing,     ///< grows parts from one node, by the neighbour with the most edges to the part
};

/// Whether Cairn was built with METIS.
[[nodiscard]] bool has_metis() noexcept;

struct Parts {
    std::vector<std::uint32_t> of;  // per node
    std::uint32_t count = 0;
};

/// Connected parts of about `size` nodes (at least 1) each; smaller ones only where the graph is
/// disconnected, or where a part turned out disconnected. Parts are numbered in the order of their
/// lowest nodes. Deterministic, as far as METIS is.
[[nodiscard]] Parts connected_parts(const WeightedGraph& graph, std::uint32_t size,
                                    PartMethod method);

}  // namespace cairn
