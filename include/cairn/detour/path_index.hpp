#pragma once
// An HNA* index of a dtNavMesh under a filter: what PathQuery asks.

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "cairn/control.hpp"
#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/poly_refs.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/mesh/point.hpp"
#include "cairn/status.hpp"

namespace cairn::detour {

struct PathIndexOptions {
    hna::Options hna;
    mesh::MeshOptions mesh;  ///< scoring, parts, units; the area costs are the filter's
};

/// A polygon near a point, and its point that is nearest.
struct NearestRef {
    dtPolyRef ref = 0;
    mesh::Point point;
    double distance = 0;
    friend bool operator==(const NearestRef&, const NearestRef&) = default;
};

/// Whether two filters give all polygons the same costs and let the same ones pass, as
/// dtQueryFilter does it: what a derived class overrides is not seen.
[[nodiscard]] bool same_filter(const dtQueryFilter& a, const dtQueryFilter& b) noexcept;

/// An immutable HNA* index of a dtNavMesh under a filter. Does not refer to the dtNavMesh; copies
/// share everything; const members may be called from any thread.
class PathIndex {
public:
    /// Reads the dtNavMesh, which must not change meanwhile. Errors: those of `convert` and of
    /// hna::Index::build. Time: theirs.
    [[nodiscard]] static Result<PathIndex> build(const dtNavMesh& nav_mesh,
                                                 const dtQueryFilter& filter,
                                                 const PathIndexOptions& options = {},
                                                 const BuildControl& control = {});

    /// The same around an index that is there already, such as one from a file. Errors: those of
    /// `convert`; wrong_map if the index is of another mesh than the conversion's.
    [[nodiscard]] static Result<PathIndex> adopt(hna::Index index, const dtNavMesh& nav_mesh,
                                                 const dtQueryFilter& filter);

    /// The index of the dtNavMesh as it is now, whatever was done since: tiles added, removed or
    /// replaced, setPolyFlags, setPolyArea. Only clusters with changes are redone; this index, and
    /// every query running on it, is untouched. Its answers are those of one built anew, but for
    /// which of equally good ones is given, and with this one's units of length while they fit. Has
    /// labels and table only if nothing changed, else when `with_labels`. O(polygons) and the edit.
    /// Numbers of polygons that were removed are not used again: build anew when
    /// index().mesh().num_gone() is large. Errors: those of Index::changed; stale_index for another
    /// dtNavMesh, whose references differ in shape.
    [[nodiscard]] Result<PathIndex> updated(const dtNavMesh& nav_mesh) const;
    /// The same after setPolyFlags and setPolyArea on these polygons alone, at which alone it
    /// looks. Errors: stale_index for a polygon that the dtNavMesh or this index does not have.
    [[nodiscard]] Result<PathIndex> updated(const dtNavMesh& nav_mesh,
                                            std::span<const dtPolyRef> changed) const;
    /// As hna::Index::with_labels.
    [[nodiscard]] Result<PathIndex> with_labels(const BuildControl& control = {}) const;

    [[nodiscard]] const hna::Index& index() const noexcept { return index_; }
    [[nodiscard]] const PolyRefs& refs() const noexcept { return shared_->refs; }
    [[nodiscard]] const dtQueryFilter& filter() const noexcept { return shared_->filter; }

    /// Whether a path leads from one polygon to another; false where either does not exist or the
    /// filter excludes it. No search: see hna::Index::reachable.
    [[nodiscard]] bool reachable(dtPolyRef start, dtPolyRef end) const noexcept;

    /// The polygon that the filter does not exclude, no connection, that is nearest to a point, up
    /// to `radius`: see mesh::Locator::nearest. Unlike findNearestPoly, which searches a box,
    /// and to which all polygons right above or below less than the climb are equally near.
    [[nodiscard]] std::optional<NearestRef> nearest(const mesh::Point& point,
                                                    double radius) const noexcept;

private:
    struct Shared {
        PolyRefs refs;
        dtQueryFilter filter;
    };
    PathIndex(hna::Index index, std::shared_ptr<const Shared> shared) noexcept
        : index_(std::move(index)), shared_(std::move(shared)) {}
    [[nodiscard]] Result<PathIndex> edited(std::span<const mesh::PolygonEdit> edits) const;

    hna::Index index_;
    std::shared_ptr<const Shared> shared_;
};

}  // namespace cairn::detour
