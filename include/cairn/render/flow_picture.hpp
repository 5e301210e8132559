#pragma once
// Pictures of crowds: where agents have passed, and where they are.
//
// The more agents have passed a cell or polygon, the warmer its colour: from pale blue over violet
// to vermilion, by the logarithm of the number. The legend gives the numbers.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/render/drawing.hpp"
#include "cairn/render/map_picture.hpp"
#include "cairn/render/mesh_picture.hpp"
#include "cairn/status.hpp"

namespace cairn::render {

/// What a picture of a crowd shows besides the map or mesh.
struct Flow {
    /// The number of agents that have passed each cell or polygon; may be empty. Needs to live only
    /// during the call.
    std::span<const std::uint32_t> passes{};
    /// The positions of agents, drawn as dots. On a map in cells from its top left corner, so that
    /// the middle of the first cell is (0.5, 0.5); on a mesh x and z, as the Position's x and y.
    /// Agents outside the picture are left out.
    std::vector<Position> agents{};
};

/// The picture of a map and the flow over it; blocked cells keep their colour. Errors: as draw_map;
/// bad_option (`passes` not empty, and not one for each cell). O(cells + agents). Thread-safe.
[[nodiscard]] Result<Drawing> draw_flow(const grid::Map& map, const Flow& flow,
                                        const MapPicture& picture = {}) noexcept;

/// The same for a mesh. Only the layer of portals is drawn, and no route. Errors: as draw_mesh;
/// bad_option (`passes` not empty, and not one for each polygon). O(n log n + agents). Thread-safe.
[[nodiscard]] Result<Drawing> draw_flow(const mesh::Mesh& mesh, const Flow& flow,
                                        const MeshPicture& picture = {}) noexcept;

}  // namespace cairn::render
