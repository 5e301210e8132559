#pragma once
// A query answered from the closure alone: it climbs the tree from all connectors at once. Finds
// the same cost and the same path as CutLabelQuery.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cairn/closure.hpp"
#include "closure_view.hpp"
#include "cut_labels_kernels.hpp"
#include "unpack.hpp"

namespace cairn {

/// One query. Nodes are visited in reverse depth-first order, so each before its ancestors. A
/// visit knows the costs to its node from the start and to the goal over lower nodes, and passes
/// them on over the edges of its row.
///
/// Of equal paths, the first goal connector of the list wins, then the lowest meeting, then the
/// first start connector; from a connector to the meeting, the last closure edge begins as low as
/// possible, then the one before it, and so on.
class ClimbQuery {
public:
    ClimbQuery(const Closure::Storage& closure, std::span<const Connector> from,
               std::span<const Connector> to, ClosureScratch& scratch)
        : places_(closure.places), view_(closure), from_(from), to_(to), scratch_(scratch) {}

    static constexpr bool kCostOnly = false;  ///< values of kPath below
    static constexpr bool kWithPath = true;

    Cost cost = kInfinity;

    /// Finds the cost; with kPath also what take_path() needs.
    template <bool kPath>
    void run() {
        sort_sources();
        scratch_.visits_.clear();
        const std::vector<Source>& sources = scratch_.sources_;
        for (std::size_t i = 0; i < sources.size();) {
            const std::uint32_t at = sources[i].place;
            from_side_.clear(0, view_.node(at).depth);
            to_side_.clear(0, view_.node(at).depth);
            i = climb<kPath>(at, i);
        }
    }

    /// Replaces `nodes` by those of the path and returns its cost; kInfinity and no nodes if there
    /// is none or the arrays are forged. Call it after run<kPath>().
    [[nodiscard]] Cost take_path(std::vector<std::uint32_t>& nodes) {
        nodes.clear();
        if (cost < kInfinity && write_path(nodes)) return cost;
        nodes.clear();
        return kInfinity;
    }

private:
    using Source = ClosureScratch::Source;
    using Visit = ClosureScratch::Visit;
    static constexpr std::uint32_t kNone = ClosureNode::kNone;

    /// What one side, the start's or the goal's, knows of the nodes from the current one up, by
    /// depth.
    struct Side {
        Deficit* least = nullptr;  ///< the least costs, as deficits
        ClimbTrail trail;          ///< how they come about; only with kPath

        /// Forgets the costs at depths from `above` to `depth`.
        void clear(std::uint32_t above, std::uint32_t depth) const {
            std::fill_n(least + above, std::size_t{depth} + 1 - above, Deficit{0});
        }
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
        [[nodiscard]] ClosureScratch::Seen seen(std::uint32_t depth) const {
            return {cost_of(least[depth]), trail.origins[depth], trail.lasts[depth]};
        }
    };

    void sort_sources() {
        std::vector<Source>& sources = scratch_.sources_;
        sources.clear();
        std::uint32_t deepest = 0;
        const auto add = [&](std::span<const Connector> connectors, bool goal) {
            for (std::uint32_t i = 0; i < connectors.size(); ++i) {
                const Connector& connector = connectors[i];
                if (connector.node >= places_.size() || connector.cost >= kInfinity) continue;
                const std::uint32_t place = places_[connector.node];
                if (place == kNone) continue;
                deepest = std::max<std::uint32_t>(deepest, view_.node(place).depth);
                sources.push_back({view_.position(place), place, i, connector.cost, goal});
            }
        };
        add(from_, false);
        add(to_, true);
        std::sort(sources.begin(), sources.end(),
                  [](const Source& a, const Source& b) { return a.position > b.position; });
        const std::size_t room = std::size_t{deepest} + 1;
        if (scratch_.least_.size() < 2 * room) {
            scratch_.least_.resize(2 * room);
            scratch_.trail_.resize(4 * room);
        }
        std::uint32_t* const trail = scratch_.trail_.data();
        from_side_ = {scratch_.least_.data(), {trail, trail + room}};
        to_side_ = {from_side_.least + room, {trail + 2 * room, trail + 3 * room}};
    }

