#pragma once
// The inter-edges of a level, numbered: the vertices of its HNG (HNA* paper, definition 2.1).

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "hna/mesh_base.hpp"

namespace cairn::hna {

/// Where an inter-edge's two links stand: the even one's cluster and slot first. A portal may be an
/// inter-edge of both its clusters, never of one alone.
struct InterEdge {
    std::array<std::uint32_t, 2> cluster{};
    std::array<std::uint32_t, 2> slot{};
    friend bool operator==(const InterEdge&, const InterEdge&) = default;
};

class InterEdges {
public:
    InterEdges() = default;
    /// Numbered by ascending portal. O(nodes of the level).
    InterEdges(const Overlay& overlay, int level);

    [[nodiscard]] std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(portals_.size());
    }
    [[nodiscard]] std::span<const navmesh::Portal> portals() const noexcept { return portals_; }
    [[nodiscard]] navmesh::Portal portal(std::uint32_t number) const noexcept {
        return portals_[number];
    }
    [[nodiscard]] const InterEdge& operator[](std::uint32_t number) const noexcept {
        return edges_[number];
    }
    /// The numbers of a cluster's inter-edges, slot by slot.
    [[nodiscard]] std::span<const std::uint32_t> of_cluster(std::uint32_t cluster) const noexcept {
        return std::span(numbers_).subspan(first_[cluster], first_[cluster + 1] - first_[cluster]);
    }
    /// The finite ones of a cluster's `costs`, slot by slot, as connectors.
    void list(std::uint32_t cluster, std::span<const Cost> costs,
              std::vector<Connector>& connectors) const;
    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    std::vector<navmesh::Portal> portals_;
    std::vector<InterEdge> edges_;
    std::vector<std::uint32_t> first_{0};  // per cluster, and one more
    std::vector<std::uint32_t> numbers_;
};

}  // namespace cairn::hna
