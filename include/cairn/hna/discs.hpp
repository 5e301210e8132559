#pragma once
// HNA* for agents of several radii on one mesh.
//
//   const double radii[] = {0.3, 0.8, 2.0};
//   auto index = hna::DiscIndex::build(mesh, radii);
//   hna::DiscSearcher searcher;
//   hna::DiscAnswer answer;
//   searcher.find(*index, {.start = a, .goal = b, .radius = 0.5}, answer);
//
// Agents are discs, seen from above: see cairn/mesh/clearance.hpp, which says where they can stand
// and pass. The index holds the mesh cut along its narrow places, and an HNA* index of it for each
// radius that is named when it is built: its class. The indexes share the mesh, the partition and
// the locator. A query takes any radius up to the greatest one. If no narrow place tells it from a
// class, it uses the index of that class; otherwise A*.
//
// Guarantees. Complete: a path is found exactly where a disc can move from the start to the goal.
// Exact: the corridor is the cheapest, by the cut mesh's scoring, that crosses no narrow place
// narrower than the disc. The line keeps the radius from all walls; very rarely none is found (see
// cairn/mesh/disc_string.hpp).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/hna/hna.hpp"
#include "cairn/mesh/clearance.hpp"
#include "cairn/mesh/disc_string.hpp"

namespace cairn::hna {

struct DiscData;

/// An immutable index for discs. Copies share everything; const members may be called from any
/// thread.
class DiscIndex {
public:
    /// Builds the index of a mesh for some classes: radii above 0, in any order; at least one, at
    /// most 64. Errors: bad_option; as mesh::Clearance::build, and as Index::build of the cut mesh.
    /// After an edit of the mesh, build anew.
    [[nodiscard]] static Result<DiscIndex> build(const mesh::Mesh& mesh,
                                                 std::span<const double> radii,
                                                 const Options& options = {},
                                                 const BuildControl& control = {}) noexcept;

    /// Where discs can stand and pass, up to the greatest radius.
    [[nodiscard]] const mesh::Clearance& clearance() const noexcept;
    /// The radii of the classes, ascending.
    [[nodiscard]] std::span<const double> radii() const noexcept;
    /// The HNA* index of a class, i < radii().size(), over clearance().mesh().
    [[nodiscard]] const Index& index(std::size_t i) const noexcept;
    /// The class whose index serves a radius: no portal of the cut mesh is open for one and closed
    /// for the other. radii().size() if there is none. O(log portals).
    [[nodiscard]] std::size_t class_of(double radius) const noexcept;

    /// Whether a disc can move from a place of clearance().whole() to another: as
    /// mesh::Clearance::reachable.
    [[nodiscard]] StatusCode reachable(const mesh::Place& from, const mesh::Place& to,
                                       double radius) const noexcept;
    /// Sets `radius` to the greatest one for which reachable() is ok, at most radii().back(), but
    /// for rounding: it is ok for all smaller ones, too. Returns what reachable() does for radius
    /// 0; unless that is ok, `radius` becomes 0. O(log portals) times the time of reachable().
    [[nodiscard]] StatusCode widest(const mesh::Place& from, const mesh::Place& to,
                                    double& radius) const noexcept;
    /// The place of clearance().whole() for a place without a polygon, at most `reach` away, 0 to
    /// kMaxReach: as Query::start says. Its polygon is mesh::kNone if there is none. A place that
    /// has a polygon stays as it is.
    [[nodiscard]] mesh::Place located(const mesh::Place& place, double reach = 0.5) const noexcept;

    /// Bytes of all indexes, the cut mesh and the clearance; what the indexes share counts once.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    explicit DiscIndex(std::shared_ptr<const DiscData> data) noexcept : data_(std::move(data)) {}

    std::shared_ptr<const DiscData> data_;
};

struct DiscQuery {
    /// Places of clearance().whole(). One whose polygon is mesh::kNone is located first, as
    /// Query::start says. One that is too near to walls is moved by mesh::Clearance::make_room.
    mesh::Place start{};
    mesh::Place goal{};
    double radius = 0;  ///< 0 to the greatest of the index's radii
    Detail detail = Detail::path;
    double reach = 0.5;  ///< as Query::reach; also the most that a place is moved from walls
    SearchLimits limits{};
};

/// The answer to a query. Reuse one object for many queries: its memory is kept.
struct DiscAnswer {
    StatusCode status = StatusCode::no_path;
    /// The cost of the corridor in the cut mesh; kInfinity unless ok, and with Detail::reachable.
    Cost cost = kInfinity;
    mesh::Place start{};  ///< the places of the query, located and moved
    mesh::Place goal{};
    Engine engine = Engine::automatic;    ///< as Answer::engine
    std::vector<mesh::Link> links;        ///< the corridor: links of clearance().mesh()
    std::vector<mesh::Polygon> polygons;  ///< of clearance().whole(), through which it leads
    /// With Detail::path: the line of the disc. Empty if none was found: see mesh::DiscString.
    std::vector<mesh::DiscWaypoint> waypoints;
    double length = 0;  ///< of the line, seen from above
};

/// Answers queries on a DiscIndex. Holds the scratch memory; use one per thread.
class DiscSearcher {
public:
    DiscSearcher() noexcept;
    ~DiscSearcher();
    DiscSearcher(DiscSearcher&& other) noexcept;
    DiscSearcher& operator=(DiscSearcher&& other) noexcept;
    DiscSearcher(const DiscSearcher&) = delete;
    DiscSearcher& operator=(const DiscSearcher&) = delete;

    /// Answers a query. Returns answer.status: bad_option (radius or reach); that of
    /// DiscIndex::reachable if it is not ok; otherwise ok, or as Searcher::find says. Time: as
    /// Searcher::find on the index of the radius's class. Without a class A* searches, and the
    /// first query of a radius takes O(portals) more.
    StatusCode find(const DiscIndex& index, const DiscQuery& query, DiscAnswer& answer) noexcept;

    /// Bytes of scratch memory held now.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cairn::hna
