#pragma once
// Makes the record and the rows of one cluster: inter-edges, intra-edges, and the paths from all
// its portals to inter-edges.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "core/open_heap.hpp"
#include "hna/cluster_search.hpp"
#include "hna/mesh_base.hpp"
#include "overlay/cluster_view.hpp"

namespace cairn::hna {

/// The portals of one cluster and the arcs between them, flat, for a search from each of its
/// inter-edges. It finds what ClusterSearch finds, without reading the mesh again and again.
/// Portals are identified by their places in a list. One per thread; memory is kept.
class ClusterGraph {
public:
    /// Of a cluster of a level and all its portals that can be crossed.
    void make(const MeshBase& base, MeshBase::Area area, ClusterSearch::Direction direction,
              std::span<const mesh::Portal> portals);

    /// Finds the shortest paths between a portal and all others.
    void search(std::uint32_t source);

    /// After `search`: the cost between a portal and the source; kInfinity if there is no path.
    [[nodiscard]] Cost cost(std::uint32_t place) const noexcept { return nodes_[place].cost; }
    /// Twice the place of the portal that is crossed next, and which of its links is; 0 at the
    /// source and where there is no path.
    [[nodiscard]] std::uint32_t hop(std::uint32_t place) const noexcept {
        return nodes_[place].hop;
    }

private:
    struct Arc {
        std::uint32_t head = 0;
        Cost cost = 0;
    };
    struct Node {
        Cost cost = kInfinity;
        std::uint32_t hop = 0;
    };

    void add_arcs(const MeshBase& base, MeshBase::Area area, mesh::Link link, bool towards);

    std::vector<std::uint32_t> place_;      // per portal of the mesh, of those in the list
    std::vector<std::uint32_t> first_arc_;  // per place and side, and one more
    std::vector<Arc> arcs_;
    std::vector<Node> nodes_;
    OpenHeap open_;
};

/// The record and the rows of a cluster. Where moves go in both directions, paths from inter-edges
/// to portals are those of `towards` reversed, and `away` stays empty.
struct RowedCluster {
    std::vector<std::uint32_t> record;   // overlay/cluster_view.hpp
    std::vector<std::uint32_t> towards;  // hna/rows.hpp
    std::vector<std::uint32_t> away;
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
