#pragma once
// Navigation meshes: convex polygons in space, and the portals between them.
//
// V. Rahmani, N. Pelechano, "Towards multi-agent path finding with hierarchical navigation meshes"
// (HNA*), section 2. The paper's terms and ours:
//
//   cell, polygon     Polygon: a number from 0
//   portal            Portal: the piece of edge that two polygons share, as a number from 0. It has
//                     two links: 2 * portal belongs to its first polygon, 2 * portal + 1 to the
//                     second
//   edge e_ij         Link: an agent may cross from polygon_of(link) to polygon_of(twin(link))
//   c(e_ij)           the cost of an edge: see Scoring
//
// Scoring::portal_parts divides a long portal into several: each part is crossed at its own middle.
//
// Off-mesh connections (ladders, jumps) are polygons of two corners whose portals are points.
// Polygons may lie above each other; they must be convex seen from above.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/mesh/point.hpp"
#include "cairn/status.hpp"

namespace cairn::mesh {

using Polygon = std::uint32_t;
using Portal = std::uint32_t;
/// One side of a portal: 2 * portal + side.
using Link = std::uint32_t;
/// No polygon, portal or link.
inline constexpr std::uint32_t kNone = 0xffff'ffff;

/// The other side of the link's portal.
[[nodiscard]] constexpr Link twin(Link link) noexcept { return link ^ 1; }
[[nodiscard]] constexpr Portal portal_of(Link link) noexcept { return link >> 1; }

/// A point, and the polygon that contains it, seen from above.
struct Place {
    Polygon polygon = kNone;
    Point point;
    friend bool operator==(const Place&, const Place&) = default;
};

/// How the cost of a path is computed. With any scoring the path is pulled tight before it is
/// walked, and every line that begins or ends at a portal costs at least 1 unit, even if its length
/// is 0. So only a path from a place to itself, or inside one polygon by polygon centres, costs 0.
enum class Scoring : std::uint8_t {
    /// Straight lines from the start over the midpoints of the portals to the goal. Each costs its
    /// length times the area cost of its polygon. This is Detour's scoring.
    portal_midpoints,
    /// Straight lines from polygon centre to polygon centre (section 2). Half of each line costs
    /// the area cost of the first polygon, half that of the second; each half costs at least 1
    /// unit. Start and goal count as the centres of their polygons.
    polygon_centres,
    /// As portal_midpoints, with portals longer than MeshOptions::longest_part divided into parts.
    /// Gives the shortest paths, since a path may bend in any part of a portal.
    portal_parts,
};

/// Area numbers are 0 to 63, as in Detour.
inline constexpr std::size_t kAreas = 64;

/// What keeps a polygon from being convex with an area.
enum class Oddity : std::uint8_t {
    none,
    no_area,     ///< seen from above it is a line or a point
    not_convex,  ///< it turns the wrong way at a corner
    folded,      ///< it runs around itself more than once, or has a corner twice
};

struct MeshOptions {
    Scoring scoring = Scoring::portal_midpoints;
    /// The cost of a unit of length in each area: 0.001 to 1,000. Infinity or a negative number
    /// closes the area to agents.
    std::array<float, kAreas> area_costs = all_ones();
    /// Cost units in a unit of length. 0 chooses the largest power of two, up to 2^16, for which no
    /// path over the mesh or an edit of it can reach kInfinity. It keeps two bounds, both at the
    /// highest area cost. The diagonal of the bounding box is below 2^28 units. Summed over all
    /// portals, the longest line from the portal inside its polygons, and 2 units for rounding, are
    /// below 2^30.
    double units_per_length = 0;
    /// The greatest length of a part, for Scoring::portal_parts; must be 0 for other scorings. A
    /// longer portal is divided into the fewest equal parts of at most this length, into 64 parts
    /// at most. 0 chooses the length of the longest portal divided by the largest whole number, at
    /// most 4,096, with which polygons have at most three times as many pairs of links as without
    /// parts: an index then takes about twice the bytes. Shorter parts give shorter paths, and take
    /// more bytes and time. The value is chosen when the mesh or a change of it first has a portal
    /// that is not a point; Mesh::options returns it.
    double longest_part = 0;
    /// The radius of the agents, 0 to 1e7: portals narrower than twice this are closed to them. See
    /// cairn/mesh/clearance.hpp for a mesh whose portals have widths.
    double radius = 0;

