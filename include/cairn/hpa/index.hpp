#pragma once
// The HPA* index of a map: clusters, entrances, transitions, and the multi-level abstract graph.
//
// A. Botea, M. Mueller, J. Schaeffer, "Near Optimal Hierarchical Path-Finding", Journal of Game
// Development 1(1), 2004. The paper's terms and ours:
//
//   1-cluster        a square of Options::cluster_size cells
//   l-cluster        branching x branching (l-1)-clusters
//   entrance         a maximal run of tiles along the border of two clusters, free on both sides
//   transition       a pair of facing tiles chosen on an entrance: two nodes and an inter-edge
//   abstract node    a tile of a transition; one node even if the tile serves two entrances
//   intra-edge       the optimal cost between two nodes inside a cluster
//   S, G             the start and the goal
//   insertion        connections of S and G, kept in the Searcher: the index never changes
//
// Guarantees. Complete: a path is found exactly if one exists under the map's rules (except with
// DiagonalCrossings::none and CornerRule::free together). Near-optimal: the cost is that of a legal
// path, never below the optimum, and the same for every number of levels and every engine.
//
// Departures from the paper. Costs are integers. Inter-edges cost the real move, not 1 (section
// 3.1). The costs of intra-edges come from one search for each node, not for each pair. Borders
// that only a diagonal move crosses get transitions. S and G are never inserted into the graph.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/hpa/options.hpp"
#include "cairn/status.hpp"

namespace cairn::hpa {

struct Snapshot;

/// The sizes of one abstract level (the paper's Table 2), and its bytes.
struct LevelStatistics {
    int level = 0;
    std::size_t clusters = 0;
    std::size_t nodes = 0;        ///< N: nodes whose highest level is this one
    std::size_t inter_edges = 0;  ///< E1: inter-edges whose highest level is this one
    std::size_t intra_edges = 0;  ///< E2: finite intra-edges of this level
    std::size_t bytes = 0;
};

struct IndexStatistics {
    std::size_t map_nodes = 0;  ///< free cells
    std::size_t map_edges = 0;  ///< legal moves, undirected
    std::vector<LevelStatistics> levels;
    std::size_t abstract_nodes = 0;
    std::size_t inter_edges = 0;
    std::size_t intra_edges = 0;
    /// Section 3.6.1: intra-edges added / (map nodes + map edges), in percent.
    double overhead_percent = 0;
    /// Clusters of all levels: with component_bytes and number_bytes, what an index without move
    /// tables and labels takes.
    std::size_t graph_bytes = 0;
    std::size_t component_bytes = 0;  ///< reachability of abstract nodes
    std::size_t number_bytes = 0;     ///< numbers of abstract nodes, which edits keep
    std::size_t table_bytes = 0;      ///< move tables
    std::size_t label_bytes = 0;      ///< cut labels
    std::uint32_t label_piece = 0;    ///< CutLabels::piece: 0 if all nodes have labels
    std::size_t closure_bytes = 0;    ///< the closure of the labels
    [[nodiscard]] std::size_t bytes() const noexcept {
        return graph_bytes + component_bytes + number_bytes + table_bytes + label_bytes +
               closure_bytes;
    }
};

/// An immutable index of one map snapshot. Copies share everything; const members may be called
/// from any thread.
class Index {
public:
    /// Builds the index. Time O(cells * nodes of a cluster) for the first level, on all cores; the
    /// result does not depend on their number. Errors: bad_option; cancelled; too_large (with n the
    /// most nodes of a cluster, rounded up to a power of two, a level of more than 2^28 / n
    /// clusters). If even labels with pieces (see CutLabels) would take more than
    /// Options::label_bytes, the index has only their closure; if this would take too many steps,
    /// it has neither. labels_status says why.
    [[nodiscard]] static Result<Index> build(const grid::Map& map, const Options& options = {},
                                             const BuildControl& control = {}) noexcept;

