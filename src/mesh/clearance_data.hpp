#pragma once
// What a Clearance holds.

#include <cstdint>
#include <vector>

#include "cairn/mesh/clearance.hpp"
#include "mesh/walls.hpp"
#include "mesh/width_forest.hpp"

namespace cairn::mesh {

struct ClearanceData {
    ClearanceOptions options;
    Mesh whole;
    Mesh mesh;
    Walls walls;  // of `whole`
    std::vector<Gate> gates;
    std::vector<Polygon> origin;       // per piece
    std::vector<std::uint32_t> first;  // per polygon of `whole`, and one more: of `pieces`
    std::vector<Polygon> pieces;
    WidthForest forest;  // of `mesh`
};

}  // namespace cairn::mesh
