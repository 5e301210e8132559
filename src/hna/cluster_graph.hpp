#pragma once
// The portals of one cluster and the arcs between them, flat, for a search from each of its
// inter-edges. It finds what ClusterSearch finds, without reading the mesh again and again.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "core/open_heap.hpp"
#include "hna/cluster_search.hpp"
#include "hna/mesh_base.hpp"

namespace cairn::hna {

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

}  // namespace cairn::hna
