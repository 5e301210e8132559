#pragma once
// A contraction hierarchy, to compare cut labels with: nodes are removed in order of edge
// difference, shortcuts keep the distances among the rest, and a query searches upwards from both
// ends with stall-on-demand.
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

    /// The same, and the nodes of such a path, replacing what is there.
    Cost find_path(std::uint32_t from, std::uint32_t to, Search& search,
                   std::vector<std::uint32_t>& nodes) const;

    [[nodiscard]] std::uint64_t bytes() const {
        return first_.size() * sizeof(std::uint32_t) + arcs_.size() * sizeof(Arc);
    }
    [[nodiscard]] double mean_arcs() const {
        return first_.size() < 2
                   ? 0.0
                   : static_cast<double>(arcs_.size()) / static_cast<double>(first_.size() - 1);
    }

    struct Arc {
        std::uint32_t head;
        Cost weight;
        std::uint32_t middle;  ///< kDirect, or the node that the shortcut goes through
    };
    static constexpr std::uint32_t kDirect = 0xffff'ffff;

private:
    void relax(int side, std::uint32_t node, Cost cost, Search& search) const;
    [[nodiscard]] bool stalled(int side, std::uint32_t node, Cost cost, const Search& search) const;
    [[nodiscard]] const Arc& arc_between(std::uint32_t a, std::uint32_t b) const;
    void unpack(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& nodes) const;

    std::vector<std::uint32_t> first_;
    std::vector<Arc> arcs_;  ///< upwards
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
        friend bool operator<(const Reached& a, const Reached& b) { return a.cost > b.cost; }
    };
    void clear();
    void reach(int side, std::uint32_t node, std::uint32_t parent, Cost cost);

    std::array<std::vector<Label>, 2> labels_;
    std::array<std::vector<std::uint32_t>, 2> touched_;
    std::array<std::vector<Reached>, 2> heaps_;
    std::uint32_t meeting_ = 0;
};

}  // namespace cairn::bench
