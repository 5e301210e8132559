#pragma once
// Makes the record of one cluster (its inter-edges and intra-edges) and its rows (the paths between
// its portals and its inter-edges).

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "core/open_heap.hpp"
#include "hna/cluster_search.hpp"
#include "hna/mesh_base.hpp"
#include "overlay/cluster_view.hpp"

namespace cairn::hna {

/// The portals of one cluster and the arcs between them in flat arrays, for a search from each
/// inter-edge. Finds what ClusterSearch finds, but reads the mesh only once for all searches. A
/// portal's place is its index in the list that `make` gets. One per thread; memory is kept.
class ClusterGraph {
public:
    /// Makes the graph of a cluster. `portals` are all its portals that can be crossed.
    void make(const MeshBase& base, MeshBase::Area area, ClusterSearch::Direction direction,
              std::span<const mesh::Portal> portals);

    /// Finds the cheapest paths between place `source` and all others, in the graph's direction.
    void search(std::uint32_t source);

    /// After `search`: the cost between the source and a place; kInfinity if there is no path.
    [[nodiscard]] Cost cost(std::uint32_t place) const noexcept { return nodes_[place].cost; }
    /// The link that the path from a place to the source crosses next, as 2 * place of its portal +
    /// side; 0 at the source and where there is no path.
    [[nodiscard]] std::uint32_t hop(std::uint32_t place) const noexcept {
        return nodes_[place].hop;
    }

private:
    struct Arc {
        std::uint32_t head = 0;  // place
        Cost cost = 0;
    };
    struct Node {
        Cost cost = kInfinity;
        std::uint32_t hop = 0;
    };

    void add_arcs(const MeshBase& base, MeshBase::Area area, mesh::Link link, bool towards);

    std::vector<std::uint32_t> place_;      // per portal of the mesh, if it is in the list
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

/// Use one per thread.
class ClusterBuilder {
public:
    /// The overlay outlives the builder and holds the levels below those asked for.
    explicit ClusterBuilder(const Overlay& overlay) : overlay_(&overlay), base_(&overlay.base) {}

    /// Makes a cluster by one search inside it per inter-edge, or two on directed meshes.
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
    std::vector<mesh::Link> borders_;    // the inter-edges, ascending
    std::vector<mesh::Portal> portals_;  // those of the borders, then the others, ascending
    std::vector<Cost> costs_;            // portal by portal, as in hna/rows.hpp
    std::vector<std::uint32_t> hops_;    // inter-edge by inter-edge
};

}  // namespace cairn::hna
