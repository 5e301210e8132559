#pragma once
// Batches on navigation meshes: what is asked, and the paths that come back.

#include "cairn/lists.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

/// From where to where. hna locates places whose polygon is kNone.
struct Request {
    Place start;
    Place goal;
    friend bool operator==(const Request&, const Request&) = default;
};

struct Paths : PathCosts {
    Lists<Polygon> polygons;    ///< the corridors
    Lists<Waypoint> waypoints;  ///< the strings pulled tight in them
    friend bool operator==(const Paths&, const Paths&) = default;
};

}  // namespace cairn::mesh
