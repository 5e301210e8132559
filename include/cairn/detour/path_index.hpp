#pragma once
// An HNA* index of a dtNavMesh under a filter, for PathQuery.

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/poly_refs.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/mesh/point.hpp"
#include "cairn/status.hpp"

namespace cairn::detour {

struct PathIndexOptions {
    hna::Options hna;
    mesh::MeshOptions mesh;  ///< scoring, parts, units; area costs come from the filter
};

/// The result of PathIndex::nearest.
struct NearestRef {
    dtPolyRef ref = 0;    ///< the polygon
    mesh::Point point;    ///< its nearest point
    double distance = 0;  ///< to that point, in the units of the mesh
    friend bool operator==(const NearestRef&, const NearestRef&) = default;
};

/// What a mesh has that another program might refuse; Cairn walks over it as Detour does.
struct MeshReport {
    struct Odd {
        dtPolyRef ref = 0;
        mesh::Oddity why = mesh::Oddity::none;
        friend bool operator==(const Odd&, const Odd&) = default;
    };
    std::vector<Odd> odd_polygons;    ///< by their number in the mesh
    std::uint32_t point_portals = 0;  ///< mesh::Mesh::num_point_portals
};

/// Whether two filters have equal area costs and flags, and both are plain_filter. O(1).
[[nodiscard]] bool same_filter(const dtQueryFilter& a, const dtQueryFilter& b) noexcept;

/// An immutable HNA* index of a dtNavMesh under a filter. It does not refer to the dtNavMesh. For
/// agents of several kinds see `with_filter`. Copies share everything; const members may be called
/// from any thread.
class PathIndex {
public:
    /// Converts the dtNavMesh and builds the index. Only reads the dtNavMesh, which must not change
    /// meanwhile. Errors and time: those of `convert` and of hna::Index::build.
    [[nodiscard]] static Result<PathIndex> build(const dtNavMesh& nav_mesh,
                                                 const dtQueryFilter& filter,
                                                 const PathIndexOptions& options = {},
                                                 const BuildControl& control = {}) noexcept;

    /// The same with an existing index, for instance from a file. Errors: those of `convert`;
    /// wrong_map if the index was not built over this dtNavMesh under this filter, or if `updated`
    /// made it after tiles had changed: its polygons have other numbers. Time: that of `convert`.
    [[nodiscard]] static Result<PathIndex> adopt(hna::Index index, const dtNavMesh& nav_mesh,
                                                 const dtQueryFilter& filter) noexcept;

    /// The index of the dtNavMesh under another filter, with this one's options. It shares with
    /// this index the polygons and portals, the partition, the locator and the references, and
    /// where only flags differ all else that no polygon with other flags affects. The answers are
    /// those of an index built from scratch, except that another path of equal cost may be found.
    /// Copies of `updated` indexes share less once tiles have changed: then make them anew from one
    /// of them. Only reads the dtNavMesh. Errors: those of `build`; stale_index if tiles have
    /// changed since this index was made: update it first. Time: at most that of `build`.
    [[nodiscard]] Result<PathIndex> with_filter(const dtNavMesh& nav_mesh,
                                                const dtQueryFilter& filter,
                                                const BuildControl& control = {}) const noexcept;

