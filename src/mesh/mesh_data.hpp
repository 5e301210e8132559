#pragma once
// The arrays of a mesh, for the code that walks over them.
//
// MeshTopology holds what no edit of areas or blocked polygons changes, so snapshots share it. A
// removed polygon has neither corners nor links. The links of a removed portal have the polygon
// kNone and are in no polygon's list of links. A portal takes 24 bytes for its ends and 12 for its
// midpoint, a link 14, a polygon about 30 and 4 for each corner, a vertex 12, and a pair of links
// of a polygon 4 (MeshData::inside_costs).

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "cairn/mesh/mesh.hpp"
#include "core/host_device.hpp"

namespace cairn::mesh {

/// The difference of two points. Points store floats; computations use doubles.
struct Vector {
    double x = 0;
    double y = 0;
    double z = 0;
};

[[nodiscard]] CAIRN_HOST_DEVICE inline Vector operator-(const Point& a, const Point& b) noexcept {
    return {double{a.x} - double{b.x}, double{a.y} - double{b.y}, double{a.z} - double{b.z}};
}
/// The cross product seen from above. Positive if `b` points to the left of `a` in a picture in
/// which x goes right and z goes up.
[[nodiscard]] inline double cross(const Vector& a, const Vector& b) noexcept {
    return a.x * b.z - a.z * b.x;
}
[[nodiscard]] CAIRN_HOST_DEVICE inline double length(const Vector& v) noexcept {
    return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}
[[nodiscard]] CAIRN_HOST_DEVICE inline double distance(const Point& a, const Point& b) noexcept {
    return length(b - a);
}
[[nodiscard]] inline Point middle(const Point& a, const Point& b) noexcept {
    const auto half = [](float p, float q) {
        return static_cast<float>((double{p} + double{q}) / 2);
    };
    return {half(a.x, b.x), half(a.y, b.y), half(a.z, b.z)};
}

/// Whether two points, or other things with x and z, are the same point seen from above.
template <class At>
[[nodiscard]] bool same_seen_from_above(const At& a, const At& b) noexcept {
    return a.x == b.x && a.z == b.z;
}

/// The point at a share of the way from a to b: a if the share is 0 or less, b if it is 1 or more.
[[nodiscard]] inline Point between(const Point& a, const Point& b, double share) noexcept {
    if (!(share > 0)) return a;
    if (share >= 1) return b;
    const auto mix = [share](float p, float q) {
        return static_cast<float>(double{p} + (double{q} - double{p}) * share);
    };
    return {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z)};
}

/// The point of the segment from a to b that is nearest to p, seen from above.
[[nodiscard]] inline Point nearest_between(const Point& a, const Point& b,
                                           const Point& p) noexcept {
    const Vector along = b - a;
    const Vector to = p - a;
    const double squared = along.x * along.x + along.z * along.z;
    return squared > 0 ? between(a, b, (to.x * along.x + to.z * along.z) / squared) : a;
}

/// The greatest cost of a straight line inside a polygon. A line to a point off the mesh could cost
/// more: its cost is capped here.
inline constexpr double kCostliestLeg = 0x1p28;
[[nodiscard]] CAIRN_HOST_DEVICE inline Cost capped(double units) noexcept {
    return static_cast<Cost>(units < kCostliestLeg ? units : kCostliestLeg);
}
/// The cost of a length: rounded up, so that sums are never below the real cost.
[[nodiscard]] CAIRN_HOST_DEVICE inline Cost cost_of_length(double length, double factor,
                                                           double units) noexcept {
    return capped(std::ceil(length * factor * units));
}
/// The cost of a leg: between two links of a polygon, or between an anchor and a link. At least 1,
/// even between links at one point, so that no cycle costs 0.
[[nodiscard]] CAIRN_HOST_DEVICE inline Cost cost_of_leg(double length, double factor,
                                                        double units) noexcept {
    const Cost cost = cost_of_length(length, factor, units);
    return cost > 0 ? cost : 1;
}
/// A lower bound on the cost of a length: rounded down, and a little less, in case the square root
/// was rounded up.
[[nodiscard]] CAIRN_HOST_DEVICE inline Cost least_cost_of_length(double length, double least_factor,
                                                                 double units) noexcept {
    constexpr double kJustBelowOne = 1 - 0x1p-40;
    return capped(length * least_factor * units * kJustBelowOne);
}

