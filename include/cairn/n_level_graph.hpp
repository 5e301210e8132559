#pragma once
// N-level graphs: a graph whose vertices are ranked in levels so that a search may leave most of
// them out and still be exact. On subgoal graphs, two levels make the paper's TSG.
//
// After: Uras, Koenig, "Subgoal Graphs for Fast Optimal Pathfinding" (Game AI Pro 2), sections 15.4
// and 15.5.
//
//   level                 1 to num_levels(); each pass of the partitioning over the highest level
//                         leaves some vertices behind on it and lifts the others.
//   local, global vertex  of a two-level graph: level 1, level 2
//   core graph            the vertices of the highest level and the edges between them
//   extra edge            added by the partitioning, so that a vertex can stay behind
//   property P            says which extra edges are wanted
//   lateral edge          joins two vertices of the same level below the highest
//
// The N-level property: for any two vertices s and t, the graph of the core, s, t and all that can
// be reached from s or from t by edges that lead to a higher level each time has a path from s to t
// as short as any in the whole graph. docs/n-level-graphs.md proves it.
//
// Where we depart from the paper:
//  - Neighbours that became local in the same pass count, as its `Neighbors(s)` wrt E says, even
//    though no path may pass through them; left out, two local vertices could be torn apart.
//  - The search for a way round is bounded by the length of the way through s, and given up early
//    where an extra edge may stand in for it (NLevelOptions::max_witness_settled). So an extra edge
//    may be longer than the shortest path between its ends, unless the property sees to that.
//  - The order of the vertices, which the paper leaves open, is an option.
//  - Listing 15.3 runs for the goal alone, with costs: the search proper never goes down a level.
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

/// The property P: whether an extra edge of length `length` between p and q is wanted. Called from
/// the building thread alone, with p and q in either order; must be a function of its arguments.
/// An empty one wants none.
using ExtraEdgeProperty = std::function<bool(std::uint32_t p, std::uint32_t q, Cost length)>;

/// In which order a pass asks the vertices whether they can stay behind. Ties go by number.
enum class ContractionOrder : std::uint8_t {
    number,            ///< the paper's
    ascending_degree,  ///< degree at the beginning of the pass
    descending_degree,
    fewest_extra_edges,  ///< extra edges less neighbours, counted anew as the pass goes on
    random,
};

struct NLevelOptions {
    /// The most levels: 1 leaves the graph as it is, 2 makes a TSG; 0 partitions until nothing
    /// changes (or 65,535 levels are made).
    std::uint32_t max_levels = 0;
    ContractionOrder order = ContractionOrder::ascending_degree;
    std::uint64_t seed = 1;  ///< for ContractionOrder::random
    /// Whether extra edges may join two vertices that stay behind in the same pass, as the paper
    /// has it. Without, with many levels, the graph is much smaller and searches take a little
    /// longer; with two levels, far more vertices are global.
    bool lateral_extra_edges = true;
    /// Ways round are looked for among those of up to three edges; where the property forbids an
    /// extra edge instead, among all, until so many vertices are settled. What is not found counts
    /// as not being there, which may cost an extra edge or a local vertex, but never exactness.
    std::uint32_t max_witness_settled = 1000;
    /// A vertex whose staying behind would take the extra edges beyond this is lifted. 0 stands
    /// for 8 times the edges of the graph.
    std::uint64_t max_extra_edges = 0;
};

/// An edge as one of its ends stores it. Each edge between levels is stored at its lower end alone,
/// every other at both.
struct NLevelArc {
    std::uint32_t head = 0;
    Cost weight = 0;
    friend bool operator==(const NLevelArc&, const NLevelArc&) = default;
};

/// Where the arcs of a vertex lie; the next vertex's `first` is their end. Those to higher levels
/// (for vertices of the core: to others of the core) come first, then those to the same level; both
/// kinds by weight, then by head.
struct NLevelVertex {
    std::uint32_t first = 0;
    std::uint32_t lateral = 0;  ///< index of the first lateral arc, or the end
    friend bool operator==(const NLevelVertex&, const NLevelVertex&) = default;
};

/// All that an NLevelGraph is made of, for writing to a file. Plain little-endian integers.
struct NLevelArrays {
    std::span<const NLevelVertex> vertices;  ///< one more than vertices, the last for the end
    std::span<const std::uint16_t> levels;
    std::span<const NLevelArc> arcs;
    std::uint64_t extra_edges = 0;  ///< for statistics alone
};

