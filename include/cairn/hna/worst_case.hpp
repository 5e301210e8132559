#pragma once
// Upper bounds of the number of inter-edges of a cluster (HNA* paper: V. Rahmani, N. Pelechano,
// 2020, section 4.1, equations 1 to 3, and appendix B).
//
// The paper's bounds are for connected clusters of exactly mu nodes. Cairn's clusters may have more
// or fewer, so the functions take the number of nodes. The bounds hold for any mesh, even if
// several portals join two polygons: n connected nodes have at least n - 1 portals between them,
// and these are no inter-edges of the cluster that the nodes form. All functions are O(1).

#include <cstdint>

namespace cairn::hna {

/// I(x, mu) from I(x - 1, mu): the most inter-edges of a cluster of `nodes` connected nodes, each
/// of which has at most `inter_edges` (equation 2). For polygons, with their portals as
/// inter-edges, this is equation 1: nodes (s - 2) + 2. 0 for no nodes, and for nodes that cannot be
/// connected with so few inter-edges. Exact for arguments below 2^32.
[[nodiscard]] constexpr std::uint64_t most_inter_edges(std::uint64_t nodes,
                                                       std::uint64_t inter_edges) noexcept {
    if (nodes == 0) return 0;
    const std::uint64_t ends = nodes * inter_edges;
    const std::uint64_t within = 2 * (nodes - 1);
    return ends > within ? ends - within : 0;
}

/// I(x, mu) = mu^x (s - 2) + 2 (equation 3): the most inter-edges of a cluster of level x, if
/// polygons have at most s portals and each cluster has mu connected children. Exact for levels up
/// to 4, mu up to 1,000 and s up to 2^20.
[[nodiscard]] constexpr std::uint64_t most_inter_edges(int level, std::uint64_t mu,
                                                       std::uint64_t s) noexcept {
    std::uint64_t polygons = 1;
    for (int x = 0; x < level; ++x) polygons *= mu;
    return most_inter_edges(polygons, s);
}

/// The bound for clusters that are not connected, which a partitioner may leave: all portals of
/// their nodes may be inter-edges. Exact for arguments below 2^32.
[[nodiscard]] constexpr std::uint64_t most_inter_edges_apart(std::uint64_t nodes,
                                                             std::uint64_t inter_edges) noexcept {
    return nodes * inter_edges;
}

}  // namespace cairn::hna
