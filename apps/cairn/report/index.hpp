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

/// Size, free cells and rules of the map of an index.
[[nodiscard]] std::string map_text(const AnyIndex& index);
[[nodiscard]] Json map_json(const AnyIndex& index);
/// The planner and the options of an index, as the command line writes them.
[[nodiscard]] std::string options_text(const AnyIndex& index);
/// Tables of the graph, and the bytes of each part and in total. Errors: as haa::Index::view.
[[nodiscard]] Result<std::string> index_text(const AnyIndex& index);
/// The planner, its options, and the facts of index_text. Errors: as haa::Index::view.
[[nodiscard]] Result<Json> index_json(const AnyIndex& index);

/// The subgoal graph: subgoals as [x, y], ends of edges as positions in "subgoals".
[[nodiscard]] Json graph_json(const subgoal::Index& index);

/// The description of an index file of a map. `options`: those of the index, as text or JSON.
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
/// A row for each area: its polygons, how many of them are blocked, and its cost. Empty if all
/// polygons are of area 0, at cost 1 and not blocked.
[[nodiscard]] std::string area_table(const mesh::Mesh& mesh);

/// A row for each level, with the bound of the HNA* paper (Figure 10), and the bytes of each part.
[[nodiscard]] std::string index_text(const hna::Index& index);
/// The planner, its options, and the facts of index_text.
[[nodiscard]] Json index_json(const hna::Index& index);

}  // namespace cairn::app
