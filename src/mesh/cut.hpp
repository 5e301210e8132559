#pragma once
// Cuts a mesh along gates: into polygons, here called pieces, that no gate crosses.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/mesh/mesh_image.hpp"
#include "mesh/gates.hpp"

namespace cairn::mesh {

/// A mesh cut along gates, not checked yet.
struct CutMesh {
    MeshImage image;
    std::vector<PolygonEdit> edits;       ///< pieces of blocked polygons
    std::vector<Polygon> origin;          ///< per piece: its polygon
    std::vector<std::uint32_t> first{0};  ///< per polygon, and one more: of `pieces`
    std::vector<Polygon> pieces;          ///< polygon by polygon
};

/// Cuts a mesh. Each gate becomes portals that have its width. Connections get the width of the
/// narrower place where they land, and portals that count as walls width 0. The other portals have
/// no limit of width. O(n log n).
[[nodiscard]] CutMesh cut(const MeshData& mesh, const Walls& walls,
                          std::span<const FoundGate> gates);

/// The corners of polygons: as those of MeshImage and MeshTopology, in positive order.
struct Corners {
    std::span<const Point> vertices;
    std::span<const std::uint32_t> first_corner;
    std::span<const std::uint32_t> corners;
};

/// Of some pieces, the one that holds a point or is nearest to holding it. There must be one.
[[nodiscard]] Polygon piece_at(const Corners& all, std::span<const Polygon> pieces, Flat point);

}  // namespace cairn::mesh
