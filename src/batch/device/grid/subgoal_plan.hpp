#pragma once
// How kernels answer a request on a subgoal graph: connect by the table, search by labels, refine
// an edge a lane. No free line joins start and goal.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "batch/device/grid/cell_kernel.hpp"
#include "batch/device/grid/direct_edges.hpp"
#include "batch/device/grid/subgoal_form.hpp"
#include "batch/device/label_meeting.hpp"
#include "batch/device/team.hpp"

namespace cairn::batch {

class SubgoalPlan {
public:
    using Form = SubgoalForm;
    using Legs = DirectEdges;

    /// The tile's lines that the cell's bit is set in, in their order.
    template <class Team>
    [[nodiscard]] CAIRN_HOST_DEVICE static LabelSide connect(const Form& form, const Team& team,
                                                             grid::Point cell,
                                                             const CellEndpoint& memory) {
        const auto [begin, end, bit] = form.connectors.lines(cell.x, cell.y);
        std::uint32_t count = 0;
        for (std::uint32_t base = begin; base < end; base += team.lanes()) {
            const std::uint32_t line = base + team.lane();
            const bool mine = line < end && form.connectors.has(line, bit);
            const Chosen chosen = team.chosen(mine);
            if (mine) {
                const std::uint32_t node = form.connectors.nodes[line];
                memory.nodes[count + chosen.before] = node;
                memory.costs[count + chosen.before] = form.distance(cell, form.places[node]);
            }
            count += chosen.all;
        }
        return {{memory.nodes, count}, memory.costs, memory.rows, {}};
    }

    /// As LabelSearch::run: where start and goal are near, connectors that cannot be on a shortest
    /// path are left out first.
    template <class Team>
    [[nodiscard]] CAIRN_HOST_DEVICE static Meeting search(const Form& form, const Team& team,
                                                          const grid::Request& request,
                                                          LabelSide& from, LabelSide& to,
                                                          const CellEndpoints& memory) {
        const LabelMeeting<Team> meeting(form.labels, team);
        if (!meeting.find_ranges(from, to)) return {};
        const std::uint32_t common = common_entries(form.labels, from.range, to.range);
        const std::uint64_t connectors = from.vertices.size() + to.vertices.size();
        if (common * connectors <= CutLabels::kQuickEntries) return meeting.find(from, to, common);
        const std::uint32_t a = most_promising(form, team, from, request.goal);
        const std::uint32_t b = most_promising(form, team, to, request.start);
        const std::uint64_t cost = std::min<std::uint64_t>(
            std::uint64_t{from.costs[a]} + meeting.distance(from.vertices[a], to.vertices[b]) +
                to.costs[b],
            kInfinity);
        team.sync();
        keep(form, team, request.goal, a, cost, from, memory[0].costs);
        keep(form, team, request.start, b, cost, to, memory[1].costs);
        team.sync();
        return meeting.find(from, to);
    }

private:
    /// The least cost of a path by a connector, were there no obstacles.
    [[nodiscard]] CAIRN_HOST_DEVICE static Cost bound(const Form& form, const LabelSide& side,
                                                      std::uint32_t slot,
                                                      grid::Point other) noexcept {
        return side.costs[slot] + form.distance(form.places[side.vertices[slot]], other);
    }

    template <class Team>
    [[nodiscard]] CAIRN_HOST_DEVICE static std::uint32_t most_promising(const Form& form,
                                                                        const Team& team,
                                                                        const LabelSide& side,
                                                                        grid::Point other) {
        std::uint64_t best = ~std::uint64_t{0};
        for (std::uint32_t slot = team.lane(); slot < side.vertices.size(); slot += team.lanes())
            best = std::min(best, std::uint64_t{bound(form, side, slot, other)} << 32 | slot);
        return static_cast<std::uint32_t>(team.least(best));
    }

    /// Leaves out connectors other than `best` whose lower bound is not below `cost`.
    template <class Team>
    CAIRN_HOST_DEVICE static void keep(const Form& form, const Team& team, grid::Point other,
                                       std::uint32_t best, std::uint64_t cost,
                                       const LabelSide& side, Cost* costs) {
        for (std::uint32_t slot = team.lane(); slot < side.vertices.size(); slot += team.lanes())
            if (slot != best && bound(form, side, slot, other) >= cost) costs[slot] = kInfinity;
    }
};

template <class Team>
using SubgoalKernel = CellKernel<SubgoalPlan, Team>;

}  // namespace cairn::batch
