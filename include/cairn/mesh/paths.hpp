#pragma once
// Batches on navigation meshes (cairn/batch/batch.hpp): their requests and the paths returned.

#include "cairn/lists.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

/// The start and goal of one agent. hna locates a place whose polygon is kNone.
struct Request {
    Place start;
    Place goal;
    friend bool operator==(const Request&, const Request&) = default;
};

/// The results of a batch, in the order of its requests.
struct Paths : PathCosts {
    Lists<Polygon> polygons;    ///< the corridors
    Lists<Waypoint> waypoints;  ///< the strings pulled tight in the corridors
    friend bool operator==(const Paths&, const Paths&) = default;
};

}  // namespace cairn::mesh
