#pragma once
// The steps of CellKernel on an HPA* index, for start and goal in different clusters: connect by
// move tables, a node a lane; search by labels or by climbing; refine by move tables, a leg a lane.

#include <cstdint>
#include <span>

#include "batch/device/grid/cell_kernel.hpp"
#include "batch/device/grid/hpa_form.hpp"
#include "batch/device/labels.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"

namespace cairn::batch {

/// The legs of a path, with the same cells as those of hpa::Refine by move tables. A leg is a move
/// across a border or a walk inside a cluster. Tables lead to nodes only, so the last leg is walked
/// from the goal.
class TableLegs {
public:
    CAIRN_HOST_DEVICE TableLegs(const HpaForm& form, const grid::Request& request,
                                std::span<const std::uint32_t> nodes, Cells cells) noexcept
        : form_(form), request_(request), nodes_(nodes), all_(cells == Cells::all) {}

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(nodes_.size()) + 1;
    }
    /// Whether the legs have this cost. Not checked: walks of move tables cost what edges cost.
    template <class Team>
    [[nodiscard]] CAIRN_HOST_DEVICE static bool fit(const Team& /*team*/, Cost /*cost*/) noexcept {
        return true;
    }

    /// How many wanted cells a leg has, without the one where it begins.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t length(std::uint32_t leg) const noexcept {
        std::uint32_t cells = 0;
        for_each_cell(leg, [&](grid::Cell) { ++cells; });
        return cells;
    }

    /// Writes these cells, from the start's side to the goal's.
    CAIRN_HOST_DEVICE void write(std::uint32_t leg, std::uint32_t length,
                                 grid::Cell* out) const noexcept {
        if (!is_last(leg)) return for_each_cell(leg, [&](grid::Cell cell) { *out++ = cell; });
        for_each_cell(leg, [&](grid::Cell cell) { out[--length] = cell; });
    }

private:
    static constexpr int kNone = -1;  // no direction

    [[nodiscard]] CAIRN_HOST_DEVICE bool is_last(std::uint32_t leg) const noexcept {
        return leg == nodes_.size();
    }
    /// The cell where leg i begins: the start, then the nodes; last the goal.
    [[nodiscard]] CAIRN_HOST_DEVICE grid::Cell stop(std::uint32_t i) const noexcept {
        if (i == 0) return grid::cell_of(form_.width, request_.start);
        return i <= nodes_.size() ? form_.cells[nodes_[i - 1]]
                                  : grid::cell_of(form_.width, request_.goal);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE grid::Point point(grid::Cell cell) const noexcept {
        return grid::point_of(form_.width, cell);
    }

    /// Calls use(cell) for the wanted cells of a leg, without the one where it begins: all, or
    /// those where the path turns. Those of the last leg come in order from the goal.
    template <class Use>
    CAIRN_HOST_DEVICE void for_each_cell(std::uint32_t leg, Use&& use) const {
        grid::Cell at = stop(leg);
        const grid::Cell to = stop(leg + 1);
        if (at == to) return;
        int last = kNone;  // the direction of the last move
        const auto move = [&](int direction) {
            if (last != kNone && (all_ || direction != last)) use(at);
            at = form_.step(at, direction);
            last = direction;
        };
        if (is_last(leg)) {
            at = to;
            use(at);
            return walk(nodes_.back(), to, move);
        }
        if (const int crossing = direction_across(at, to); crossing != kNone) {
            last = crossing;
            at = to;
        } else {
            walk(nodes_[leg], at, move);
        }
        if (last != kNone && (all_ || turns_after(leg, last))) use(at);
    }

    /// Calls use(direction) for the moves to a node from a cell of its cluster.
    template <class Use>
    CAIRN_HOST_DEVICE void walk(std::uint32_t node, grid::Cell from, Use&& use) const {
        const std::uint32_t cluster = form_.cluster(point(form_.cells[node]));
        const hpa::MoveTables tables = form_.tables(cluster);
        tables.walk(form_.slot(cluster, node), tables.local(point(from)), use);
    }

    /// The direction of the move between two neighbours; kNone for two cells of one cluster.
    [[nodiscard]] CAIRN_HOST_DEVICE int direction_across(grid::Cell from,
                                                         grid::Cell to) const noexcept {
        const grid::Point a = point(from);
        const grid::Point b = point(to);
        if (form_.cluster(a) == form_.cluster(b)) return kNone;
        const auto sign = [](int v) { return (v > 0 ? 1 : 0) - (v < 0 ? 1 : 0); };
        return grid::direction_of(sign(b.x - a.x), sign(b.y - a.y));
    }

    /// Whether the path turns or ends after a leg whose last move has this direction.
    [[nodiscard]] CAIRN_HOST_DEVICE bool turns_after(std::uint32_t leg,
                                                     int direction) const noexcept {
        for (std::uint32_t next = leg + 1; next < count(); ++next) {
            if (const int first = first_move(next); first != kNone) return first != direction;
        }
        return true;
    }
    /// The direction of a leg's first move; kNone for a leg without moves.
    [[nodiscard]] CAIRN_HOST_DEVICE int first_move(std::uint32_t leg) const noexcept {
        const grid::Cell from = stop(leg);
        const grid::Cell to = stop(leg + 1);
        if (from == to) return kNone;
        int first = kNone;
        if (is_last(leg)) {
            walk(nodes_.back(), to, [&](int direction) { first = grid::opposite(direction); });
            return first;
        }
        first = direction_across(from, to);
        if (first != kNone) return first;
        const std::uint32_t cluster = form_.cluster(point(to));
        const hpa::MoveTables tables = form_.tables(cluster);
        return static_cast<int>(
            tables.entry(form_.slot(cluster, nodes_[leg]), tables.local(point(from))));
    }

    const HpaForm& form_;
    const grid::Request& request_;
    std::span<const std::uint32_t> nodes_;
    bool all_;
};

template <class Team>
struct HpaPlan {
    using Legs = TableLegs;

    /// Connects a cell to all nodes of its cluster, at kInfinity if no path inside it leads there.
    [[nodiscard]] CAIRN_HOST_DEVICE LabelSide connect(grid::Point place,
                                                      const CellEndpoint& memory) const {
        const std::uint32_t cluster = form.cluster(place);
        const std::uint32_t count = form.first_place[cluster + 1] - form.first_place[cluster];
        const hpa::MoveTables tables = form.tables(cluster);
        for (std::uint32_t slot = team.lane(); slot < count; slot += team.lanes()) {
            grid::Cell at = grid::cell_of(form.width, place);
            Cost cost = 0;
            const auto add = [&](int direction) {
                cost += form.move_cost(at, direction);
                at = form.step(at, direction);
            };
            const bool reached = tables.walk(slot, tables.local(place), add);
            memory.nodes[slot] = form.node(cluster, slot);
            memory.costs[slot] = reached ? cost : kInfinity;
        }
        return {{memory.nodes, count}, memory.costs, memory.rows, {}};
    }

    [[nodiscard]] CAIRN_HOST_DEVICE Meeting search(const grid::Request& /*request*/,
                                                   LabelSide& from, LabelSide& to) const {
        return MeetingSearch<Team>(form.labels, team).find(from, to);
    }

    const HpaForm& form;
    const Team& team;
};

template <class Team>
using HpaKernel = CellKernel<HpaPlan<Team>, HpaForm, Team, ByLabels>;
template <class Team>
using HpaClimbKernel = CellKernel<HpaPlan<Team>, HpaForm, Team, ByClimbing>;

}  // namespace cairn::batch
