#pragma once
// How kernels answer a request on an HPA* index: connect by walking the move tables, a node a lane,
// search by labels, refine a leg a lane. Start and goal lie in different clusters.

#include <cstdint>
#include <span>

#include "batch/device/grid/cell_kernel.hpp"
#include "batch/device/grid/hpa_form.hpp"
#include "batch/device/labels.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"

namespace cairn::batch {

/// The legs of a path, as hpa::Refine refines them by move tables, a leg a lane: a move across a
/// border, or a walk inside a cluster. Only nodes have tables,
/// so the last leg is walked from the goal.
class TableLegs {
public:
    CAIRN_HOST_DEVICE TableLegs(const HpaForm& form, const grid::Request& request,
                                std::span<const std::uint32_t> nodes, Cells cells) noexcept
        : form_(form), request_(request), nodes_(nodes), all_(cells == Cells::all) {}

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(nodes_.size()) + 1;
    }
    /// Always: costs are those of the walks.
    template <class Team>
    [[nodiscard]] CAIRN_HOST_DEVICE static bool fit(const Team& /*team*/, Cost /*cost*/) noexcept {
        return true;
    }

    /// Cells of a leg, but for the one where it begins.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t length(std::uint32_t leg) const noexcept {
        std::uint32_t cells = 0;
        for_each_cell(leg, [&](grid::Cell) { ++cells; });
        return cells;
    }

    CAIRN_HOST_DEVICE void write(std::uint32_t leg, std::uint32_t length,
                                 grid::Cell* out) const noexcept {
        if (!is_last(leg)) return for_each_cell(leg, [&](grid::Cell cell) { *out++ = cell; });
        for_each_cell(leg, [&](grid::Cell cell) { out[--length] = cell; });
    }

private:
    static constexpr int kNone = -1;

    [[nodiscard]] CAIRN_HOST_DEVICE bool is_last(std::uint32_t leg) const noexcept {
        return leg == nodes_.size();
    }
    [[nodiscard]] CAIRN_HOST_DEVICE grid::Cell stop(std::uint32_t i) const noexcept {
        if (i == 0) return grid::cell_of(form_.width, request_.start);
        return i <= nodes_.size() ? form_.cells[nodes_[i - 1]]
                                  : grid::cell_of(form_.width, request_.goal);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE grid::Point point(grid::Cell cell) const noexcept {
        return grid::point_of(form_.width, cell);
    }

    /// Calls use(cell) for the cells of a leg that are wanted; those of the last one from the goal.
    template <class Use>
    CAIRN_HOST_DEVICE void for_each_cell(std::uint32_t leg, Use&& use) const {
        grid::Cell at = stop(leg);
        const grid::Cell to = stop(leg + 1);
        if (at == to) return;
        int last = kNone;
        const auto pass = [&](int direction) {
            if (last != kNone && (all_ || direction != last)) use(at);
            at = form_.step(at, direction);
            last = direction;
        };
        if (is_last(leg)) {
            use(at = to);
            return walk(nodes_.back(), to, pass);
        }
        if (const int crossing = direction_across(at, to); crossing != kNone) {
            last = crossing;
            at = to;
        } else {
            walk(nodes_[leg], at, pass);
        }
        if (last != kNone && (all_ || turns_behind(leg, last))) use(at);
    }

    /// Calls use(direction) for the moves to a node from a cell of its cluster.
    template <class Use>
    CAIRN_HOST_DEVICE void walk(std::uint32_t node, grid::Cell from, Use&& use) const {
        const std::uint32_t cluster = form_.cluster(point(form_.cells[node]));
        const hpa::MoveTables tables = form_.tables(cluster);
        tables.walk(node - form_.first_node[cluster], tables.local(point(from)), use);
    }

    /// Of the move across a border between two cells; kNone within a cluster.
    [[nodiscard]] CAIRN_HOST_DEVICE int direction_across(grid::Cell from,
                                                         grid::Cell to) const noexcept {
        const grid::Point a = point(from);
        const grid::Point b = point(to);
        if (form_.cluster(a) == form_.cluster(b)) return kNone;
        const auto sign = [](int v) { return (v > 0 ? 1 : 0) - (v < 0 ? 1 : 0); };
        return grid::direction_of(sign(b.x - a.x), sign(b.y - a.y));
    }

    /// Whether the path turns after a leg whose last move has this direction, or ends there.
    [[nodiscard]] CAIRN_HOST_DEVICE bool turns_behind(std::uint32_t leg,
                                                      int direction) const noexcept {
        for (std::uint32_t next = leg + 1; next < count(); ++next) {
            if (const int first = first_move(next); first != kNone) return first != direction;
        }
        return true;
    }
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
            tables.entry(nodes_[leg] - form_.first_node[cluster], tables.local(point(from))));
    }

    const HpaForm& form_;
    const grid::Request& request_;
    std::span<const std::uint32_t> nodes_;
    bool all_;
};

template <class Team>
struct HpaPlan {
    using Legs = TableLegs;

    /// All nodes of the cell's cluster; those that it cannot reach cost kInfinity.
    [[nodiscard]] CAIRN_HOST_DEVICE LabelSide connect(grid::Point place,
                                                      const CellEndpoint& memory) const {
        const std::uint32_t cluster = form.cluster(place);
        const std::uint32_t first = form.first_node[cluster];
        const std::uint32_t count = form.first_node[cluster + 1] - first;
        const hpa::MoveTables tables = form.tables(cluster);
        for (std::uint32_t slot = team.lane(); slot < count; slot += team.lanes()) {
            grid::Cell at = grid::cell_of(form.width, place);
            Cost cost = 0;
            const auto add = [&](int direction) {
                cost += form.move_cost(at, direction);
                at = form.step(at, direction);
            };
            const bool leads = tables.walk(slot, tables.local(place), add);
            memory.nodes[slot] = first + slot;
            memory.costs[slot] = leads ? cost : kInfinity;
        }
        return {{memory.nodes, count}, memory.costs, memory.rows, {}};
    }

    [[nodiscard]] CAIRN_HOST_DEVICE Meeting search(const grid::Request& /*request*/,
                                                   LabelSide& from, LabelSide& to) const {
        return LabelMeeting<Team>(form.labels, team).find(from, to);
    }

    const HpaForm& form;
    const Team& team;
};

template <class Team>
using HpaKernel = CellKernel<HpaPlan<Team>, HpaForm, Team>;

}  // namespace cairn::batch
