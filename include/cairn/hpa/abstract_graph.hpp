#pragma once
// One level of an HPA* index as plain data: clusters, entrances, abstract nodes, inter-edges and
// intra-edges (A. Botea, M. Mueller, J. Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004,
// sections 3.1 and 3.4). For inspection, pictures and tests; queries do not need it.

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/status.hpp"

namespace cairn::hpa {

/// A node of the abstract graph.
struct AbstractNode {
    grid::Cell cell = grid::kNoCell;
    int level = 1;              ///< the highest level that has this node
    std::uint32_t cluster = 0;  ///< position in AbstractGraph::clusters
    friend bool operator==(const AbstractNode&, const AbstractNode&) = default;
};

/// A move across a border, between two positions in AbstractGraph::nodes.
struct InterEdge {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    Cost cost = 0;
    int level = 1;  ///< the highest level whose border it crosses
    friend bool operator==(const InterEdge&, const InterEdge&) = default;
};

/// The cheapest path between two nodes of a cluster that does not leave it; a and b are positions
/// in AbstractGraph::nodes.
struct IntraEdge {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    Cost cost = 0;
    friend bool operator==(const IntraEdge&, const IntraEdge&) = default;
};

/// An entrance between two 1-clusters: `length` free tiles from `first` in the direction `along`,
/// and as many free tiles on the other side of the border, one step `outward` from them.
struct Entrance {
    grid::Cell first = grid::kNoCell;
    int length = 0;
    grid::Direction along = grid::kEast;     ///< east or south
    grid::Direction outward = grid::kSouth;  ///< south if `along` is east, otherwise east
    int level = 1;                           ///< the highest level whose border it lies on
    friend bool operator==(const Entrance&, const Entrance&) = default;
};

/// The abstract graph of one level.
struct AbstractGraph {
    int level = 1;
    std::vector<grid::Rect> clusters;  ///< row by row
    std::vector<Entrance> entrances;   ///< on borders of this level, ordered by 1-cluster
    std::vector<AbstractNode> nodes;   ///< ordered by cluster, then by cell
    std::vector<InterEdge> inter_edges;
    std::vector<IntraEdge> intra_edges;
};

struct ExtractOptions {
    /// Only clusters that intersect this rectangle, with the nodes in them and the edges and
    /// entrances in or between them. All if empty.
    std::optional<grid::Rect> area;
    bool entrances = true;
    bool intra_edges = true;
};

/// Reads the abstract graph of one level out of an index. Errors: bad_option (a level that the
/// index does not have, or an area that does not intersect the map). O(size of the result); with
/// entrances also O(1-clusters of the area). Thread-safe.
[[nodiscard]] Result<AbstractGraph> extract_abstract_graph(
    const Index& index, int level, const ExtractOptions& options = {}) noexcept;

/// The rectangle of the cluster of `level` (1 to Options::levels) that holds `p`. Needs `p` on the
/// map. O(1). Thread-safe.
[[nodiscard]] grid::Rect cluster_rect(const Index& index, int level, grid::Point p);

/// The connection of a start or goal to a node of its cluster, and its cost inside the cluster.
struct Connection {
    grid::Cell node = grid::kNoCell;
    Cost cost = 0;
    friend bool operator==(const Connection&, const Connection&) = default;
};

/// The connections of a start or goal at `p` on `level` (the paper's insertion of S and G, Figure
/// 10): every node of its cluster that a path inside the cluster reaches. Errors: bad_option (a
/// level that the index does not have); start_outside or start_blocked (`p`, even if it is a goal).
/// O(cluster) for each level; allocates. Thread-safe.
[[nodiscard]] Result<std::vector<Connection>> connectors(const Index& index, int level,
                                                         grid::Point p) noexcept;

}  // namespace cairn::hpa