    /// The index of the dtNavMesh in its current state, after any of: tiles added, removed or
    /// replaced, setPolyFlags, setPolyArea. Only clusters with changes are rebuilt. This index, and
    /// every query running on it, does not change. The answers are those of an index built from
    /// scratch, except that another path of equal cost may be found, and that units_per_length is
    /// kept while it fits. The result has labels only if nothing changed; otherwise queries climb
    /// in the repaired closure until `with_labels`. Time: O(tiles + polygons), for the comparison,
    /// and that of hna::Index::changed. Numbers of removed polygons are not used again: build from
    /// scratch when index().mesh().num_removed() is large. Errors: those of hna::Index::changed;
    /// stale_index for another dtNavMesh, if it has room for another number of tiles or its
    /// references divide their bits in another way.
    [[nodiscard]] Result<PathIndex> updated(const dtNavMesh& nav_mesh) const noexcept;
    /// The same after setPolyFlags and setPolyArea on the polygons of `changed` only; other
    /// polygons are not examined. Errors: those of hna::Index::edited; stale_index for a polygon
    /// that the dtNavMesh or this index does not have.
    [[nodiscard]] Result<PathIndex> updated(const dtNavMesh& nav_mesh,
                                            std::span<const dtPolyRef> changed) const noexcept;
    /// The same after addTile and removeTile of the tiles of `changed` only: the references of
    /// those that were removed, and of those that were added. Flags and areas of other tiles are
    /// not examined, unless a named tile was both added and removed since this index was made: then
    /// all are. Errors: as `updated` for all polygons; bad_option for a reference of a tile number
    /// that the dtNavMesh has no room for. Time: that of hna::Index::changed, copies of
    /// 8 bytes a polygon, and O(polygons of these tiles and those around them).
    [[nodiscard]] Result<PathIndex> updated_tiles(
        const dtNavMesh& nav_mesh, std::span<const dtTileRef> changed) const noexcept;
    /// As hna::Index::with_labels.
    [[nodiscard]] Result<PathIndex> with_labels(const BuildControl& control = {}) const noexcept;

    [[nodiscard]] const hna::Index& index() const noexcept { return index_; }
    [[nodiscard]] const PolyRefs& refs() const noexcept { return *shared_->refs; }
    [[nodiscard]] const dtQueryFilter& filter() const noexcept { return shared_->filter; }

    /// Which polygons are odd, and why (mesh::OddPolygons). Errors: out_of_memory. O(polygons +
    /// portals).
    [[nodiscard]] Result<MeshReport> report() const noexcept;

    /// Whether a path leads from one polygon to another; false if either does not exist or the
    /// filter excludes it. No search: see hna::Index::reachable.
    [[nodiscard]] bool reachable(dtPolyRef start, dtPolyRef end) const noexcept;

    /// Whether a polygon exists and the filter lets agents walk on it. O(1).
    [[nodiscard]] bool walkable(dtPolyRef ref) const noexcept;
    /// How many polygons of a corridor can still be walked through, from its first one on:
    /// corridor.size() if all can. Otherwise the result is the place of the first polygon that is
    /// not `walkable`, or to which no link leads from the one before it. For a look-ahead, as in
    /// dtPathCorridor::isValid, pass only the first polygons. O(links of the polygons).
    [[nodiscard]] std::size_t walkable(std::span<const dtPolyRef> corridor) const noexcept;

    /// The polygon nearest to a point within `radius`, except connections and polygons that the
    /// filter excludes: see mesh::Locator::nearest. Detour's findNearestPoly, in contrast, searches
    /// a box, takes heights from the detail meshes, and counts all polygons that are less than the
    /// agent's climb above or below the point as equally near.
    [[nodiscard]] std::optional<NearestRef> nearest(const mesh::Point& point,
                                                    double radius) const noexcept;

private:
    struct Shared {
        std::shared_ptr<const PolyRefs> refs;
        dtQueryFilter filter;
    };
    [[nodiscard]] static PathIndex of(hna::Index index, PolyRefs refs, const dtQueryFilter& filter);
    PathIndex(hna::Index index, std::shared_ptr<const Shared> shared) noexcept
        : index_(std::move(index)), shared_(std::move(shared)) {}
    [[nodiscard]] Result<PathIndex> edited(std::span<const mesh::PolygonEdit> edits) const noexcept;
    [[nodiscard]] Result<PathIndex> updated_in(const dtNavMesh& nav_mesh,
                                               std::span<const int> tiles) const;

    hna::Index index_;
    std::shared_ptr<const Shared> shared_;
};

}  // namespace cairn::detour
