#pragma once
// Which polygon a point is in, and which is nearest to it.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

/// What Locator::nearest finds.
struct Nearest {
    Place place;          ///< a polygon, and the point of it that is nearest
    double distance = 0;  ///< to that point
    friend bool operator==(const Nearest&, const Nearest&) = default;
};

struct LocatorData;

/// The polygons of a mesh in buckets, seen from above. Immutable and cheap to copy (copies share
/// everything); it serves the mesh it was made for and all that come from that by edits, no
/// others. All members are const and may be called from any thread. Points that are not finite are
/// in no polygon and near none. Connections are never found.
class Locator {
public:
    /// A locator of a mesh without polygons.
    Locator();
    /// O(polygons) in time and memory, some 40 bytes a polygon, twice that at most.
    explicit Locator(const Mesh& mesh);

    /// The locator of `after`, which before.changed() made of the mesh that this one serves. Its
    /// answers are those of one made afresh. Only buckets of polygons that came or went are filled
    /// again; all are cut anew where the mesh has outgrown them: doubled or halved since, or with
    /// an eighth of it beyond them. A fiftieth of the time of a fresh one where little changes;
    /// O(mesh) copied.
    [[nodiscard]] Locator changed(const Mesh& before, const Mesh& after) const;

    /// The polygon that contains `point`, seen from above, and whose surface is nearest to it above
    /// or below, up to `height_tolerance`; blocked ones count. Edges belong to both polygons, and
    /// of equally near ones the lowest number is found. kNone if there is none. Some 50 to 100 ns.
    [[nodiscard]] Polygon find(
        const Mesh& mesh, const Point& point,
        double height_tolerance = std::numeric_limits<double>::infinity()) const noexcept;

    /// The polygon, not blocked, that is nearest to `point`, up to `radius`; of equally near ones
    /// the lowest number. Distances are Detour's: straight up or down to a polygon that contains
    /// the point seen from above, else in space to the point of its border that is nearest seen
    /// from above. Fast where something is near, O(polygons) at worst.
    [[nodiscard]] std::optional<Nearest> nearest(
        const Mesh& mesh, const Point& point,
        double radius = std::numeric_limits<double>::infinity()) const noexcept;

    /// The same among the polygons p with component[p] == wanted. `component` has a number for each
    /// polygon, such as those of Reachability.
    [[nodiscard]] std::optional<Nearest> nearest(const Mesh& mesh, const Point& point,
                                                 double radius,
                                                 std::span<const std::uint32_t> component,
                                                 std::uint32_t wanted) const noexcept;

    [[nodiscard]] std::size_t bytes() const noexcept;

    /// For Cairn's own parts.
    [[nodiscard]] const LocatorData& data() const noexcept { return *data_; }

private:
    std::shared_ptr<const LocatorData> data_;
};

/// The height of a polygon's surface above or below `point`; beside the polygon, that of the
/// nearest point of its border. Corners not in one plane are joined by triangles around the first
/// of them. O(corners). Thread-safe.
[[nodiscard]] float height(const Mesh& mesh, Polygon polygon, const Point& point) noexcept;

}  // namespace cairn::mesh
