#pragma once
// A path as runs of equal moves.

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

/// The run at the head of `path`, which has at least two cells, from its first cell `p`.
[[nodiscard]] Run head_run(const Map& map, std::span<const Cell> path, Point p) noexcept;

/// The runs of a legal path into `runs` (replaced).
void to_runs(const Map& map, std::span<const Cell> path, std::vector<Run>& runs);

/// The cells of `runs` from `start`, itself included, into `out` (replaced).
void to_cells(const Map& map, Cell start, std::span<const Run> runs, std::vector<Cell>& out);

/// The same path from its other end.
void reverse(std::vector<Run>& runs) noexcept;

}  // namespace cairn::grid