    [[nodiscard]] static constexpr std::array<float, kAreas> all_ones() noexcept {
        std::array<float, kAreas> costs{};
        for (float& cost : costs) cost = 1;
        return costs;
    }
    friend bool operator==(const MeshOptions&, const MeshOptions&) = default;
};

/// A portal of a MeshSource: a segment on the borders of both polygons, seen from above, with a
/// tolerance of 1 % of their extent plus 0.01.
struct PortalSource {
    Polygon first = 0;
    Polygon second = 0;
    Point begin;
    Point end;
    bool forth = true;  ///< may be crossed from first to second
    bool back = true;   ///< may be crossed from second to first
    /// Agents whose radius is at most half of this may cross. 0 or more; infinity for all.
    float width = std::numeric_limits<float>::infinity();
    friend bool operator==(const PortalSource&, const PortalSource&) = default;
};

/// An off-mesh connection from a point of one polygon to a point of another. If `from` or `to` is
/// kNone, only portals in MeshSource::portals join that end to the mesh. Such a portal joins the
/// connection, by the polygon number that it gets, to a polygon with corners; begin and end of the
/// portal are both the point at that end of the connection.
struct ConnectionSource {
    Polygon from = 0;
    Polygon to = 0;
    Point begin;
    Point end;
    std::uint8_t area = 0;
    bool both_ways = true;
    friend bool operator==(const ConnectionSource&, const ConnectionSource&) = default;
};

/// What Mesh::build does with odd polygons, with portals that do not lie on the borders of their
/// polygons or have both of them on one side, and with connections that land outside. Recast makes
/// such now and then.
enum class OddPolygons : std::uint8_t {
    refuse,
    /// They are walked over like others. A polygon without area holds no points, but is found as
    /// the nearest one. Portals are narrowed to their midpoints where nobody can tell left from
    /// right: portals of polygons that are not convex or folded, and those named above. So a string
    /// passes these midpoints. Inside a polygon that is not convex, it may leave it by as much as
    /// the polygon is dented.
    accept,
};

/// The input of Mesh::build, which copies what the spans hold.
struct MeshSource {
    std::span<const Point> vertices;
    /// The corners of polygon p are corners[first_corner[p]] up to, not including,
    /// corners[first_corner[p + 1]]: numbers of vertices around it, in either sense.
    std::span<const std::uint32_t> first_corner;
    std::span<const std::uint32_t> corners;
    /// The area of each polygon; empty: all 0.
    std::span<const std::uint8_t> areas;
    /// The portals. If empty, portals are found: polygons that share two neighbouring corners get
    /// one there.
    std::span<const PortalSource> portals;
    bool portals_given = false;  ///< find no portals, even if `portals` is empty
    /// Connections become polygons, numbered in order after the polygons above.
    std::span<const ConnectionSource> connections;
    OddPolygons odd_polygons = OddPolygons::refuse;
};

/// The new state of one polygon.
struct PolygonEdit {
    Polygon polygon = 0;
    std::uint8_t area = 0;
    bool blocked = false;  ///< false: open, unless its area is closed
};

/// Removes and adds polygons, for instance those of a tile.
struct MeshChange {
    std::span<const Polygon> removed;
    /// The added polygons are numbered after those of the mesh, and the added connections after
    /// these. They get exactly the portals given here: portals_given is ignored. Portals and
    /// connections may name polygons of the mesh that stay. Corners are indexes into the added
    /// vertices.
    MeshSource added;
    /// Edits of polygons that stay or are added, applied at the same time.
    std::span<const PolygonEdit> edits{};
};

struct MeshData;

/// An immutable snapshot of a mesh, cheap to copy (copies share everything). All members are const
/// and may be called from any thread. A polygon, link or portal that is passed must exist.
/// Accessors are O(1) unless they say otherwise.
class Mesh {
public:
    /// A mesh without polygons.
    Mesh();

