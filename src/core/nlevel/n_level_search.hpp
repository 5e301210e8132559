#pragma once
// The search on an N-level graph: from the start's connectors upwards, across the core, and down to
// the goal's connectors (docs/n-level-graphs.md). On a graph of one level it is plain A*.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cairn/n_level_graph.hpp"
#include "core/connector_search.hpp"
#include "core/memory.hpp"

namespace cairn {

/// The heuristic 0, which makes the search Dijkstra's algorithm.
struct NoHeuristic {
    Cost operator()(std::uint32_t) const noexcept { return 0; }
};

/// One per thread.
///
/// A heuristic is called as `Cost h(vertex)` and must be consistent: h(v) <= kInfinity for every
/// vertex, h(u) <= weight + h(v) for every edge, extra edges included, and h(v) <= cost for every
/// goal connector {v, cost}. begin and advance must be given the same heuristic.
class NLevelSearch : public ConnectorSearch<> {
public:
    /// Prepares a search for paths that cost less than `bound`; the graph must outlive it.
    /// Connectors that are out of range or cost kInfinity or more are ignored. Climbs from the
    /// goal's connectors at once, in time O(rising arcs of the vertices reached below the core).
    template <class Heuristic, class Observer = NoObserver>
    void begin(const NLevelGraph& graph, std::span<const Connector> from,
               std::span<const Connector> to, Cost bound, const Heuristic& h,
               const Observer& observer = {}) {
        prepare(graph, bound);
        climb_from_goal(to);
        for (const Connector& c : from) {
            if (c.node < graph.num_nodes() && c.cost < best_) {
                reach(
                    c.node, c.cost, kNone, [&] { return h(c.node); }, observer);
            }
        }
    }

    /// Expands up to `budget` more vertices; true if the search is not finished. The result does
    /// not depend on how the work is cut into slices.
    template <class Heuristic, class Observer = NoObserver>
    bool advance(std::uint64_t budget, const Heuristic& h, const Observer& observer = {}) {
        return expand_up_to(
            budget, [&](std::uint32_t u, Cost g, Cost f) { expand(u, g, f - g, h, observer); },
            observer);
    }

    /// A whole search; returns its cost.
    template <class Heuristic>
    Cost run(const NLevelGraph& graph, std::span<const Connector> from,
             std::span<const Connector> to, Cost bound, const Heuristic& h) {
        begin(graph, from, to, bound, h);
        static_cast<void>(advance(std::numeric_limits<std::uint64_t>::max(), h));
        return cost();
    }

    /// After the end, or stop(): writes the vertices of the best path to `nodes`, replacing its
    /// contents.
    void path(std::vector<std::uint32_t>& nodes) const;

    /// The number of vertices below the core that the search of the goal's side expanded.
    [[nodiscard]] std::uint64_t descents() const noexcept { return descents_; }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return ConnectorSearch::memory() + memory_of(descent_, waiting_, used_);
    }

private:
    /// The goal's side of the search, by vertex.
    struct Descent {
        std::uint32_t next = 0;     ///< next vertex, of a lower level, on the path; or kNone
        std::uint32_t sibling = 0;  ///< next vertex in the queue of its level, or kNone
    };

    void prepare(const NLevelGraph& graph, Cost bound);
    void climb_from_goal(std::span<const Connector> to);
    void offer_descent(std::uint32_t v, Cost to_goal, std::uint32_t next);
    void expand(std::uint32_t u, Cost g, Cost h_u, const auto& h, const auto& observer);

    const NLevelGraph* graph_ = nullptr;
    Cost max_to_goal_ = 0;  ///< the greatest to_goal of a vertex below the core
    std::vector<Descent> descent_;
    std::vector<std::uint32_t> waiting_;  ///< by level: the queue's first vertex, or kNone
    std::vector<std::uint64_t> used_;     ///< bit set: levels whose queue is not empty
    std::uint64_t descents_ = 0;
};

/// `h_u` is the heuristic of u.
inline void NLevelSearch::expand(std::uint32_t u, Cost g, Cost h_u, const auto& h,
                                 const auto& observer) {
    const NLevelArrays& arrays = graph_->arrays();
    const NLevelVertex row = arrays.vertices[u];
    const NLevelArc* const arcs = arrays.arcs.data();
    for (std::uint32_t e = row.first; e < row.lateral; ++e) {
        const Cost g_v = g + arcs[e].weight;
        if (g_v >= best_) break;  // the next arcs are no shorter
        const std::uint32_t v = arcs[e].head;
        reach(
            v, g_v, u, [&] { return h(v); }, observer);
    }
    // Lateral arcs, longest first. If one is too short to reach the goal's side, so are the next
    // ones: far from the goal, the loop ends at once.
    for (std::uint32_t e = arrays.vertices[u + 1].first; e-- > row.lateral;) {
        if (arcs[e].weight + max_to_goal_ < h_u) break;
        const Cost g_v = g + arcs[e].weight;
        const Node& v = nodes_[arcs[e].head];
        if (g_v < best_ && v.stamp == stamp_ && v.to_goal < best_ - g_v) {
            meet(u, arcs[e].head, g_v + v.to_goal);
        }
    }
}

}  // namespace cairn