struct NLevelStatistics {
    struct Level {
        std::uint32_t vertices = 0;
        std::uint64_t edges = 0;  ///< between this level's vertices and to higher levels
    };
    std::vector<Level> levels;  ///< level 1 first
    std::uint64_t edges = 0;
    std::uint64_t extra_edges = 0;  ///< added, or made shorter by a way through a local vertex
    std::uint64_t bytes = 0;
};

class NLevelSearch;

/// Working memory of one thread's queries: 24 bytes a vertex of the largest graph asked.
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

class NLevelGraph {
public:
    using Options = NLevelOptions;
    using Scratch = NLevelScratch;
    using Statistics = NLevelStatistics;

    /// The graph of no vertex.
    NLevelGraph() = default;

    /// Ranks the vertices of `graph`, which is not kept. Of parallel edges the cheapest remains, of
    /// loops none. Deterministic, and independent of control.threads (it runs on one).
    ///
    /// Errors: out_of_memory; too_large if the graph passes 2^31 - 2 vertices or
    /// arcs; cancelled; bad_option for negative threads or an unknown order. Time: for each vertex
    /// and neighbour a search bounded as above, whenever a neighbour that it was needed for has
    /// gone; O(n + m) memory, and the extra edges.
    [[nodiscard]] static Result<NLevelGraph> build(const Graph& graph, const Options& options = {},
                                                   const ExtraEdgeProperty& property = {},
                                                   const BuildControl& control = {});

    /// Takes arrays as `arrays()` gave them, without copying them: `owner` keeps them alive. Any
    /// arrays are accepted or refused with corrupt_file such that no query on accepted ones reads
    /// out of bounds or runs on forever; whether they are right is for the file's checksum to say.
    /// Time O(vertices + arcs).
    [[nodiscard]] static Result<NLevelGraph> from_arrays(const NLevelArrays& arrays,
                                                         std::shared_ptr<const void> owner);

    [[nodiscard]] const NLevelArrays& arrays() const noexcept { return arrays_; }
    [[nodiscard]] std::uint32_t num_nodes() const noexcept {
        return static_cast<std::uint32_t>(arrays_.levels.size());
    }
    /// At least 1. Time O(1), as everything here without a note.
    [[nodiscard]] std::uint32_t num_levels() const noexcept { return num_levels_; }
    /// 1 to num_levels(). `node` must be below num_nodes(), here and in what follows.
    [[nodiscard]] std::uint32_t level(std::uint32_t node) const noexcept {
        return arrays_.levels[node];
    }
    [[nodiscard]] bool in_core(std::uint32_t node) const noexcept {
        return level(node) == num_levels_;
    }
    /// The arcs to higher levels; of a vertex of the core, those to others of the core.
    [[nodiscard]] std::span<const NLevelArc> rising_arcs(std::uint32_t node) const noexcept {
        const NLevelVertex& v = arrays_.vertices[node];
        return arrays_.arcs.subspan(v.first, v.lateral - v.first);
    }
    [[nodiscard]] std::span<const NLevelArc> lateral_arcs(std::uint32_t node) const noexcept {
        const std::uint32_t lateral = arrays_.vertices[node].lateral;
        return arrays_.arcs.subspan(lateral, arrays_.vertices[node + 1].first - lateral);
    }
    /// The length of the edge between two different vertices; kInfinity if there is none. Time
    /// O(arcs of both).
    [[nodiscard]] Cost edge(std::uint32_t a, std::uint32_t b) const noexcept;

    /// The least of cost + distance + cost over all pairs of connectors; kInfinity if there is no
    /// path. By Dijkstra's algorithm on what the N-level property leaves of the graph; a planner
    /// that knows a lower bound of distances searches faster with it. Allocates only to grow the
    /// scratch.
    [[nodiscard]] Cost distance(std::span<const Connector> from, std::span<const Connector> to,
                                Scratch& scratch) const;

    /// The same, and into `nodes` (replacing what is there) the vertices of such a path by edges of
    /// this graph, from the winning start connector's to the winning goal connector's, both
    /// included; emptied if there is none. Of equal paths the one the search meets first wins: it
    /// depends on the arrays and the connectors with their order, on nothing else.
    [[nodiscard]] Cost find_path(std::span<const Connector> from, std::span<const Connector> to,
                                 Scratch& scratch, std::vector<std::uint32_t>& nodes) const;

    /// Time O(vertices + arcs).
    [[nodiscard]] Statistics statistics() const;

private:
    NLevelGraph(const NLevelArrays& arrays, std::shared_ptr<const void> owner,
                std::uint32_t num_levels)
        : arrays_(arrays), owner_(std::move(owner)), num_levels_(num_levels) {}

    NLevelArrays arrays_;
    std::shared_ptr<const void> owner_;
    std::uint32_t num_levels_ = 1;
};

}  // namespace cairn