/// Whether lines between points of a polygon may leave it.
[[nodiscard]] inline bool bends(Oddity oddity) noexcept {
    return oddity == Oddity::not_convex || oddity == Oddity::folded;
}

struct PortalEnds {
    Point left;   // of link 2 * portal
    Point right;  // of link 2 * portal
    friend bool operator==(const PortalEnds&, const PortalEnds&) = default;
};

/// The width of a portal that every agent may cross.
inline constexpr float kNoLimit = std::numeric_limits<float>::infinity();

struct MeshTopology {
    std::vector<Point> vertices;
    std::vector<std::uint32_t> first_corner{0};  // per polygon, and one more
    std::vector<std::uint32_t> corners;          // vertices, polygon by polygon
    std::vector<Point> centres;                  // per polygon
    std::vector<std::uint32_t> first_link{0};    // per polygon, and one more
    std::vector<Link> links;                     // polygon by polygon
    std::vector<Polygon> link_polygon;           // per link
    std::vector<std::uint32_t> link_place;       // per link: its index in its polygon's list
    std::vector<std::uint8_t> passable;          // per link: whether it can be crossed at all
    std::vector<PortalEnds> ends;                // per portal
    std::vector<Point> midpoints;                // per portal: its middle, or its part's
    std::vector<std::uint8_t> parts;           // per portal: its part's number (portal_parts only)
    std::vector<float> widths;                 // per portal; empty if none is limited
    std::vector<std::uint64_t> first_cost{0};  // per polygon, and one more: indices of inside_costs
    std::uint32_t connections = 0;             // how many polygons are connections
    std::uint32_t removed = 0;                 // how many polygons are removed
    bool changed = false;                      // whether it comes from a change of another mesh
    bool directed = false;                     // whether it has one-way portals
    std::uint64_t hash = 0;                    // of the above
    std::vector<Oddity> oddities;              // per polygon; empty if none is odd
    friend bool operator==(const MeshTopology&, const MeshTopology&) = default;

    [[nodiscard]] std::uint32_t num_polygons() const noexcept {
        return static_cast<std::uint32_t>(first_corner.size() - 1);
    }
    /// 2 for a connection, 0 for a removed polygon.
    [[nodiscard]] std::uint32_t num_corners(Polygon p) const noexcept {
        return first_corner[p + 1] - first_corner[p];
    }
    [[nodiscard]] bool is_connection(Polygon p) const noexcept { return num_corners(p) == 2; }
    [[nodiscard]] bool is_removed(Polygon p) const noexcept { return num_corners(p) == 0; }
    [[nodiscard]] Oddity oddity(Polygon p) const noexcept {
        return oddities.empty() ? Oddity::none : oddities[p];
    }
    [[nodiscard]] std::uint32_t part(Portal portal) const noexcept {
        return parts.empty() ? 0 : parts[portal];
    }
    [[nodiscard]] float width(Portal portal) const noexcept {
        return widths.empty() ? kNoLimit : widths[portal];
    }
    /// Whether two links belong to the same portal, or to parts of the same portal.
    [[nodiscard]] bool same_whole(Link a, Link b) const noexcept {
        return portal_of(a) - part(portal_of(a)) == portal_of(b) - part(portal_of(b));
    }
};

