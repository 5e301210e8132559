#pragma once
// The arrays of an HNG, in any memory, for searches on the host and on a GPU.

#include <array>
#include <cstdint>
#include <span>

#include "cairn/cost.hpp"
#include "cairn/mesh/mesh.hpp"
#include "core/host_device.hpp"

namespace cairn::hna {

/// The clusters and slots of an inter-edge's two links, the even one's first.
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

/// An intra-edge, from one side of an inter-edge.
struct HngArc {
    std::uint32_t head = 0;  // the side across from this arc's cluster
    Cost cost = 0;
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t vertex() const noexcept { return head / 2; }
};

/// The input of the lower bound of a path from a side into its cluster.
struct HngAim {
    mesh::Point point;
    Cost half = 0;  // with polygon_centres, as far as there
    friend bool operator==(const HngAim&, const HngAim&) = default;
};

struct HngView {
    std::span<const mesh::Portal> portals;      // per vertex
    std::span<const InterEdge> edges;           // per vertex
    std::span<const std::uint32_t> first_slot;  // per cluster, and one more
    std::span<const std::uint32_t> slots;       // the vertices of all clusters
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
    /// The intra-edges inside the cluster on a side.
    [[nodiscard]] CAIRN_HOST_DEVICE std::span<const HngArc> arcs(
        std::uint32_t side) const noexcept {
        return all_arcs.subspan(first_arc[side], first_arc[side + 1] - first_arc[side]);
    }
    /// The side across from a cluster on which a vertex lies.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t side_across(
        std::uint32_t vertex, std::uint32_t cluster) const noexcept {
        return 2 * vertex + (edges[vertex].cluster[0] == cluster ? 1 : 0);
    }
    /// The cost of the intra-edge between two inter-edges on one side of the first; kInfinity if
    /// there is none.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost arc_cost(std::uint32_t side,
                                                  std::uint32_t head) const noexcept {
        for (const HngArc& arc : arcs(side)) {
            if (arc.vertex() == head) return arc.cost;
        }
        return kInfinity;
    }
};

}  // namespace cairn::hna
