#pragma once
// Builds a Detour mesh from geometry, by Recast.
//
// Recast rasterises the triangles into a grid of cells, keeps the cells where an agent can stand,
// divides them into regions by watershed, and the contours of the regions into convex polygons.
// This is RecastDemo's pipeline with its settings. The mesh is one piece (a "solo" mesh), or
// consists of tiles, which are built in parallel.

#include <cstdint>

#include "cairn/control.hpp"
#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/triangles.hpp"
#include "cairn/status.hpp"

namespace cairn::detour {

/// Options with RecastDemo's defaults. Lengths are in the units of the geometry, 0 to 1,000,000,
/// unless a comment says otherwise.
struct RecastOptions {
    float cell_size = 0.3F;    ///< side of a cell, 0.001 to 1,000
    float cell_height = 0.2F;  ///< resolution of heights, 0.001 to 1,000
    float agent_height = 2.0F;
    float agent_radius = 0.6F;  ///< at most 127 * cell_size
    float agent_climb = 0.9F;   ///< the highest step
    float agent_slope = 45;     ///< the steepest slope, in degrees, 0 to 89
    /// The side of the smallest region that is kept, and of the largest region that is merged into
    /// another; in cells, 0 to 10,000.
    float region_min_size = 8;
    float region_merge_size = 20;
    float edge_max_length = 12;   ///< longer border edges are divided; 0: no limit
    float edge_max_error = 1.3F;  ///< how far a border may deviate from its cells, in cells
    int corners = 6;              ///< the most corners of a polygon, 3 to 6
    /// The distance of samples of the height, in cells; below 0.9: samples only at the corners.
    float detail_sample_distance = 6;
    float detail_max_error = 1;  ///< of sampled heights, in units of cell_height
    /// The side of a tile in cells, 16 to 1,024; 0 for one piece.
    int tile_size = 0;

    /// RecastDemo's defaults for tiled meshes.
    [[nodiscard]] static RecastOptions tiled() noexcept {
        RecastOptions options;
        options.tile_size = 48;
        return options;
    }
};

/// A dtNavMesh of the ground that agents can walk on. Its polygons have area 0 and flags 1. With
/// the same options and version of Recast the result is the same for any number of threads. If no
/// agent can stand anywhere, the mesh has no tiles. Errors: bad_option (options; a corner that
/// names no vertex; vertices that are not finite or beyond 1e7); too_large (more than 2^26
/// triangles or 2^28 vertices; a grid of more than 8,190 cells in height; in one piece more than
/// 2^25 cells, 65,534 along a side, or 2^24 cells of ground, counted on each level; in tiles more
/// than 2^20 tiles, 2^24 cells along a side, or 2^28 pairs of a triangle and a tile that it
/// touches; more polygons than Detour can reference); out_of_memory (see cairn/status.hpp: Recast
/// may end the program instead); cancelled, which takes effect between tiles, or between the steps
/// of a mesh in one piece. Thread-safe.
[[nodiscard]] Result<NavMesh> build_navmesh(const Triangles& triangles,
                                            const RecastOptions& options = {},
                                            const BuildControl& control = {}) noexcept;

}  // namespace cairn::detour
