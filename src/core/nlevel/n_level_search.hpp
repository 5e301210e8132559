#pragma once
// The search on an N-level graph: from the start's connectors upwards, across the core, and down to
// the goal's connectors (docs/n-level-graphs.md). On a graph of one level, which is all core, it is
// plain A*.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cairn/n_level_graph.hpp"
#include "core/connector_search.hpp"
#include "core/memory.hpp"

namespace cairn {

/// The heuristic that is 0: makes the search Dijkstra's algorithm.
struct NoHeuristic {
    Cost operator()(std::uint32_t) const noexcept { return 0; }
};

/// One per thread.
///
/// A heuristic h is called as `Cost h(vertex)` for any vertex and must be consistent: below
/// kInfinity, h(u) <= weight + h(v) for every edge, extra ones included, and h(v) <= cost for every
/// goal connector {v, cost}. Both calls of a search must be given the same one.
class NLevelSearch : public ConnectorSearch<> {
public:
    /// Prepares a search for paths that cost less than `bound`; the graph must outlive it.
    /// Connectors that are out of range or cost kInfinity or more are ignored. Already searches the
    /// goal's side: time O(arcs upwards of all vertices above the goal's connectors).
    template <class Heuristic>
    void begin(const NLevelGraph& graph, std::span<const Connector> from,
               std::span<const Connector> to, Cost bound, const Heuristic& h) {
        prepare(graph, bound);
        climb_from_goal(to);
        for (const Connector& c : from) {
            if (c.node < graph.num_nodes() && c.cost < best_) {
                reach(c.node, c.cost, kNone, [&] { return h(c.node); });
            }
        }
    }

    /// Expands up to `budget` more vertices; true if the search is not finished. The result does
    /// not depend on how the work is cut into slices.
    template <class Heuristic>
    bool advance(std::uint64_t budget, const Heuristic& h) {
        return expand_up_to(budget,
                            [&](std::uint32_t u, Cost g, Cost f) { expand(u, g, f - g, h); });
    }

    /// A whole search; returns its cost.
    template <class Heuristic>
    Cost run(const NLevelGraph& graph, std::span<const Connector> from,
             std::span<const Connector> to, Cost bound, const Heuristic& h) {
        begin(graph, from, to, bound, h);
        static_cast<void>(advance(std::numeric_limits<std::uint64_t>::max(), h));
        return cost();
    }

    /// After the end: writes the vertices of the best path to `nodes`, replacing its contents.
    void path(std::vector<std::uint32_t>& nodes) const;

    /// Vertices below the core from which the goal's side was followed upwards.
    [[nodiscard]] std::uint64_t descents() const noexcept { return descents_; }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return ConnectorSearch::memory() + memory_of(descent_, waiting_, used_);
    }

private:
    struct Descent {
        std::uint32_t next = 0;     ///< next vertex, a lower one, on the path to the goal, or kNone
        std::uint32_t sibling = 0;  ///< next vertex in the queue of its level, or kNone
    };

    void prepare(const NLevelGraph& graph, Cost bound);
    void climb_from_goal(std::span<const Connector> to);
    void offer_descent(std::uint32_t v, Cost to_goal, std::uint32_t next);
    void expand(std::uint32_t u, Cost g, Cost to_goal, const auto& h);

    const NLevelGraph* graph_ = nullptr;
    Cost spread_ = 0;  ///< the most that a descent from below the core costs
    std::vector<Descent> descent_;
    std::vector<std::uint32_t> waiting_;  ///< by level, a chain
    std::vector<std::uint64_t> used_;     ///< the levels whose chain is not empty
    std::uint64_t descents_ = 0;
};

/// `to_goal` is the heuristic of u.
inline void NLevelSearch::expand(std::uint32_t u, Cost g, Cost to_goal, const auto& h) {
    const NLevelArrays& arrays = graph_->arrays();
    const NLevelVertex row = arrays.vertices[u];
    const NLevelArc* const arcs = arrays.arcs.data();
    for (std::uint32_t e = row.first; e < row.lateral; ++e) {
        const Cost there = g + arcs[e].weight;
        if (there >= best_) break;  // the next are no shorter
        const std::uint32_t v = arcs[e].head;
        reach(v, there, u, [&] { return h(v); });
    }
    // Longest first. An edge too short to reach the goal's side ends the loop, so far from the goal
    // it ends at once.
    for (std::uint32_t e = arrays.vertices[u + 1].first; e-- > row.lateral;) {
        if (arcs[e].weight + spread_ < to_goal) break;
        const Cost there = g + arcs[e].weight;
        const Node& to = nodes_[arcs[e].head];
        if (there < best_ && to.stamp == stamp_ && to.to_goal < best_ - there) {
            meet(u, arcs[e].head, there + to.to_goal);
        }
    }
}

}  // namespace cairn
