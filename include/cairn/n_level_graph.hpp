#pragma once
// N-level graphs: a graph whose vertices are ranked in levels, so that a search may skip most of
// them and still be exact. On subgoal graphs, two levels give the paper's TSG.
//
// After: Uras, Koenig, "Subgoal Graphs for Fast Optimal Pathfinding" (Game AI Pro 2), sections 15.4
// and 15.5.
//
//   level                 1 to num_levels(). Each pass of the partitioning goes over the highest
//                         level, keeps some of its vertices there and lifts the others to a new one
//   local, global vertex  in a two-level graph a vertex of level 1, and one of level 2
//   core graph            the vertices of the highest level and the edges between them
//   extra edge            added by the partitioning, so that a vertex can stay on its level
//   property P            decides which extra edges are allowed
//   lateral edge          joins two vertices of the same level below the highest
//
// The N-level property: take any two vertices s and t, the core, and all vertices that can be
// reached from s or from t by edges that each lead to a higher level. This subgraph contains a
// shortest path from s to t of the whole graph. docs/n-level-graphs.md proves it.
//
// Departures from the paper:
//  - s is the vertex that a pass examines. Neighbours of s that became local in the same pass count
//    as neighbours, as the paper's `Neighbors(s)` with respect to E says, although no path may pass
//    through them. Without them two local vertices could be separated.
//  - The search for a path around s is bounded by the length of the path through s. It is given up
//    early where an extra edge may replace the path (NLevelOptions::max_witness_settled). An extra
//    edge may therefore be longer than the shortest path between its endpoints, unless the property
//    rules that out.
//  - The order of the vertices, which the paper leaves open, is an option.
//  - Listing 15.3 runs for the goal only, with costs: the main search never goes down a level.
//
// A path that costs kInfinity or more counts as none. An object is immutable and cheap to copy (the
// copies share their arrays); all its const members may be called from any number of threads, each
// with its own scratch.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/graph.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// The property P: whether an extra edge of length `length` between p and q is allowed. Called only
/// from the building thread, with p and q in either order. The result may depend only on the
/// arguments. An empty function allows no extra edge.
using ExtraEdgeProperty = std::function<bool(std::uint32_t p, std::uint32_t q, Cost length)>;

/// The order in which a pass decides for each vertex whether it stays on its level. Ties are broken
/// by number.
enum class ContractionOrder : std::uint8_t {
    number,              ///< by the vertices' numbers
    ascending_degree,    ///< by the degree at the beginning of the pass
    descending_degree,   ///< by the degree at the beginning of the pass
    fewest_extra_edges,  ///< by extra edges minus neighbours, counted again during the pass
    random,              ///< depends only on NLevelOptions::seed
};

struct NLevelOptions {
    /// The largest number of levels: 1 leaves the graph as it is, 2 makes a two-level graph. 0
    /// partitions until nothing changes or there are 65,535 levels.
    std::uint32_t max_levels = 0;
    ContractionOrder order = ContractionOrder::ascending_degree;
    std::uint64_t seed = 1;  ///< for ContractionOrder::random
    /// Whether extra edges may join two vertices that stay in the same pass, as in the paper. If
    /// not, a graph of many levels is much smaller and searches take a little longer; a graph of
    /// two levels has far more global vertices.
    bool lateral_extra_edges = true;
    /// How far to search for a path around a vertex. Paths of up to three edges are always
    /// searched. Where the property forbids the extra edge, longer ones are searched, too, until
    /// this many vertices are settled. If a path is missed, there may be one more extra edge or one
    /// local vertex fewer, but searches stay exact.
    std::uint32_t max_witness_settled = 1000;
    /// The most extra edges: a vertex that would need more is lifted to the next level. 0 stands
    /// for 8 times the number of edges of the graph.
    std::uint64_t max_extra_edges = 0;
};

/// An edge as one of its endpoints stores it. An edge between two levels is stored only at the
/// endpoint of the lower level, every other edge at both.
struct NLevelArc {
    std::uint32_t head = 0;  ///< the other endpoint
    Cost weight = 0;
    friend bool operator==(const NLevelArc&, const NLevelArc&) = default;
};

/// The position of a vertex's arcs; the next vertex's `first` is their end. Arcs to higher levels
/// (in the core: to other vertices of the core) come first, then those to the same level. Both
/// kinds are sorted by weight, then by head.
struct NLevelVertex {
    std::uint32_t first = 0;
    std::uint32_t lateral = 0;  ///< index of the first lateral arc; if there is none, of the end
    friend bool operator==(const NLevelVertex&, const NLevelVertex&) = default;
};

/// The arrays of an NLevelGraph, for writing to a file: plain little-endian integers.
struct NLevelArrays {
    std::span<const NLevelVertex> vertices;  ///< num_nodes() + 1; the last marks the end of `arcs`
    std::span<const std::uint16_t> levels;   ///< num_nodes()
    std::span<const NLevelArc> arcs;
    std::uint64_t extra_edges = 0;  ///< only for statistics
};

struct NLevelStatistics {
    struct Level {
        std::uint32_t vertices = 0;
        std::uint64_t edges = 0;  ///< between this level's vertices and to higher levels
    };
    std::vector<Level> levels;  ///< level 1 first
    std::uint64_t edges = 0;
    /// Edges added, and edges shortened to the length of a path through a local vertex.
    std::uint64_t extra_edges = 0;
    std::uint64_t bytes = 0;
};

