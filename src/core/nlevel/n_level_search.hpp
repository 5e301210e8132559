#pragma once
// The search on an N-level graph: from the start's connectors upwards and across the core to
// whatever can get down to the goal's (docs/n-level-graphs.md). On a graph of one level, which is
// all core, it is plain A*.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cairn/grid/path.hpp"
#include "cairn/n_level_graph.hpp"
#include "core/open_heap.hpp"

namespace cairn {

/// The heuristic of one who knows nothing: makes Dijkstra's algorithm of it.
struct NoHeuristic {
    Cost operator()(std::uint32_t) const noexcept { return 0; }
};

/// Resumable. One per thread; the memory is kept, so that a warmed one does not allocate.
///
/// A heuristic h is called as `Cost h(vertex)` for any vertex and must be consistent: below
/// kInfinity, h(u) <= weight + h(v) for every edge, extra ones included, and h(v) <= cost for every
/// goal connector {v, cost}. Both calls of a search must be given the same one.
///
/// Ties: of equal f the larger g is expanded first. Of equal paths the one met first wins.
class NLevelSearch {
public:
    /// Prepares a search for paths that cost less than `bound`; the graph must outlive it.
    /// Connectors that are out of range or cost kInfinity or more are ignored. Already does the
    /// goal's side: time O(arcs upwards of all vertices above the goal's connectors).
    template <class Heuristic>
    void begin(const NLevelGraph& graph, std::span<const Connector> from,
               std::span<const Connector> to, Cost bound, const Heuristic& h);

    /// Expands up to `budget` vertices more; true if that was not enough. How the work is cut into
    /// slices does not matter to the result.
    template <class Heuristic>
    bool advance(std::uint64_t budget, const Heuristic& h);

    /// Begins, advances to the end and gives the cost.
    template <class Heuristic>
    Cost run(const NLevelGraph& graph, std::span<const Connector> from,
             std::span<const Connector> to, Cost bound, const Heuristic& h) {
        begin(graph, from, to, bound, h);
        static_cast<void>(advance(std::numeric_limits<std::uint64_t>::max(), h));
        return cost();
    }

    /// After the end: the cost of the best path below the bound; kInfinity if there is none.
    [[nodiscard]] Cost cost() const noexcept { return found() ? best_ : kInfinity; }
    [[nodiscard]] bool found() const noexcept { return meeting_ != kNone; }
    /// After the end, into `nodes` (replacing what is there) the vertices of that path.
    void path(std::vector<std::uint32_t>& nodes) const;

    /// Of the search proper.
    [[nodiscard]] const grid::SearchStatistics& statistics() const noexcept { return statistics_; }
    /// Vertices below the core from which the goal's side was followed upwards.
    [[nodiscard]] std::uint64_t descents() const noexcept { return descents_; }

private:
    static constexpr std::uint32_t kNone = 0x7fff'ffff;
    static constexpr std::uint32_t kClosed = 0x8000'0000;

    /// Four to a cache line, for nearly every step needs all of it.
    struct Node {
        std::uint32_t stamp = 0;  ///< of an earlier search: as if both costs were infinite
        Cost g = 0;
        std::uint32_t parent = 0;  ///< kNone for a start; and kClosed
        Cost to_goal = 0;          ///< going only down from here
    };
    struct Descent {
        std::uint32_t next = 0;     ///< vertex below on the way to the goal, or kNone
        std::uint32_t sibling = 0;  ///< next of those waiting on the same level, or kNone
    };

    Node& touch(std::uint32_t v) noexcept {
        Node& node = nodes_[v];
        if (node.stamp != stamp_) node = {stamp_, kInfinity, kNone, kInfinity};
        return node;
    }
    void prepare(const NLevelGraph& graph, Cost bound);
    void climb_from_goal(std::span<const Connector> to);
    void offer_descent(std::uint32_t v, Cost to_goal, std::uint32_t next);
    void expand(std::uint32_t u, Cost f, const auto& h);
    void reach(std::uint32_t v, Cost g, std::uint32_t parent, const auto& h);
    void meet(std::uint32_t u, std::uint32_t v, Cost cost) noexcept {
        best_ = cost;
        meeting_ = u;
        landing_ = v;
    }

