#pragma once
// A* on the HNG of one level (HNA* paper, algorithm 1), for the host and for a GPU: the caller
// gives it its memory.
//
// A vertex is expanded only into the cluster across from the one in which it was reached. Inside
// the latter, the intra-edges of the vertex before it lead everywhere at no more cost.

#include <cstdint>

#include "cairn/search_statistics.hpp"
#include "core/nearest_open.hpp"
#include "core/open_heap.hpp"
#include "core/search_observer.hpp"
#include "hna/hng_view.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::hna {

/// What a search knows of a vertex.
struct HngLabel {
    std::uint32_t stamp = 0;  // that of the search + the side (0 or 1) to expand + kConnected
    Cost g = kInfinity;
    Cost h = 0;                          // lower bound from that side to the goal
    std::uint32_t parent = mesh::kNone;  // vertex
};

/// `Graph`: HngView or HngGraph. Ties: of equal f the larger g is expanded first; of paths of equal
/// cost the first found wins.
template <class Heap, class Graph>
class HngAstar {
public:
    static constexpr std::uint32_t kNoVertex = mesh::kNone;
    /// Stamps of searches are multiples of this.
    static constexpr std::uint32_t kNextStamp = 4;

    /// The memory of a search.
    struct Memory {
        HngLabel* labels = nullptr;  // per vertex
        Cost* to_goal = nullptr;     // per vertex
        std::uint32_t stamp = 0;     // a multiple of kNextStamp that no label has
    };
    HngAstar() = default;
    CAIRN_HOST_DEVICE explicit HngAstar(const Heap& open) : open_(open) {}

    /// Begins a search for a path that costs less than `bound`.
    CAIRN_HOST_DEVICE void begin(const Graph& hng, const Memory& memory, const HngBounds& bounds,
                                 Cost bound) {
        hng_ = hng;
        memory_ = memory;
        bounds_ = bounds;
        best_ = bound;
        last_ = kNoVertex;
        statistics_ = {};
        open_.clear();
    }
    /// Adds a connection from a vertex to the goal. All goals must be added before any start.
    CAIRN_HOST_DEVICE void add_goal(std::uint32_t vertex, Cost cost) {
        memory_.labels[vertex] = {memory_.stamp | kConnected, kInfinity, 0, kNoVertex};
        memory_.to_goal[vertex] = cost;
    }
    /// Adds a connection from the start to a vertex, which is expanded on this side. `observer`:
    /// see core/search_observer.hpp.
    template <class Observer = NoObserver>
    CAIRN_HOST_DEVICE void add_start(std::uint32_t side, Cost cost, const Observer& observer = {}) {
        reach(side, cost, kNoVertex, observer);
    }

    [[nodiscard]] const Heap& open() const noexcept { return open_; }

    /// Expands up to `budget` more vertices; true if the search is not finished.
    template <class Observer = NoObserver>
    CAIRN_HOST_DEVICE bool advance(std::uint64_t budget, const Observer& observer = {}) {
        std::uint32_t vertex = 0;
        while (open_.size() > 0) {
            if (budget == 0) return true;
            open_.pop(vertex);
            if (open_.least_f() >= best_) break;
            const HngLabel& label = memory_.labels[vertex];
            if (open_.least_f() != label.g + label.h) continue;  // improved since it was pushed
            --budget;
            ++statistics_.expanded;
            statistics_.open_sum += open_.size();
            const Cost g = label.g;
            observer.expanded(vertex, g, open_.least_f());
            hng_.for_each_arc(
                2 * vertex + (label.stamp & kSide),
                [&](std::uint32_t head, Cost cost) { reach(head, g + cost, vertex, observer); });
        }
        open_.clear();
        return false;
    }

    /// Ends the search early, at the open vertex nearest the goal: from then on that is last().
    /// Returns the side on which it would have been expanded; kNoVertex if there is none.
    std::uint32_t stop_at_nearest() {
        NearestOpen nearest;
        open_.for_each([&](std::uint32_t vertex, Cost f) {
            const HngLabel& label = memory_.labels[vertex];
            if (f == label.g + label.h) nearest.offer(vertex, label.h, label.g);  // not outdated
        });
        open_.clear();
        last_ = nearest.node();
        return last_ == kNoVertex ? kNoVertex : 2 * last_ + (memory_.labels[last_].stamp & kSide);
    }

    /// After the end: the least cost below the bound, or the bound.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost cost() const noexcept { return best_; }
    /// The last vertex of that path, and the vertex before another; kNoVertex if there is none.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t last() const noexcept { return last_; }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t before(std::uint32_t vertex) const noexcept {
        return memory_.labels[vertex].parent;
    }
    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return statistics_; }
    [[nodiscard]] CAIRN_HOST_DEVICE Heap& open() noexcept { return open_; }

private:
    static constexpr std::uint32_t kSide = 1;
    static constexpr std::uint32_t kConnected = 2;  // to the goal

    // A vertex v needs one label, not one for each of its clusters. Proof: let v be reached in
    // cluster A at cost g, and in its other cluster at g' >= g. Only paths into A could use g'. But
    // the path of cost g came through A, from a vertex u. So it can go on to each vertex of A at no
    // more than g plus the cost from v.
    template <class Observer>
    CAIRN_HOST_DEVICE void reach(std::uint32_t side, Cost g, std::uint32_t parent,
                                 const Observer& observer) {
        HngLabel& label = memory_.labels[side / 2];
        const bool known = (label.stamp & ~(kSide | kConnected)) == memory_.stamp;
        if (known && g >= label.g) return;
        const std::uint32_t connected = known ? label.stamp & kConnected : 0;
        const std::uint32_t stamp = memory_.stamp | connected | (side & kSide);
        if (label.stamp != stamp || label.g == kInfinity) label.h = hng_.bound(side, bounds_);
        label.stamp = stamp;
        label.g = g;
        label.parent = parent;
        if (g + label.h < best_) {
            if (parent == kNoVertex) {
                observer.generated(side / 2, g, g + label.h);
            } else {
                observer.generated(side / 2, parent, g, g + label.h);
            }
        }
        if (connected != 0 && g + memory_.to_goal[side / 2] < best_) {
            best_ = g + memory_.to_goal[side / 2];
            last_ = side / 2;
        }
        if (g + label.h >= best_) return;
        open_.push(side / 2, g + label.h, g);
        ++statistics_.generated;
    }

    Graph hng_;
    Memory memory_;
    HngBounds bounds_;
    Cost best_ = kInfinity;           // of the best path so far, or the bound
    std::uint32_t last_ = kNoVertex;  // the last vertex of that path
    Heap open_;
    SearchStatistics statistics_;
};

}  // namespace cairn::hna
