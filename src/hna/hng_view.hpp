#pragma once
// An HNG (hna/hng.hpp) in flat arrays in the memory of the host or of a GPU, for searches there.

#include <array>
#include <cstdint>
#include <span>

#include "cairn/cost.hpp"
#include "cairn/mesh/mesh.hpp"
#include "core/host_device.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::hna {

/// The clusters of an inter-edge's two links, and its slots in them: the even link's first.
struct InterEdge {
    std::array<std::uint32_t, 2> cluster{};
    std::array<std::uint32_t, 2> slot{};
    friend bool operator==(const InterEdge&, const InterEdge&) = default;

    /// The side that lies in a cluster; kNoSide if none does.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t side_in(std::uint32_t id) const noexcept {
        if (cluster[0] == id) return 0;
        return cluster[1] == id ? 1 : kNoSide;
    }
    static constexpr std::uint32_t kNoSide = 2;
};

/// An intra-edge out of one side of a vertex.
struct HngArc {
    std::uint32_t head = 0;  // the side of the other vertex that lies outside the arc's cluster
    Cost cost = 0;
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t vertex() const noexcept { return head / 2; }
};

/// A lower bound of the cost of a path from a side into its cluster and on to the goal: `half` plus
/// the cost of a straight line from `point`.
struct HngAim {
    mesh::Point point;  // the portal's midpoint, or with polygon_centres the polygon's centre
    Cost half = 0;      // with polygon_centres the cost from the portal to that centre, else 0
    friend bool operator==(const HngAim&, const HngAim&) = default;
};

/// What lower bounds are computed from.
struct HngBounds {
    mesh::Point anchor;       // MeshData::anchor of the goal
    double least_factor = 1;  // MeshData::least_factor
    double units = 1;         // MeshData::units
};

struct HngView {
    std::span<const mesh::Portal> portals;      // per vertex
    std::span<const InterEdge> edges;           // per vertex
    std::span<const std::uint32_t> first_slot;  // per cluster, and one more
    std::span<const std::uint32_t> slots;       // vertices, cluster by cluster
    std::span<const std::uint32_t> first_arc;   // per side, and one more
    std::span<const HngArc> all_arcs;
    std::span<const HngAim> aims;  // per side

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(portals.size());
    }
    /// The vertices of a cluster, slot by slot.
    [[nodiscard]] CAIRN_HOST_DEVICE std::span<const std::uint32_t> of_cluster(
        std::uint32_t cluster) const noexcept {
        return slots.subspan(first_slot[cluster], first_slot[cluster + 1] - first_slot[cluster]);
    }
    /// The intra-edges from a vertex inside the cluster of this side.
    [[nodiscard]] CAIRN_HOST_DEVICE std::span<const HngArc> arcs(
        std::uint32_t side) const noexcept {
        return all_arcs.subspan(first_arc[side], first_arc[side + 1] - first_arc[side]);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE const InterEdge& edge(std::uint32_t vertex) const noexcept {
        return edges[vertex];
    }
    [[nodiscard]] CAIRN_HOST_DEVICE mesh::Portal portal(std::uint32_t vertex) const noexcept {
        return portals[vertex];
    }
    /// Calls use(head, cost) for these intra-edges; see HngArc.
    template <class Use>
    CAIRN_HOST_DEVICE void for_each_arc(std::uint32_t side, Use&& use) const {
        for (const HngArc& arc : arcs(side)) use(arc.head, arc.cost);
    }
    /// A lower bound of the cost of a path from a side into its cluster and on to the goal.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost bound(std::uint32_t side,
                                               const HngBounds& bounds) const noexcept {
        const HngAim& aim = aims[side];
        return aim.half + mesh::least_cost_of_length(mesh::distance(aim.point, bounds.anchor),
                                                     bounds.least_factor, bounds.units);
    }
    /// The side of a vertex that lies outside this cluster, which must be one of its two.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t side_across(
        std::uint32_t vertex, std::uint32_t cluster) const noexcept {
        return 2 * vertex + (edges[vertex].cluster[0] == cluster ? 1 : 0);
    }
    /// The cost of the intra-edge from a side to a vertex; kInfinity if there is none.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost arc_cost(std::uint32_t side,
                                                  std::uint32_t vertex) const noexcept {
        for (const HngArc& arc : arcs(side)) {
            if (arc.vertex() == vertex) return arc.cost;
        }
        return kInfinity;
    }
};

}  // namespace cairn::hna
