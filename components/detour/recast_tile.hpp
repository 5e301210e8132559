#pragma once
// One run of Recast's pipeline: triangles to the bytes of one tile.

#include <DetourAlloc.h>
#include <Recast.h>

#include <functional>
#include <memory>
#include <span>

#include "cairn/detour/recast_builder.hpp"
#include "cairn/status.hpp"

namespace cairn::detour {

struct FreeTile {
    void operator()(unsigned char* bytes) const noexcept { dtFree(bytes); }
};
/// The bytes made by dtCreateNavMeshData; none where there is no walkable ground.
struct TileBytes {
    std::unique_ptr<unsigned char, FreeTile> bytes;
    int size = 0;
};

/// Geometry as Recast takes it: x, y, z of vertices, and three vertices' numbers a triangle.
struct RecastGeometry {
    std::span<const float> vertices;
    std::span<const int> corners;
};

/// Where a tile lies in the mesh.
struct TilePlace {
    int x = 0;
    int y = 0;
};

/// Options in Recast's units, without bounds and sizes. The options must be valid.
[[nodiscard]] rcConfig recast_config(const RecastOptions& options) noexcept;

/// The tile of a configuration with all its bounds and sizes. Between its steps it reports the
/// share done to `step`, and stops as cancelled if `step` returns false. Errors: also too_large.
[[nodiscard]] Result<TileBytes> build_tile(const RecastGeometry& geometry, const rcConfig& config,
                                           const RecastOptions& options, const TilePlace& place,
                                           const std::function<bool(double)>& step);

}  // namespace cairn::detour