    /// Checks a mesh and copies it. Islands, holes, and polygons that overlap seen from above are
    /// allowed. Errors name the polygon, vertex, portal or connection at fault:
    /// - bad_option: area costs out of range; units_per_length negative, not finite, or so coarse
    ///   that the median distance between portals of a polygon is below 8 units; longest_part
    ///   negative, not finite, or given with a scoring without parts; radius out of range;
    /// - corrupt_file: numbers or areas out of range; coordinates that are not finite or beyond
    ///   1e7; a polygon with fewer than three corners, with the same corner twice, with two corners
    ///   at one point seen from above or with an area seen from above of less than 1e-9; a polygon
    ///   that is not convex (with a tolerance of 2^-20 of its largest coordinate) or winds around
    ///   itself;
    ///   if portals are to be found: an edge of three polygons, or of two that lie on the same side
    ///   of it, or a T-junction, where a corner of one polygon lies inside an edge of another, and
    ///   an edge of the first runs along it from there (give both polygons that corner, or give the
    ///   portals);
    ///   a given portal that is not on the borders of its polygons, joins a polygon to itself or
    ///   one connection to another, has both polygons on the same side, or has a negative width; a
    ///   connection that ends outside its polygon;
    /// - too_large: more than 2^26 polygons, corners or portals, 2^28 vertices, 2^14 corners of a
    ///   polygon or 2^28 pairs of links in polygons (with Scoring::portal_parts also more than 2^22
    ///   pairs and 2^13 for each whole portal); units_per_length with which a path could reach
    ///   kInfinity; or too many overlapping edges for the search for T-junctions.
    /// O(n log n), and O(pairs of links in polygons).
    [[nodiscard]] static Result<Mesh> build(const MeshSource& source,
                                            const MeshOptions& options = {}) noexcept;

    [[nodiscard]] const MeshOptions& options() const noexcept;
    [[nodiscard]] std::uint32_t num_polygons() const noexcept;
    [[nodiscard]] std::uint32_t num_portals() const noexcept;
    [[nodiscard]] std::uint32_t num_links() const noexcept { return 2 * num_portals(); }
    [[nodiscard]] std::span<const Point> vertices() const noexcept;

    /// Indexes into vertices(), in the order around the polygon for which the sum of
    /// x_i z_(i+1) - x_(i+1) z_i is positive. A connection has two: its begin and its end.
    [[nodiscard]] std::span<const std::uint32_t> corners(Polygon polygon) const noexcept;
    [[nodiscard]] bool is_connection(Polygon polygon) const noexcept;
    /// Whether a change has removed the polygon. It then has no corners and no links, is blocked,
    /// has area 0, and its number is not used again.
    [[nodiscard]] bool is_removed(Polygon polygon) const noexcept;
    /// What is odd about a polygon.
    [[nodiscard]] Oddity oddity(Polygon polygon) const noexcept;
    /// The number of odd polygons. O(polygons) if there are any.
    [[nodiscard]] std::uint32_t num_odd() const noexcept;
    /// The number of portals that are points, those of connections not counted: given so, or
    /// narrowed because of OddPolygons::accept. O(portals).
    [[nodiscard]] std::uint32_t num_point_portals() const noexcept;
    /// The number of removed polygons; num_polygons counts them, too.
    [[nodiscard]] std::uint32_t num_removed() const noexcept;
    /// The mean of the corners.
    [[nodiscard]] Point centre(Polygon polygon) const noexcept;
    [[nodiscard]] std::uint8_t area(Polygon polygon) const noexcept;
    /// Whether no path may enter the polygon: because of an edit, or because its area is closed.
    [[nodiscard]] bool blocked(Polygon polygon) const noexcept;

    /// The links of a polygon: those of found portals in the order of its edges, of given portals
    /// in the order given, of connections last.
    [[nodiscard]] std::span<const Link> links(Polygon polygon) const noexcept;
    /// The polygon that a link leaves; kNone if a change has removed the portal.
    [[nodiscard]] Polygon polygon_of(Link link) const noexcept;
    /// The position of a link in links(polygon_of(link)).
    [[nodiscard]] std::uint32_t place(Link link) const noexcept;
    /// Whether agents may cross a link from its polygon to its twin's: not against a one-way
    /// portal, not if either polygon is blocked, and not if the portal is too narrow for them.
    [[nodiscard]] bool open(Link link) const noexcept;
    /// The ends of a link's portal, seen from above when leaving its polygon: with p a point of the
    /// polygon, (right - p) x (left - p) >= 0, where a x b = a.x b.z - a.z b.x.
    [[nodiscard]] Point left(Link link) const noexcept;
    [[nodiscard]] Point right(Link link) const noexcept;
    /// The point where scoring lets a path cross: the middle of the portal, or of its part.
    [[nodiscard]] Point midpoint(Link link) const noexcept;
    /// The number of the part that this is of a divided portal, from 0. Each part is a Portal; the
    /// parts have consecutive numbers, and their left() and right() are the ends of the whole
    /// portal. 0 for a portal that is not divided.
    [[nodiscard]] std::uint32_t part(Portal portal) const noexcept;
    /// PortalSource::width of the portal.
    [[nodiscard]] float width(Portal portal) const noexcept;

