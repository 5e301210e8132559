#pragma once
// The ground of pictures of meshes.

#include "cairn/render/mesh_picture.hpp"
#include "mesh_canvas.hpp"

namespace cairn::render {

/// Paints a mesh without an index: polygons, walls, portals and connections. Of the layers, only
/// `portals` is used.
void paint_ground(MeshCanvas& canvas, const MeshPicture& picture);

}  // namespace cairn::render
