#pragma once
// Everything that a program needs to find paths on grids and meshes. Parts that were not built are
// left out. These have their own headers: pictures, Detour, devices, formats other than MovingAI,
// and planners chosen by name at run time (cairn/any.hpp, cairn/any_world.hpp).

#include "cairn/grid/map.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/parts.hpp"
#include "cairn/planners.hpp"

#if CAIRN_HAS_BATCH
#include "cairn/batch/batch.hpp"
#endif
#if CAIRN_HAS_WORLD
#include "cairn/world/world.hpp"
#endif
#if CAIRN_HAS_FORMATS
#include "cairn/formats/movingai.hpp"
#endif
#if CAIRN_HAS_HPA
#include "cairn/hpa/lazy_path.hpp"
#endif
#if CAIRN_HAS_INDEX_FILE
#include "cairn/index_file.hpp"
#endif

namespace cairn {

#if CAIRN_HAS_FORMATS
using formats::load_map;
#endif

}  // namespace cairn
