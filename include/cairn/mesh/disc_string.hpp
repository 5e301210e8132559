#pragma once
// String pulling for discs: a short line within the reach of a corridor that keeps a distance from
// all walls.
//
// The line is made of straight parts and of arcs around corners of walls. D. Demyen and M. Buro
// ("Efficient triangulation-based pathfinding", 2006) pull such strings in triangulations whose
// corners are all corners of walls. Here the corners come from the string of a point
// (cairn/mesh/funnel.hpp); then, as long as a wall is too near, its nearest point is added to them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/mesh/clearance.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/status.hpp"

namespace cairn::mesh {

/// How a line goes on after a point.
enum class Onwards : std::uint8_t {
    straight,   ///< straight to the next point
    arc_left,   ///< to the next point on the circle around `corner`, turning left
    arc_right,  ///< the same, turning right
};

/// A point of a line for a disc: where its centre is.
struct DiscWaypoint {
    Point point;
    Polygon polygon = kNone;  ///< of Clearance::whole(): holds the point
    Onwards onwards = Onwards::straight;
    Point corner;  ///< the centre of the arc that begins here
    friend bool operator==(const DiscWaypoint&, const DiscWaypoint&) = default;
};

struct Flat;

/// Pulls strings for discs. Holds the scratch memory: 4 bytes a polygon, and what grows with the
/// longest corridor; with both warmed it allocates nothing, if `out` has room. Use one object per
/// thread. Deterministic.
class DiscString {
public:
    /// Writes the line from `start` to `goal`, places of clearance.mesh(), into `out`, whose memory
    /// is reused. `links`: a corridor of that mesh that crosses only portals as wide as the disc.
    /// The line passes the same walls on the same side as the corridor, but may leave its polygons.
    /// Seen from above it keeps `radius` from all walls, and is as short as the corners that it
    /// passes allow. Inside a connection it leads straight from end to end.
    ///
    /// Errors: start_blocked, goal_blocked (a wall is too near); no_path if no line was found,
    /// which happens very rarely where polygons do not fit each other exactly (docs/radius.md says
    /// how often); out_of_memory. `out` is then empty. Time: O(links), and for each corner
    /// O(polygons within `radius` of the line).
    [[nodiscard]] StatusCode pull(const Clearance& clearance, double radius, const Place& start,
                                  const Place& goal, std::span<const Link> links,
                                  std::vector<DiscWaypoint>& out) noexcept;

    /// Bytes of scratch memory held now. O(1).
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    /// A point that the line passes at a distance.
    struct Corner {
        double x = 0;
        double z = 0;
        float y = 0;
        double radius = 0;  // how far away the line passes; 0 for the ends and corners of polygons
        int side = 0;       // 1: the corner lies to the left of the line; -1: to the right; 0: an
                            // end, or a corner that is passed on any side
        bool turned = false;  // whether the line turns around it
    };
    /// A straight part of the line.
    struct Part {
        double from_x = 0;
        double from_z = 0;
        double to_x = 0;
        double to_z = 0;
        [[nodiscard]] Flat along() const noexcept;
    };
    struct Trace;

    StatusCode section(const Clearance& clearance, double radius, Polygon first,
                       std::vector<DiscWaypoint>& out);
    bool tighten();
    bool turn_around_more();
    bool pull_tight();
    bool add(std::size_t k, const Corner& corner);
    static bool tangent(const Corner& a, const Corner& b, Part& part) noexcept;

    Funnel funnel_;
    std::vector<Waypoint> string_;
    std::vector<Corner> corners_;       // of the section, in the order in which it passes them
    std::vector<std::uint32_t> turns_;  // those that the line turns around, and its ends
    std::vector<Part> parts_;           // between them
    std::vector<std::uint32_t> seen_;
    std::uint32_t round_ = 0;  // polygons with this number in seen_ have been looked at
    std::vector<Polygon> open_;
};

/// A point of a line, more exact than a Point of the mesh.
struct LinePoint {
    double x = 0;
    double y = 0;
    double z = 0;
    friend bool operator==(const LinePoint&, const LinePoint&) = default;
};

/// Writes the line through `waypoints` into `out`, whose memory is reused, as a polyline: chords in
/// place of each arc, all as long, 1, 2, 4, ... or 4,096 of them, as many as it takes to be at most
/// `tolerance` away from the arc, seen from above. Heights along an arc grow evenly. Errors:
/// bad_option (`tolerance` is not above 0), out_of_memory; `out` is then empty. O(points).
/// Thread-safe, deterministic.
[[nodiscard]] StatusCode polyline(std::span<const DiscWaypoint> waypoints, double tolerance,
                                  std::vector<LinePoint>& out) noexcept;

/// The length of the line through `waypoints`, seen from above, arcs included. O(waypoints).
/// Thread-safe.
[[nodiscard]] double length(std::span<const DiscWaypoint> waypoints) noexcept;

}  // namespace cairn::mesh
