#pragma once
// Pictures of the closure of an index (cairn/closure.hpp): the separator tree, what climbs visit,
// and what an edit changes. For HPA*, the views of HAA*, subgoal graphs and HNA*. Nodes are those
// of level 1: abstract nodes, subgoals, inter-edges.

#include <optional>
#include <span>

#include "cairn/grid/map.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/mesh/point.hpp"
#include "cairn/render/drawing.hpp"
#include "cairn/render/map_picture.hpp"
#include "cairn/render/mesh_picture.hpp"
#include "cairn/status.hpp"
#include "cairn/subgoal/index.hpp"

namespace cairn::render {

/// The nodes of an index, coloured by the depth of their separator in the separator tree, largest
/// at the top. A separator ends where the tree branches, unless the pieces that branch off have
/// less than a tenth of the nodes below. The edges of the graph are pale, and left out if they
/// would cover more than an eighth of the picture. Of a MeshPicture, layers and route are not used.
///
/// Errors of all functions of this file: as draw_map or draw_mesh; unsupported (no closure).
/// Thread-safe. O(map + edges of the closure).
[[nodiscard]] Result<Drawing> draw_tree(const hpa::Index& index,
                                        const MapPicture& picture = {}) noexcept;
[[nodiscard]] Result<Drawing> draw_tree(const subgoal::Index& index,
                                        const MapPicture& picture = {}) noexcept;
[[nodiscard]] Result<Drawing> draw_tree(const hna::Index& index,
                                        const MeshPicture& picture = {}) noexcept;

/// What a climb from the node nearest to `from` visits: its upper neighbours, theirs, and so on,
/// with the closure edges between them. With `to` also the climb from the node nearest to that, as
/// far as a query between the two goes: no further from nodes as far away as the best path found
/// is long. Then also the node where the two meet and the path over it. Errors: also bad_option (a
/// point outside the map); unsupported (a graph without nodes).
[[nodiscard]] Result<Drawing> draw_climb(const hpa::Index& index, grid::Point from,
                                         std::optional<grid::Point> to,
                                         const MapPicture& picture = {}) noexcept;
[[nodiscard]] Result<Drawing> draw_climb(const subgoal::Index& index, grid::Point from,
                                         std::optional<grid::Point> to,
                                         const MapPicture& picture = {}) noexcept;
[[nodiscard]] Result<Drawing> draw_climb(const hna::Index& index, mesh::Point from,
                                         std::optional<mesh::Point> to,
                                         const MeshPicture& picture = {}) noexcept;

/// What an edit changed: the nodes removed and added, the nodes whose rows of the closure have
/// other costs or lead to other upper neighbours, and these closure edges; all other nodes are
/// pale. The legend counts them. `after` is `before` after `edits`, which are outlined. Edges that
/// cost kInfinity count as none. Errors: also bad_option (maps of different sizes).
[[nodiscard]] Result<Drawing> draw_repair(const hpa::Index& before, const hpa::Index& after,
                                          std::span<const grid::TerrainEdit> edits,
                                          const MapPicture& picture = {}) noexcept;
[[nodiscard]] Result<Drawing> draw_repair(const subgoal::Index& before, const subgoal::Index& after,
                                          std::span<const grid::TerrainEdit> edits,
                                          const MapPicture& picture = {}) noexcept;

}  // namespace cairn::render
