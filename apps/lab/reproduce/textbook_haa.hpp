#pragma once
// HAA* as the conference paper describes it (Harabor, Botea 2008), with counts as it counts them:
// AA* with its test of clearances, entrances, both abstractions, and a search that tests each edge
// before it enters a node into the open list.
//
// Cairn's engines have entrances for each agent class, test edges once for a class instead of in
// every query, connect an endpoint by one search instead of one for each border node, and look most
// costs up. This second implementation shares only the annotated map with them, is slow and simple,
// and serves to check the paper's table and figures.
//
// Interpretations: clearances are not limited to the largest agent where entrances are found, since
// a map's clearances do not depend on agents; one node for each tile; the real cost for
// inter-edges; a transition that weak dominance removes has a replacement that is kept, of equal
// ones the first; G is connected to S if they share a cluster.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/haa/annotated_map.hpp"
#include "cairn/search_statistics.hpp"

namespace cairn::app {

/// Annotated A*: A* on the annotated map, which tests for each cell whether the agent fits there.
/// Costs are those of grid::Astar on the agent's class map, if all terrains weigh 1.
class AnnotatedAstar {
public:
    /// `map` must outlive this.
    explicit AnnotatedAstar(const haa::AnnotatedMap& map) : map_(&map), labels_(map.size()) {}

    /// The cost of the cheapest path inside `area`, part of the map, in which both ends lie;
    /// kInfinity if there is none. Appends its cells, without the first, to `cells` unless that is
    /// null. The goal does not count as expanded.
    Cost find(haa::Agent agent, grid::Point start, grid::Point goal, const grid::Rect& area,
              SearchStatistics& effort, std::vector<grid::Cell>* cells = nullptr);

    /// Finds the costs from `start` to all cells inside `area`; distance() has them until the next
    /// call.
    void spread(haa::Agent agent, grid::Point start, const grid::Rect& area);
    [[nodiscard]] Cost distance(grid::Cell cell) const noexcept {
        return labels_[cell].stamp == stamp_ ? labels_[cell].distance : kInfinity;
    }

private:
    struct Label {
        std::uint32_t stamp = 0;  // valid if it is stamp_
        Cost distance = 0;
        std::uint8_t direction = 0;  // of the step to this cell
        bool closed = false;
    };

    void run(haa::Agent agent, grid::Point start, const grid::Point* goal, const grid::Rect& area,
             SearchStatistics& effort);

    const haa::AnnotatedMap* map_;
    std::vector<Label> labels_;
    std::uint32_t stamp_ = 0;
};

/// The result of a query, with the effort of its parts.
struct PaperHaaAnswer {
    Cost cost = kInfinity;          ///< of the abstract path; kInfinity if there is none
    Cost refined = kInfinity;       ///< of the refined path
    std::vector<grid::Cell> cells;  ///< of the refined path, both ends included
    SearchStatistics insertion;     ///< one search for each node of S's and of G's cluster
    SearchStatistics search;        ///< on the abstract graph
    SearchStatistics refinement;
};

/// The paper's abstract graph of one map. Not thread-safe: a query inserts S and G, then removes
/// them.
class PaperHaa {
public:
    /// The high-quality abstraction. `map` must outlive this, have an anchor at the top left, and
    /// weights of 1; `cluster_size`: at least 2.
    PaperHaa(const haa::AnnotatedMap& map, int cluster_size);

    /// The low-quality abstraction, made from the high-quality one.
    [[nodiscard]] PaperHaa low_quality() const;

    /// Both points must lie on the map, and the agent must fit there.
    [[nodiscard]] PaperHaaAnswer find(haa::Agent agent, grid::Point start, grid::Point goal);

    [[nodiscard]] std::size_t num_nodes() const noexcept { return nodes_.size(); }
    [[nodiscard]] std::size_t num_inter_edges() const noexcept { return inter_edges_.size(); }
    [[nodiscard]] std::size_t num_intra_edges() const noexcept { return intra_edges_; }
    /// The inter-edges by ascending first cell, which is the left or upper one.
    [[nodiscard]] std::vector<std::array<grid::Cell, 2>> transitions() const;

private:
    using NodeId = std::uint32_t;  // index in nodes_
    struct Edge {
        NodeId to;
        Cost cost;
        haa::Agent agent;  // the largest that may use it, with the fewest terrains
        bool inter;        // else an intra-edge
    };
    struct Node {
        grid::Cell cell;
        std::vector<Edge> edges;
    };
    struct InterEdge {
        NodeId a;  // left or above
        NodeId b;
        haa::Agent agent;
    };
    // What a search knows of a node; valid if `stamp` is stamp_.
    struct Label {
        std::uint32_t stamp = 0;
        bool closed = false;
        bool by_inter = false;  // reached over an inter-edge
        Cost distance = 0;
        NodeId parent = 0;
    };

    void add_transitions(std::uint32_t capability, std::vector<NodeId>& node_of);
    void add_transition(grid::Point a, grid::Point b, haa::Agent agent,
                        std::vector<NodeId>& node_of);
    void add_intra_edges(const std::vector<NodeId>& members);
    void add_edge(NodeId a, NodeId b, Cost cost, haa::Agent agent, bool inter);
    /// The nodes of each cluster.
    [[nodiscard]] std::vector<std::vector<NodeId>> by_cluster() const;
    /// Whether an edge for `edge` may be used by `agent`.
    [[nodiscard]] bool serves(haa::Agent edge, haa::Agent agent) const noexcept;
    /// Whether `agent` can go from one node to another inside their cluster.
    [[nodiscard]] bool joined(NodeId a, NodeId b, haa::Agent agent) const noexcept;

    [[nodiscard]] NodeId insert(grid::Point at, haa::Agent agent, PaperHaaAnswer& answer);
    void remove_last();
    [[nodiscard]] Cost search(haa::Agent agent, NodeId from, NodeId to, SearchStatistics& effort);
    void refine(haa::Agent agent, NodeId from, NodeId to, PaperHaaAnswer& answer);

    [[nodiscard]] std::uint32_t cluster(grid::Point p) const noexcept;
    [[nodiscard]] grid::Rect area(grid::Point p) const noexcept;
    [[nodiscard]] grid::Point point(NodeId n) const noexcept {
        return grid::point_of(map_->width(), nodes_[n].cell);
    }

    const haa::AnnotatedMap* map_;
    int size_;
    std::vector<Node> nodes_;
    std::vector<InterEdge> inter_edges_;
    std::size_t intra_edges_ = 0;
    std::vector<std::vector<NodeId>> members_;  // by cluster
    AnnotatedAstar astar_;
    std::vector<Label> labels_;
    std::uint32_t stamp_ = 0;  // of the last search
};

}  // namespace cairn::app
