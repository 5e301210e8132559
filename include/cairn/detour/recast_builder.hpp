#pragma once
// Geometry to a Detour mesh, by Recast.
//
// Recast fills a grid of cells with what the triangles cover, keeps where an agent can stand, cuts
// that into regions by watershed, and their contours into convex polygons: RecastDemo's pipeline
// with its settings. In one piece (a "solo" mesh), or as tiles, which are built in parallel.

#include <cstdint>

#include "cairn/control.hpp"
#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/triangles.hpp"
#include "cairn/status.hpp"

namespace cairn::detour {

/// RecastDemo's defaults. Lengths are in the units of the geometry unless it says cells.
struct RecastOptions {
    float cell_size = 0.3F;    ///< 0.001 to 1,000
    float cell_height = 0.2F;  ///< 0.001 to 1,000
    float agent_height = 2.0F;
    float agent_radius = 0.6F;  ///< at most 127 cells
    float agent_climb = 0.9F;   ///< how high an agent steps
    float agent_slope = 45;     ///< how steep it walks, in degrees, 0 to 89
    /// Sides of the smallest region of its own, and of the largest that is merged into another; in
    /// cells, 0 to 10,000.
    float region_min_size = 8;
    float region_merge_size = 20;
    float edge_max_length = 12;        ///< 0: any
    float edge_max_error = 1.3F;       ///< in cells
    int corners = 6;                   ///< of a polygon at most, 3 to 6
    float detail_sample_distance = 6;  ///< of heights, in cells; below 0.9: only at the corners
    float detail_max_error = 1;        ///< in cell heights
    /// Sides of a tile in cells, 16 to 1,024; 0 for one piece.
    int tile_size = 0;

    /// As RecastDemo builds tiles.
    [[nodiscard]] static RecastOptions tiled() noexcept {
        RecastOptions options;
        options.tile_size = 48;
        return options;
    }
};

/// A dtNavMesh of the ground that agents can walk on; its polygons are of area 0 and flags 1. With
/// the same options and Recast, the same for any number of threads. Geometry nobody can stand on
/// gives a mesh without tiles. Errors: bad_option (options; a corner that does not exist; vertices
/// that are not finite or beyond 1e7); too_large (a grid of more than 2^25 cells in one piece or
/// 2^20 tiles, of more than 2^24 cells along a side, or more than 8,191 cells high; more polygons
/// than Detour can name, or memory); cancelled. Cancelling takes effect between tiles, or between
/// the steps of a mesh in one piece.
[[nodiscard]] Result<NavMesh> build_navmesh(const Triangles& triangles,
                                            const RecastOptions& options = {},
                                            const BuildControl& control = {});

}  // namespace cairn::detour
