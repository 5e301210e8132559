#pragma once
// A* from the connectors of a start to the connectors of a goal. A derived class expands vertices:
// of a subgoal graph (subgoal/search.hpp) or an N-level graph (core/nlevel/n_level_search.hpp).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/path.hpp"
#include "core/memory.hpp"
#include "core/nearest_open.hpp"
#include "core/open_heap.hpp"
#include "core/search_observer.hpp"

namespace cairn {

struct NoNote {};

/// A resumable search. It keeps its memory, so a second search of the same size allocates nothing.
/// `Note` is what a derived search stores with each vertex.
///
/// Heuristics must be consistent. Of equal f the larger g is expanded first; of equally long paths
/// the one found first wins.
template <class Note = NoNote>
class ConnectorSearch {
public:
    /// After the end: the cost of the best path below the bound; kInfinity if there is none.
    [[nodiscard]] Cost cost() const noexcept { return found() ? best_ : kInfinity; }
    [[nodiscard]] bool found() const noexcept { return meeting_ != kNone; }
    /// Before the end: no path costs less.
    [[nodiscard]] Cost lower_bound() const noexcept { return std::min(best_, open_.least_f()); }
    /// Ends the search early: unless a path was found, the best path becomes that to the open
    /// vertex nearest the goal, if there is one.
    void stop() {
        if (found()) return;
        NearestOpen nearest;
        open_.for_each([&](std::uint32_t v, Cost f) {
            const Node& node = nodes_[v];
            if ((node.parent & kClosed) == 0) nearest.offer(v, f - node.g, node.g);
        });
        if (nearest.node() != NearestOpen::kNone) meet(nearest.node(), kNone, nearest.cost());
    }
    /// After the end, if a path was found: the last vertex before its part to the goal.
    [[nodiscard]] std::uint32_t meeting() const noexcept { return meeting_; }
    /// Whether the best path leads to the goal.
    [[nodiscard]] bool to_goal() const noexcept { return landing_ != kNone; }
    [[nodiscard]] const grid::SearchStatistics& statistics() const noexcept { return statistics_; }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(nodes_, open_.entries()); }

protected:
    static constexpr std::uint32_t kNone = 0x7fff'ffff;
    static constexpr std::uint32_t kClosed = 0x8000'0000;

    /// The state of a vertex. Without a note, four fit into a cache line.
    struct Node {
        std::uint32_t stamp = 0;  ///< differs from stamp_: both costs count as kInfinity
        Cost g = 0;
        std::uint32_t parent = 0;  ///< kNone for a start connector; kClosed is set once expanded
        Cost to_goal = 0;          ///< of a known path to the goal; kInfinity if none is known
        [[no_unique_address]] Note note{};
    };

    /// Begins a search over vertices 0 to `count` - 1 for paths that cost less than `bound`.
    void clear(std::size_t count, Cost bound) {
        best_ = std::min(bound, kInfinity);
        meeting_ = landing_ = kNone;
        open_.clear();
        statistics_ = {};
        if (nodes_.size() < count) nodes_.resize(count);
        if (++stamp_ == 0) {
            std::fill(nodes_.begin(), nodes_.end(), Node{});
            stamp_ = 1;
        }
    }

    Node& touch(std::uint32_t v) noexcept {
        Node& node = nodes_[v];
        if (node.stamp != stamp_) node = {stamp_, kInfinity, kNone, kInfinity, {}};
        return node;
    }

    /// Takes a path of cost `g` < best_ from the start to `v`; `h()` returns the heuristic of v.
    /// Stores it and returns the vertex if g is an improvement and may lead to a path below the
    /// best_ of before this call; otherwise returns null.
    Node* reach(std::uint32_t v, Cost g, std::uint32_t parent, auto&& h, const auto& observer) {
        Node& node = touch(v);
        // A closed vertex can only be improved on a damaged graph.
        if (g >= node.g || (node.parent & kClosed) != 0) return nullptr;
        const Cost f = g + h();
        if (f >= best_) return nullptr;
        node.g = g;
        node.parent = parent;
        if (parent == kNone) {
            observer.generated(v, g, f);
        } else {
            observer.generated(v, parent, g, f);
        }
        if (node.to_goal < best_ - g) {
            meet(v, v, g + node.to_goal);
            if (f >= best_) return &node;
        }
        open_.push(v, f, g);
        ++statistics_.generated;
        return &node;
    }

    /// Records the best path so far: from the start to `u`, then from `v` to the goal.
    void meet(std::uint32_t u, std::uint32_t v, Cost cost) noexcept {
        best_ = cost;
        meeting_ = u;
        landing_ = v;
    }

    /// Calls expand(vertex, g, f) for up to `budget` more vertices; true if the search is not
    /// finished. The result does not depend on how the work is cut into slices.
    bool expand_up_to(std::uint64_t budget, auto&& expand, const auto& observer) {
        for (std::uint32_t u = 0;;) {
            if (budget == 0) return open_.least_f() < best_;
            if (!open_.pop(u) || open_.least_f() >= best_) {
                open_.clear();
                return false;
            }
            Node& node = nodes_[u];
            if ((node.parent & kClosed) != 0) continue;  // was improved after it was pushed
            node.parent |= kClosed;
            --budget;
            ++statistics_.expanded;
            statistics_.open_sum += open_.size();
            observer.expanded(u, node.g, open_.least_f());
            expand(u, node.g, open_.least_f());
        }
    }

    /// Appends item_of(v) for each vertex v of the best path, from the start to meeting_.
    void append_to_meeting(auto& path, auto&& item_of) const {
        const auto first = static_cast<std::ptrdiff_t>(path.size());
        for (std::uint32_t v = meeting_; v != kNone; v = nodes_[v].parent & ~kClosed) {
            path.push_back(item_of(v));
        }
        std::reverse(path.begin() + first, path.end());
    }

    std::uint32_t stamp_ = 0;
    Cost best_ = 0;                  ///< of the best path, or the bound: only cheaper ones count
    std::uint32_t meeting_ = kNone;  ///< last vertex of the best path's part from the start
    /// First of its part to the goal: meeting_ or a neighbour; kNone if it does not lead there.
    std::uint32_t landing_ = kNone;
    std::vector<Node> nodes_;
    OpenHeap open_;
    grid::SearchStatistics statistics_;
};

}  // namespace cairn
