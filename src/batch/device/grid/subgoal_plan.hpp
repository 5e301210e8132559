#pragma once
// The steps of CellKernel on a subgoal graph: connect by the connector table, a line a lane; search
// by labels or by climbing; refine, an edge a lane. Requests that a free line answers are left to
// the host (SubgoalArrays::is_for_host).

#include <algorithm>
#include <cstdint>
#include <span>

#include "batch/device/grid/cell_kernel.hpp"
#include "batch/device/grid/subgoal_form.hpp"
#include "batch/device/labels.hpp"
#include "batch/device/team.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"

namespace cairn::batch {

/// The edges of a path as legs, with the same cells as those of subgoal::follow_lines. An
/// edge is walked diagonally first; the last one straight first, because the goal's connectors are
/// found from the goal. Edges are numbered from the start.
class DirectEdges {
public:
    CAIRN_HOST_DEVICE DirectEdges(const SubgoalForm& form, const grid::Request& request,
                                  std::span<const std::uint32_t> nodes, Cells cells) noexcept
        : form_(form), request_(request), nodes_(nodes), cells_(cells) {}

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(nodes_.size()) + 1;
    }

    /// Whether the edges' lengths add up to `cost`; else the index contradicts itself.
    template <class Team>
    [[nodiscard]] CAIRN_HOST_DEVICE bool fit(const Team& team, Cost cost) const {
        std::uint64_t sum = 0;
        for (std::uint32_t edge = team.lane(); edge < count(); edge += team.lanes())
            sum += form_.distance(stop(edge), stop(edge + 1));
        return team.sum(sum).all == cost;
    }

    /// How many wanted cells an edge has, without the one where it begins.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t length(std::uint32_t edge) const noexcept {
        const Runs runs = runs_of(edge);
        if (cells_ == Cells::all) return runs.first.steps + runs.second.steps;
        return (turns_after_first(runs, edge) ? 1U : 0U) +
               (turns_after_second(runs, edge) ? 1U : 0U);
    }

    /// Writes these cells, from the start's side to the goal's.
    CAIRN_HOST_DEVICE void write(std::uint32_t edge, std::uint32_t /*length*/,
                                 grid::Cell* out) const noexcept {
        const Runs runs = runs_of(edge);
        grid::Cell at = grid::cell_of(form_.width, stop(edge));
        if (cells_ == Cells::all) {
            CAIRN_NO_UNROLL
            for (std::uint32_t i = 0; i < runs.first.steps; ++i) *out++ = at += runs.first.stride;
            CAIRN_NO_UNROLL
            for (std::uint32_t i = 0; i < runs.second.steps; ++i) *out++ = at += runs.second.stride;
            return;
        }
        at += runs.first.stride * runs.first.steps;
        if (turns_after_first(runs, edge)) *out++ = at;
        at += runs.second.stride * runs.second.steps;
        if (turns_after_second(runs, edge)) *out = at;
    }

private:
    /// Moves in one direction. Two successive runs have the same direction if they have the same
    /// stride. On a map of two columns E and SW also have the same stride, but on a shortest path
    /// neither follows the other.
    struct Run {
        std::uint32_t steps = 0;
        grid::Cell stride = 0;  // what a move adds to a cell's number, modulo 2^32
    };
    /// The two runs of an edge, in the order in which they are walked. Either may have no steps.
    struct Runs {
        Run first;
        Run second;
    };

    /// Where edge i begins: the start, then the subgoals; last the goal.
    [[nodiscard]] CAIRN_HOST_DEVICE grid::Point stop(std::uint32_t i) const noexcept {
        if (i == 0) return request_.start;
        return i <= nodes_.size() ? form_.places[nodes_[i - 1]] : request_.goal;
    }

    [[nodiscard]] CAIRN_HOST_DEVICE Runs runs_of(std::uint32_t edge) const noexcept {
        const grid::Point a = stop(edge);
        const grid::Point b = stop(edge + 1);
        const auto wide = static_cast<std::uint32_t>(a.x < b.x ? b.x - a.x : a.x - b.x);
        const auto high = static_cast<std::uint32_t>(a.y < b.y ? b.y - a.y : a.y - b.y);
        const auto width = static_cast<grid::Cell>(form_.width);
        const grid::Cell across = a.x < b.x ? grid::Cell{1} : ~grid::Cell{0};
        const grid::Cell along = a.y < b.y ? width : ~width + 1;
        const std::uint32_t less = wide < high ? wide : high;
        const Run diagonal{less, across + along};
        const Run straight{wide + high - 2 * less, wide > high ? across : along};
        return edge + 1 == count() ? Runs{straight, diagonal} : Runs{diagonal, straight};
    }

    [[nodiscard]] CAIRN_HOST_DEVICE bool turns_after_first(const Runs& runs,
                                                           std::uint32_t edge) const noexcept {
        if (runs.first.steps == 0) return false;
        return runs.second.steps > 0 || turns_after_edge(runs.first, edge);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE bool turns_after_second(const Runs& runs,
                                                            std::uint32_t edge) const noexcept {
        return runs.second.steps > 0 && turns_after_edge(runs.second, edge);
    }
    /// Whether the path turns or ends after `run`, the last one of an edge.
    [[nodiscard]] CAIRN_HOST_DEVICE bool turns_after_edge(const Run& run,
                                                          std::uint32_t edge) const noexcept {
        for (std::uint32_t next = edge + 1; next < count(); ++next) {
            const Runs runs = runs_of(next);
            if (runs.first.steps > 0) return runs.first.stride != run.stride;
            if (runs.second.steps > 0) return runs.second.stride != run.stride;
        }
        return true;
    }

    const SubgoalForm& form_;
    const grid::Request& request_;
    std::span<const std::uint32_t> nodes_;
    Cells cells_;
};

