#pragma once
// Makes the record and the rows of one cluster: inter-edges, intra-edges, and the paths from all
// its portals to inter-edges.

#include <cstdint>
#include <vector>

#include "hna/cluster_graph.hpp"
#include "hna/mesh_base.hpp"
#include "overlay/cluster_view.hpp"

namespace cairn::hna {

/// A cluster's rows. Where moves go in both directions, paths from inter-edges to portals are those
/// of `towards` reversed, and `away` stays empty.
struct ClusterRows {
    std::vector<std::uint32_t> towards;
    std::vector<std::uint32_t> away;
};

struct RowedCluster {
    std::vector<std::uint32_t> record;  // overlay/cluster_view.hpp
    ClusterRows rows;                   // hna/rows.hpp
};

/// Not for several threads at once: each has its own.
class ClusterBuilder {
public:
    /// The overlay outlives the builder and holds the levels below those asked for.
    explicit ClusterBuilder(const Overlay& overlay) : overlay_(&overlay), base_(&overlay.base) {}

    /// A cluster of a level. One bounded search per inter-edge, from which its intra-edges follow
    /// too.
    [[nodiscard]] RowedCluster make(int level, std::uint32_t cluster);

private:
    [[nodiscard]] std::uint32_t slot_below(int level, mesh::Link link) const;
    void find_portals(int level, std::uint32_t cluster);
    [[nodiscard]] std::vector<std::uint32_t> make_rows(MeshBase::Area area,
                                                       ClusterSearch::Direction direction);

    const Overlay* overlay_;
    const MeshBase* base_;
    ClusterGraph graph_;
    std::vector<mesh::Polygon> polygons_;
    std::vector<mesh::Link> borders_;    // ascending
    std::vector<mesh::Portal> portals_;  // those of the borders, then the others, ascending
    std::vector<Cost> costs_;            // row by row
    std::vector<std::uint32_t> hops_;
};

}  // namespace cairn::hna
