#pragma once
// A query answered from the closure alone: it climbs the tree from all connectors at once. Finds
// the same cost and the same path as CutLabelQuery.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "cairn/closure.hpp"
#include "closure_view.hpp"
#include "cut_labels_kernels.hpp"
#include "sorted_connectors.hpp"
#include "unpack.hpp"

namespace cairn {

/// Bounds for a climb that leaves nothing out. Others tell for a node of the graph, which may be
/// ClosureNode::kNone, what a path between it and an end of the query costs at least, at most
/// kInfinity:
///     to_start(node), to_goal(node)
///     prefetch(node)                  says that the node will be asked for soon
/// A connector costs at least what they say of its node and its end.
struct NoBounds {
    static constexpr bool kEmpty = true;
};

/// One query. Nodes are visited in reverse depth-first order, so each before its ancestors. A
/// visit knows the costs to its node from the start and to the goal over lower nodes, and passes
/// them on over the edges of its row.
///
/// With bounds, a node where a path would cost more than a known limit passes nothing on. All nodes
/// of the shortest paths within the limit do, and others do not count: so the cost and the path
/// are the same.
///
/// Of equal paths, the first goal connector of the list wins, then the lowest meeting, then the
/// first start connector; from a connector to the meeting, the last closure edge begins as low as
/// possible, then the one before it, and so on.
class ClimbQuery {
public:
    ClimbQuery(const Closure::Storage& closure, std::span<const Connector> from,
               std::span<const Connector> to, ClosureScratch& scratch)
        : places_(closure.places), view_(closure), from_(from), to_(to), scratch_(scratch) {
        sort_sources();
    }

    using Seen = ClosureScratch::Seen;
    using Visit = ClosureScratch::Visit;
    static constexpr bool kCostOnly = false;  ///< values of kPath below
    static constexpr bool kWithPath = true;

    Cost cost = kInfinity;
    std::uint64_t rows = 0;  ///< of the closure that were read

    /// The greatest depth of a connector.
    [[nodiscard]] std::uint32_t deepest() const noexcept { return deepest_; }

    /// Finds the cost; with kPath also what take_path() needs.
    template <bool kPath>
    void run() {
        NoTop top;
        visit_all<kPath>(top, NoBounds{}, kInfinity);
    }

    /// The same with bounds if the cost is at most `most`. If not, `cost` is above `most`: that of
    /// some path, or kInfinity.
    template <bool kPath, class Bounds>
    void run_within(const Bounds& bounds, Cost most) {
        NoTop top;
        visit_all<kPath>(top, bounds, most);
    }

    /// As run(), but a climb ends at the first node that `top` contains; all ancestors of such a
    /// node are in it too. `cost` is that of the paths with their topmost node below. Calls
    /// top.begin(place) for places at which climbs ended, and then, from the lowest up, for their
    /// ancestors at which closure edges or connectors arrive, themselves included,
    ///     top.add(depth, goal, seen)
    /// with what a side knows of the ancestor at `depth`. top.shared(place, other) is the number of
    /// ancestors in `top` that both have, themselves included.
    template <bool kPath, class Top>
    void run_up_to(Top& top) {
        visit_all<kPath>(top, NoBounds{}, kInfinity);
    }

    /// The number of the path's goal connector. There must be a path.
    [[nodiscard]] std::uint32_t goal() const { return meeting()->to.origin; }

    /// Replaces `nodes` by those of the path and returns its cost; kInfinity and no nodes if there
    /// is none or the arrays are forged. Call it after run<kPath>().
    [[nodiscard]] Cost take_path(std::vector<std::uint32_t>& nodes) {
        nodes.clear();
        if (cost < kInfinity && write_path(nodes)) return cost;
        nodes.clear();
        return kInfinity;
    }

    /// Sets `places` to those of a path by closure edges, from `at` down to the connector of this
    /// side; `last` is the place where the edge to `at` begins. False only on forged arrays. Call
    /// it after run<kWithPath>() or run_up_to<kWithPath>().
    [[nodiscard]] bool trace(std::uint32_t at, std::uint32_t last, Seen Visit::*side,
                             std::vector<std::uint32_t>& places) const {
        places.assign(1, at);
        // Positions rise, and visits are in falling order of positions.
        auto visit = scratch_.visits_.cend();
        while (last != places.back()) {
            visit = std::lower_bound(
                scratch_.visits_.cbegin(), visit, view_.position(last),
                [](const Visit& v, std::uint32_t wanted) { return v.position > wanted; });
            if (visit == scratch_.visits_.cend() || visit->place != last) return false;
            places.push_back(last);
            last = ((*visit).*side).last;
        }
        return true;
    }

private:
    using Source = ClosureScratch::Source;
    static constexpr std::uint32_t kNone = ClosureNode::kNone;