    /// Visits one tree, from the source of number `i` at `at` up; returns the number of the first
    /// source that lies in another tree.
    template <bool kPath>
    std::size_t climb(std::uint32_t at, std::size_t i) {
        const std::vector<Source>& sources = scratch_.sources_;
        for (;;) {
            const ClosureNode& node = view_.node(at);
            const std::uint32_t depth = node.depth;
            for (; i < sources.size() && sources[i].place == at; ++i)
                (sources[i].goal ? to_side_ : from_side_).add(sources[i], depth);
            const Cost from = cost_of(from_side_.least[depth]);
            const Cost to = cost_of(to_side_.least[depth]);
            cost = std::min(cost, from + to);
            if constexpr (kPath) {
                scratch_.visits_.push_back(
                    {view_.position(at), at, from_side_.seen(depth), to_side_.seen(depth)});
            }
            // Edges cost at least 1, so nothing is lost at nodes as far as the best path is long.
            const ClosureRow row = view_.row(at);
            if (from < cost) from_side_.pass_on<kPath>(row, at, depth);
            if (to < cost) to_side_.pass_on<kPath>(row, at, depth);
            const std::uint32_t parent = node.parent;
            if (parent == kNone) return i;
            at = parent;
            if (i < sources.size() && sources[i].position > view_.position(parent)) {
                // The next source lies in another branch below the parent.
                at = sources[i].place;
                from_side_.clear(view_.node(parent).depth + 1U, view_.node(at).depth);
                to_side_.clear(view_.node(parent).depth + 1U, view_.node(at).depth);
            }
        }
    }

    /// Sets `places` to those of the path by closure edges from the meeting down to the connector
    /// of this side. False only on forged arrays.
    [[nodiscard]] bool trace(std::vector<Visit>::const_iterator visit,
                             ClosureScratch::Seen Visit::*side,
                             std::vector<std::uint32_t>& places) const {
        places.assign(1, visit->place);
        // Positions rise, and visits are in falling order of positions.
        while (((*visit).*side).last != visit->place) {
            const std::uint32_t place = ((*visit).*side).last;
            visit = std::lower_bound(
                scratch_.visits_.cbegin(), visit, view_.position(place),
                [](const Visit& v, std::uint32_t wanted) { return v.position > wanted; });
            if (visit->place != place) return false;
            places.push_back(place);
        }
        return true;
    }

    [[nodiscard]] bool write_path(std::vector<std::uint32_t>& nodes) {
        // The first goal connector, then the lowest meeting.
        const std::vector<Visit>& visits = scratch_.visits_;
        auto meeting = visits.cend();
        for (auto v = visits.cbegin(); v != visits.cend(); ++v) {
            if (v->from.cost < kInfinity && v->from.cost + v->to.cost == cost &&
                (meeting == visits.cend() || v->to.origin < meeting->to.origin)) {
                meeting = v;
            }
        }
        std::vector<std::uint32_t>& up = scratch_.start_places_;
        std::vector<std::uint32_t>& down = scratch_.goal_places_;
        if (!trace(meeting, &Visit::from, up) || !trace(meeting, &Visit::to, down)) return false;

        ClosureUnpacker unpacker(view_, scratch_.halves_);
        const auto depth_of = [&](std::uint32_t place) { return view_.node(place).depth; };
        const auto append = [&](std::uint32_t place) {
            nodes.push_back(view_.node(place).node);
            return nodes.back() != kNone;
        };
        if (!append(up.back())) return false;
        for (std::size_t i = up.size(); i-- > 1;) {
            if (!unpacker.append_inner(up[i], depth_of(up[i - 1]), true, nodes) ||
                !append(up[i - 1])) {
                return false;
            }
        }
        for (std::size_t i = 1; i < down.size(); ++i) {
            if (!unpacker.append_inner(down[i], depth_of(down[i - 1]), false, nodes) ||
                !append(down[i])) {
                return false;
            }
        }
        return true;
    }

    const PagedArray<std::uint32_t>& places_;
    ClosureView view_;
    std::span<const Connector> from_;
    std::span<const Connector> to_;
    ClosureScratch& scratch_;
    Side from_side_;
    Side to_side_;
};

}  // namespace cairn
