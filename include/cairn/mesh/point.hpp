#pragma once
// Points in the space of a navigation mesh.

namespace cairn::mesh {

/// A point in the units of the mesh, commonly metres. y is up, as in Recast and Detour; "seen from
/// above" means the plane of x and z.
struct Point {
    float x = 0;
    float y = 0;
    float z = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

}  // namespace cairn::mesh