    const NLevelGraph* graph_ = nullptr;
    std::uint32_t stamp_ = 0;
    Cost best_ = 0;    ///< only cheaper paths are still wanted
    Cost spread_ = 0;  ///< the most that a descent from below the core costs
    std::uint32_t meeting_ = kNone;
    std::uint32_t landing_ = kNone;  ///< the meeting itself, or where a lateral arc leads from it
    std::vector<Node> nodes_;
    std::vector<Descent> descent_;
    std::vector<std::uint32_t> waiting_;  ///< by level, a chain
    std::vector<std::uint64_t> used_;     ///< the levels whose chain is not empty
    OpenHeap open_;
    grid::SearchStatistics statistics_;
    std::uint64_t descents_ = 0;
};

template <class Heuristic>
void NLevelSearch::begin(const NLevelGraph& graph, std::span<const Connector> from,
                         std::span<const Connector> to, Cost bound, const Heuristic& h) {
    prepare(graph, bound);
    climb_from_goal(to);
    for (const auto& [node, cost] : from) {
        if (node < graph.num_nodes() && cost < best_) reach(node, cost, kNone, h);
    }
}

template <class Heuristic>
bool NLevelSearch::advance(std::uint64_t budget, const Heuristic& h) {
    for (std::uint32_t u = 0;;) {
        if (budget == 0) return open_.least_f() < best_;
        if (!open_.pop(u) || open_.least_f() >= best_) {
            open_.clear();
            return false;
        }
        if ((nodes_[u].parent & kClosed) != 0) continue;  // was improved after it was pushed
        --budget;
        expand(u, open_.least_f(), h);
    }
}

/// `f` is what it was taken off the open list with.
inline void NLevelSearch::expand(std::uint32_t u, Cost f, const auto& h) {
    Node& node = nodes_[u];
    node.parent |= kClosed;
    const Cost g = node.g;
    ++statistics_.expanded;
    statistics_.open_sum += open_.size();
    const NLevelArrays& arrays = graph_->arrays();
    const NLevelVertex row = arrays.vertices[u];
    const NLevelArc* const arcs = arrays.arcs.data();
    for (std::uint32_t e = row.first; e < row.lateral; ++e) {
        const Cost there = g + arcs[e].weight;
        if (there >= best_) break;  // the next are no shorter
        reach(arcs[e].head, there, u, h);
    }
    // Longest first: those too short to end on the goal's side, as far as it spreads, come last. So
    // far from the goal this ends as it begins.
    const Cost to_goal = f - g;
    for (std::uint32_t e = arrays.vertices[u + 1].first; e-- > row.lateral;) {
        if (arcs[e].weight + spread_ < to_goal) break;
        const Cost there = g + arcs[e].weight;
        const Node& to = nodes_[arcs[e].head];
        if (there < best_ && to.stamp == stamp_ && to.to_goal < best_ - there) {
            meet(u, arcs[e].head, there + to.to_goal);
        }
    }
}

/// `g` must be below best_.
inline void NLevelSearch::reach(std::uint32_t v, Cost g, std::uint32_t parent, const auto& h) {
    Node& node = touch(v);
    // That a closed one is never improved goes without saying, except on a damaged graph.
    if (g >= node.g || (node.parent & kClosed) != 0) return;
    const Cost f = g + h(v);
    if (f >= best_) return;
    node.g = g;
    node.parent = parent;
    if (node.to_goal < best_ - g) {
        meet(v, v, g + node.to_goal);
        if (f >= best_) return;
    }
    open_.push(v, f, g);
    ++statistics_.generated;
}

}  // namespace cairn