    /// The index of the edited map (sections 1 and 3.1). Only the clusters that hold an edited cell
    /// or a cell next to one, and the clusters of higher levels that contain them, are rebuilt; the
    /// rest is shared. This index, and every query running on it, does not change. The result
    /// equals an index built from scratch, except for labels: it has none until `with_labels`, and
    /// labels_status is stale_index. If this index has a closure, that of the result is repaired
    /// (Closure::edited), so Engine::climb answers at once; a closure with far too many ancestors
    /// is built in a fresh order instead, on the calling thread. Time O(rebuilt clusters) and that
    /// of the closure; also up to O(nodes) if these clusters are more than 32 or the edit divides a
    /// component. Errors: as Map::edited; too_large as `build`; out_of_memory.
    [[nodiscard]] Result<Index> edited(std::span<const grid::TerrainEdit> edits) const noexcept;

    /// This index with labels; a copy of it if it has labels, or if they would take too many bytes.
    /// Usually called on a worker thread after an edit. Labels are repaired (CutLabels::repaired);
    /// once the closure is worn out (Closure::kWornOut), they are built in a fresh order. Costs do
    /// not depend on the order. But the order decides which of several paths of equal cost is
    /// found, and the bytes of an index file. Unless the order is fresh, the paths are those that
    /// Engine::climb has found since the edit. Time: see CutLabels::repaired and CutLabels::build.
    /// Labels that `build` would leave out are left out here, too. Errors: cancelled; bad_option
    /// (number of threads).
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
    /// This index without labels and closure: labels built on it are those of an index built from
    /// scratch. O(1).
    [[nodiscard]] Result<Index> without_labels() const noexcept;

    /// The index of the same map under other weights, for units that move at other costs. It shares
    /// terrain and moves, and equals an index built from scratch under these weights, except for
    /// the order if this index was edited. Abstract nodes stay, unless they depend on weights
    /// (Transitions::by_cost on a map of several): then this takes as long as a `build`. Costs,
    /// move tables, closure and labels are computed again as far as this index has them;
    /// labels_status stays. Weights must be 0 for the terrain bytes on the map exactly where those
    /// of this map are. Errors: as Map::with_weights and `build`. Time: that of `build` without
    /// entrances and order; clusters whose free cells keep their weights, or have one weight before
    /// and one after, need no search.
    [[nodiscard]] Result<Index> with_costs(const grid::TerrainWeights& weights,
                                           const BuildControl& control = {}) const noexcept;

    [[nodiscard]] const grid::Map& map() const noexcept;
    [[nodiscard]] const Options& options() const noexcept;
    [[nodiscard]] bool has_labels() const noexcept;
    /// Whether the index has the closure of its labels, for Engine::climb. An index with labels has
    /// it, and an edit repairs it.
    [[nodiscard]] bool has_closure() const noexcept;
    /// ok, or why the index has no labels.
    [[nodiscard]] const Status& labels_status() const noexcept;
    /// A hash of the map, the options (except those of labels) and the edits and other weights
    /// since, in their order. Equal for equal histories on every machine, and different for others
    /// except by chance. Never 0.
    [[nodiscard]] std::uint64_t snapshot_id() const noexcept;
    /// ok if a path connects two cells; otherwise start_outside, goal_outside, start_blocked or
    /// goal_blocked, no_path, or out_of_memory. O(cluster). Allocates: use a Searcher where speed
    /// matters.
    [[nodiscard]] StatusCode reachable(grid::Point a, grid::Point b) const noexcept;

    /// Errors: out_of_memory. O(index).
    [[nodiscard]] Result<IndexStatistics> statistics() const noexcept;
    /// Bytes of the index and its map; parts shared with other snapshots count in full. O(index).
    [[nodiscard]] std::size_t memory() const noexcept;

    /// Equal maps, options, abstract graphs and move tables, bit for bit. Labels and their options
    /// are not compared.
    friend bool operator==(const Index& a, const Index& b);

    /// For Cairn's own parts.
    [[nodiscard]] const Snapshot& snapshot() const noexcept { return *snapshot_; }
    explicit Index(std::shared_ptr<const Snapshot> snapshot) noexcept
        : snapshot_(std::move(snapshot)) {}

private:
    std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace cairn::hpa