    /// Whether some portal can only be crossed one way, regardless of edits. If not, a path and its
    /// reverse cost the same.
    [[nodiscard]] bool directed() const noexcept;

    /// The cost inside a polygon from its i-th link to its j-th. Symmetric; 0 for i == j, else at
    /// least 1.
    [[nodiscard]] Cost inside_cost(Polygon polygon, std::uint32_t i,
                                   std::uint32_t j) const noexcept;
    // The functions below accept any point. A cost is at most 2^28: that is the cost for points far
    // off the mesh, and for points that are not numbers.

    /// The point where scoring lets a path begin or end: the point itself, or the polygon's centre.
    [[nodiscard]] Point anchor(Polygon polygon, const Point& point) const noexcept;
    /// The cost inside a polygon between an anchor and its i-th link; at least 1.
    [[nodiscard]] Cost end_cost(Polygon polygon, const Point& anchor,
                                std::uint32_t i) const noexcept;
    /// The cost inside a polygon between two anchors; 0 if they are the same point.
    [[nodiscard]] Cost direct_cost(Polygon polygon, const Point& a, const Point& b) const noexcept;
    /// A lower bound of the cost of a path from a link's portal, through its polygon, to an anchor
    /// in any polygon. Consistent with the costs above.
    [[nodiscard]] Cost bound(Link link, const Point& anchor) const noexcept;

    /// Cost units in a unit of length at area cost 1. Costs are rounded up to whole units.
    [[nodiscard]] double units_per_length() const noexcept;

    /// The mesh with some polygons blocked, freed, or of another area; the last edit of a polygon
    /// counts. This mesh does not change. The two share all but two bytes a polygon and one byte a
    /// link; if areas change, they do not share the costs inside polygons either. Errors:
    /// bad_option, with the polygon or area that is out of range, or the polygon that was removed.
    /// O(polygons + links); if areas change, also O(pairs of links in polygons).
    [[nodiscard]] Result<Mesh> edited(std::span<const PolygonEdit> edits) const noexcept;

    /// The mesh with other area costs, and with edits as `edited` takes them: for agents of another
    /// kind. This mesh does not change. The two share polygons and portals, but not the costs
    /// inside polygons. Its units_per_length is that of a `build` with these costs. Errors: as
    /// `build` for the area costs and units_per_length; as `edited`. O(mesh).
    [[nodiscard]] Result<Mesh> with_area_costs(
        const std::array<float, kAreas>& costs,
        std::span<const PolygonEdit> edits = {}) const noexcept;

    /// The mesh for agents of another radius (MeshOptions::radius). This mesh does not change. The
    /// two share all but a byte a link. Errors: bad_option. O(polygons + links).
    [[nodiscard]] Result<Mesh> with_radius(double radius) const noexcept;

    /// The mesh with some polygons removed and others added; numbers stay. Polygons keep the order
    /// of the links that remain; new links follow them. A connection stays even if a polygon that
    /// it joins is removed. This mesh does not change. The new mesh has the same units_per_length,
    /// unless it was chosen by `build` and no longer fits. Unused vertices and the entries of
    /// removed polygons and portals stay in memory: build the mesh from scratch when there are
    /// many. Errors: as `build` for the added polygons, named by their new numbers; bad_option,
    /// with the polygon to remove that does not exist, was removed before, or is listed twice, or
    /// for an edit, as `edited`. O(mesh), nearly all of it copies of whole arrays.
    [[nodiscard]] Result<Mesh> changed(const MeshChange& change) const noexcept;

    /// A hash of the polygons, portals, areas, blocks and options. Equal meshes have equal hashes.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
    /// The bytes of the mesh, including memory shared with other snapshots.
    [[nodiscard]] std::size_t bytes() const noexcept;
    /// Equal polygons, portals, areas, blocks and options. O(mesh) if the fingerprints are equal.
    friend bool operator==(const Mesh& a, const Mesh& b);

    /// For Cairn's own parts.
    [[nodiscard]] const MeshData& data() const noexcept { return *data_; }
    explicit Mesh(std::shared_ptr<const MeshData> data) noexcept : data_(std::move(data)) {}

private:
    std::shared_ptr<const MeshData> data_;
};

}  // namespace cairn::mesh