template <class Team>
struct SubgoalPlan {
    using Legs = DirectEdges;

    /// Connects a cell to the subgoals of its tile whose bit for this cell is set, in their order.
    [[nodiscard]] CAIRN_HOST_DEVICE LabelSide connect(grid::Point cell,
                                                      const CellEndpoint& memory) const {
        const auto [begin, end, bit] = form.connectors.lines(cell.x, cell.y);
        std::uint32_t count = 0;
        for (std::uint32_t base = begin; base < end; base += team.lanes()) {
            const std::uint32_t line = base + team.lane();
            const bool connected = line < end && form.connectors.has(line, bit);
            const LaneCount lanes = team.count(connected);
            if (connected) {
                const std::uint32_t node = form.connectors.nodes[line];
                memory.nodes[count + lanes.before] = node;
                memory.costs[count + lanes.before] = form.distance(cell, form.places[node]);
            }
            count += lanes.all;
        }
        return {{memory.nodes, count}, memory.costs, memory.rows, {}};
    }

    /// As subgoal::LabelSearch::run: if the ends are near, leaves out connectors that cannot win.
    [[nodiscard]] CAIRN_HOST_DEVICE Meeting search(const grid::Request& request, LabelSide& from,
                                                   LabelSide& to) const {
        const MeetingSearch<Team> labels(form.labels, team);
        if (!labels.find_ranges(from, to)) return {};
        const std::uint32_t common = common_entries(form.labels, from.range, to.range);
        const std::uint64_t connectors = from.vertices.size() + to.vertices.size();
        if (common * connectors <= CutLabels::kQuickEntries) return labels.find(from, to, common);
        const std::uint32_t a = most_promising(from, request.goal);
        const std::uint32_t b = most_promising(to, request.start);
        const std::uint64_t cost = std::min<std::uint64_t>(
            std::uint64_t{from.costs[a]} + labels.distance(from.vertices[a], to.vertices[b]) +
                to.costs[b],
            kInfinity);
        team.sync();
        leave_out(from, request.goal, a, cost);
        leave_out(to, request.start, b, cost);
        team.sync();
        return labels.find(from, to);
    }

    const SubgoalForm& form;
    const Team& team;

private:
    /// A lower bound on the cost of a path by a connector: by the octile distance to `other`.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost bound(const LabelSide& side, std::uint32_t slot,
                                               grid::Point other) const noexcept {
        return side.costs[slot] + form.distance(form.places[side.vertices[slot]], other);
    }

    /// The slot of the connector with the least bound, the first of equals.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t most_promising(const LabelSide& side,
                                                                 grid::Point other) const {
        std::uint64_t best = ~std::uint64_t{0};
        CAIRN_NO_UNROLL
        for (std::uint32_t slot = team.lane(); slot < side.vertices.size(); slot += team.lanes())
            best = std::min(best, std::uint64_t{bound(side, slot, other)} << 32 | slot);
        return static_cast<std::uint32_t>(team.least(best));
    }

    /// Leaves out the connectors whose lower bound is more than `cost`, except that of slot `best`.
    CAIRN_HOST_DEVICE void leave_out(const LabelSide& side, grid::Point other, std::uint32_t best,
                                     std::uint64_t cost) const {
        for (std::uint32_t slot = team.lane(); slot < side.vertices.size(); slot += team.lanes())
            if (slot != best && bound(side, slot, other) > cost) side.costs[slot] = kInfinity;
    }
};

template <class Team>
using SubgoalKernel = CellKernel<SubgoalPlan<Team>, SubgoalForm, Team, ByLabels>;
template <class Team>
using SubgoalClimbKernel = CellKernel<SubgoalPlan<Team>, SubgoalForm, Team, ByClimbing>;

}  // namespace cairn::batch
