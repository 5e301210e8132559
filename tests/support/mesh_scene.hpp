#pragma once
// Small meshes that tests write down polygon by polygon.

#include <array>
#include <cstdint>
#include <initializer_list>

#include "support/random_meshes.hpp"

namespace cairn::test {

/// A mesh of polygons given by their corners (x, z), with given portals.
class MeshScene {
public:
    /// Adds a polygon at a height.
    MeshScene& polygon(std::initializer_list<std::array<float, 2>> points, float y = 0) {
        for (const auto& [x, z] : points) parts_.corners.push_back(parts_.vertex(x, y, z));
        parts_.first_corner.push_back(static_cast<std::uint32_t>(parts_.corners.size()));
        return *this;
    }
    MeshScene& portal(mesh::Polygon first, mesh::Polygon second, std::array<float, 2> begin,
                      std::array<float, 2> end) {
        parts_.portals.push_back({first, second, {begin[0], 0, begin[1]}, {end[0], 0, end[1]}});
        return *this;
    }
    /// For what the functions above do not add.
    [[nodiscard]] MeshParts& parts() { return parts_; }
    [[nodiscard]] Result<mesh::Mesh> build(
        mesh::OddPolygons odd = mesh::OddPolygons::refuse) const {
        mesh::MeshSource source = parts_.source();
        source.portals_given = true;
        source.odd_polygons = odd;
        return mesh::Mesh::build(source);
    }

private:
    MeshParts parts_;
};

}  // namespace cairn::test
