#pragma once
// Subgoal graphs of a grid map: shortest paths by way of the corners of obstacles.
//
// T. Uras, S. Koenig, "Subgoal Graphs for Fast Optimal Pathfinding", Game AI Pro 2, 2015; T. Uras,
// S. Koenig, C. Hernandez, "Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor Grids", ICAPS
// 2013. The paper's terms and ours:
//
//   subgoal              a free cell at the convex corner of an obstacle
//   h-reachable          a shortest path is as long as the octile distance
//   direct-h-reachable   and no such path meets a subgoal on its way: it may make its moves in
//                        any order
//   clearance            moves that can be made in a direction before a subgoal or an obstacle
//   SSG                  subgoals, and edges between direct-h-reachable ones
//   TSG, N-level graph   cairn::NLevelGraph over it
//   core graph           the subgoals of its highest level
//
// Guarantee: every path is a shortest one, for every option and engine.
//
// Departures from the paper. Edges and connectors that no taut path needs are left out of the
// engines (Options::prune). Clearances are not stored but scanned, 64 cells at a step; a query
// needs none, for the connectors of all cells are stored. Labels answer without a search. The map
// may change.
//
// Subgoals need the strict corner rule, eight neighbours and one terrain weight: under other rules
// a path may turn at cells that are no subgoals, and other maps are refused (section 15.2).

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
    std::size_t taut_edges = 0;       ///< those that the engines keep; 0 without engines
    NLevelStatistics levels;          ///< of the N-level graph; empty without engines
    std::size_t bit_bytes = 0;        ///< obstacles and subgoals, row by row and column by column
    std::size_t graph_bytes = 0;      ///< the subgoal graph
    std::size_t connector_bytes = 0;  ///< the connectors of all cells, and the diagonal moves;
                                      ///< 0 without engines
    std::size_t level_bytes = 0;      ///< the N-level graph
    std::size_t label_bytes = 0;      ///< cut labels
    [[nodiscard]] std::size_t bytes() const noexcept {
        return bit_bytes + graph_bytes + connector_bytes + level_bytes + label_bytes;
    }
};

/// An immutable index of one map snapshot. Copies share everything; const members may be called
/// from any thread.
class Index {
public:
    /// Builds the index. Time O(subgoals * their connection) for the graph, then its engines: see
    /// NLevelGraph::build and CutLabels::build. The result does not depend on the number of
    /// threads. Errors: unsupported (another corner rule than strict, four neighbours, terrain of
    /// several weights, or costs that make diagonal moves useless or free); bad_option; too_large
    /// (not enough memory); cancelled. If labels would pass Options::label_bytes the
    /// index has none, and says so in `labels_status`.
    [[nodiscard]] static Result<Index> build(const grid::Map& map, const Options& options = {},
                                             const BuildControl& control = {});

    /// The index of the edited map. The subgoal graph is repaired around the edits: it equals one
    /// built afresh, and answers by A* at once. Levels and labels come with `with_labels`. This
    /// index, and every query running on it, is untouched. Time O(subgoals in sight of the edits);
    /// edits that see most of the map, and Edges::h_reachable, build the graph afresh.
    /// Errors: as Map::edited; unsupported and too_large as in build.
    [[nodiscard]] Result<Index> edited(std::span<const grid::TerrainEdit> edits) const;

    /// This index with the engines of its options, for instance built on a worker thread after an
    /// edit. Labels take over the order of those before the edits, which is most of their work.
    /// Errors: cancelled, too_large.
    [[nodiscard]] Result<Index> with_labels(const BuildControl& control = {}) const;
    /// Whether the engines are there: always, but after `edited`.
    [[nodiscard]] bool complete() const noexcept;

    [[nodiscard]] const grid::Map& map() const noexcept;
    [[nodiscard]] const Options& options() const noexcept;
    [[nodiscard]] bool has_labels() const noexcept;
    /// ok, or why the index has no labels.
    [[nodiscard]] const Status& labels_status() const noexcept;
    /// A hash of the map, the options but for those of labels, and the edits since, in their order:
    /// equal for equal histories on every machine, and but for chance only for those. Never 0.
    [[nodiscard]] std::uint64_t snapshot_id() const noexcept;

    /// Whether a path connects two cells; false where either is outside or blocked. O(subgoal
    /// graph), allocates: ask a searcher where it matters.
    [[nodiscard]] bool reachable(grid::Point a, grid::Point b) const;

    /// O(index).
    [[nodiscard]] IndexStatistics statistics() const;
    /// Bytes of the index and its map; parts that other snapshots share count in full. O(index).
    [[nodiscard]] std::size_t memory() const;

    /// Equal maps and subgoal graphs, bit for bit; engines are not compared.
    friend bool operator==(const Index& a, const Index& b);

    /// For Cairn's own parts.
    [[nodiscard]] const Snapshot& snapshot() const noexcept { return *snapshot_; }
    explicit Index(std::shared_ptr<const Snapshot> snapshot) noexcept
        : snapshot_(std::move(snapshot)) {}

private:
    std::shared_ptr<const Snapshot> snapshot_;
};

/// The subgoals of an index, by row, then column. O(subgoals).
[[nodiscard]] std::vector<grid::Cell> subgoals(const Index& index);

struct SubgoalEdge {
    grid::Cell a = 0;  ///< a < b
    grid::Cell b = 0;
    bool taut = false;  ///< kept by the engines; false without them
    friend bool operator==(const SubgoalEdge&, const SubgoalEdge&) = default;
};
/// The edges of the subgoal graph, sorted. O(edges).
[[nodiscard]] std::vector<SubgoalEdge> edges(const Index& index);

}  // namespace cairn::subgoal
