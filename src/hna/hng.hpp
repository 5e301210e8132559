#pragma once
// The hierarchical navigation graph of one level, flat: vertices are inter-edges, edges are
// intra-edges (HNA* paper, definitions 2.1 and 2.2). Made from the clusters' records, which are
// what edits work on; searches over a whole level run on this.
//
// A *side* of a vertex is its number, doubled, plus 0 or 1: the inter-edge seen from the cluster of
// its even or odd link. A vertex takes 68 bytes, an intra-edge eight at either end. A search that
// takes a side off its list reads two neighbouring offsets and the arcs between them.

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
        std::uint32_t head = 0;  // the side across from this arc's cluster
        Cost cost = 0;
        [[nodiscard]] std::uint32_t vertex() const noexcept { return head / 2; }
    };
    /// What the bound on a way from a side, into its cluster, is made of.
    struct Aim {
        navmesh::Point point;
        Cost half = 0;  // with polygon_centres, as far as there
        friend bool operator==(const Aim&, const Aim&) = default;
    };

    Hng() = default;
    /// Vertices are numbered by ascending portal. O(portals of the mesh +
    /// intra-edges of the level).
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

    /// The intra-edges inside the cluster on a side.
    [[nodiscard]] std::span<const Arc> arcs(std::uint32_t side) const noexcept {
        return std::span(arcs_).subspan(first_arc_[side], first_arc_[side + 1] - first_arc_[side]);
    }
    /// The side across from a cluster on which a vertex lies.
    [[nodiscard]] std::uint32_t side_across(std::uint32_t vertex,
                                            std::uint32_t cluster) const noexcept {
        return 2 * vertex + (edges_[vertex].cluster[0] == cluster ? 1 : 0);
    }
    [[nodiscard]] const Aim& aim(std::uint32_t side) const noexcept { return aims_[side]; }

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    void number(const Overlay& overlay, int level);
    void add_arcs(const Overlay& overlay, int level);
    void add_aims(const navmesh::MeshData& mesh);

    std::vector<navmesh::Portal> portals_;
    std::vector<InterEdge> edges_;
    std::vector<std::uint32_t> first_slot_{0};  // per cluster, and one more
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint32_t> first_arc_;  // per side, and one more
    std::vector<Arc> arcs_;
    std::vector<Aim> aims_;  // per side
};

}  // namespace cairn::hna
