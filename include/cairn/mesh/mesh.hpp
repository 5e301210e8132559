#pragma once
// A navigation mesh: convex polygons in space, and the portals between them.
//
// V. Rahmani, N. Pelechano, "Towards multi-agent path finding with hierarchical navigation meshes"
// (HNA*), section 2. The paper's terms and ours:
//
//   cell, polygon     Polygon: a number from 0
//   portal            the piece of edge that two polygons share; link 2 * portal belongs to its
//                     first polygon, link 2 * portal + 1 to the second
//   edge e_ij         a link: "from polygon_of(link) one may cross to polygon_of(twin(link))"
//   c(e_ij)           see Scoring
//
// Scoring::portal_parts makes several portals of a long one: parts that have its ends, each to be
// crossed at a middle of its own.
//
// Off-mesh connections (ladders, jumps) are polygons of two corners whose portals are points.
// Polygons may lie above each other; they must be convex seen from above.

#include <array>
#include <cstddef>
#include <cstdint>
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
inline constexpr std::uint32_t kNone = 0xffff'ffff;

[[nodiscard]] constexpr Link twin(Link link) noexcept { return link ^ 1; }
[[nodiscard]] constexpr Portal portal_of(Link link) noexcept { return link >> 1; }

/// A point known to lie in a polygon, seen from above.
struct Place {
    Polygon polygon = kNone;
    Point point;
    friend bool operator==(const Place&, const Place&) = default;
};

/// What a path is scored by. Whatever the scoring, paths are straightened before they are walked.
enum class Scoring : std::uint8_t {
    /// Straight lines from the start over the middles of the portals to the goal, each as long as
    /// it is times the area cost of the polygon it lies in: Detour's.
    portal_midpoints,
    /// From polygon centre to polygon centre (section 2), half of the way at either polygon's area
    /// cost and never for nothing; the ends count as the centres of their polygons.
    polygon_centres,
    /// As portal_midpoints, with portals longer than MeshOptions::longest_part divided: gives the
    /// shortest paths, since one may bend wherever it has to and not only in the middle.
    portal_parts,
};

/// Area numbers are 0 to 63, as in Detour.
inline constexpr std::size_t kAreas = 64;

struct MeshOptions {
    Scoring scoring = Scoring::portal_midpoints;
    /// The cost of a unit of length in an area: 0.001 to 1,000, or infinity (or anything negative)
    /// where agents may not go.
    std::array<float, kAreas> area_costs = all_ones();
    /// Cost units to a unit of length; 0: the largest power of two, up to 2^16, with which no path
    /// over the mesh or an edit of it can reach kInfinity: the longest ways inside polygons from
    /// each portal add up to less than 2^30 where they are costliest, and the diagonal of the box
    /// around the mesh is less than 2^28.
    double units_per_length = 0;
    /// For Scoring::portal_parts, 0 for others: what is longer is divided into as few equal parts
    /// as make them no longer, 64 at most. 0: half the mean length of the portals that are not
    /// points, which is three parts a portal at the mean or fewer; Mesh::options then says what was
    /// chosen, when the mesh or a change of it first had such a portal.
    double longest_part = 0;

    [[nodiscard]] static constexpr std::array<float, kAreas> all_ones() noexcept {
        std::array<float, kAreas> costs{};
        for (float& cost : costs) cost = 1;
        return costs;
    }
    friend bool operator==(const MeshOptions&, const MeshOptions&) = default;
};

/// A portal as a mesh is made from it: a segment on the borders of both polygons, seen from above
/// and up to 1 % of their extent plus 0.01.
struct PortalSource {
    Polygon first = 0;
    Polygon second = 0;
    Point begin;
    Point end;
    bool forth = true;  ///< one may cross from first to second
    bool back = true;   ///< and from second to first
    friend bool operator==(const PortalSource&, const PortalSource&) = default;
};

/// An off-mesh connection from a point of one polygon to a point of another. An end that is kNone
/// is joined to nothing but by given portals: they may name a connection by its polygon's number,
/// beside a polygon with corners, and then are points at one of its ends.
struct ConnectionSource {
    Polygon from = 0;
    Polygon to = 0;
    Point begin;
    Point end;
    std::uint8_t area = 0;
    bool both_ways = true;
    friend bool operator==(const ConnectionSource&, const ConnectionSource&) = default;
};

