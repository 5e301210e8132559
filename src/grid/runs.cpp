#include "runs.hpp"

#include <algorithm>

namespace cairn::grid {

Run head_run(std::int32_t width, std::span<const Cell> path, Point p) noexcept {
    const Point q = point_of(width, path[1]);
    const Run one{static_cast<std::uint8_t>(direction_of(q.x - p.x, q.y - p.y)), 1};
    // On a map of one or two columns two directions can have the same difference of cell numbers.
    if (width < 3) return one;
    const Cell stride = path[1] - path[0];
    std::size_t end = 1;
    while (end + 1 < path.size() && path[end + 1] - path[end] == stride) ++end;
    return {one.direction, static_cast<std::int32_t>(end)};
}

void to_runs(const Map& map, std::span<const Cell> path, std::vector<Run>& runs) {
    runs.clear();
    if (path.size() < 2) return;
    Point p = map.point(path[0]);
    for (std::size_t i = 0; i + 1 < path.size();) {
        const Run run = head_run(map.width(), path.subspan(i), p);
        push_run(run, 0, runs);
        p = run_end(p, run);
        i += static_cast<std::size_t>(run.steps);
    }
}

void to_cells(const Map& map, Cell start, std::span<const Run> runs, std::vector<Cell>& out) {
    std::size_t cells = 1;
    for (const Run run : runs) cells += static_cast<std::size_t>(run.steps);
    out.resize(cells);
    Cell* to = out.data();
    Cell c = start;
    *to++ = c;
    for (const Run run : runs) {
        const Cell stride = map.step(0, run.direction);
        for (std::int32_t i = 0; i < run.steps; ++i) *to++ = c += stride;
    }
}

void reverse(std::vector<Run>& runs) noexcept {
    std::reverse(runs.begin(), runs.end());
    for (Run& run : runs) run.direction = static_cast<std::uint8_t>(opposite(run.direction));
}

}  // namespace cairn::grid
