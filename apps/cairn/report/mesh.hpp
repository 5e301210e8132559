#pragma once
// Descriptions of a mesh and its HNA* index, as text and as JSON.

#include <string>

#include "cairn/hna/index.hpp"
#include "cairn/mesh/mesh.hpp"
#include "command.hpp"
#include "options/fields.hpp"

namespace cairn::app {

/// "1.5,0,-3".
[[nodiscard]] std::string point_text(const mesh::Point& point);
[[nodiscard]] Json point_json(const mesh::Point& point);

/// Polygons, portals, scoring and components of a mesh on one line.
[[nodiscard]] std::string mesh_text(const mesh::Mesh& mesh);
[[nodiscard]] Json mesh_json(const mesh::Mesh& mesh);
/// A row for each area: polygons, how many of them are blocked, cost. Empty if all are of area 0 at
/// its default cost and none is blocked.
[[nodiscard]] std::string area_table(const mesh::Mesh& mesh);

/// A row for each level (the paper's Figure 10, with its bound), and bytes by part.
[[nodiscard]] std::string index_text(const hna::Index& index);
/// Options, levels and bytes.
[[nodiscard]] Json index_json(const hna::Index& index);

}  // namespace cairn::app