class NLevelSearch;

/// Working memory of the queries of one thread: 24 bytes a vertex of the largest graph so far, and
/// the open list.
class NLevelScratch {
public:
    NLevelScratch();
    ~NLevelScratch();
    NLevelScratch(NLevelScratch&&) noexcept;
    NLevelScratch& operator=(NLevelScratch&&) noexcept;

private:
    friend class NLevelGraph;
    std::unique_ptr<NLevelSearch> search_;
};

/// A graph with its levels. See the head of this file for the guarantees and for thread-safety.
class NLevelGraph {
public:
    using Options = NLevelOptions;
    using Scratch = NLevelScratch;
    using Statistics = NLevelStatistics;

    /// A graph without vertices.
    NLevelGraph() = default;

    /// Ranks the vertices of `graph`, which is not kept. Of parallel edges the cheapest remains;
    /// loops are dropped. Deterministic. Always runs on one thread.
    ///
    /// Errors: out_of_memory; too_large for more than 2^31 - 2 vertices or arcs; cancelled;
    /// bad_option for threads out of range or an unknown order; unsupported for a directed graph.
    /// Time: one bounded search (see max_witness_settled) for each vertex and neighbour, repeated
    /// when a neighbour has left the level. Memory: O(vertices + edges + extra edges).
    [[nodiscard]] static Result<NLevelGraph> build(const Graph& graph, const Options& options = {},
                                                   const ExtraEdgeProperty& property = {},
                                                   const BuildControl& control = {}) noexcept;

    /// A graph over arrays as `arrays()` gave them. They are not copied; `owner` keeps them alive.
    /// Errors: corrupt_file. On accepted arrays no query reads out of bounds or runs forever.
    /// Whether the levels and weights are correct is not checked: that is what a file's checksum is
    /// for. Time O(vertices + arcs).
    [[nodiscard]] static Result<NLevelGraph> from_arrays(
        const NLevelArrays& arrays, std::shared_ptr<const void> owner) noexcept;

    [[nodiscard]] const NLevelArrays& arrays() const noexcept { return arrays_; }
    [[nodiscard]] std::uint32_t num_nodes() const noexcept {
        return static_cast<std::uint32_t>(arrays_.levels.size());
    }
    /// At least 1. O(1), like every function below that does not state its time.
    [[nodiscard]] std::uint32_t num_levels() const noexcept { return num_levels_; }
    /// 1 to num_levels(). `node` must be below num_nodes(), here and in the functions below.
    [[nodiscard]] std::uint32_t level(std::uint32_t node) const noexcept {
        return arrays_.levels[node];
    }
    [[nodiscard]] bool in_core(std::uint32_t node) const noexcept {
        return level(node) == num_levels_;
    }
    /// The arcs to higher levels; for a vertex of the core, those to other vertices of the core.
    [[nodiscard]] std::span<const NLevelArc> rising_arcs(std::uint32_t node) const noexcept {
        const NLevelVertex& v = arrays_.vertices[node];
        return arrays_.arcs.subspan(v.first, v.lateral - v.first);
    }
    /// The arcs to vertices of the same level; none in the core.
    [[nodiscard]] std::span<const NLevelArc> lateral_arcs(std::uint32_t node) const noexcept {
        const std::uint32_t lateral = arrays_.vertices[node].lateral;
        return arrays_.arcs.subspan(lateral, arrays_.vertices[node + 1].first - lateral);
    }
    /// The length of the edge between two different vertices; kInfinity if there is none. Time
    /// O(arcs of both).
    [[nodiscard]] Cost edge(std::uint32_t a, std::uint32_t b) const noexcept;

    /// The least cost of a path from one list of connectors to the other, as CutLabels::distance;
    /// kInfinity if there is no path. Dijkstra's algorithm on the subgraph of the N-level property:
    /// O(a log a) for its a arcs. A planner that knows a lower bound of distances can search
    /// faster. Allocates only to grow the scratch.
    [[nodiscard]] Cost distance(std::span<const Connector> from, std::span<const Connector> to,
                                Scratch& scratch) const;

    /// The same cost, and a path of that cost by edges of this graph. `nodes` is replaced by
    /// its vertices, from the start connector used to the goal connector used, both included; it is
    /// empty if there is no path. Of equally long paths the one found first wins; which one depends
    /// only on the arrays and on the connectors in their order. Time as `distance`.
    [[nodiscard]] Cost find_path(std::span<const Connector> from, std::span<const Connector> to,
                                 Scratch& scratch, std::vector<std::uint32_t>& nodes) const;

    /// Time O(vertices + arcs).
    [[nodiscard]] Result<Statistics> statistics() const noexcept;
    /// The bytes of all arrays. O(1).
    [[nodiscard]] std::uint64_t bytes() const noexcept;

private:
    NLevelGraph(const NLevelArrays& arrays, std::shared_ptr<const void> owner,
                std::uint32_t num_levels)
        : arrays_(arrays), owner_(std::move(owner)), num_levels_(num_levels) {}

    NLevelArrays arrays_;
    std::shared_ptr<const void> owner_;
    std::uint32_t num_levels_ = 1;
};

}  // namespace cairn
