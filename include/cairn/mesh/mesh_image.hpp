#pragma once
// A mesh as read from a file or made by a converter: a MeshSource that owns its arrays.

#include <cstdint>
#include <vector>

#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

/// The arrays of a MeshSource, unchecked: Mesh::build checks them. Plain data, compared by value.
struct MeshImage {
    std::vector<Point> vertices;
    std::vector<std::uint32_t> first_corner{0};  ///< one for each polygon, and one more
    std::vector<std::uint32_t> corners;
    std::vector<std::uint8_t> areas;  ///< one for each polygon; empty: all 0
    std::vector<PortalSource> portals;
    bool portals_given = false;
    std::vector<ConnectionSource> connections;
    OddPolygons odd_polygons = OddPolygons::refuse;

    /// The number of polygons with corners; connections become polygons after them.
    [[nodiscard]] std::uint32_t num_polygons() const noexcept {
        return static_cast<std::uint32_t>(first_corner.size() - 1);
    }

    /// Spans over this image, which must outlive them and not change.
    [[nodiscard]] MeshSource source() const noexcept {
        return {.vertices = vertices,
                .first_corner = first_corner,
                .corners = corners,
                .areas = areas,
                .portals = portals,
                .portals_given = portals_given,
                .connections = connections,
                .odd_polygons = odd_polygons};
    }

    friend bool operator==(const MeshImage&, const MeshImage&) = default;
};

}  // namespace cairn::mesh
