// Any bytes as a tile set give a dtNavMesh that Detour can search, or an error. A set that was read
// can be written, and read again with as many polygons.

#include <DetourNavMeshQuery.h>

#include <array>
#include <cstdlib>

#include "cairn/detour/tile_set.hpp"

namespace {

using namespace cairn;

/// Lets Detour search: it must end without touching memory that is not its own.
void find_paths(const dtNavMesh& nav_mesh, const detour::PolyRefs& refs) {
    dtNavMeshQuery query;
    if (dtStatusFailed(query.init(&nav_mesh, 128))) std::abort();
    const dtQueryFilter filter;
    const std::array<float, 3> point{2, 0, 2};
    const std::array<float, 3> extents{2, 4, 2};
    std::array<dtPolyRef, 32> path{};
    std::array<float, 3> nearest{};
    int count = 0;
    query.findNearestPoly(point.data(), extents.data(), &filter, path.data(), nearest.data());
    for (const mesh::Polygon to : {0U, refs.num_polygons() - 1}) {
        query.findPath(refs.ref(refs.num_polygons() / 2), refs.ref(to), point.data(), point.data(),
                       &filter, path.data(), &count, static_cast<int>(path.size()));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto nav_mesh = detour::parse_tile_set(bytes, "fuzz.bin");
    if (!nav_mesh) {
        if (!nav_mesh.error().message.starts_with("fuzz.bin:")) std::abort();
        return 0;
    }
    const detour::PolyRefs refs = detour::PolyRefs::create(**nav_mesh).value();
    if (refs.num_polygons() > 0) find_paths(**nav_mesh, refs);
    const auto converted = detour::convert(**nav_mesh, dtQueryFilter());
    if (!converted && converted.error().code != StatusCode::too_large) std::abort();
    if (converted && converted->mesh.num_polygons() != refs.num_polygons()) std::abort();
    const std::string written = detour::format_tile_set(**nav_mesh).value();
    // Reading moves the ends of connections to the ground, where another reading may find no
    // polygon; so only the numbers of polygons are compared.
    const auto again = detour::parse_tile_set(written, "again");
    if (!again || detour::PolyRefs::create(**again).value().num_polygons() != refs.num_polygons())
        std::abort();
    return 0;
}
