#pragma once
// Checks of maps and edits, and the ids of edited snapshots.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// ok, or bad_option: sides out of range, `cells` not their product, a cost model outside
/// 0 < straight <= diagonal <= 2 * straight, diagonal <= 1,000,000 (so costs of moves fit 32 bits),
/// or no such rules.
[[nodiscard]] Status check_shape(int width, int height, std::size_t cells, const CostModel& costs,
                                 const MoveRules& rules);

/// ok, or bad_option: an edit that is empty or reaches outside.
[[nodiscard]] Status check_edits(int width, int height, std::span<const TerrainEdit> edits);

/// The id of the snapshot that `edits` make of the snapshot `id`: a hash, equal for equal edits in
/// equal order. Never 0.
[[nodiscard]] std::uint64_t edited_id(std::uint64_t id, std::span<const TerrainEdit> edits);

/// Why jump points and subgoals do not serve a map: a clause for an error message. Empty if they
/// do: with eight neighbours, the strict corner rule, one weight, and diagonal moves that cost more
/// than one and less than two straight moves, shortest paths need to turn only at corners.
[[nodiscard]] std::string objection_to_corners(const Map& map);
/// Whether they do.
[[nodiscard]] bool suits_corners(const Map& map) noexcept;

}  // namespace cairn::grid
