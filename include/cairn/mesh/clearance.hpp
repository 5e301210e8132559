#pragma once
// One mesh for agents of every radius: where discs can stand and pass.
//
// Agents are discs, seen from above. A disc of radius r may stand where every wall on the surface
// is at least r away from its centre: a wall of another storey does not count, nor one behind a
// wall. Walls are the borders of polygons over which no agent may leave, and those of blocked
// polygons. A mesh that was built for a radius has its walls drawn back by it: give the rest of
// the agent's radius here.
//
// Where discs can pass is decided by gates. A gate is a straight line from wall to wall that is the
// diameter of a disc with no wall inside: a narrow place between two local maxima of the clearance,
// where the medial axis of the walls has a minimum. Two discs of radius r can reach each other
// exactly where a line leads from one to the other that crosses no gate narrower than 2 r. So the
// mesh is cut along its gates. Its polygons become pieces, with portals in the gates that have
// their widths, and a planner for some radius searches that mesh without the narrower portals:
//
//   auto clearance = mesh::Clearance::build(mesh);
//   auto index = hna::Index::build(clearance->mesh().with_radius(0.5).value());
//
// Gates between corners are edges of the Gabriel graph (K. R. Gabriel, R. R. Sokal, "A new
// statistical approach to geographic variation analysis", 1969). On the medial axis they are the
// narrowest places of R. Geraerts, "Planning short paths with clearance using explicit corridors"
// (2010). D. Demyen, M. Buro ("Efficient triangulation-based pathfinding", 2006) and M. Kallmann
// ("Dynamic and robust local clearance triangulations", 2014) find their widths in triangulations.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "cairn/control.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/status.hpp"

namespace cairn::mesh {

struct ClearanceOptions {
    /// The greatest radius that agents have: the mesh is cut only along gates narrower than twice
    /// this. 0: any radius.
    double most_radius = 0;
};

/// A narrow place of a mesh. Seen from above it is a straight line from wall to wall.
struct Gate {
    double begin_x = 0;
    double begin_z = 0;
    double end_x = 0;
    double end_z = 0;
    double width = 0;  ///< from begin to end
};

struct ClearanceData;

/// Where discs can stand and pass on a mesh. An immutable snapshot, cheap to copy. All members are
/// const and may be called from any thread.
class Clearance {
public:
    /// Of a mesh without polygons.
    Clearance();

    /// Finds the gates of a mesh and cuts it. Polygons that are not convex or folded, and portals
    /// that are points, count as walls for radii above 0. Widths of its portals and
    /// MeshOptions::radius do not count. Errors: bad_option; cancelled; as Mesh::build for the cut
    /// mesh. Time: O(corners) times the polygons in sight of a corner and not behind a nearer wall,
    /// and O(gates squared) for the gates that cross one polygon.
    [[nodiscard]] static Result<Clearance> build(const Mesh& mesh,
                                                 const ClearanceOptions& options = {},
                                                 const BuildControl& control = {}) noexcept;

    [[nodiscard]] const ClearanceOptions& options() const noexcept;
    /// The mesh that was cut.
    [[nodiscard]] const Mesh& whole() const noexcept;
    /// The cut mesh. Its polygons are pieces of those of whole(), in their order, and then the
    /// connections. Portals in gates have the gate's width, and portals at which a connection lands
    /// twice the distance of the nearest wall; its options are those of whole(), for radius 0.
    [[nodiscard]] const Mesh& mesh() const noexcept;
    /// The polygon of whole() of which a polygon of mesh() is a piece.
    [[nodiscard]] Polygon origin(Polygon piece) const noexcept;
    /// The pieces of a polygon of whole().
    [[nodiscard]] std::span<const Polygon> pieces(Polygon polygon) const noexcept;
    /// The place in mesh() of a place in whole(). O(pieces of the polygon).
    [[nodiscard]] Place place(const Place& place) const noexcept;
    /// The gates along which the mesh was cut, narrowest first.
    [[nodiscard]] std::span<const Gate> gates() const noexcept;

    /// How far the nearest wall is from a place of mesh(), but at most `most`: infinity if there is
    /// no wall and no `most`. 0 in a blocked polygon, in one that counts as a wall, and where more
    /// than 64 polygons of whole() meet. What lies behind 1,024 of them in a row counts as a wall.
    /// O(polygons within that distance). Does not allocate.
    [[nodiscard]] double clearance(const Place& place, double most) const noexcept;

    /// A place of whole() near a given one where a disc can stand: that place itself, or one to
    /// which the disc gets by moving straight away from the nearest wall, again and again. It is
    /// at most `reach` away, seen from above, but not always the nearest. A point can walk there
    /// and back. Nothing if this finds none, as in a gap that is too narrow; if a number is
    /// negative or not one; or without memory. At most 64 times the time of clearance(), and with
    /// one-way portals that of reachable(); only these allocate.
    [[nodiscard]] std::optional<Place> make_room(const Place& place, double radius,
                                                 double reach) const noexcept;

    /// ok if a disc can move from a place of mesh() to another; otherwise start_outside or
    /// goal_outside (no such polygon), start_blocked or goal_blocked (it cannot stand there),
    /// no_path, bad_option (a radius that is negative or above most_radius), or out_of_memory.
    /// Monotone: a radius that is ok stays so for all smaller ones. With one-way portals a disc
    /// that is ok can also move there; else the answer is the same for both directions. Time: that
    /// of clearance() for both places, and O(log pieces); with one-way portals also O(one-way
    /// portals squared).
    [[nodiscard]] StatusCode reachable(const Place& from, const Place& to,
                                       double radius) const noexcept;

    /// The bytes of this object, without whole() and mesh().
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// For Cairn's own parts.
    [[nodiscard]] const ClearanceData& data() const noexcept { return *data_; }

private:
    explicit Clearance(std::shared_ptr<const ClearanceData> data) noexcept
        : data_(std::move(data)) {}

    std::shared_ptr<const ClearanceData> data_;
};

}  // namespace cairn::mesh
