#pragma once
// One level of an HPA* index laid open: clusters, entrances, abstract nodes, inter-edges and
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

/// The cheapest way between two nodes of a cluster that does not leave it.
struct IntraEdge {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    Cost cost = 0;
    friend bool operator==(const IntraEdge&, const IntraEdge&) = default;
};

/// An entrance between two 1-clusters: `length` free tiles from `first` eastwards or southwards,
/// and as many on the other side of the border, one step `outward` (east or south).
struct Entrance {
    grid::Cell first = grid::kNoCell;
    int length = 0;
    grid::Direction along = grid::kEast;  ///< east or south
    grid::Direction outward =
        grid::kSouth;  ///< south where `along` is east, east where it is south
    int level = 1;     ///< the highest level whose border it lies on
    friend bool operator==(const Entrance&, const Entrance&) = default;
};

struct AbstractGraph {
    int level = 1;
    std::vector<grid::Rect> clusters;  ///< row by row
    std::vector<Entrance> entrances;   ///< those on borders of this level, 1-cluster by 1-cluster
    std::vector<AbstractNode> nodes;   ///< by cluster, then by cell
    std::vector<InterEdge> inter_edges;
    std::vector<IntraEdge> intra_edges;
};

struct ExtractOptions {
    /// Only clusters that meet this rectangle, and what lies in or between them; all if empty.
    std::optional<grid::Rect> area;
    bool entrances = true;
    bool intra_edges = true;
};

/// The abstract graph of one level. Errors: bad_option (a level that the index has not, an area
/// that does not meet the map). O(size of the result), entrances O(1-clusters of the area) more.
/// Thread-safe.
[[nodiscard]] Result<AbstractGraph> extract_abstract_graph(const Index& index, int level,
                                                           const ExtractOptions& options = {});

/// The rectangle of the cluster of `level` (1 to Options::levels) that holds `p`, which lies on
/// the map. O(1). Thread-safe.
[[nodiscard]] grid::Rect cluster_rect(const Index& index, int level, grid::Point p);

/// Where a start or goal is connected to: a node of its cluster and the cost inside the cluster.
struct Connection {
    grid::Cell node = grid::kNoCell;
    Cost cost = 0;
    friend bool operator==(const Connection&, const Connection&) = default;
};

/// What S or G at `p` is connected to on `level` (the paper's insertion, Fig. 10): every node of
/// its cluster that the cluster's inside connects with it. Errors: bad_option (level),
/// start_outside, start_blocked. O(cluster) a level; allocates. Thread-safe.
[[nodiscard]] Result<std::vector<Connection>> connectors(const Index& index, int level,
                                                         grid::Point p);

}  // namespace cairn::hpa
