#pragma once
// Detour's points: three floats in a row.

#include "cairn/mesh/mesh.hpp"

namespace cairn::detour {

[[nodiscard]] inline mesh::Point point_at(const float* v) noexcept { return {v[0], v[1], v[2]}; }

}  // namespace cairn::detour
