#pragma once
// A trip on a subgoal graph answered by cut labels, by one team: connect by the table, search by
// labels, refine an edge a lane. The steps are those of subgoal::QueryRun, and so are all choices
// among equals.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "batch/device/direct_edges.hpp"
#include "batch/device/kernel_task.hpp"
#include "batch/device/label_climb.hpp"
#include "batch/device/label_meeting.hpp"
#include "batch/device/route.hpp"
#include "batch/device/subgoal_form.hpp"
#include "batch/device/team.hpp"

namespace cairn::batch {

template <class Team>
class SubgoalKernel {
public:
    /// Bytes of scratch memory that a team needs, of any content.
    [[nodiscard]] static std::size_t scratch_bytes(const SubgoalForm& form) noexcept {
        return carved_bytes<Scratch>(form);
    }

    CAIRN_HOST_DEVICE SubgoalKernel(const SubgoalForm& form, const SubgoalTask& task,
                                    const Team& team, std::byte* scratch)
        : form_(form), task_(task), team_(team), carver_(scratch), scratch_(form, carver_) {}

    /// All lanes call this with the same trip, whose ends no free line joins.
    CAIRN_HOST_DEVICE void answer(std::uint32_t trip) {
        const CellTrip& ends = task_.trips[trip];
        TripAnswer answer;
        if (SubgoalForm::is_asked(ends)) find(ends, answer);
        if (team_.lane() == 0) task_.answers[trip] = answer;
        team_.sync();
    }

private:
    /// The connectors of one end.
    struct EndMemory {
        std::uint32_t* nodes = nullptr;
        Cost* costs = nullptr;
        LabelSide::Row* rows = nullptr;
    };
    struct Scratch {
        CAIRN_HOST_DEVICE Scratch(const SubgoalForm& form, Carver& carver) noexcept
            : room(form.most_stops),
              path(carver.take<std::uint32_t>(room)),
              goal_side(carver.take<std::uint32_t>(room)),
              offsets(carver.take<std::uint32_t>(room + std::size_t{2})) {
            for (EndMemory& end : ends) {
                end.nodes = carver.take<std::uint32_t>(form.most_connectors);
                end.costs = carver.take<Cost>(form.most_connectors);
                end.rows = carver.take<LabelSide::Row>(form.most_connectors);
            }
        }
        std::uint32_t room;
        std::uint32_t* path;
        std::uint32_t* goal_side;
        std::uint32_t* offsets;
        std::array<EndMemory, 2> ends{};
    };

    CAIRN_HOST_DEVICE void find(const CellTrip& ends, TripAnswer& answer) {
        LabelSide from = connect(ends.start, scratch_.ends[0]);
        LabelSide to = connect(ends.goal, scratch_.ends[1]);
        team_.sync();
        const Meeting meeting = search(ends, from, to);
        if (meeting.cost >= kInfinity) return;
        if (task_.query.paths) {
            std::uint64_t count = 0;
            if (team_.lane() == 0)
                count = climb_labels(form_.labels, from.vertices[meeting.start],
                                     to.vertices[meeting.goal], meeting.entry,
                                     {scratch_.path, scratch_.room},
                                     {scratch_.goal_side, scratch_.room});
            count = team_.first(count);
            team_.sync();
            if (count == 0 || !refine(ends, {scratch_.path, count}, meeting.cost, answer)) return;
        }
        answer.cost = meeting.cost;
    }

    /// The tile's lines that the cell's bit is set in, in their order.
    [[nodiscard]] CAIRN_HOST_DEVICE LabelSide connect(grid::Point cell,
                                                      const EndMemory& memory) const {
        const auto [begin, end, bit] = form_.connectors.lines(cell.x, cell.y);
        std::uint32_t count = 0;
        for (std::uint32_t base = begin; base < end; base += team_.lanes()) {
            const std::uint32_t line = base + team_.lane();
            const bool mine = line < end && form_.connectors.has(line, bit);
            const Chosen chosen = team_.chosen(mine);
            if (mine) {
                const std::uint32_t node = form_.connectors.nodes[line];
                memory.nodes[count + chosen.before] = node;
                memory.costs[count + chosen.before] = form_.distance(cell, form_.places[node]);
            }
            count += chosen.all;
        }
        return {{memory.nodes, count}, memory.costs, memory.rows, {}};
    }

    /// LabelSearch::run: near ends first leave out the connectors that cannot be on a shortest
    /// path.
    [[nodiscard]] CAIRN_HOST_DEVICE Meeting search(const CellTrip& ends, LabelSide& from,
                                                   LabelSide& to) const {
        const LabelMeeting<Team> meeting(form_.labels, team_);
        if (!meeting.find_ends(from, to)) return {};
        const std::uint32_t common = common_entries(form_.labels, from.ends, to.ends);
        const std::uint64_t connectors = from.vertices.size() + to.vertices.size();
        if (common * connectors <= CutLabels::kQuickEntries) return meeting.find(from, to, common);
        const std::uint32_t a = most_promising(from, ends.goal);
        const std::uint32_t b = most_promising(to, ends.start);
        const std::uint64_t cost = std::min<std::uint64_t>(
            std::uint64_t{from.costs[a]} + meeting.distance(from.vertices[a], to.vertices[b]) +
                to.costs[b],
            kInfinity);
        team_.sync();
        keep(ends.goal, a, cost, from, scratch_.ends[0].costs);
        keep(ends.start, b, cost, to, scratch_.ends[1].costs);
        team_.sync();
        return meeting.find(from, to);
    }

    /// The least cost of a path by a connector, were there no obstacles.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost bound(const LabelSide& side, std::uint32_t slot,
                                               grid::Point other) const noexcept {
        return side.costs[slot] + form_.distance(form_.places[side.vertices[slot]], other);
    }

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t most_promising(const LabelSide& side,
                                                                 grid::Point other) const {
        std::uint64_t best = ~std::uint64_t{0};
        for (std::uint32_t slot = team_.lane(); slot < side.vertices.size(); slot += team_.lanes())
            best = std::min(best, std::uint64_t{bound(side, slot, other)} << 32 | slot);
        return static_cast<std::uint32_t>(team_.least(best));
    }

    /// Makes connectors other than `best` useless that promise nothing below `cost`.
    CAIRN_HOST_DEVICE void keep(grid::Point other, std::uint32_t best, std::uint64_t cost,
                                const LabelSide& side, Cost* costs) const {
        for (std::uint32_t slot = team_.lane(); slot < side.vertices.size(); slot += team_.lanes())
            if (slot != best && bound(side, slot, other) >= cost) costs[slot] = kInfinity;
    }

    /// False, and nothing done, if the edges' lengths do not add up to the cost.
    [[nodiscard]] CAIRN_HOST_DEVICE bool refine(const CellTrip& ends,
                                                std::span<const std::uint32_t> nodes, Cost cost,
                                                TripAnswer& answer) const {
        const DirectEdges edges(form_, ends, nodes, task_.query.cells);
        std::uint64_t sum = 0;
        for (std::uint32_t edge = team_.lane(); edge < edges.count(); edge += team_.lanes())
            sum += edges.cost(edge);
        if (team_.sum(sum) != cost) return false;
        write_route(task_, team_, grid::cell_of(form_.width, ends.start), edges, scratch_.offsets,
                    answer);
        return true;
    }

    const SubgoalForm& form_;
    const SubgoalTask& task_;
    const Team& team_;
    Carver carver_;
    Scratch scratch_;
};

}  // namespace cairn::batch
