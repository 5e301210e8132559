#pragma once
// The graph that an index searches, as plain data: abstract nodes and edges of HPA* and of an agent
// class of HAA*, subgoals and their edges, the HNG of HNA*. For pictures, viewers and other
// programs; queries do not need it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "cairn/any.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// What an edge of a graph stands for.
enum class GraphEdgeKind : std::uint8_t {
    inter,    ///< HPA*, HAA*: a move across the border of two clusters
    intra,    ///< HPA*, HAA*, HNA*: the cheapest path inside a cluster
    subgoal,  ///< subgoal graphs: an edge that shortest paths can do without
    taut,     ///< subgoal graphs: an edge that the engines keep
};

/// The graph of one level. Nodes and edges are named by their positions.
struct IndexGraph {
    static constexpr std::uint32_t kNoDepth = std::numeric_limits<std::uint32_t>::max();

    int level = 1;
    int levels = 1;  ///< of the index; subgoal graphs have one here

    // Nodes:
    std::vector<std::array<double, 3>> places;  ///< on grids column, row and 0; on meshes a point
    std::vector<std::uint32_t> ids;             ///< a cell, or a portal of a mesh
    std::vector<std::uint8_t> node_levels;      ///< the highest level that has the node
    /// How deep its separator lies in the tree of the labels, 0 at the top; kNoDepth without labels
    /// or closure.
    std::vector<std::uint32_t> depths;

    // Edges, each once; on meshes with one-way links at the lesser cost of both ways:
    std::vector<std::array<std::uint32_t, 2>> edges;
    std::vector<Cost> costs;
    std::vector<GraphEdgeKind> kinds;

    // What the nodes come from:
    std::vector<grid::Rect> clusters;  ///< of HPA* and HAA*, row by row
    std::vector<grid::Rect>
        entrances;  ///< of HPA*, and of the agent's class: the tiles of both sides
    std::vector<std::uint32_t> polygon_clusters;  ///< of HNA*: the cluster of each polygon
};

/// The agents whose graph is read of an index of haa: haa::Agent. Other planners ignore it.
struct GraphAgent {
    std::uint32_t capability = 0;
    int size = 1;
};

/// Reads the graph of a level of an index, 1 to its levels; of haa that of an agent, whose view is
/// made if there is none. Errors: bad_option (a level or an agent that does not exist); unsupported
/// (a planner without an index); out_of_memory. O(graph * log). Thread-safe.
[[nodiscard]] Result<IndexGraph> graph_of(const AnyIndex& index, int level = 1,
                                          GraphAgent agent = {}) noexcept;

}  // namespace cairn