/// What a mesh is made from; spans need not outlive the call.
struct MeshSource {
    std::span<const Point> vertices;
    /// The corners of polygon p are corners[first_corner[p]] up to, not including,
    /// corners[first_corner[p + 1]]: numbers of vertices around it, in either sense.
    std::span<const std::uint32_t> first_corner;
    std::span<const std::uint32_t> corners;
    /// A number for each polygon; none: all 0.
    std::span<const std::uint8_t> areas;
    /// Without any, polygons that have two neighbouring corners in common get a portal there.
    std::span<const PortalSource> portals;
    bool portals_given = false;  ///< `portals` is all there are, even if that is none
    /// Become polygons after those above, in order.
    std::span<const ConnectionSource> connections;
};

/// A change of single polygons.
struct PolygonEdit {
    Polygon polygon = 0;
    std::uint8_t area = 0;
    bool blocked = false;
};

/// A change of which polygons there are, for instance of those of a tile.
struct MeshChange {
    std::span<const Polygon> removed;
    /// Polygons get the numbers after those of the mesh, then connections. Its portals are all that
    /// the added ones have, whatever portals_given says; they and its connections may name polygons
    /// of the mesh that stay. Corners are numbers among the added vertices.
    MeshSource added;
    /// Edits of polygons that stay or are added, made at once.
    std::span<const PolygonEdit> edits{};
};

struct MeshData;

/// An immutable snapshot of a mesh, cheap to copy (copies share everything). All members are const
/// and may be called from any thread. Functions of a polygon, link or portal need one that exists.
class Mesh {
public:
    /// A mesh without polygons.
    Mesh();

    /// Checks a mesh and takes a copy. Islands, holes, and polygons that overlap seen from above
    /// are fine. Errors, with the polygon, vertex, portal or connection at fault:
    /// - bad_option: area costs out of range; units_per_length negative, not finite, or so coarse
    ///   that the middle way between portals of a polygon is below 8 units; longest_part negative,
    ///   not finite, or given with a scoring that has no parts;
    /// - corrupt_file: numbers or areas out of range; coordinates that are not finite or beyond
    ///   1e7; fewer than three corners, a corner twice or two that are one point seen from above,
    ///   an area seen from above of less than 1e-9, a polygon that is not convex (but for float
    ///   noise, 2^-20 of its largest coordinate) or runs around itself;
    ///   while portals are to be found: an edge of three polygons, or of two that lie on the same
    ///   side of it, or a corner inside the edge of another polygon along which an edge runs on
    ///   from there (a T-junction: give both polygons that corner, or portals);
    ///   a given portal that lies off its polygons' borders, joins a polygon to itself, or has both
    ///   on the same side; an end of a connection outside its polygon;
    /// - too_large: more than 2^26 polygons, corners or portals, 2^14 corners of a polygon or 2^28
    ///   ways inside polygons (if portals have parts, 2^22 and 2^13 for each); units_per_length
    ///   with which a path could reach kInfinity; or too many edges upon each other for T-junctions
    ///   to be looked for.
    /// O(n log n) and the number of ways inside polygons.
    [[nodiscard]] static Result<Mesh> build(const MeshSource& source,
                                            const MeshOptions& options = {});

    [[nodiscard]] const MeshOptions& options() const noexcept;
    [[nodiscard]] std::uint32_t num_polygons() const noexcept;
    [[nodiscard]] std::uint32_t num_portals() const noexcept;
    [[nodiscard]] std::uint32_t num_links() const noexcept { return 2 * num_portals(); }
    [[nodiscard]] std::span<const Point> vertices() const noexcept;

    /// Numbers of vertices; seen from above the sum of x_i z_(i+1) - x_(i+1) z_i is positive. Two
    /// for a connection: where it begins and ends.
    [[nodiscard]] std::span<const std::uint32_t> corners(Polygon polygon) const noexcept;
    [[nodiscard]] bool is_connection(Polygon polygon) const noexcept;
    /// Whether a change has removed it: it then has neither corners nor links, is blocked, of area
    /// 0, and its number is not used again.
    [[nodiscard]] bool is_gone(Polygon polygon) const noexcept;
    /// How many polygons were removed; num_polygons counts them too.
    [[nodiscard]] std::uint32_t num_gone() const noexcept;
    /// The mean of the corners.
    [[nodiscard]] Point centre(Polygon polygon) const noexcept;
    [[nodiscard]] std::uint8_t area(Polygon polygon) const noexcept;
    /// Whether no path may enter it: by an edit, or since its area's cost is infinite.
    [[nodiscard]] bool blocked(Polygon polygon) const noexcept;

