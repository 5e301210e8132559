#pragma once
// What can be asked of an HNA* index, and what it answers.

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

/// How much of an answer is wanted; each includes the ones before it.
enum class Detail : std::uint8_t {
    reachable,      ///< only whether there is a path, whatever it costs: no search
    cost,           ///< the cost of the best path
    abstract_path,  ///< its inter-edges
    corridor,       ///< every polygon and portal
    path,           ///< the string pulled tight in the corridor: waypoints to walk by
};

/// How the HNG is searched. All engines give the same cost.
enum class Engine : std::uint8_t {
    automatic,   ///< labels if the index has them, else astar if the top level has rows, else
                 ///< levels
    astar,       ///< the paper's: A* on the HNG of the top level (algorithm 1), or on that of level
                 ///< 1 where S and G share a cluster of the top level
    levels,      ///< ascend from S and G and search on every level what lies below the next
    cut_labels,  ///< two-hop labels from a separator tree, over the HNG of level 1
};

/// How S and G are connected to the inter-edges of their clusters (section 5).
enum class ConnectBy : std::uint8_t {
    automatic,  ///< by tables if the index has them, else by a search
    tables,     ///< pre-calculated connecting paths, as Options::pccp has them
    search,     ///< one bounded search from S, and one from G; where clusters of the top level are
                ///< so large that A* on level 1 is faster, that instead
};

struct Query {
    /// A place whose polygon is mesh::kNone is located: it is in the polygon nearest above or
    /// below its point.
    mesh::Place start{};
    mesh::Place goal{};
    Detail detail = Detail::path;
    Engine engine = Engine::automatic;
    ConnectBy connect = ConnectBy::automatic;
    mesh::Crossings crossings = mesh::Crossings::corners;  ///< which become waypoints
    /// A located point may lie this far above or below its polygon, and if it lies in none, this
    /// far from one, to whose nearest point it then moves.
    double reach = 0.5;
    /// Where the goal is blocked, cut off or out of reach, go to the nearest point that can be
    /// reached, however far that is.
    bool nearest_reachable = false;
    /// max_cost bounds the path's cost. max_expanded counts connecting and searching; refining is
    /// always completed. The same holds for cancel.
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

/// Reuse one object for many queries: its memory is kept.
struct Answer {
    StatusCode status = StatusCode::no_path;
    /// Of the corridor, by the mesh's scoring: no path costs less. kInfinity unless ok.
    Cost cost = kInfinity;
    /// Where the path begins and ends: the places asked for, located.
    mesh::Place start{};
    mesh::Place goal{};
    bool goal_moved = false;            ///< to what can be reached (nearest_reachable)
    Engine engine = Engine::automatic;  ///< the engine used; automatic if none was needed
    int abstract_level = 0;             ///< of `abstract_nodes`; 0 if there was no need for any
    /// The inter-edges of the path, two links each: out of one cluster, into the next.
    std::vector<mesh::Link> abstract_nodes;
    /// The links crossed, and the polygons walked through, one more.
    std::vector<mesh::Link> links;
    std::vector<mesh::Polygon> polygons;
    std::vector<mesh::Waypoint> waypoints;  ///< start, corners, goal
    double length = 0;                      ///< of the way over the waypoints
    std::uint64_t snapshot_id = 0;          ///< of the index that answered
    QueryStatistics statistics;
};

}  // namespace cairn::hna
