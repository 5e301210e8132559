#include "cairn/detour/path_index.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/guarded.hpp"
#include "core/sort_unique.hpp"
#include "detour/detour_mesh.hpp"
#include "hna/snapshot.hpp"

namespace cairn::detour {
namespace {

using mesh::kNone;
using mesh::Polygon;
using mesh::PolygonEdit;

tl::unexpected<Status> tiles_changed() {
    return fail(StatusCode::stale_index,
                "the tile of a polygon was added, removed or replaced since the index was made: "
                "update the index for all polygons");
}

/// The polygons of `before` that are not in `now`.
std::vector<Polygon> removed_since(const PolyRefs& before, const PolyRefs& now) {
    std::vector<Polygon> removed;
    for (Polygon p = 0; p < before.num_polygons(); ++p) {
        if (before.ref(p) != now.ref(p)) removed.push_back(p);
    }
    return removed;
}

}  // namespace

bool same_filter(const dtQueryFilter& a, const dtQueryFilter& b) noexcept {
    bool same = plain_filter(a) && plain_filter(b) && a.getIncludeFlags() == b.getIncludeFlags() &&
                a.getExcludeFlags() == b.getExcludeFlags();
    for (int area = 0; area < DT_MAX_AREAS; ++area)
        same &= a.getAreaCost(area) == b.getAreaCost(area);
    return same;
}

PathIndex PathIndex::of(hna::Index index, PolyRefs refs, const dtQueryFilter& filter) {
    return {std::move(index), std::make_shared<const Shared>(Shared{
                                  std::make_shared<const PolyRefs>(std::move(refs)), filter})};
}

Result<PathIndex> PathIndex::build(const dtNavMesh& nav_mesh, const dtQueryFilter& filter,
                                   const PathIndexOptions& options,
                                   const BuildControl& control) noexcept try {
    auto converted = convert(nav_mesh, filter, options.mesh);
    if (!converted) return tl::unexpected(std::move(converted.error()));
    auto index = hna::Index::build(converted->mesh, options.hna, control);
    if (!index) return tl::unexpected(std::move(index.error()));
    return of(std::move(*index), std::move(converted->refs), filter);
} catch (...) {
    return out_of_memory();
}

Result<PathIndex> PathIndex::adopt(hna::Index index, const dtNavMesh& nav_mesh,
                                   const dtQueryFilter& filter) noexcept try {
    auto converted = convert(nav_mesh, filter, index.mesh().options());
    if (!converted) return tl::unexpected(std::move(converted.error()));
    if (converted->mesh != index.mesh())
        return fail(StatusCode::wrong_map, "the index belongs to another dtNavMesh or filter");
    return of(std::move(index), std::move(converted->refs), filter);
} catch (...) {
    return out_of_memory();
}

Result<PathIndex> PathIndex::with_filter(const dtNavMesh& nav_mesh, const dtQueryFilter& filter,
                                         const BuildControl& control) const noexcept try {
    if (!plain_filter(filter)) return derived_filter();
    const auto now = refs().updated(nav_mesh, index_.mesh());
    if (!now) return tl::unexpected(now.error());
    if (!removed_since(refs(), *now).empty() || now->num_polygons() != refs().num_polygons())
        return tiles_changed();
    const std::vector<PolygonEdit> edits =
        changes_since(index_.mesh().data(), nav_mesh, refs(), filter, all_tiles(nav_mesh));
    const auto costs = area_costs_of(filter);
    const auto make = [&]() -> Result<hna::Index> {
        if (costs != index_.mesh().options().area_costs)
            return index_.with_area_costs(costs, edits, control);
        if (edits.empty()) return index_.with_labels(control);
        const auto edited = index_.edited(edits);
        return edited ? edited->with_labels(control) : edited;
    };
    auto index = make();
    if (!index) return tl::unexpected(std::move(index.error()));
    return PathIndex(std::move(*index),
                     std::make_shared<const Shared>(Shared{shared_->refs, filter}));
} catch (...) {
    return out_of_memory();
}

Result<MeshReport> PathIndex::report() const noexcept try {
    const mesh::Mesh& mesh = index_.mesh();
    MeshReport report;
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (const mesh::Oddity why = mesh.oddity(p); why != mesh::Oddity::none)
            report.odd_polygons.push_back({refs().ref(p), why});
    }
    report.point_portals = mesh.num_point_portals();
    return report;
} catch (...) {
    return out_of_memory();
}

Result<PathIndex> PathIndex::updated(const dtNavMesh& nav_mesh) const noexcept try {
    return updated_in(nav_mesh, all_tiles(nav_mesh));
} catch (...) {
    return out_of_memory();
}

