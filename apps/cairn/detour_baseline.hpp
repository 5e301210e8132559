#pragma once
// Detour's own findPath, to measure against.

#include <filesystem>
#include <optional>

#include "navmesh_measurement.hpp"

namespace cairn::app {

/// findPath with 65,535 nodes on the tile set in a file, its lengths by findStraightPath; nothing
/// where the file is none or Cairn is built without Detour. Its costs are left out: it does not
/// look for the least. Errors: as detour::read_tile_set.
[[nodiscard]] Result<std::optional<MeshPlanner>> detour_baseline(const std::filesystem::path& file,
                                                                 const mesh::Mesh& mesh);

}  // namespace cairn::app
