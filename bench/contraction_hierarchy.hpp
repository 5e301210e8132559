#pragma once
// A contraction hierarchy, to compare cut labels with. Nodes are contracted in order of edge
// difference; shortcuts keep the distances between the remaining nodes. A query searches upwards
// from both ends with stall-on-demand.
//
// R. Geisberger, P. Sanders, D. Schultes, D. Delling, "Contraction Hierarchies: Faster and Simpler
// Hierarchical Routing in Road Networks", WEA 2008.

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/graph.hpp"

namespace cairn::bench {

class ContractionHierarchy {
public:
    /// Working memory of queries.
    class Search;

    explicit ContractionHierarchy(const Graph& graph);

    /// kInfinity if there is no path.
    [[nodiscard]] Cost distance(std::uint32_t from, std::uint32_t to, Search& search) const;

    /// The distance; `nodes` becomes the nodes of a shortest path, empty if there is none.
    Cost find_path(std::uint32_t from, std::uint32_t to, Search& search,
                   std::vector<std::uint32_t>& nodes) const;

    [[nodiscard]] std::uint64_t bytes() const {
        return first_.size() * sizeof(std::uint32_t) + arcs_.size() * sizeof(Arc);
    }
    /// Upward arcs for each node.
    [[nodiscard]] double mean_arcs() const {
        return first_.size() < 2
                   ? 0.0
                   : static_cast<double>(arcs_.size()) / static_cast<double>(first_.size() - 1);
    }

    /// An arc from a node to one that was contracted later.
    struct Arc {
        std::uint32_t head;
        Cost weight;
        std::uint32_t middle;  ///< kDirect, or the node that the shortcut goes through
    };
    static constexpr std::uint32_t kDirect = 0xffff'ffff;

private:
    // Side 0 is the search from the start, side 1 that from the goal.
    void relax(int side, std::uint32_t node, Cost cost, Search& search) const;
    /// Whether an upper neighbour shows a cheaper path to the node: the search need not go on
    /// there.
    [[nodiscard]] bool stalled(int side, std::uint32_t node, Cost cost, const Search& search) const;
    /// The arc between two nodes, of which either may be the upper one.
    [[nodiscard]] const Arc& arc_between(std::uint32_t a, std::uint32_t b) const;
    /// Appends the nodes behind `from` up to `to`, which an arc connects, to `nodes`.
    void unpack(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& nodes) const;

    std::vector<std::uint32_t> first_;  ///< of each node, its first arc; then the number of arcs
    std::vector<Arc> arcs_;             ///< upwards, by node
};

class ContractionHierarchy::Search {
public:
    explicit Search(const ContractionHierarchy& hierarchy);

private:
    friend class ContractionHierarchy;
    struct Label {
        Cost cost;
        std::uint32_t parent;
    };
    struct Reached {
        Cost cost;
        std::uint32_t node;
        /// Reversed, since the standard heaps put the greatest first.
        friend bool operator<(const Reached& a, const Reached& b) { return a.cost > b.cost; }
    };
    void clear();
    void reach(int side, std::uint32_t node, std::uint32_t parent, Cost cost);

    // By side.
    std::array<std::vector<Label>, 2> labels_;           ///< by node
    std::array<std::vector<std::uint32_t>, 2> touched_;  ///< nodes with a label
    std::array<std::vector<Reached>, 2> heaps_;
    std::uint32_t meeting_ = 0;  ///< the node where the two parts of the best path meet
};

}  // namespace cairn::bench
