#pragma once
// Queries of HNA* and their answers. S and G are the start and the goal, as in the paper; HNG is
// the hierarchical navigation graph (cairn/hna/index.hpp).

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/search_statistics.hpp"
#include "cairn/status.hpp"

namespace cairn {
struct Field;
}

namespace cairn::hna {

/// How much an answer holds; each value includes the ones before it.
enum class Detail : std::uint8_t {
    reachable,      ///< only whether there is a path of any cost: no search
    cost,           ///< the cost of the best path
    abstract_path,  ///< the inter-edges of this path
    corridor,       ///< every polygon and portal
    path,           ///< the waypoints: the string pulled tight in the corridor
};

/// How the HNG is searched. All engines give the same cost.
enum class Engine : std::uint8_t {
    automatic,   ///< labels if the index has them, otherwise climb if it has the closure, otherwise
                 ///< astar
    astar,       ///< the paper's: A* on the HNG of the top level (algorithm 1), or on that of level
                 ///< 1, as Query::search_level says
    cut_labels,  ///< two-hop labels from a separator tree, over the HNG of level 1
    climb,       ///< the same cost and path from the labels' closure, which takes fewer bytes
};

/// Which HNG Engine::astar searches. There is one of level 1 and one of the top level. The other
/// engines ignore this. On either level the cost is the least.
enum class SearchLevel : std::uint8_t {
    automatic,  ///< the top level; level 1 if S and G share a cluster of the top level, or if
                ///< ConnectBy::search would search top clusters so large that A* on level 1 is
                ///< faster
    first,      ///< level 1
    top,        ///< the top level. If S and G share one of its clusters, a search inside this
                ///< cluster finds the paths that do not leave it
};

/// How Engine::astar connects S and G to the inter-edges of their top clusters (section 5). The
/// other engines, and A* on a level below the top, use the rows of level 1.
enum class ConnectBy : std::uint8_t {
    automatic,  ///< by tables if the index has them, otherwise by a search
    tables,     ///< pre-calculated connecting paths, as Options::pccp says
    search,     ///< one search from S and one from G, inside their top clusters
    portals,    ///< pre-calculated paths from portals, which an index with those from centres has,
                ///< too
};

/// The greatest Query::reach, in the units of the mesh.
inline constexpr double kMaxReach = 1e30;

/// A query and its options.
struct Query {
    /// A place whose polygon is mesh::kNone is located first: its polygon is the nearest one above
    /// or below its point, or else beside it (see `reach`).
    mesh::Place start{};
    mesh::Place goal{};
    Detail detail = Detail::path;
    Engine engine = Engine::automatic;
    ConnectBy connect = ConnectBy::automatic;
    SearchLevel search_level = SearchLevel::automatic;
    mesh::Crossings crossings = mesh::Crossings::corners;  ///< which become waypoints
    /// With Detail::corridor and path: move the cheapest corridor over corners inside the mesh that
    /// its string bends around, and to the other side of small obstacles, as long as that makes the
    /// string shorter. Where areas differ in cost, lengths times area costs count. The string is
    /// never longer than that of the cheapest corridor, and cost-equal engines may give different
    /// ones. Answer::cost is then that of the moved corridor: at least Answer::lower_bound, which
    /// stays the least cost, and at most limits.max_cost.
    bool shorten = false;
    /// How far a place without a polygon may lie from the mesh, in the units of the mesh; 0 to
    /// kMaxReach. A point may lie this far above or below its polygon. A point in no polygon, seen
    /// from above, is moved to the nearest point of a polygon within this distance.
    double reach = 0.5;
    /// If the goal is blocked, cut off or not located, go to the nearest point that can be reached,
    /// at any distance.
    bool nearest_reachable = false;
    /// max_cost bounds the path's cost. max_expanded counts connecting and the main search. It and
    /// cancel stop only the main search: connecting and refining are always completed.
    SearchLimits limits{};

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
};

/// Effort by step (the paper's Figures 9, 13 and 14).
struct QueryStatistics {
    SearchStatistics connect;
    SearchStatistics search;
    SearchStatistics refine;
};

/// The answer to a query. Reuse one object for many queries: its memory is kept.
struct Answer {
    StatusCode status = StatusCode::no_path;
    /// The cost of the corridor, by the mesh's scoring: the least there is, unless Query::shorten
    /// has moved the corridor. kInfinity unless ok, and with Detail::reachable.
    Cost cost = kInfinity;
    /// No path costs less: the least cost, or after budget_exhausted or cancelled what the search
    /// has proved. 0 with other statuses.
    Cost lower_bound = 0;
    /// The start and the end of the path: the places of the query, located. A partial path
    /// (SearchLimits::partial_path) ends in the middle of the last portal that it crosses.
    mesh::Place start{};
    mesh::Place goal{};
    bool goal_moved = false;            ///< `goal` is another point (nearest_reachable)
    Engine engine = Engine::automatic;  ///< the engine used; automatic if no search was needed
    /// The level whose HNG the engine searched: 1 with cut_labels and climb. 0 if no search was
    /// needed.
    int searched_level = 0;
    int abstract_level = 0;  ///< level of `abstract_nodes`; 0 if there are none
    /// The inter-edges of the cheapest path, two links each: that of the cluster it leaves, then
    /// that of the cluster it enters.
    std::vector<mesh::Link> abstract_nodes;
    std::vector<mesh::Link> links;          ///< the links crossed, from start to goal
    std::vector<mesh::Polygon> polygons;    ///< the polygons of the path: one more than links
    std::vector<mesh::Waypoint> waypoints;  ///< start, crossings as Query::crossings says, goal
    double length = 0;                      ///< of the line through the waypoints, in mesh units
    std::uint64_t snapshot_id = 0;          ///< of the index that answered
    QueryStatistics statistics;
};

}  // namespace cairn::hna
