#pragma once
// What can be asked of an HPA* index, and what it answers.

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

/// How much of an answer is wanted; each includes the ones before it.
enum class Detail : std::uint8_t {
    reachable,      ///< only whether there is a path, whatever it costs: O(1), no search
    cost,           ///< the cost of the abstract path
    abstract_path,  ///< the abstract path itself: a usable result (section 3.2), to be refined
                    ///< later by LazyPath
    path,           ///< every cell; grid::waypoints lists its turning points
};

/// What is done with the refined path.
enum class Smoothing : std::uint8_t {
    none,            ///< nothing: the cost is the abstract path's
    straight_lines,  ///< section 3.2.3, never longer and never an illegal corner
    corridor,  ///< an exact search in the clusters of the abstract path and a ring around them
};

/// How the abstract graph is searched. All engines give the same cost.
enum class Engine : std::uint8_t {
    automatic,   ///< labels if the index has them, else levels
    astar,       ///< A* on level 1
    levels,      ///< the paper's: ascend from S and G, search at the top (sections 3.4, A.2)
    cut_labels,  ///< two-hop labels from a separator tree
};

/// Which nodes of its cluster S is connected to (section 5).
enum class ConnectRule : std::uint8_t {
    all,          ///< every reachable one
    sparse,       ///< leave out nodes that a kept one reaches at no extra cost: nothing is lost.
                  ///< Engine::cut_labels only: the others have no use for it
    towards_goal  ///< only nodes in the goal's direction; all, if that fails. The path may be
                  ///< longer, how much depends on engine and level
};

struct Query {
    grid::Point start{};
    grid::Point goal{};
    Detail detail = Detail::path;
    Smoothing smoothing = Smoothing::straight_lines;
    Engine engine = Engine::automatic;
    ConnectRule connect = ConnectRule::all;
    /// Answer with the straight line where it is free (section 4.2). Uniform terrain only.
    bool try_direct_line = true;
    /// Where the goal is blocked, cut off or outside the map, go to the reachable cell nearest to
    /// it, or to the point of the map nearest to it (distance as in Map::distance_bound; ties by
    /// row, then column).
    bool nearest_reachable = false;
    /// Rings of clusters around the abstract path for Smoothing::corridor.
    int corridor_ring = 1;
    /// max_cost bounds the abstract path, whatever smoothing could make of it. max_expanded counts
    /// connecting and the main search, which stops when it is reached; refinement, which the path
    /// bounds, is always completed; a corridor search has what is left, and keeps the path it is
    /// given if that is too little. The same holds for cancel. Statistics hold the effort up to the
    /// stop.
    SearchLimits limits{};

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
};

/// Effort, split as the paper's Figure 6 does.
struct QueryStatistics {
    grid::SearchStatistics connect;  ///< SG: inserting S and G
    grid::SearchStatistics search;   ///< main
    grid::SearchStatistics refine;   ///< refinement, corridor search included
};

/// Reuse one object for many queries: its memory is kept.
struct Answer {
    StatusCode status = StatusCode::no_path;
    /// Cost of the path delivered: of `cells` for Detail::path, else of the abstract path.
    /// kInfinity unless ok.
    Cost cost = kInfinity;
    /// Cost of the abstract path, before smoothing: the same for every engine and number of levels.
    /// kInfinity where there was no need for one (direct_line).
    Cost abstract_cost = kInfinity;
    /// No path costs less than this. Equal to `cost` where the path is known to be optimal.
    Cost lower_bound = 0;
    /// Where the path leads: the goal asked for, or the nearest reachable cell to it.
    grid::Point goal{};
    Engine engine = Engine::automatic;  ///< the engine used; automatic if none was needed
    bool direct_line = false;           ///< the straight line was free
    int abstract_level = 0;             ///< level of `abstract_nodes`
    /// S, the abstract nodes of the path, G; S or G stands twice where it is itself a node.
    /// Neighbours share a cluster of `abstract_level` or are joined by an inter-edge. Only S and G
    /// where the path lies inside one cluster or is a straight line.
    std::vector<grid::Cell> abstract_nodes;
    std::vector<grid::Cell> cells;  ///< S to G, every cell; empty below Detail::path
    std::uint64_t snapshot_id = 0;  ///< of the index that answered
    QueryStatistics statistics;
};

}  // namespace cairn::hpa
