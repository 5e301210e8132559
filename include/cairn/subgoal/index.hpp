#pragma once
// Subgoal graphs of a grid map: shortest paths over the corners of obstacles.
//
// T. Uras, S. Koenig, "Subgoal Graphs for Fast Optimal Pathfinding", Game AI Pro 2, 2015; T. Uras,
// S. Koenig, C. Hernandez, "Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor Grids", ICAPS
// 2013. The paper's terms and ours:
//
//   subgoal              a free cell at the convex corner of an obstacle
//   h-reachable          two cells whose shortest path is as long as the octile distance
//   direct-h-reachable   h-reachable, and no such path passes a subgoal in between
//   clearance            the number of moves in a direction before a subgoal or an obstacle
//   SSG                  simple subgoal graph: the subgoals, and an edge for each pair of them that
//                        is direct-h-reachable
//   TSG, N-level graph   two-level and N-level subgoal graph: cairn::NLevelGraph over the SSG
//   core graph           the subgoals of the highest level, and their edges
//
// Our own terms: the engines are what makes queries faster than A* on the SSG, namely the N-level
// graph, cut labels and their closure. They use the connectors of all cells. A path is taut if it
// bends only around obstacles; docs/subgoal-graphs.md has the exact rule.
//
// Guarantee: every path is a shortest one, for every option and engine.
//
// Departures from the paper. The engines leave out edges and connectors that no taut path needs
// (Options::prune). Clearances are not stored: building scans for obstacles, 64 cells at a step,
// and queries look up the stored connectors of their cells instead. Labels answer without a search.
// The map may change.
//
// Subgoals need the strict corner rule, eight neighbours and one terrain weight. Under other rules
// a path may turn at cells that are not subgoals, so other maps are refused (section 15.2).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/n_level_graph.hpp"
#include "cairn/status.hpp"
#include "cairn/subgoal/options.hpp"

namespace cairn::subgoal {

struct Snapshot;

struct IndexStatistics {
    std::size_t free_cells = 0;
    std::size_t subgoals = 0;
    std::size_t edges = 0;            ///< of the subgoal graph
    std::size_t taut_edges = 0;       ///< edges that the engines keep; 0 without engines
    NLevelStatistics levels;          ///< of the N-level graph; empty without engines
    std::size_t bit_bytes = 0;        ///< obstacles and subgoals, row by row and column by column
    std::size_t graph_bytes = 0;      ///< the subgoal graph
    std::size_t connector_bytes = 0;  ///< the connectors of all cells, the places of the subgoals,
                                      ///< and the diagonal moves
    std::size_t level_bytes = 0;      ///< the N-level graph
    std::size_t label_bytes = 0;      ///< cut labels
    std::uint32_t label_piece = 0;    ///< CutLabels::piece: 0 if all nodes have labels
    std::size_t closure_bytes = 0;    ///< the closure of the labels
    [[nodiscard]] std::size_t bytes() const noexcept {
        return bit_bytes + graph_bytes + connector_bytes + level_bytes + label_bytes +
               closure_bytes;
    }
};

/// An immutable index of one map snapshot. Copies share everything; const members may be called
/// from any thread.
class Index {
public:
    /// Builds the index. The time is that of connecting each subgoal, O(subgoals * cells in sight),
    /// and of the engines: see NLevelGraph::build and CutLabels::build. The result does not depend
    /// on the number of threads. Errors: unsupported (a corner rule other than strict, four
    /// neighbours, several terrain weights, or costs for which straight < diagonal < 2 * straight
    /// does not hold); bad_option; too_large (too many edges); cancelled; out_of_memory. If even
    /// labels with pieces (see CutLabels) would take more than Options::label_bytes, the index has
    /// only their closure, and `labels_status` says why.
    [[nodiscard]] static Result<Index> build(const grid::Map& map, const Options& options = {},
                                             const BuildControl& control = {}) noexcept;

    /// The index of the edited map. The subgoal graph and the connectors are repaired around the
    /// edits, and then equal those built from scratch. If this index has a closure, it is repaired,
    /// too (Closure::edited), or built in a fresh order if it would have far too many ancestors. So
    /// climb and astar answer queries at once; cut_labels needs `with_labels`, until which
    /// labels_status is stale_index. This index, and every query running on it, does not change.
    /// Time O(subgoals in sight of the edits), and that of the closure. With Edges::h_reachable, or
    /// if the edits' borders are so long that a repair would take longer, the graph is built from
    /// scratch. All on the calling thread. Errors: as Map::edited; unsupported, too_large and
    /// out_of_memory as `build`.
    [[nodiscard]] Result<Index> edited(std::span<const grid::TerrainEdit> edits) const noexcept;

