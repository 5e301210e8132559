#include "cairn/detour/path_index.hpp"

#include <vector>

#include "hna/snapshot.hpp"
#include "navmesh/mesh_data.hpp"

namespace cairn::detour {
namespace {

using navmesh::kNone;
using navmesh::Polygon;
using navmesh::PolygonEdit;

tl::unexpected<Status> tiles_changed() {
    return fail(StatusCode::stale_index,
                "tiles of the dtNavMesh were added, removed or replaced since the index was built: "
                "build it anew");
}

bool same_refs(const PolyRefs& a, const PolyRefs& b) noexcept {
    if (a.num_polygons() != b.num_polygons()) return false;
    for (Polygon p = 0; p < a.num_polygons(); ++p) {
        if (a.ref(p) != b.ref(p)) return false;
    }
    return true;
}

/// Appends what a polygon is to become, if it is not so already.
void append_change(const navmesh::MeshData& mesh, Polygon polygon, const dtPoly& poly,
                   const dtQueryFilter& filter, std::vector<PolygonEdit>& edits) {
    const PolygonEdit wanted{
        .polygon = polygon, .area = poly.getArea(), .blocked = !passes(filter, poly.flags)};
    if (mesh.areas[polygon] != wanted.area || (mesh.blocked[polygon] != 0) != wanted.blocked)
        edits.push_back(wanted);
}

}  // namespace

bool same_filter(const dtQueryFilter& a, const dtQueryFilter& b) noexcept {
    bool same =
        a.getIncludeFlags() == b.getIncludeFlags() && a.getExcludeFlags() == b.getExcludeFlags();
    for (int area = 0; area < DT_MAX_AREAS; ++area)
        same &= a.getAreaCost(area) == b.getAreaCost(area);
    return same;
}

Result<PathIndex> PathIndex::build(const dtNavMesh& nav_mesh, const dtQueryFilter& filter,
                                   const PathIndexOptions& options, const BuildControl& control) {
    auto converted = convert(nav_mesh, filter, options.mesh);
    if (!converted) return tl::unexpected(std::move(converted.error()));
    auto index = hna::Index::build(converted->mesh, options.hna, control);
    if (!index) return tl::unexpected(std::move(index.error()));
    return PathIndex(std::move(*index),
                     std::make_shared<const Shared>(Shared{std::move(converted->refs), filter}));
}

Result<PathIndex> PathIndex::adopt(hna::Index index, const dtNavMesh& nav_mesh,
                                   const dtQueryFilter& filter) {
    auto converted = convert(nav_mesh, filter, index.mesh().options());
    if (!converted) return tl::unexpected(std::move(converted.error()));
    if (converted->mesh != index.mesh())
        return fail(StatusCode::wrong_map, "the index is not one of this dtNavMesh and filter");
    return PathIndex(std::move(index),
                     std::make_shared<const Shared>(Shared{std::move(converted->refs), filter}));
}

Result<PathIndex> PathIndex::updated(const dtNavMesh& nav_mesh) const {
    if (!same_refs(PolyRefs(nav_mesh), refs())) return tiles_changed();
    std::vector<dtPolyRef> all(refs().num_polygons());
    for (Polygon p = 0; p < refs().num_polygons(); ++p) all[p] = refs().ref(p);
    return updated(nav_mesh, all);
}

Result<PathIndex> PathIndex::updated(const dtNavMesh& nav_mesh,
                                     std::span<const dtPolyRef> changed) const {
    std::vector<PolygonEdit> edits;
    for (const dtPolyRef ref : changed) {
        const dtMeshTile* tile = nullptr;
        const dtPoly* poly = nullptr;
        const Polygon polygon = refs().polygon(ref);
        if (polygon == kNone || dtStatusFailed(nav_mesh.getTileAndPolyByRef(ref, &tile, &poly)))
            return tiles_changed();
        append_change(index_.mesh().data(), polygon, *poly, filter(), edits);
    }
    if (edits.empty()) return *this;
    auto index = index_.edited(edits);
    if (!index) return tl::unexpected(std::move(index.error()));
    return PathIndex(std::move(*index), shared_);
}

Result<PathIndex> PathIndex::completed(const BuildControl& control) const {
    auto index = index_.completed(control);
    if (!index) return tl::unexpected(std::move(index.error()));
    return PathIndex(std::move(*index), shared_);
}

bool PathIndex::reachable(dtPolyRef start, dtPolyRef end) const noexcept {
    return index_.reachable(refs().polygon(start), refs().polygon(end));
}

std::optional<NearestRef> PathIndex::nearest(const navmesh::Point& point,
                                             double radius) const noexcept {
    const auto found = index_.snapshot().locator.nearest(index_.mesh(), point, radius);
    if (!found) return std::nullopt;
    return NearestRef{refs().ref(found->place.polygon), found->place.point, found->distance};
}

}  // namespace cairn::detour