    /// The links of a polygon: those of found portals in the order of its edges, given ones in the
    /// order they were given in, connections last.
    [[nodiscard]] std::span<const Link> links(Polygon polygon) const noexcept;
    /// kNone where a change has removed the portal.
    [[nodiscard]] Polygon polygon_of(Link link) const noexcept;
    /// The place of a link among those of its polygon.
    [[nodiscard]] std::uint32_t place(Link link) const noexcept;
    /// Whether one may cross a link, from its polygon to its twin's: not against a one-way portal,
    /// and neither polygon is blocked.
    [[nodiscard]] bool open(Link link) const noexcept;
    /// The ends of a link's portal, seen from above when leaving its polygon: with p a point of the
    /// polygon, (right - p) x (left - p) >= 0, where a x b = a.x b.z - a.z b.x.
    [[nodiscard]] Point left(Link link) const noexcept;
    [[nodiscard]] Point right(Link link) const noexcept;
    /// Where a path is scored to cross the portal: the middle of it, or of the part that it is.
    [[nodiscard]] Point midpoint(Link link) const noexcept;
    /// Which part of a divided portal it is, from 0; the parts of one have numbers in a row and the
    /// ends of the whole. 0 for portals that are not divided.
    [[nodiscard]] std::uint32_t part(Portal portal) const noexcept;

    /// Whether some portal may be crossed one way only, edits left aside. Where none may, the cost
    /// of a path is that of its reverse.
    [[nodiscard]] bool directed() const noexcept;

    /// Cost of the way inside a polygon, from its i-th link to its j-th. Symmetric; 0 for i == j.
    [[nodiscard]] Cost inside_cost(Polygon polygon, std::uint32_t i,
                                   std::uint32_t j) const noexcept;
    // The functions below take points anywhere: those so far off the mesh that a cost would be
    // 2^28 or more, or that are not numbers, cost that.

    /// Where a path to or from a point of a polygon ends for the scoring: there, or at the centre.
    [[nodiscard]] Point anchor(Polygon polygon, const Point& point) const noexcept;
    /// Cost of the way inside a polygon between an anchor and its i-th link.
    [[nodiscard]] Cost end_cost(Polygon polygon, const Point& anchor,
                                std::uint32_t i) const noexcept;
    /// Cost of the way inside a polygon between two anchors.
    [[nodiscard]] Cost direct_cost(Polygon polygon, const Point& a, const Point& b) const noexcept;
    /// No path from a link, its polygon still to be crossed, to an anchor costs less. Consistent
    /// with the costs above.
    [[nodiscard]] Cost bound(Link link, const Point& anchor) const noexcept;

    /// Cost units to a unit of length at area cost 1. Costs are rounded up to whole units.
    [[nodiscard]] double units_per_length() const noexcept;

    /// The mesh with some polygons blocked, freed, or of another area; the last edit of a polygon
    /// counts. This mesh stays as it is; all but two bytes a polygon and one a link is shared,
    /// inside costs only while areas stay. Errors: bad_option names a polygon or area out of range,
    /// or a polygon that was removed.
    /// O(polygons + links), and O(ways inside polygons) copied where areas change.
    [[nodiscard]] Result<Mesh> edited(std::span<const PolygonEdit> edits) const;

    /// The mesh with some polygons gone and others added; numbers stay. Polygons keep the order of
    /// the links that they keep, new ones come behind. Connections stay when what they join goes.
    /// This mesh stays as it is, and the changed one keeps its units, unless they were chosen here
    /// and no longer fit. Vertices that no polygon has any more stay in memory, as do the entries
    /// of polygons and portals that were removed: build anew when they are many.
    /// Errors: as `build` for what is added, with polygons named by their new numbers; bad_option
    /// names a removed polygon that does not exist or was removed, also by this list, or an edit as
    /// `edited` does. O(mesh).
    [[nodiscard]] Result<Mesh> changed(const MeshChange& change) const;

    /// A hash of the polygons, portals, areas, blocks and options. Equal meshes have equal ones.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
    /// All memory, what other snapshots share included.
    [[nodiscard]] std::size_t bytes() const noexcept;
    /// Whether all of that is equal; compares everything, once the fingerprints agree.
    friend bool operator==(const Mesh& a, const Mesh& b);

    /// For Cairn's own parts.
    [[nodiscard]] const MeshData& data() const noexcept { return *data_; }
    explicit Mesh(std::shared_ptr<const MeshData> data) noexcept : data_(std::move(data)) {}

private:
    std::shared_ptr<const MeshData> data_;
};

}  // namespace cairn::mesh
