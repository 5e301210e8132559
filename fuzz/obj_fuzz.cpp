// Any bytes as OBJ geometry give triangles or an error. Of few and near triangles Recast builds a
// dtNavMesh, which can be written and read again.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cairn/detour/recast_builder.hpp"
#include "cairn/detour/tile_set.hpp"

namespace {

using namespace cairn;

constexpr std::size_t kMaxTriangles = 64;
constexpr float kMaxCoordinate = 24;

bool small(const detour::Triangles& triangles) {
    return triangles.size() <= kMaxTriangles &&
           std::all_of(triangles.vertices.begin(), triangles.vertices.end(), [](const auto& p) {
               return std::abs(p.x) <= kMaxCoordinate && std::abs(p.y) <= kMaxCoordinate &&
                      std::abs(p.z) <= kMaxCoordinate;
           });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto triangles = detour::parse_obj(text, "fuzz.obj");
    if (!triangles) {
        if (!triangles.error().message.starts_with("fuzz.obj:")) std::abort();
        return 0;
    }
    if (!small(*triangles)) return 0;
    detour::RecastOptions options;
    options.tile_size = size % 2 == 0 ? 0 : 16;
    options.cell_size = 0.75F;
    const auto nav_mesh = detour::build_navmesh(*triangles, options);
    if (!nav_mesh) std::abort();
    if (!detour::parse_tile_set(detour::format_tile_set(**nav_mesh).value(), "again")) std::abort();
    const auto converted = detour::convert(**nav_mesh, dtQueryFilter());
    if (!converted && converted.error().message.empty()) std::abort();
    return 0;
}
