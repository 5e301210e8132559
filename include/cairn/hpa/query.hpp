#pragma once
// Queries of HPA* and their answers. S and G are the start and the goal, as in the paper.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/grid/path.hpp"
#include "cairn/status.hpp"

namespace cairn {
struct Field;
}

namespace cairn::hpa {

/// How much an answer holds; each value includes the ones before it.
enum class Detail : std::uint8_t {
    reachable,      ///< only whether there is a path of any cost: no main search
    cost,           ///< the cost of the abstract path
    abstract_path,  ///< the abstract path: a usable result (section 3.2), which LazyPath can refine
                    ///< later
    path,           ///< every cell; grid::waypoints lists its turning points
};

/// How the refined path is improved.
enum class Smoothing : std::uint8_t {
    none,            ///< not at all: the cost is that of the abstract path
    straight_lines,  ///< section 3.2.3 (cairn/grid/smooth.hpp); never makes a path longer
    band,            ///< the same, then an exact search in the squares of 5 x 5 cells that the path
                     ///< passes and in those around them: shortens paths over terrain costs
    corridor,        ///< as band, but in the clusters that the path passes and in rings around them
};

/// How the abstract graph is searched. All engines give the same cost.
enum class Engine : std::uint8_t {
    automatic,   ///< the first of cut_labels, climb and levels that the index has
    astar,       ///< A* on level 1
    levels,      ///< the paper's: ascend from S and G, search at the top (sections 3.4, A.2)
    cut_labels,  ///< two-hop labels from a separator tree
    climb,       ///< the same cost and path from the labels' closure, which takes fewer bytes
};

/// Which nodes of its cluster the start S is connected to (section 5).
enum class ConnectRule : std::uint8_t {
    all,     ///< every reachable node
    sparse,  ///< without nodes that are reached by way of another node at no extra cost: the
             ///< path costs the same. Only for Engine::cut_labels and climb; the others ignore it
    towards_goal  ///< only nodes in the direction of the goal; all if that finds no path. The path
                  ///< may be longer, depending on engine and level
};

/// A query and its options.
struct Query {
    grid::Point start{};
    grid::Point goal{};
    Detail detail = Detail::path;
    Smoothing smoothing = Smoothing::straight_lines;
    Engine engine = Engine::automatic;
    ConnectRule connect = ConnectRule::all;
    /// Answer with the straight line if it is free (section 4.2). Only on uniform terrain.
    bool try_direct_line = true;
    /// If the goal is blocked, cut off or outside the map, go to the reachable cell nearest to it,
    /// as grid::nearest_cell_where finds it.
    bool nearest_reachable = false;
    /// Rings of clusters around the abstract path for Smoothing::corridor, 0 to 64.
    int corridor_ring = 1;
    /// Cells that are walls for this request alone, ascending: units that stand in the way. The
    /// start is never blocked by them. The list must stay valid until the query is answered. If the
    /// path without them is not free, A* looks for a way around each stretch of it that is not; if
    /// that would be long, for a path in the clusters that it passes, then with two rings around
    /// them, then on the whole map: so the query is complete, and the cost near the optimum. The
    /// nodes of these searches count towards max_expanded, and the answer has no abstract path.
    /// With nearest_reachable the goal is chosen as if the cells were not there. Cells off the map
    /// are ignored. bad_option if they do not ascend.
    std::span<const grid::Cell> blocked{};
    /// max_cost bounds the cost of the abstract path, even if smoothing would make it cheaper.
    /// max_expanded counts the nodes that connecting and the main search expand. It and cancel stop
    /// the main search, and the search for a reachable goal. Connecting to a level and refining
    /// always run to their end: their time is bounded by the cluster and by the path. A search in a
    /// band or corridor may expand the rest of max_expanded; if it needs more, or is cancelled, the
    /// path stays as refined. Statistics count the effort up to the stop.
    SearchLimits limits{};

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
};

/// Effort by part of the query, as in the paper's Figure 6.
struct QueryStatistics {
    grid::SearchStatistics connect;  ///< connecting S and G (SG in the figure)
    grid::SearchStatistics search;   ///< the main search
    grid::SearchStatistics refine;   ///< refinement, including that of a band or corridor
};

/// The answer to a query. Reuse one object for many queries: its memory is kept.
struct Answer {
    StatusCode status = StatusCode::no_path;
    /// The cost of `cells` for Detail::path, otherwise of the abstract path. kInfinity unless ok,
    /// and for Detail::reachable.
    Cost cost = kInfinity;
    /// The cost of the abstract path, before smoothing: the same for every engine and number of
    /// levels, except with ConnectRule::towards_goal. kInfinity if no abstract path was needed
    /// (direct_line).
    Cost abstract_cost = kInfinity;
    /// No path costs less than this. Equal to `cost` if the path is known to be optimal.
    Cost lower_bound = 0;
    /// The end of the path: the goal of the query, or the nearest reachable cell to it.
    grid::Point goal{};
    Engine engine = Engine::automatic;  ///< the engine used; automatic if no search was needed
    bool direct_line = false;           ///< the path is the straight line, which was free
    bool detour = false;                ///< the path was found around Query::blocked
    int abstract_level = 0;             ///< level of `abstract_nodes`
    /// S, the abstract nodes of the path, G; S or G occurs twice if it is itself a node. Neighbours
    /// share a cluster of `abstract_level` or are joined by an inter-edge. Only S and G if the path
    /// lies inside one cluster or is a straight line; only S if they are equal.
    std::vector<grid::Cell> abstract_nodes;
    std::vector<grid::Cell> cells;  ///< S to G, every cell; empty below Detail::path
    std::uint64_t snapshot_id = 0;  ///< of the index that answered
    QueryStatistics statistics;
};

}  // namespace cairn::hpa
