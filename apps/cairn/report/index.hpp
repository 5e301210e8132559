#pragma once
// Descriptions of maps, meshes and their indexes, as text and as JSON.

#include <string>

#include "cairn/any.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/index_file.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/subgoal/index.hpp"
#include "command.hpp"

namespace cairn::app {

/// Size, free cells and rules of the map of a grid's index.
[[nodiscard]] std::string map_text(const AnyIndex& index);
[[nodiscard]] Json map_json(const AnyIndex& index);
/// The planner and the options that it was built with, as the command line writes them.
[[nodiscard]] std::string options_text(const AnyIndex& index);
/// Tables of its graph, and bytes in total and by part. Errors: as haa::Index::view.
[[nodiscard]] Result<std::string> index_text(const AnyIndex& index);
/// Both, and the options, as members of an object. Errors: as haa::Index::view.
[[nodiscard]] Result<Json> index_json(const AnyIndex& index);

/// Subgoals as [x, y], and the edges between them as positions in that list.
[[nodiscard]] Json graph_json(const subgoal::Index& index);

/// The description of an index file of a grid; `options`: as options_text, or their JSON.
[[nodiscard]] std::string file_text(const std::string& file, const IndexFileInfo& info,
                                    const std::string& options);
[[nodiscard]] Json file_json(const std::string& file, const IndexFileInfo& info,
                             const Json& options);

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
