#pragma once
// How many inter-edges a cluster can have (section 4.1, equations 1 to 3, and appendix B).
//
// The paper's bounds are those of clusters of just mu nodes, connected; ours may have more or
// fewer, so that the bounds are given by what a cluster really has. They hold for any mesh, also
// where several portals join two polygons: n connected nodes have n - 1 portals or more between
// them, each of which is then no inter-edge at either side. All functions are constant time.

#include <cstdint>

namespace cairn::hna {

/// I(x, mu) from I(x - 1, mu): the most inter-edges of `nodes` nodes, connected, each of which has
/// at most `inter_edges` itself (equation 2). Of polygons, with their portals for inter-edges, it
/// is equation 1: nodes (s - 2) + 2. 0 for no nodes; where nodes of so few inter-edges could not be
/// connected, too. Exact up to 2^32 each.
[[nodiscard]] constexpr std::uint64_t most_inter_edges(std::uint64_t nodes,
                                                       std::uint64_t inter_edges) noexcept {
    if (nodes == 0) return 0;
    const std::uint64_t ends = nodes * inter_edges;
    const std::uint64_t within = 2 * (nodes - 1);
    return ends > within ? ends - within : 0;
}

/// I(x, mu) = mu^x (s - 2) + 2 (equation 3): of a cluster of level x, where polygons have at most s
/// portals and each cluster has mu connected children. Exact for levels up to 4, mu up to 1,000 and
/// s up to 2^20.
[[nodiscard]] constexpr std::uint64_t most_inter_edges(int level, std::uint64_t mu,
                                                       std::uint64_t s) noexcept {
    std::uint64_t polygons = 1;
    for (int x = 0; x < level; ++x) polygons *= mu;
    return most_inter_edges(polygons, s);
}

/// The bound of clusters that need not be connected, as a partitioner may leave them: none of their
/// portals need be inside. Exact up to 2^32 each.
[[nodiscard]] constexpr std::uint64_t most_inter_edges_apart(std::uint64_t nodes,
                                                             std::uint64_t inter_edges) noexcept {
    return nodes * inter_edges;
}

}  // namespace cairn::hna