    /// This index with labels, after an edit; a copy of it if it has labels. They are repaired
    /// (CutLabels::repaired), and give the paths that Engine::climb has found since the edit. Once
    /// the closure is worn out (Closure::kWornOut), or if the options ask for no labels, the nodes
    /// are numbered afresh and all engines are built as by `build`; so this is usually called on a
    /// worker thread. If even labels with pieces would take more than Options::label_bytes, the
    /// result has only the closure, and labels_status says why. Errors: cancelled; too_large and
    /// out_of_memory as `build`; bad_option (number of threads). Time: that of the repair, or of
    /// `build` without connectors.
    [[nodiscard]] Result<Index> with_labels(const BuildControl& control = {}) const noexcept;
    /// As with_labels, but always repairs: the order is kept even if the closure is worn out. So
    /// the paths are those that Engine::climb has found since the edit. A copy of this index if it
    /// has no closure. Errors and time: as with_labels.
    [[nodiscard]] Result<Index> with_repaired_labels(
        const BuildControl& control = {}) const noexcept;
    /// This index with its closure in a fresh order; it has no labels until `with_labels`, and
    /// labels_status is stale_index. Costs stay, but other paths of the same cost may be found. A
    /// copy of this index if it has no closure. Usually called on a worker thread once `wear` is
    /// above Closure::kWornOut; edits made meanwhile can then be made on the result, too. Errors:
    /// as Closure::build. Time: that of Closure::build.
    [[nodiscard]] Result<Index> with_fresh_order(const BuildControl& control = {}) const noexcept;
    /// Closure::wear of the closure; 1 without one. O(1).
    [[nodiscard]] double wear() const noexcept;
    /// Whether the index has the N-level graph of Engine::levels. An edited index has none, nor has
    /// one with repaired labels.
    [[nodiscard]] bool complete() const noexcept;

    [[nodiscard]] const grid::Map& map() const noexcept;
    [[nodiscard]] const Options& options() const noexcept;
    [[nodiscard]] bool has_labels() const noexcept;
    /// Whether the index has the closure of its labels, for Engine::climb. An index with labels has
    /// it, and an edit repairs it.
    [[nodiscard]] bool has_closure() const noexcept;
    /// ok, or why the index has no labels.
    [[nodiscard]] const Status& labels_status() const noexcept;
    /// A hash of the map, the options except those of labels, and the edits since, in their order.
    /// Equal for equal histories on every machine, and different for others except by chance.
    /// Never 0.
    [[nodiscard]] std::uint64_t snapshot_id() const noexcept;

    /// ok if a path connects two cells; otherwise start_outside, goal_outside, start_blocked or
    /// goal_blocked, no_path, or out_of_memory. O(subgoal graph). Allocates: use a Searcher where
    /// speed matters.
    [[nodiscard]] StatusCode reachable(grid::Point a, grid::Point b) const noexcept;

    /// Errors: out_of_memory. O(index).
    [[nodiscard]] Result<IndexStatistics> statistics() const noexcept;
    /// Bytes of the index and its map; parts shared with other snapshots count in full. O(index).
    [[nodiscard]] std::size_t memory() const noexcept;

    /// Equal maps and subgoal graphs, bit for bit; engines are not compared.
    friend bool operator==(const Index& a, const Index& b);

    /// For Cairn's own parts.
    [[nodiscard]] const Snapshot& snapshot() const noexcept { return *snapshot_; }
    explicit Index(std::shared_ptr<const Snapshot> snapshot) noexcept
        : snapshot_(std::move(snapshot)) {}

private:
    std::shared_ptr<const Snapshot> snapshot_;
};

/// The subgoals of an index, by row, then column. O(cells / 64 + subgoals). Thread-safe.
[[nodiscard]] Result<std::vector<grid::Cell>> subgoals(const Index& index) noexcept;

/// An edge of the subgoal graph.
struct SubgoalEdge {
    grid::Cell a = 0;  ///< a < b
    grid::Cell b = 0;
    bool taut = false;  ///< kept by the engines; false without them
    friend bool operator==(const SubgoalEdge&, const SubgoalEdge&) = default;
};
/// The edges of the subgoal graph, sorted by a, then b. O(cells / 64 + edges). Thread-safe.
[[nodiscard]] Result<std::vector<SubgoalEdge>> edges(const Index& index) noexcept;

}  // namespace cairn::subgoal
