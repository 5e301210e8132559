#pragma once
// Checks the bytes of a tile before Detour reads them.

#include <DetourNavMesh.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "cairn/status.hpp"

namespace cairn::detour {

inline constexpr float kFarthest = 1e7F;

/// Whether all values, coordinates or lengths, are finite and at most kFarthest.
[[nodiscard]] bool usable(const float* values, int count) noexcept;

/// The work of Detour at the borders of a tile: it compares the edges there with all edges of the
/// other tile.
struct TileWork {
    std::uint64_t edges = 0;  ///< of all its polygons
    /// The edges at the tile's border to x + 1, y + 1, x - 1 and y - 1.
    std::array<std::uint64_t, 4> outer_edges{};
};

/// Checks all bytes of a tile. Messages name neither the file nor the tile. Linear time.
[[nodiscard]] Result<TileWork> check_tile(std::string_view tile);

/// The header of a tile, which must be that long.
[[nodiscard]] dtMeshHeader header_of(std::string_view tile) noexcept;

}  // namespace cairn::detour
