#pragma once
// The hierarchical navigation graph of one level, flat: vertices are inter-edges, edges are
// intra-edges (HNA* paper, definitions 2.1 and 2.2). Made from the clusters' records, which are
// what edits work on; searches over a whole level run on this.
//
// A vertex takes 36 bytes, an intra-edge eight at either end. A search that takes a vertex off its
// list reads two neighbouring offsets and the arcs between them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "hna/mesh_base.hpp"

namespace cairn::hna {

/// The clusters and slots of an inter-edge's two links, the even one's first.
struct InterEdge {
    std::array<std::uint32_t, 2> cluster{};
    std::array<std::uint32_t, 2> slot{};
    friend bool operator==(const InterEdge&, const InterEdge&) = default;

    /// The side that lies in a cluster; kNoSide if none does.
    [[nodiscard]] std::uint32_t side_in(std::uint32_t id) const noexcept {
        if (cluster[0] == id) return 0;
        return cluster[1] == id ? 1 : kNoSide;
    }
    static constexpr std::uint32_t kNoSide = 2;
};

class Hng {
public:
    struct Arc {
        std::uint32_t head = 0;
        Cost cost = 0;
    };

    Hng() = default;
    /// Vertices are numbered by ascending portal. O(nodes + intra-edges of the level).
    Hng(const Overlay& overlay, int level);

    [[nodiscard]] std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(portals_.size());
    }
    [[nodiscard]] std::span<const navmesh::Portal> portals() const noexcept { return portals_; }
    [[nodiscard]] navmesh::Portal portal(std::uint32_t vertex) const noexcept {
        return portals_[vertex];
    }
    [[nodiscard]] const InterEdge& operator[](std::uint32_t vertex) const noexcept {
        return edges_[vertex];
    }
    /// The vertices of a cluster, slot by slot.
    [[nodiscard]] std::span<const std::uint32_t> of_cluster(std::uint32_t cluster) const noexcept {
        return std::span(slots_).subspan(first_slot_[cluster],
                                         first_slot_[cluster + 1] - first_slot_[cluster]);
    }
    /// The finite ones of a cluster's `costs`, slot by slot, as connectors.
    void list(std::uint32_t cluster, std::span<const Cost> costs,
              std::vector<Connector>& connectors) const;

    /// The intra-edges from a vertex inside the cluster on one of its sides.
    [[nodiscard]] std::span<const Arc> arcs(std::uint32_t vertex,
                                            std::uint32_t side) const noexcept {
        const std::size_t i = 2 * std::size_t{vertex} + side;
        return std::span(arcs_).subspan(first_arc_[i], first_arc_[i + 1] - first_arc_[i]);
    }

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    void number(const Overlay& overlay, int level);
    void add_arcs(const Overlay& overlay, int level);

    std::vector<navmesh::Portal> portals_;
    std::vector<InterEdge> edges_;
    std::vector<std::uint32_t> first_slot_{0};  // per cluster, and one more
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint32_t> first_arc_;  // per vertex and side, and one more
    std::vector<Arc> arcs_;
};

}  // namespace cairn::hna
