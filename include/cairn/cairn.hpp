#pragma once
// All that a program needs that finds paths on grids and meshes. Parts that were not built are left
// out; whatever else there is (pictures, Detour, devices, formats beyond MovingAI) has headers of
// its own.

#include "cairn/batch/batch.hpp"
#include "cairn/formats/movingai.hpp"
#include "cairn/grid/find_path.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/planners.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/hpa/lazy_path.hpp"
#include "cairn/mesh/planner.hpp"
#include "cairn/subgoal/subgoal.hpp"

namespace cairn {

using formats::load_map;

}  // namespace cairn
