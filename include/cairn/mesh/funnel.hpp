#pragma once
// String pulling: the shortest line, seen from above, within a corridor of polygons.
//
// This is the funnel algorithm: B. Chazelle, "A theorem on polygon cutting with applications"
// (1982); D. T. Lee and F. P. Preparata, "Euclidean shortest paths in the presence of rectilinear
// barriers" (1984). Both sides of the funnel are kept, so that each portal is visited once:
// O(links) for any corridor.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

/// A point of a pulled string, in space. It lies on the portal of `link`, which is crossed there.
struct Waypoint {
    Point point;
    Link link = kNone;  ///< kNone: the start or the goal
    friend bool operator==(const Waypoint&, const Waypoint&) = default;
};

/// Which portals get a waypoint.
enum class Crossings : std::uint8_t {
    /// The portals where the string turns, one waypoint for each turn, and the portals that are
    /// points, which are the ends of connections. These are the fewest possible.
    corners,
    /// Also the portals where the area changes.
    areas,
    /// All portals: one waypoint for each link, in order; several may be at the same point. The
    /// line through them follows the ground from portal to portal.
    all,
};

/// Pulls strings. Holds the scratch memory: about 96 bytes for each link of the longest corridor so
/// far and 24 for each bend of the string with most bends. A corridor with no more links and bends
/// than earlier ones allocates nothing, if `out` has room. Use one object per thread.
class Funnel {
public:
    /// Writes the waypoints from `start` to `goal` into `out`, whose memory is reused; both are
    /// included. `start` lies in the polygon that the first link leaves, `goal` in the one that the
    /// last link enters. `links` must be a corridor: each link leaves the polygon that the one
    /// before it entered. It may be empty. Seen from above, no shorter line crosses the same
    /// portals in the same order. A divided portal may be crossed anywhere along its whole length.
    /// One exception: a path may cross a divided portal there and back, to walk along it on the
    /// cheaper side; then it crosses the parts in their middles. A start or goal outside its
    /// polygon still gives a line that crosses the portals. O(links).
    void pull(const Mesh& mesh, const Point& start, const Point& goal, std::span<const Link> links,
              std::vector<Waypoint>& out, Crossings crossings = Crossings::corners);

    /// Bytes of scratch memory held now. O(1).
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    // A bend that the string might make, seen from above: at an end of a portal, or at the goal.
    // Its place is the portal's position in the corridor; the goal comes behind the last portal.
    struct Bend {
        double x = 0;
        double z = 0;
        std::uint64_t end = 0;  // twice the place, plus 1 at the left end

        [[nodiscard]] std::size_t place() const noexcept { return end / 2; }
        [[nodiscard]] bool left() const noexcept { return end % 2 != 0; }
    };
    enum Side : std::uint8_t { kLeft, kRight };
    class Spans;

    [[nodiscard]] static Bend bend_at(const Point& point, std::size_t place, bool left) noexcept;
    [[nodiscard]] std::size_t list_ends(const Spans& spans, std::size_t place);
    void narrow(Side at, const Bend& portal_end);
    bool pass_apex(Side at, const Bend& bend);
    void bring_forward(Bend& bend, double behind) const noexcept;
    void append(const Bend& bend);
    void restart(const Bend& bend);
    void finish(const Bend& bend);

    std::vector<Bend> ends_;    // ends of portals, by list_ends, for narrow
    std::size_t num_ends_ = 0;  // how many of ends_ are in use
    std::vector<Bend> bends_;   // the left side outermost first, the apex, the right side
    std::uint32_t apex_ = 0;    // its position in bends_
    std::array<std::uint32_t, 2> sides_{};  // the position of each side's outermost bend
    std::array<Bend, 2> last_{};            // each side's end of the last portal visited
    Bend origin_;               // of the funnel: the start, or the last portal that is a point
    std::vector<Bend> string_;  // the bends of the string found so far
    std::size_t settled_ = 0;   // points of the string up to the last portal that is a point
};

/// The length of the line through `waypoints`, in space. O(waypoints). Thread-safe.
[[nodiscard]] double length(std::span<const Waypoint> waypoints) noexcept;

}  // namespace cairn::mesh
