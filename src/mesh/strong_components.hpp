#pragma once
// The strong components of a mesh: polygons that reach each other.

#include <cstdint>
#include <vector>

#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

struct StrongComponents {
    std::vector<std::uint32_t> of;  // per polygon; blocked ones are components of their own
    std::uint32_t count = 0;
};

/// Numbered from 0 so that open links lead to components of the same or a lower number. O(polygons
/// + links).
[[nodiscard]] StrongComponents strong_components(const Mesh& mesh);

}  // namespace cairn::mesh
