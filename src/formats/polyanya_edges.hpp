#pragma once
// Polygons by the edges they share.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

#include "cairn/mesh/mesh_image.hpp"

namespace cairn::formats {

/// The edge of a polygon that ends at a corner; its two vertices, the smaller number first.
struct PolygonEdge {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::uint32_t polygon = 0;
    std::uint32_t corner = 0;               ///< its number among all corners
    std::uint32_t neighbour = mesh::kNone;  ///< across the edge, as the file names it

    [[nodiscard]] bool same_edge(const PolygonEdge& other) const noexcept {
        return low == other.low && high == other.high;
    }
    /// Edges that name each other are adjacent, the one of the smaller polygon first.
    friend bool operator<(const PolygonEdge& a, const PolygonEdge& b) noexcept {
        const auto key = [](const PolygonEdge& e) {
            return std::tuple(e.low, e.high, std::min(e.polygon, e.neighbour),
                              std::max(e.polygon, e.neighbour), e.polygon, e.corner);
        };
        return key(a) < key(b);
    }
};

/// The number of the corner before one, around its polygon.
[[nodiscard]] inline std::uint32_t corner_before(const mesh::MeshImage& image,
                                                 std::uint32_t polygon,
                                                 std::uint32_t corner) noexcept {
    return corner == image.first_corner[polygon] ? image.first_corner[polygon + 1] - 1 : corner - 1;
}

[[nodiscard]] inline PolygonEdge edge_to(const mesh::MeshImage& image, std::uint32_t polygon,
                                         std::uint32_t corner) noexcept {
    const std::uint32_t a = image.corners[corner_before(image, polygon, corner)];
    const std::uint32_t b = image.corners[corner];
    return {std::min(a, b), std::max(a, b), polygon, corner, mesh::kNone};
}

/// The portal at an edge, from its polygon to a neighbour.
[[nodiscard]] inline mesh::PortalSource portal_at(const mesh::MeshImage& image,
                                                  const PolygonEdge& edge,
                                                  std::uint32_t neighbour) noexcept {
    const std::uint32_t before = corner_before(image, edge.polygon, edge.corner);
    return {.first = edge.polygon,
            .second = neighbour,
            .begin = image.vertices[image.corners[before]],
            .end = image.vertices[image.corners[edge.corner]]};
}

/// The polygon of each corner.
[[nodiscard]] inline std::vector<std::uint32_t> polygons_of_corners(const mesh::MeshImage& image) {
    std::vector<std::uint32_t> polygons(image.corners.size());
    for (std::uint32_t p = 0; p < image.num_polygons(); ++p) {
        for (std::uint32_t c = image.first_corner[p]; c < image.first_corner[p + 1]; ++c)
            polygons[c] = p;
    }
    return polygons;
}

/// The numbers of all corners by their vertices, those of one vertex by their polygons.
[[nodiscard]] inline std::vector<std::uint32_t> corners_by_vertex(const mesh::MeshImage& image) {
    std::vector<std::uint32_t> sorted(image.corners.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::stable_sort(sorted.begin(), sorted.end(), [&image](std::uint32_t a, std::uint32_t b) {
        return image.corners[a] < image.corners[b];
    });
    return sorted;
}

}  // namespace cairn::formats