struct MeshData {
    std::shared_ptr<const MeshTopology> topology;
    MeshOptions options;
    std::array<double, kAreas> factors{};  // per area: its cost, or 1 where agents may not go
    double units = 1;                      // of cost per unit of length
    double least_factor = 1;               // the least factor of the open areas that occur
    double legs = 0;                       // the sum of the longest legs of all portals
    Point least;                           // the box around all vertices
    Point most;
    std::uint64_t fingerprint = 0;
    bool accepts_odd = false;           // as MeshSource::odd_polygons of one of its sources
    std::vector<std::uint8_t> areas;    // per polygon
    std::vector<std::uint8_t> blocked;  // per polygon, by edits
    std::vector<std::uint8_t> open;     // per link
    std::shared_ptr<const std::vector<Cost>> inside_costs;  // lower triangles, polygon by polygon
    /// Per link, only with Scoring::polygon_centres: the cost from the polygon's centre half of the
    /// way to the next polygon's centre.
    std::shared_ptr<const std::vector<Cost>> halves;

    [[nodiscard]] std::uint32_t num_polygons() const noexcept {
        return static_cast<std::uint32_t>(topology->first_link.size() - 1);
    }
    [[nodiscard]] std::uint32_t num_links() const noexcept {
        return static_cast<std::uint32_t>(topology->link_polygon.size());
    }
    [[nodiscard]] std::span<const Link> links(Polygon p) const noexcept {
        const MeshTopology& t = *topology;
        return {t.links.data() + t.first_link[p], t.first_link[p + 1] - t.first_link[p]};
    }
    [[nodiscard]] Polygon polygon_of(Link link) const noexcept {
        return topology->link_polygon[link];
    }
    [[nodiscard]] std::uint32_t place(Link link) const noexcept {
        return topology->link_place[link];
    }
    [[nodiscard]] const Point& midpoint(Link link) const noexcept {
        return topology->midpoints[portal_of(link)];
    }
    /// Where, among a polygon's costs in `inside_costs`, those between its i-th link and the links
    /// before it begin.
    [[nodiscard]] static constexpr std::uint64_t row(std::uint64_t i) noexcept {
        return i == 0 ? 0 : i * (i - 1) / 2;
    }
    /// The index, among a polygon's costs, of the cost between two different links of the polygon.
    [[nodiscard]] static constexpr std::uint64_t pair(std::uint32_t i, std::uint32_t j) noexcept {
        return i > j ? row(i) + j : row(j) + i;
    }
    [[nodiscard]] Cost inside_cost(Polygon p, std::uint32_t i, std::uint32_t j) const noexcept {
        return i == j ? 0 : (*inside_costs)[topology->first_cost[p] + pair(i, j)];
    }
    [[nodiscard]] double factor(Polygon p) const noexcept { return factors[areas[p]]; }
    /// Whether agents may not enter polygons of this area.
    [[nodiscard]] bool closed(std::uint8_t area) const noexcept {
        const float cost = options.area_costs[area];
        return cost < 0 || std::isinf(cost);
    }
    /// The cost of a leg of this length at an area's factor.
    [[nodiscard]] Cost leg_cost(double length, double factor) const noexcept {
        return cost_of_leg(length, factor, units);
    }
    // The functions of Mesh with these names, and least_cost: least_cost_of_length on this mesh.
    [[nodiscard]] Cost end_cost(Polygon p, const Point& anchor, std::uint32_t i) const noexcept {
        const Link link = links(p)[i];
        if (options.scoring == Scoring::polygon_centres) return (*halves)[link];
        return leg_cost(distance(anchor, midpoint(link)), factor(p));
    }
    [[nodiscard]] Cost direct_cost(Polygon p, const Point& a, const Point& b) const noexcept {
        return options.scoring == Scoring::polygon_centres
                   ? 0
                   : cost_of_length(distance(a, b), factor(p), units);
    }
    [[nodiscard]] Point anchor(Polygon p, const Point& point) const noexcept {
        return options.scoring == Scoring::polygon_centres ? topology->centres[p] : point;
    }
    [[nodiscard]] Cost least_cost(double length) const noexcept {
        return least_cost_of_length(length, least_factor, units);
    }
    [[nodiscard]] Cost bound(Link link, const Point& anchor) const noexcept {
        if (options.scoring != Scoring::polygon_centres)
            return least_cost(distance(midpoint(link), anchor));
        return (*halves)[link] + least_cost(distance(topology->centres[polygon_of(link)], anchor));
    }
};

}  // namespace cairn::mesh
