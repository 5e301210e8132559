#pragma once
// The borders of a mesh's polygons, divided into walls and openings, and how far a point is from
// the nearest wall.
//
// Everything is seen from above. Distances are measured on the surface: a wall of another storey,
// or one behind a wall, does not count. The nearest wall is always in sight, so a search through
// openings finds it.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/memory.hpp"
#include "mesh/mesh_build.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

/// A point or a direction seen from above.
struct Flat {
    double x = 0;
    double z = 0;
    friend bool operator==(const Flat&, const Flat&) = default;
};
[[nodiscard]] inline Flat flat(const Point& p) noexcept { return {double{p.x}, double{p.z}}; }
[[nodiscard]] inline Flat operator+(Flat a, Flat b) noexcept { return {a.x + b.x, a.z + b.z}; }
[[nodiscard]] inline Flat operator-(Flat a, Flat b) noexcept { return {a.x - b.x, a.z - b.z}; }
[[nodiscard]] inline Flat operator*(Flat a, double s) noexcept { return {a.x * s, a.z * s}; }
[[nodiscard]] inline double dot(Flat a, Flat b) noexcept { return a.x * b.x + a.z * b.z; }
/// Positive if `b` points to the left of `a`.
[[nodiscard]] inline double cross(Flat a, Flat b) noexcept { return a.x * b.z - a.z * b.x; }
[[nodiscard]] inline double length(Flat a) noexcept { return std::sqrt(dot(a, a)); }
/// How far rounding may move a corner near a point.
[[nodiscard]] inline double noise(Flat at) noexcept {
    return 2 * kNoise * std::max(std::abs(at.x), std::abs(at.z));
}
/// The share of the way from a to b, 0 to 1, of the point nearest to `p`.
[[nodiscard]] inline double nearest_share(Flat a, Flat b, Flat p) noexcept {
    const Flat along = b - a;
    const double square = dot(along, along);
    const double share = square > 0 ? dot(p - a, along) / square : 0;
    return share > 0 ? (share < 1 ? share : 1) : 0;
}

/// A whole portal between two polygons with corners, over which agents may walk at least one way.
struct Opening {
    Polygon first = 0;
    Polygon second = 0;
    PortalEnds ends;    ///< as seen when leaving `first`
    bool forth = true;  ///< may be crossed from `first` to `second`
    bool back = true;   ///< and from `second` to `first`
    /// kNone: of two polygons with one without area between them.
    Portal portal = kNone;
};
/// 2 * opening + side, as a Link is of a portal.
using Side = std::uint32_t;

/// A piece of a polygon's border. The polygon lies to its left.
struct BorderPiece {
    Point begin;
    Point end;
    Side side = kNone;       ///< of the opening; kNone: a wall
    std::uint32_t edge = 0;  ///< the corner, counted in the polygon, where its edge begins

    [[nodiscard]] bool wall() const noexcept { return side == kNone; }
};

/// A piece of a border: the polygon, and the piece's place among those of the polygon.
struct PieceAt {
    Polygon polygon = kNone;
    std::uint32_t place = 0;
    friend bool operator==(const PieceAt&, const PieceAt&) = default;
};

/// The cone between two rays from the eye, which is the origin.
struct Cone {
    Flat right;
    Flat left;

    /// Angles up to this, in radians, may be rounding errors of the coordinates.
    static constexpr double kNoAngle = 1e-6;

    /// Whether a point lies in the cone, or only just beside it.
    [[nodiscard]] bool holds(Flat p) const noexcept {
        const double most = kNoAngle * length(p);
        return cross(right, p) >= -most * length(right) && cross(p, left) >= -most * length(left);
    }
    /// Cuts the segment from a to b, which turns left around the eye, to the part in the cone.
    /// False if nothing is seen of it.
    [[nodiscard]] bool clip(Flat& a, Flat& b) const noexcept {
        return keep_left(a, b, right) && keep_left(a, b, Flat{} - left) &&
               cross(a, b) > kNoAngle * length(a) * length(b);
    }

private:
    /// Cuts a segment to the part left of a line through the eye. False if that is empty.
    static bool keep_left(Flat& a, Flat& b, Flat line) noexcept {
        const double a_side = cross(line, a);
        const double b_side = cross(line, b);
        if (a_side <= 0 && b_side <= 0) return false;
        const auto crossing = [&] { return a + (b - a) * (a_side / (a_side - b_side)); };
        if (a_side < 0) {
            a = crossing();
        } else if (b_side < 0) {
            b = crossing();
        }
        return true;
    }
};

class Walls {
public:
    /// Through more polygons in a row nothing is seen: what lies beyond counts as a wall.
    static constexpr std::uint32_t kMostDepth = 1024;

    Walls() = default;
    /// Of the polygons that agents may enter. Portals of polygons that are not convex, folded or
    /// blocked, and portals that are points, count as walls; connections are left out. A polygon
    /// without area gets no border: the polygons on both sides of it open into each other where
    /// they face. O(n log n).
    explicit Walls(const MeshData& mesh);

    [[nodiscard]] std::uint32_t num_polygons() const noexcept {
        return static_cast<std::uint32_t>(first_.size() - 1);
    }
    [[nodiscard]] std::span<const Opening> openings() const noexcept { return openings_; }
    /// The border of a polygon in its order: none if agents may not enter it.
    [[nodiscard]] std::span<const BorderPiece> border(Polygon p) const noexcept {
        return {pieces_.data() + first_[p], first_[p + 1] - first_[p]};
    }
    [[nodiscard]] const BorderPiece& piece(PieceAt at) const noexcept {
        return pieces_[first_[at.polygon] + at.place];
    }
    /// The place of an opening in the border of its polygon.
    [[nodiscard]] PieceAt at(Side side) const noexcept {
        const Opening& opening = openings_[side / 2];
        return {(side & 1) == 0 ? opening.first : opening.second, place_[side]};
    }
    /// The piece after one, in the order of its polygon.
    [[nodiscard]] PieceAt after(PieceAt at) const noexcept {
        const std::uint32_t next = at.place + 1;
        return {at.polygon, next == first_[at.polygon + 1] - first_[at.polygon] ? 0 : next};
    }

    /// The point of a wall that is nearest to a point of a polygon.
    struct Nearest {
        double distance = 0;
        Flat point;
        Flat along;  ///< the wall's direction; the surface lies to its left
    };
    /// The nearest wall, or only `most` as the distance if none is nearer. O(polygons within that
    /// distance). Does not allocate.
    [[nodiscard]] Nearest nearest(Polygon polygon, Flat point, double most) const noexcept;
    /// Its distance.
    [[nodiscard]] double clearance(Polygon polygon, Flat point, double most) const noexcept {
        return nearest(polygon, point, most).distance;
    }

    /// Walks straight from a point of a polygon to another point.
    struct Walk {
        Polygon polygon = kNone;  ///< where it ends
        bool arrives = true;      ///< false: at a wall
    };
    [[nodiscard]] Walk walk(Polygon polygon, Flat from, Flat to) const noexcept;

    [[nodiscard]] std::size_t bytes() const noexcept {
        return memory_of(openings_, first_, pieces_, place_);
    }

private:
    std::vector<Opening> openings_;
    std::vector<std::uint32_t> first_{0};  // per polygon, and one more
    std::vector<BorderPiece> pieces_;      // polygon by polygon
    std::vector<std::uint32_t> place_;     // per side of an opening: see `at`
};

}  // namespace cairn::mesh
