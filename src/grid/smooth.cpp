#include "cairn/grid/smooth.hpp"

#include <utility>

#include "pull.hpp"
#include "runs.hpp"
#include "tighten.hpp"

namespace cairn::grid {
namespace {

// More passes than any path is known to need; the bound keeps the time linear.
constexpr int kMaxPasses = 8;
constexpr int kMaxRounds = 4;

// The paper's pass, from cell to cell: from each anchor, a line to the last cell before the first
// one that no line reaches. Writes its runs and returns by how much the path gets shorter.
Cost follow_lines(const Map& map, std::span<const Cell> path, std::vector<Run>& runs) {
    runs.clear();
    Cost saved = 0;
    for (std::size_t i = 0; i + 1 < path.size();) {
        const Point anchor = map.point(path[i]);
        const std::size_t first = runs.size();
        Cost section = 0;
        Cost saved_here = 0;
        Point p = anchor;
        std::size_t j = i;
        while (j + 1 < path.size()) {
            const Run step = head_run(map.width(), path.subspan(j, 2), p);
            section += map.move_cost(path[j], step.direction);
            p = run_end(p, step);
            const Line line = free_line(map, anchor, p);
            if (j > i && line.cost > section) break;
            runs.resize(first);
            for (const Run leg : in_order(legs(map, anchor, p), line.shape))
                push_run(leg, first, runs);
            saved_here = section - line.cost;
            ++j;
        }
        saved += saved_here;
        i = j;
    }
    return saved;
}

// A pass reads `scratch.runs` from the given start, writes `scratch.next` and returns what it
// saves.
template <class Pass>
Cost run_passes(Smoother& scratch, Point start, Point goal, int passes, Pass&& pass) {
    Cost saved = 0;
    bool reversed = false;
    for (int i = 0; i < passes; ++i) {
        if (i > 0) {
            reverse(scratch.runs);
            reversed = !reversed;
        }
        const Cost saves = pass(reversed ? goal : start);
        saved += saves;
        std::swap(scratch.runs, scratch.next);
        if (i > 0 && saves == 0) break;
    }
    if (reversed) reverse(scratch.runs);
    return saved;
}

Cost shorten(const Map& map, Point start, Point goal, SmoothEffort effort, Smoother& scratch) {
    const auto tighten_once = [&](Point from) {
        return tighten(map, from, scratch.runs, scratch.next);
    };
    const auto pull_once = [&](Point from) {
        return pull(map, from, scratch.runs, scratch.reach, scratch.next);
    };
    Cost saved = run_passes(scratch, start, goal, effort == SmoothEffort::quick ? 1 : kMaxPasses,
                            tighten_once);
    for (int i = 0; effort == SmoothEffort::thorough && i < kMaxRounds; ++i) {
        const Cost pulled = run_passes(scratch, start, goal, 2, pull_once);
        if (pulled == 0) break;
        saved += pulled + run_passes(scratch, start, goal, kMaxPasses, tighten_once);
    }
    return saved;
}

}  // namespace

Cost smooth(const Map& map, std::span<const Cell> path, Cost path_cost, Smoother& scratch,
            std::vector<Cell>& out, const SmoothOptions& options) {
    if (path.size() < 2) {
        out.assign(path.begin(), path.end());
        return path_cost;
    }
    const Cell start = path.front();
    Cost saved = 0;
    if (options.effort == SmoothEffort::paper) {
        saved = follow_lines(map, path, scratch.runs);
    } else {
        to_runs(map, path, scratch.runs);
        saved = shorten(map, map.point(start), map.point(path.back()), options.effort, scratch);
    }
    to_cells(map, start, scratch.runs, out);
    return path_cost - saved;
}

void waypoints(std::int32_t width, std::span<const Cell> path, std::vector<Cell>& out) {
    out.clear();
    if (path.empty()) return;
    out.push_back(path.front());
    Point p = point_of(width, path.front());
    int direction = -1;
    for (std::size_t i = 0; i + 1 < path.size();) {
        const Run run = head_run(width, path.subspan(i), p);
        p = run_end(p, run);
        i += static_cast<std::size_t>(run.steps);
        if (run.direction == direction) {
            out.back() = cell_of(width, p);
        } else {
            out.push_back(cell_of(width, p));
        }
        direction = run.direction;
    }
}

}  // namespace cairn::grid