Result<PathIndex> PathIndex::updated_tiles(const dtNavMesh& nav_mesh,
                                           std::span<const dtTileRef> changed) const noexcept try {
    std::vector<int> tiles;
    for (const dtTileRef ref : changed) {
        const auto t = static_cast<int>(nav_mesh.decodePolyIdTile(ref));
        if (t >= nav_mesh.getMaxTiles()) {
            return fail(StatusCode::bad_option,
                        fmt::format("{} is no reference of a tile: the dtNavMesh has room for {} "
                                    "tiles, not for one of number {}",
                                    ref, nav_mesh.getMaxTiles(), t));
        }
        const dtMeshTile& tile = *nav_mesh.getTile(t);
        const bool here = tile.header != nullptr && tile.salt == nav_mesh.decodePolyIdSalt(ref);
        // A tile that came and went since: nobody knows around where it has moved connections.
        if (!here && refs().polygon(ref) == kNone) return updated(nav_mesh);
        tiles.push_back(t);
        if (tile.header != nullptr) append_around(nav_mesh, tile, tiles);
    }
    sort_unique(tiles);
    return updated_in(nav_mesh, tiles);
} catch (...) {
    return out_of_memory();
}

Result<PathIndex> PathIndex::updated_in(const dtNavMesh& nav_mesh,
                                        std::span<const int> tiles) const {
    auto now = refs().updated(nav_mesh, index_.mesh(), tiles);
    if (!now) return tl::unexpected(std::move(now.error()));
    const std::vector<PolygonEdit> edits =
        changes_since(index_.mesh().data(), nav_mesh, *now, filter(), tiles);
    const std::vector<Polygon> removed = removed_since(refs(), *now);
    if (removed.empty() && now->num_polygons() == refs().num_polygons()) return edited(edits);
    const auto image = value_of(added_image(nav_mesh, *now, refs().num_polygons()));
    auto index = index_.changed({removed, image.source(), edits});
    if (!index) return tl::unexpected(std::move(index.error()));
    return of(std::move(*index), std::move(*now), filter());
}

Result<PathIndex> PathIndex::updated(const dtNavMesh& nav_mesh,
                                     std::span<const dtPolyRef> changed) const noexcept try {
    std::vector<PolygonEdit> edits;
    for (const dtPolyRef ref : changed) {
        const dtMeshTile* tile = nullptr;
        const dtPoly* poly = nullptr;
        const Polygon polygon = refs().polygon(ref);
        if (polygon == kNone || dtStatusFailed(nav_mesh.getTileAndPolyByRef(ref, &tile, &poly)))
            return tiles_changed();
        append_change(index_.mesh().data(), polygon, *poly, filter(), edits);
    }
    return edited(edits);
} catch (...) {
    return out_of_memory();
}

Result<PathIndex> PathIndex::edited(std::span<const PolygonEdit> edits) const noexcept try {
    if (edits.empty()) return *this;
    auto index = index_.edited(edits);
    if (!index) return tl::unexpected(std::move(index.error()));
    return PathIndex(std::move(*index), shared_);
} catch (...) {
    return out_of_memory();
}

Result<PathIndex> PathIndex::with_labels(const BuildControl& control) const noexcept try {
    auto index = index_.with_labels(control);
    if (!index) return tl::unexpected(std::move(index.error()));
    return PathIndex(std::move(*index), shared_);
} catch (...) {
    return out_of_memory();
}

bool PathIndex::reachable(dtPolyRef start, dtPolyRef end) const noexcept {
    return index_.reachable(refs().polygon(start), refs().polygon(end)) == StatusCode::ok;
}

bool PathIndex::walkable(dtPolyRef ref) const noexcept {
    const Polygon polygon = refs().polygon(ref);
    return polygon != kNone && !index_.mesh().blocked(polygon);
}

std::size_t PathIndex::walkable(std::span<const dtPolyRef> corridor) const noexcept {
    const mesh::MeshData& mesh = index_.mesh().data();
    for (std::size_t i = 0; i < corridor.size(); ++i) {
        if (!walkable(corridor[i])) return i;
        if (i > 0 && link_between(mesh, refs().polygon(corridor[i - 1]),
                                  refs().polygon(corridor[i]), kNone) == kNone)
            return i;
    }
    return corridor.size();
}

std::optional<NearestRef> PathIndex::nearest(const mesh::Point& point,
                                             double radius) const noexcept {
    const auto found = index_.snapshot().locator.nearest(index_.mesh(), point, radius);
    if (!found) return std::nullopt;
    return NearestRef{refs().ref(found->place.polygon), found->place.point, found->distance};
}

}  // namespace cairn::detour
