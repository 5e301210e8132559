#pragma once
// Finds the polygon that contains a point, and the polygon nearest to a point.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

/// The result of Locator::nearest.
struct Nearest {
    Place place;          ///< a polygon, and its nearest point
    double distance = 0;  ///< to that point, in the units of the mesh
    friend bool operator==(const Nearest&, const Nearest&) = default;
};

struct LocatorData;

/// The polygons of a mesh in buckets, seen from above. Immutable and cheap to copy (copies share
/// everything). A locator serves only the mesh it was made for, and meshes that Mesh::edited makes
/// from that one. All members are const and may be called from any thread. A point that is not
/// finite is in no polygon and near none. Connections are never found.
class Locator {
public:
    /// A locator of a mesh without polygons.
    Locator() noexcept = default;
    /// O(polygons) in time and memory: about 50 bytes a polygon, at most twice that. Errors:
    /// out_of_memory.
    [[nodiscard]] static Result<Locator> create(const Mesh& mesh) noexcept;

    /// The locator of `after`, which before.changed() returned; `before` is a mesh that this
    /// locator serves. The result answers as a new locator of `after` does. Only the buckets of
    /// added and removed polygons are filled again. All buckets are made again if the mesh does not
    /// fit them any more: if it has doubled or halved, or an eighth of it lies beyond them. After a
    /// small change this takes about a fiftieth of the time of a new locator, and copies O(mesh)
    /// bytes. Errors: out_of_memory.
    [[nodiscard]] Result<Locator> changed(const Mesh& before, const Mesh& after) const noexcept;

    /// Of the polygons that contain `point`, seen from above, the one whose surface is nearest
    /// above or below, at most `height_tolerance` away. Blocked polygons are found, too. Edges
    /// belong to both polygons; of equally near polygons the lowest number is found. kNone if there
    /// is none. About 50 to 100 ns.
    [[nodiscard]] Polygon find(
        const Mesh& mesh, const Point& point,
        double height_tolerance = std::numeric_limits<double>::infinity()) const noexcept;

    /// The nearest polygon to `point` that is not blocked, within `radius`; of equally near
    /// polygons the lowest number. Distances are Detour's: straight up or down to a polygon that
    /// contains the point seen from above; otherwise in space, to the point of the polygon's border
    /// that is nearest seen from above. Fast if a polygon is near, O(polygons) at worst.
    [[nodiscard]] std::optional<Nearest> nearest(
        const Mesh& mesh, const Point& point,
        double radius = std::numeric_limits<double>::infinity()) const noexcept;

    /// The same among the polygons p with component[p] == wanted. `component` holds one number for
    /// each polygon, such as Reachability::components.
    [[nodiscard]] std::optional<Nearest> nearest(const Mesh& mesh, const Point& point,
                                                 double radius,
                                                 std::span<const std::uint32_t> component,
                                                 std::uint32_t wanted) const noexcept;

    /// The bytes that the locator takes, including memory shared with copies.
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// For Cairn's own parts. Not of a default-constructed locator.
    [[nodiscard]] const LocatorData& data() const noexcept { return *data_; }

private:
    std::shared_ptr<const LocatorData> data_;  // null without polygons
};

/// The y coordinate of a polygon's surface above or below `point`. If the point is outside the
/// polygon, that of the nearest point of its border. A polygon whose corners are not in one plane
/// is divided into triangles around its first corner. Needs a polygon that was not removed.
/// O(corners). Thread-safe.
[[nodiscard]] float height(const Mesh& mesh, Polygon polygon, const Point& point) noexcept;

}  // namespace cairn::mesh
