#pragma once
// The paper's worst-case graph sizes (section 3.6.1), with its formula for all intra-edges
// corrected: the factor n applies to the whole sum.
//
// An m x m map is cut into c x c clusters of n x n tiles, m = c n, n even. In the worst case free
// and blocked tiles alternate along the borders, and all nodes of a cluster are connected inside
// it. The bounds count one transition for every two tiles of a border. They hold for Options with
// `wide_entrance` of at least 3, Transitions::by_width or middle, and DiagonalCrossings::none.

#include <cstdint>

namespace cairn::hpa {

/// The nodes of one cluster, and the intra-edges between all pairs of these nodes.
struct ClusterWorstCase {
    std::uint64_t nodes = 0;
    std::uint64_t intra_edges = 0;
    friend bool operator==(const ClusterWorstCase&, const ClusterWorstCase&) = default;
};

/// The sizes of the whole map.
struct WorstCase {
    ClusterWorstCase interior;  ///< 2n nodes
    ClusterWorstCase edge;      ///< on an edge of the map: 3n/2 nodes
    ClusterWorstCase corner;    ///< n nodes
    std::uint64_t interior_clusters = 0;
    std::uint64_t edge_clusters = 0;
    std::uint64_t corner_clusters = 0;
    std::uint64_t nodes = 0;        ///< of all clusters: 2m (c - 1)
    std::uint64_t inter_edges = 0;  ///< m (c - 1)
    std::uint64_t intra_edges = 0;  ///< n ((c - 2)^2 (2n - 1) + 2 (n - 1) + 3 (c - 2) (3n/2 - 1))
};

/// The worst case of c x c clusters of n x n tiles, for c >= 2 and even n >= 2, both at most 2^15;
/// all zero otherwise. O(1).
[[nodiscard]] constexpr WorstCase worst_case(std::uint64_t c, std::uint64_t n) noexcept {
    constexpr std::uint64_t limit = std::uint64_t{1} << 15;  // the sums stay below 2^64
    if (c < 2 || n < 2 || n % 2 != 0 || c > limit || n > limit) return {};
    const auto cluster = [](std::uint64_t nodes) {
        return ClusterWorstCase{nodes, nodes * (nodes - 1) / 2};
    };
    const std::uint64_t m = c * n;
    return {cluster(2 * n),
            cluster(3 * n / 2),
            cluster(n),
            (c - 2) * (c - 2),
            4 * c - 8,
            4,
            2 * m * (c - 1),
            m * (c - 1),
            n * ((c - 2) * (c - 2) * (2 * n - 1) + 2 * (n - 1) + 3 * (c - 2) * (3 * n / 2 - 1))};
}

}  // namespace cairn::hpa