    /// What one side, the start's or the goal's, knows of the nodes from the current one up, by
    /// depth.
    struct Side {
        Deficit* least = nullptr;  ///< the least costs, as deficits
        ClimbTrail trail;          ///< how they come about; only with kPath

        void add(const Source& source, std::uint32_t depth) const {
            const Deficit mine = deficit(source.cost);
            // A path that begins here wins over one from the same connector elsewhere.
            if (mine > least[depth] ||
                (mine == least[depth] && source.index > trail.origins[depth])) {
                return;
            }
            least[depth] = mine;
            trail.origins[depth] = source.index;
            trail.lasts[depth] = source.place;
        }
        template <bool kPath>
        void pass_on(const ClosureRow& row, std::uint32_t place, std::uint32_t depth) const {
            const ClimbStep step{
                row.depth, row.cost, row.length, cost_of(least[depth]), trail.origins[depth],
                place};
            if constexpr (kPath) {
                cairn::pass_on(step, least, trail);
            } else {
                cairn::pass_on(step, least);
            }
        }
        [[nodiscard]] Seen seen(std::uint32_t depth) const {
            return {cost_of(least[depth]), trail.origins[depth], trail.lasts[depth]};
        }
    };

    /// Forgets the costs at depths from `first` to `last`.
    void forget(std::uint32_t first, std::uint32_t last) const {
        if (first > last) return;
        std::fill(from_side_.least + first, from_side_.least + last + 1, Deficit{0});
        std::fill(to_side_.least + first, to_side_.least + last + 1, Deficit{0});
    }

    static constexpr std::uint32_t kBlank = 8;
    /// Whether no side knows a cost at kBlank depths from `first` on.
    [[nodiscard]] bool is_blank(std::uint32_t first) const noexcept {
        std::array<std::uint64_t, kBlank / 2> from;
        std::array<std::uint64_t, kBlank / 2> to;
        std::memcpy(from.data(), from_side_.least + first, sizeof from);
        std::memcpy(to.data(), to_side_.least + first, sizeof to);
        std::uint64_t any = 0;
        for (std::size_t i = 0; i < from.size(); ++i) any |= from[i] | to[i];
        return any == 0;
    }

    void sort_sources() {
        scratch_.sources_.clear();
        const auto order_of = [&](const Connector& connector) -> std::optional<std::uint32_t> {
            if (connector.node >= places_.size() || connector.cost >= kInfinity) return {};
            const std::uint32_t place = places_[connector.node];
            if (place == kNone) return {};
            deepest_ = std::max<std::uint32_t>(deepest_, view_.node(place).depth);
            return ~view_.position(place);
        };
        visit_sorted(from_, to_, scratch_.keys_, order_of,
                     [&](const Connector& connector, std::uint32_t i, bool is_goal) {
                         const std::uint32_t place = places_[connector.node];
                         scratch_.sources_.push_back(
                             {view_.position(place), place, i, connector.cost, is_goal});
                     });
        const std::size_t room = std::size_t{deepest_} + 1;
        if (scratch_.least_.size() < 2 * room) {
            scratch_.least_.resize(2 * room);
            scratch_.trail_.resize(4 * room);
        }
        std::uint32_t* const trail = scratch_.trail_.data();
        from_side_ = {scratch_.least_.data(), {trail, trail + room}};
        to_side_ = {from_side_.least + room, {trail + 2 * room, trail + 3 * room}};
    }

    /// Contains no node.
    struct NoTop {
        static constexpr bool kEmpty = true;
    };

    template <bool kPath, class Top, class Bounds>
    void visit_all(Top& top, const Bounds& bounds, Cost most) {
        cost = kInfinity;
        scratch_.visits_.clear();
        const std::vector<Source>& sources = scratch_.sources_;
        for (std::size_t i = 0; i < sources.size();) {
            const std::uint32_t at = sources[i].place;
            forget(0, view_.node(at).depth);
            i = climb<kPath>(at, i, top, bounds, most);
        }
    }

