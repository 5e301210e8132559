#pragma once
// Ids of the snapshots that edits make of a map.

#include <cstdint>
#include <span>

#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// The id of the snapshot that `edits` make of the snapshot `id`: a hash, equal for equal edits in
/// equal order. Never 0.
[[nodiscard]] std::uint64_t edited_id(std::uint64_t id, std::span<const TerrainEdit> edits);

}  // namespace cairn::grid
