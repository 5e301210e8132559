#pragma once
// The refine step of a team on a subgoal graph: from subgoals to cells, as
// subgoal::follow_direct_edges does it, an edge a lane.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "batch/device/grid/subgoal_form.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"

namespace cairn::batch {

/// The edges of a path as its legs. Each is walked diagonally first, but the last one straight
/// first, as the goal's connectors are reached from the goal.
class DirectEdges {
public:
    CAIRN_HOST_DEVICE DirectEdges(const SubgoalForm& form, const grid::Request& request,
                                  std::span<const std::uint32_t> nodes, Cells cells) noexcept
        : form_(form), request_(request), nodes_(nodes), cells_(cells) {}

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(nodes_.size()) + 1;
    }

    /// Whether the edges' lengths add up to a cost; else the index contradicts itself.
    template <class Team>
    [[nodiscard]] CAIRN_HOST_DEVICE bool fit(const Team& team, Cost cost) const {
        std::uint64_t sum = 0;
        for (std::uint32_t edge = team.lane(); edge < count(); edge += team.lanes())
            sum += form_.distance(stop(edge), stop(edge + 1));
        return team.sum(sum) == cost;
    }

    /// Cells of an edge, but for the one where it begins.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t length(std::uint32_t edge) const noexcept {
        const Runs runs = take_apart(edge);
        if (cells_ == Cells::all) return runs.first.steps + runs.second.steps;
        return (turns_after_first(runs, edge) ? 1U : 0U) +
               (turns_after_second(runs, edge) ? 1U : 0U);
    }

    CAIRN_HOST_DEVICE void write(std::uint32_t edge, std::uint32_t /*length*/,
                                 grid::Cell* out) const noexcept {
        const Runs runs = take_apart(edge);
        grid::Cell at = grid::cell_of(form_.width, stop(edge));
        if (cells_ == Cells::all) {
            for (std::uint32_t i = 0; i < runs.first.steps; ++i) *out++ = at += runs.first.stride;
            for (std::uint32_t i = 0; i < runs.second.steps; ++i) *out++ = at += runs.second.stride;
            return;
        }
        at += runs.first.stride * runs.first.steps;
        if (turns_after_first(runs, edge)) *out++ = at;
        at += runs.second.stride * runs.second.steps;
        if (turns_after_second(runs, edge)) *out = at;
    }

private:
    /// Moves in one direction. Successive runs have one direction if they have one stride. On maps
    /// of two columns E and SW have the same stride, but no shortest path has one after the other.
    struct Run {
        std::uint32_t steps = 0;
        grid::Cell stride = 0;  // what a move adds to a cell
    };
    struct Runs {
        Run first;
        Run second;
    };

    [[nodiscard]] CAIRN_HOST_DEVICE grid::Point stop(std::uint32_t i) const noexcept {
        if (i == 0) return request_.start;
        return i <= nodes_.size() ? form_.places[nodes_[i - 1]] : request_.goal;
    }

    [[nodiscard]] CAIRN_HOST_DEVICE Runs take_apart(std::uint32_t edge) const noexcept {
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
        return runs.second.steps > 0 || turns_behind(runs.first, edge);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE bool turns_after_second(const Runs& runs,
                                                            std::uint32_t edge) const noexcept {
        return runs.second.steps > 0 && turns_behind(runs.second, edge);
    }
    /// Whether the path turns after a run that ends an edge, or ends there.
    [[nodiscard]] CAIRN_HOST_DEVICE bool turns_behind(const Run& run,
                                                      std::uint32_t edge) const noexcept {
        for (std::uint32_t next = edge + 1; next < count(); ++next) {
            const Runs runs = take_apart(next);
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

}  // namespace cairn::batch
