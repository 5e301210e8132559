#include "cairn/grid/smooth.hpp"

#include <utility>

#include "runs.hpp"

namespace cairn::grid {

// One pass over a path. It keeps an anchor on the new path and the tail, the section from the
// anchor to where the pass has come; as long as the tail is as short as its ends are apart, or can
// be made so by a line, the anchor stays, and else it moves up to the end of the tail.
class Pull {
public:
    Pull(const Map& map, Smoother& scratch, Point start, bool h_reach)
        : map_(map),
          scratch_(scratch),
          out_(scratch.next_),
          anchor_(start),
          tail_(start),
          h_reach_(h_reach) {
        out_.clear();
    }

    // Follows the path by one run.
    void extend(Run run) {
        if (join(run)) return;
        const std::int32_t joined = longest_join(run);
        run.steps -= joined;
        anchor_ = tail_;
        first_ = out_.size();
        cost_ = 0;
        distance_ = 0;
        push(run, run_cost(map_, map_.cell(tail_), run));
    }

    // By how much the pass has shortened the path so far.
    [[nodiscard]] Cost saved() const noexcept { return saved_; }

private:
    // Whether the tail with `run` at its end is or can be made as short as its ends are apart; if
    // so it is done.
    bool join(Run run) {
        const Point target = run_end(tail_, run);
        const Cost cost = run_cost(map_, map_.cell(tail_), run);
        const bool taut = distance_ + base_cost(run) == map_.distance_bound(anchor_, target);
        if (!taut || !map_.uniform()) {
            const Line line = free_line(map_, anchor_, target);
            if (line.cost < cost_ + cost) {
                saved_ += cost_ + cost - line.cost;
                replace_by_line(target, line);
                return true;
            }
        }
        if (taut) {
            push(run, cost);
            return true;
        }
        return h_reach_ && map_.uniform() && replace_by_h_path(target, cost_ + cost);
    }

    // Joins the longest part of `run` that halving its length leads to; returns its steps.
    std::int32_t longest_join(Run run) {
        std::int32_t joined = 0;
        std::int32_t failed = run.steps;
        while (failed - joined > 1) {
            const std::int32_t middle = (joined + failed) / 2;
            if (join({run.direction, middle - joined})) {
                joined = middle;
            } else {
                failed = middle;
            }
        }
        return joined;
    }

    void push(Run run, Cost cost) {
        push_run(run, first_, out_);
        cost_ += cost;
        distance_ += base_cost(run);
        tail_ = run_end(tail_, run);
    }

    void replace_by_line(Point target, Line line) {
        out_.resize(first_);
        for (const Run leg : in_order(legs(map_, anchor_, target), line.shape))
            push_run(leg, first_, out_);
        arrive(target, line.cost);
    }

    bool replace_by_h_path(Point target, Cost cost) {
        if (!scratch_.reach_.test(map_, anchor_, target)) return false;
        out_.resize(first_);
        scratch_.reach_.append_runs(map_, out_);
        const Cost distance = map_.distance_bound(anchor_, target);
        saved_ += cost - distance;
        arrive(target, distance);
        return true;
    }

    void arrive(Point target, Cost cost) {
        cost_ = cost;
        distance_ = map_.distance_bound(anchor_, target);
        tail_ = target;
    }

    // What `run` would cost over the cheapest terrain, as distance_bound has it.
    [[nodiscard]] Cost base_cost(Run run) const noexcept {
        return static_cast<Cost>(run.steps) *
               (is_diagonal(run.direction) ? map_.min_diagonal() : map_.min_straight());
    }

    const Map& map_;
    Smoother& scratch_;
    std::vector<Run>& out_;
    Point anchor_;
    Point tail_;
    std::size_t first_ = 0;  // the tail's first run in out_
    Cost cost_ = 0;          // of the tail
    Cost distance_ =
        0;  // of the tail over the cheapest terrain; the distance of its ends if it is taut
    Cost saved_ = 0;
    bool h_reach_;
};

namespace {

// The paper's pass, from cell to cell: the runs of lines from each anchor to the last cell before
// the first that no line reaches. Returns by how much that shortens the path.
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
            const Run step = head_run(map, path.subspan(j, 2), p);
            section += map.move_cost(path[j], step.direction);
            p = run_end(p, step);
            const Line line = free_line(map, anchor, p);
            if (line.cost > section) break;
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

}  // namespace

Cost smooth(const Map& map, std::span<const Cell> path, Cost path_cost, Smoother& scratch,
            std::vector<Cell>& out, const SmoothOptions& options) {
    if (path.size() < 2) {
        out.assign(path.begin(), path.end());
        return path_cost;
    }
    const Cell start = path.front();
    const Cell goal = path.back();
    if (options.effort == SmoothEffort::paper) {
        const Cost saved = follow_lines(map, path, scratch.runs_);
        to_cells(map, start, scratch.runs_, out);
        return path_cost - saved;
    }
    to_runs(map, path, scratch.runs_);
    const bool thorough = options.effort == SmoothEffort::thorough;
    const int passes = thorough ? 8 : options.effort == SmoothEffort::standard ? 2 : 1;
    Cost cost = path_cost;
    bool reversed = false;
    for (int i = 0; i < passes; ++i) {
        Pull pull(map, scratch, map.point(reversed ? goal : start), thorough);
        for (const Run run : scratch.runs_) pull.extend(run);
        cost -= pull.saved();
        std::swap(scratch.runs_, scratch.next_);
        if (i + 1 < passes || reversed) {
            reverse(scratch.runs_);
            reversed = !reversed;
        }
        if (i > 0 && pull.saved() == 0) break;
    }
    if (reversed) reverse(scratch.runs_);
    to_cells(map, start, scratch.runs_, out);
    return cost;
}

void waypoints(const Map& map, std::span<const Cell> path, std::vector<Cell>& out) {
    out.clear();
    if (path.empty()) return;
    out.push_back(path.front());
    Point p = map.point(path.front());
    int direction = -1;
    for (std::size_t i = 0; i + 1 < path.size();) {
        const Run run = head_run(map, path.subspan(i), p);
        p = run_end(p, run);
        i += static_cast<std::size_t>(run.steps);
        if (run.direction == direction) {
            out.back() = map.cell(p);
        } else {
            out.push_back(map.cell(p));
        }
        direction = run.direction;
    }
}

}  // namespace cairn::grid
