#pragma once
// Makes the record and the rows of one cluster: inter-edges, intra-edges, and the ways from all its
// portals to them.

#include <cstdint>
#include <vector>

#include "hna/cluster_graph.hpp"
#include "hna/mesh_base.hpp"
#include "overlay/cluster_view.hpp"

namespace cairn::hna {

/// A cluster's rows. Where moves go both ways the ways from its inter-edges to its portals are
/// those of `towards` reversed, and `away` stays empty.
struct ClusterRows {
    std::vector<std::uint32_t> towards;
    std::vector<std::uint32_t> away;
};

struct FirstLevelCluster {
    std::vector<std::uint32_t> record;  // overlay/cluster_view.hpp
    ClusterRows rows;                   // hna/rows.hpp
};

/// Not for several threads at once: each has its own.
class ClusterBuilder {
public:
    explicit ClusterBuilder(const MeshBase& base) : base_(&base) {}

    /// A cluster of level 1. One bounded search per inter-edge (CHECKLIST D22).
    [[nodiscard]] FirstLevelCluster level_one(std::uint32_t cluster);

    /// The rows of a cluster whose inter-edges there are already.
    [[nodiscard]] ClusterRows rows(int level, std::uint32_t cluster, const ClusterView& view);

private:
    void find_portals(int level, std::uint32_t cluster);
    [[nodiscard]] std::vector<std::uint32_t> make_rows(MeshBase::Area area,
                                                       ClusterSearch::Direction direction);

    const MeshBase* base_;
    ClusterGraph graph_;
    std::vector<navmesh::Polygon> polygons_;
    std::vector<navmesh::Link> borders_;    // ascending
    std::vector<navmesh::Portal> portals_;  // those of the borders, then the others, ascending
    std::vector<Cost> costs_;               // row by row
    std::vector<std::uint32_t> hops_;
};

}  // namespace cairn::hna
