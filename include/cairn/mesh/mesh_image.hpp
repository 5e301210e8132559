#pragma once
// A mesh as it came out of a file or a converter: what a MeshSource points to, with an owner.

#include <cstdint>
#include <vector>

#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

/// The arrays of a MeshSource, unchecked: Mesh::build checks them. Plain data, compared bit by bit.
struct MeshImage {
    std::vector<Point> vertices;
    std::vector<std::uint32_t> first_corner{0};  ///< per polygon, and one more
    std::vector<std::uint32_t> corners;
    std::vector<std::uint8_t> areas;  ///< per polygon, or none: all 0
    std::vector<PortalSource> portals;
    bool portals_given = false;
    std::vector<ConnectionSource> connections;

    /// Polygons with corners; connections become polygons after them.
    [[nodiscard]] std::uint32_t num_polygons() const noexcept {
        return static_cast<std::uint32_t>(first_corner.size() - 1);
    }

    /// Points into this image, which must outlive it and stay as it is.
    [[nodiscard]] MeshSource source() const noexcept {
        return {.vertices = vertices,
                .first_corner = first_corner,
                .corners = corners,
                .areas = areas,
                .portals = portals,
                .portals_given = portals_given,
                .connections = connections};
    }

    friend bool operator==(const MeshImage&, const MeshImage&) = default;
};

}  // namespace cairn::mesh