    /// Whether a node passes a cost on. Edges cost at least 1, so nothing is lost at nodes as far
    /// as the best path is long.
    template <bool kGoal, class Bounds>
    [[nodiscard]] bool passes_on(Cost known, const ClosureNode& node, const Bounds& bounds,
                                 Cost most) const {
        if (known >= cost) return false;
        if constexpr (Bounds::kEmpty) {
            return true;
        } else {
            const Cost rest = kGoal ? bounds.to_goal(node.node) : bounds.to_start(node.node);
            return known + rest <= std::min(cost, most);
        }
    }

    /// Visits one tree, from the source of number `i` at `at` up; returns the number of the first
    /// source that lies in another tree.
    template <bool kPath, class Top, class Bounds>
    std::size_t climb(std::uint32_t at, std::size_t i, Top& top, const Bounds& bounds, Cost most) {
        const std::vector<Source>& sources = scratch_.sources_;
        for (;;) {
            const ClosureNode& node = view_.node(at);
            const std::uint32_t depth = node.depth;
            for (; i < sources.size() && sources[i].place == at; ++i)
                (sources[i].goal ? to_side_ : from_side_).add(sources[i], depth);
            if constexpr (!Top::kEmpty) {
                if (top.contains(at)) {
                    // What the next source shares with this place may yet become less.
                    const bool last = i == sources.size();
                    const std::uint32_t kept =
                        last ? 0 : std::min(top.shared(at, sources[i].place), depth + 1);
                    top.begin(at);
                    for (std::uint32_t end = depth + 1; end > kept;) {
                        if (end >= kept + kBlank && is_blank(end - kBlank)) {
                            end -= kBlank;
                            continue;
                        }
                        const std::uint32_t d = --end;
                        if (from_side_.least[d] < 0) top.add(d, false, from_side_.seen(d));
                        if (to_side_.least[d] < 0) top.add(d, true, to_side_.seen(d));
                    }
                    if (last) return i;
                    at = sources[i].place;
                    forget(kept, view_.node(at).depth);
                    continue;
                }
            }
            const Cost from = cost_of(from_side_.least[depth]);
            const Cost to = cost_of(to_side_.least[depth]);
            cost = std::min(cost, from + to);
            if constexpr (kPath) {
                scratch_.visits_.push_back(
                    {view_.position(at), at, from_side_.seen(depth), to_side_.seen(depth)});
            }
            if constexpr (!Bounds::kEmpty) {
                // Most parents have the place before.
                constexpr std::uint32_t kAhead = 8;
                if (at >= kAhead) bounds.prefetch(view_.node(at - kAhead).node);
            }
            if (passes_on<true>(from, node, bounds, most)) {
                from_side_.pass_on<kPath>(view_.row(at, Way::up), at, depth);
                ++rows;
            }
            if (passes_on<false>(to, node, bounds, most)) {
                to_side_.pass_on<kPath>(view_.row(at, Way::down), at, depth);
                ++rows;
            }
            const std::uint32_t parent = node.parent;
            if (parent == kNone) return i;
            at = parent;
            if (i < sources.size() && sources[i].position > view_.position(parent)) {
                // The next source lies in another branch below the parent.
                at = sources[i].place;
                forget(view_.node(parent).depth + 1U, view_.node(at).depth);
            }
        }
    }

    [[nodiscard]] bool write_path(std::vector<std::uint32_t>& nodes) {
        const auto best = meeting();
        std::vector<std::uint32_t>& up = scratch_.start_places_;
        std::vector<std::uint32_t>& down = scratch_.goal_places_;
        if (!trace(best->place, best->from.last, &Visit::from, up) ||
            !trace(best->place, best->to.last, &Visit::to, down)) {
            return false;
        }
        std::reverse(up.begin(), up.end());
        up.insert(up.end(), down.begin() + 1, down.end());
        return ClosureUnpacker(view_, scratch_.halves_).append_path(up, nodes);
    }

    /// The visit where the best path has its topmost node.
    [[nodiscard]] std::vector<Visit>::const_iterator meeting() const {
        // The first goal connector, then the lowest meeting.
        const std::vector<Visit>& visits = scratch_.visits_;
        auto best = visits.cend();
        for (auto v = visits.cbegin(); v != visits.cend(); ++v) {
            if (v->from.cost < kInfinity && v->from.cost + v->to.cost == cost &&
                (best == visits.cend() || v->to.origin < best->to.origin)) {
                best = v;
            }
        }
        return best;
    }

    const PagedArray<std::uint32_t>& places_;
    ClosureView view_;
    std::span<const Connector> from_;
    std::span<const Connector> to_;
    ClosureScratch& scratch_;
    Side from_side_;
    Side to_side_;
    std::uint32_t deepest_ = 0;
};

}  // namespace cairn
