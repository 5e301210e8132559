#pragma once
// A path as runs of equal moves.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/grid/line.hpp"

namespace cairn::grid {

/// Appends `run`, or joins it to the last run, if that has index `first` or more and the same
/// direction. An empty run changes nothing.
inline void push_run(Run run, std::size_t first, std::vector<Run>& runs) {
    if (run.steps == 0) return;
    if (runs.size() > first && runs.back().direction == run.direction) {
        runs.back().steps += run.steps;
    } else {
        runs.push_back(run);
    }
}

/// Galloping search: calls `extend(n)` for parts n of the remaining steps of `limit`, doubling n
/// after success and halving it after failure, until one step fails. Returns the steps done.
template <class Extend>
std::int32_t extend_far(std::int32_t limit, Extend&& extend) {
    std::int32_t done = 0;
    std::int32_t failed = limit + 1;
    std::int32_t part = 1;
    while (part > 0 && done + part < failed) {
        if (extend(part)) {
            done += part;
            part *= 2;
        } else {
            failed = done + part;
        }
        part = std::min(part, failed - done - 1);
    }
    return done;
}

/// The run at the head of `path`, on a map of this width, which has at least two cells, from its
/// first cell `p`.
[[nodiscard]] Run head_run(std::int32_t width, std::span<const Cell> path, Point p) noexcept;

/// The runs of a legal path into `runs` (replaced).
void to_runs(const Map& map, std::span<const Cell> path, std::vector<Run>& runs);

/// The cells of `runs` from `start`, itself included, into `out` (replaced).
void to_cells(const Map& map, Cell start, std::span<const Run> runs, std::vector<Cell>& out);

/// The same path in the other direction.
void reverse(std::vector<Run>& runs) noexcept;

}  // namespace cairn::grid
