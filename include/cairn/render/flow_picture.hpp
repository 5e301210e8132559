#pragma once
// Pictures of crowds: where agents have passed, and where they are.
//
// The more have passed a cell or polygon, the warmer its colour: from pale blue by way of violet to
// vermilion, by the logarithm of the number, and the legend says which is which.

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

struct Flow {
    /// How many have passed each cell or polygon, or nothing. Needs to live only during the call.
    std::span<const std::uint32_t> passes{};
    /// Where agents are: in cells from the map's top left corner, the middle of the first cell
    /// being (0.5, 0.5), or x and z on a mesh. Drawn as dots; those outside the picture are left
    /// out.
    std::vector<Position> agents{};
};

/// The picture of a map and what has flowed over it; blocked cells keep their colour. Errors: as
/// draw_map; bad_option (passes, but not one for each cell). O(cells + agents). Thread-safe.
[[nodiscard]] Result<Drawing> draw_flow(const grid::Map& map, const Flow& flow,
                                        const MapPicture& picture = {});

/// The same for a mesh. Of the layers none but portals are drawn, and no route. Errors: as
/// draw_mesh; bad_option (passes, but not one for each polygon). O(n log n + agents). Thread-safe.
[[nodiscard]] Result<Drawing> draw_flow(const mesh::Mesh& mesh, const Flow& flow,
                                        const MeshPicture& picture = {});

}  // namespace cairn::render
