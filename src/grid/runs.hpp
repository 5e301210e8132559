#pragma once
// A path as runs of equal moves.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/grid/line.hpp"

namespace cairn::grid {

/// Appends `run`, joined to the last run from index `first` on if it goes the same way; nothing if
/// it is empty.
inline void push_run(Run run, std::size_t first, std::vector<Run>& runs) {
    if (run.steps == 0) return;
    if (runs.size() > first && runs.back().direction == run.direction) {
        runs.back().steps += run.steps;
    } else {
        runs.push_back(run);
    }
}

/// Calls `extend(n)` for parts n of `limit` steps that are still to do, doubling them while it
/// succeeds and halving them when it fails; a first step that fails ends it. Returns the steps
/// done.
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

/// The same path from its other end.
void reverse(std::vector<Run>& runs) noexcept;

}  // namespace cairn::grid
