#include "cairn/grid/smooth.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "cairn/grid/line.hpp"

namespace cairn::grid {
namespace {

// A path is smoothed as runs of equal moves.

// Appends `run`, or joins it to the last run, if that has index `first` or more and the same
// direction. An empty run changes nothing.
inline void push_run(Run run, std::size_t first, std::vector<Run>& runs) {
    if (run.steps == 0) return;
    if (runs.size() > first && runs.back().direction == run.direction) {
        runs.back().steps += run.steps;
    } else {
        runs.push_back(run);
    }
}

// Galloping search: calls `extend(n)` for parts n of the remaining steps of `limit`, doubling n
// after success and halving it after failure, until one step fails. Returns the steps done.
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

// The run at the head of `path`, on a map of this width, which has at least two cells, from its
// first cell `p`.
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

// The runs of a legal path into `runs` (replaced).
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

// The cells of `runs` from `start`, itself included, into `out` (replaced).
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

// The same path in the other direction.
void reverse(std::vector<Run>& runs) noexcept {
    std::reverse(runs.begin(), runs.end());
    for (Run& run : runs) run.direction = static_cast<std::uint8_t>(opposite(run.direction));
}

// How the middle one of the last three runs can slide: for each step of it, `before` and `after`
// lose a step each (or gain it, where their sign is -1) and `middle` gains `gain` steps. Empty runs
// stand for missing ones.
struct Slide {
    Run before;
    Run middle;
    Run after;
    std::int32_t gain = 0;
    std::size_t runs = 0;  // how many of the last runs it takes; 0 if there is nothing to slide
    std::int32_t before_sign = 1;
    std::int32_t after_sign = 1;
};

// A section of a path: up to three runs.
using Stretch = std::array<Run, 3>;

class Tighten {
public:
    Tighten(const Map& map, Point start, std::vector<Run>& out)
        : map_(map), out_(out), tail_(start) {
        out_.clear();
    }

    void extend(Run run) {
        push_run(run, 0, out_);
        tail_ = run_end(tail_, run);
        while (shorten()) {
        }
    }

    [[nodiscard]] Cost saved() const noexcept { return saved_; }

private:
    // The slide that makes the path shorter.
    [[nodiscard]] Slide inward() const noexcept {
        const std::size_t n = out_.size();
        if (n < 2) return {};
        const Run b = out_[n - 1];
        const Run a = out_[n - 2];
        const int turn = (b.direction - a.direction) & 7;
        if (turn == 4) return {a, {a.direction, 0}, b, 0, 2};
        const bool left = turn > 4;
        const int sharp = left ? 8 - turn : turn;
        const auto towards = [&](int eighths) {
            return static_cast<std::uint8_t>((a.direction + (left ? 8 - eighths : eighths)) & 7);
        };
        if (map_.options().rules.neighbourhood == Neighbourhood::eight) {
            if (sharp == 3) return {a, {towards(is_diagonal(a.direction) ? 1 : 2), 0}, b, 1, 2};
            if (sharp == 2) return {a, {towards(1), 0}, b, is_diagonal(a.direction) ? 2 : 1, 2};
        }
        if (n < 3) return {};
        const Run first = out_[n - 3];
        if (((a.direction - first.direction) & 7) != turn) return {};
        return {first, a, b, sharp == 2 ? 0 : is_diagonal(b.direction) ? 2 : 1, 3};
    }

    bool shorten() {
        const Slide tight = inward();
        return apply(tight) || (!map_.uniform() && follow_terrain(tight));
    }

    // Slides that do not shorten the path, but make it cheaper where terrain differs.
    bool follow_terrain(const Slide& tight) {
        if (out_.size() < 2) return false;
        const Run b = out_[out_.size() - 1];
        const Run a = out_[out_.size() - 2];
        if (apply({{b.direction, 0}, a, b, 0, 2, -1, 1})) return true;
        if (apply({a, b, {a.direction, 0}, 0, 2, 1, -1})) return true;
        if (tight.runs < 3 || tight.gain == 0) return false;
        return apply({tight.before, tight.middle, tight.after, -tight.gain, 3, -1, -1});
    }

    // Slides as far as it pays. False if not at all.
    bool apply(const Slide& slide) {
        if (slide.runs == 0) return false;
        std::int32_t limit = std::numeric_limits<std::int32_t>::max();
        if (slide.before_sign > 0) limit = std::min(limit, slide.before.steps);
        if (slide.after_sign > 0) limit = std::min(limit, slide.after.steps);
        if (slide.gain < 0) limit = std::min(limit, slide.middle.steps / -slide.gain);

        Point p = run_end(tail_, {slide.after.direction, -slide.after.steps});
        p = run_end(p, {slide.middle.direction, -slide.middle.steps});
        Run middle = slide.middle;
        const std::int32_t done = extend_far(limit, [&](std::int32_t count) {
            const Cost saved = try_slide(slide, p, middle, count);
            if (saved == 0) return false;
            saved_ += saved;
            middle.steps += slide.gain * count;
            p = run_end(p, {slide.before.direction, -count * slide.before_sign});
            return true;
        });
        if (done == 0) return false;
        out_.resize(out_.size() - slide.runs);
        push_run({slide.before.direction, slide.before.steps - done * slide.before_sign}, 0, out_);
        push_run(middle, 0, out_);
        push_run({slide.after.direction, slide.after.steps - done * slide.after_sign}, 0, out_);
        return true;
    }

    // The cost saved by sliding `middle`, which begins at `p`, by `count` steps; 0 if none, or if
    // it is blocked.
    [[nodiscard]] Cost try_slide(const Slide& slide, Point p, Run middle,
                                 std::int32_t count) const {
        if (map_.uniform()) return try_uniform(slide, p, middle, count);
        const Run before{slide.before.direction, count};
        const Run after{slide.after.direction, count};
        const Run moved{middle.direction, middle.steps + slide.gain * count};
        const Run none{middle.direction, 0};
        const bool from_before = slide.before_sign > 0;
        const bool from_after = slide.after_sign > 0;
        const Point from = from_before ? run_end(p, {before.direction, -count}) : p;
        const Stretch then{from_before ? none : before, moved, from_after ? none : after};
        if (!is_free(from, then)) return 0;
        const Cost now =
            cost(from, {from_before ? before : none, middle, from_after ? after : none});
        const Cost slid = cost(from, then);
        return slid < now ? now - slid : 0;
    }

    // The same for a slide inwards on a uniform map.
    [[nodiscard]] Cost try_uniform(const Slide& slide, Point p, Run middle,
                                   std::int32_t count) const {
        const Cost lost = step_cost(slide.before) + step_cost(slide.after);
        const Cost gained = static_cast<Cost>(slide.gain) * step_cost(middle);
        if (gained >= lost) return 0;
        const Point from = run_end(p, {slide.before.direction, -count});
        const Run moved{middle.direction, middle.steps + slide.gain * count};
        return run_is_free(map_, map_.cell(from), moved)
                   ? static_cast<Cost>(count) * (lost - gained)
                   : 0;
    }

    [[nodiscard]] Cost step_cost(Run run) const noexcept {
        return is_diagonal(run.direction) ? map_.min_diagonal() : map_.min_straight();
    }

    [[nodiscard]] bool is_free(Point p, const Stretch& stretch) const noexcept {
        for (const Run run : stretch) {
            if (!run_is_free(map_, map_.cell(p), run)) return false;
            p = run_end(p, run);
        }
        return true;
    }

    [[nodiscard]] Cost cost(Point p, const Stretch& stretch) const noexcept {
        Cost sum = 0;
        for (const Run run : stretch) {
            sum += run_cost(map_, map_.cell(p), run);
            p = run_end(p, run);
        }
        return sum;
    }

    const Map& map_;
    std::vector<Run>& out_;
    Point tail_;
    Cost saved_ = 0;
};

// Pulls a path tight, turn by turn.
//
// Where a path turns the same way twice, as in north-east, east, south-east, the run between the
// turns may slide towards their inside: it gets longer by less than the outer two runs get shorter.
// The last three runs are treated as a stack, so after a slide that empties a run the run before it
// takes part.
//
// Tightens the path `runs` from `start` into `out` (replaced). Returns by how much that shortens
// it.
Cost tighten(const Map& map, Point start, std::span<const Run> runs, std::vector<Run>& out) {
    Tighten tight(map, start, out);
    for (const Run run : runs) tight.extend(run);
    return tight.saved();
}

class Pull {
public:
    Pull(const Map& map, Point start, HReach& reach, std::vector<Run>& out)
        : map_(map), reach_(reach), out_(out), anchor_(start), tail_(start) {
        out_.clear();
    }

    // Follows the path by one run.
    void extend(Run run) {
        if (join(run)) return;
        run.steps -= extend_far(run.steps - 1, [&](std::int32_t part) {
            return join({run.direction, part});
        });
        anchor_ = tail_;
        first_ = out_.size();
        cost_ = 0;
        distance_ = 0;
        push(run, run_cost(map_, map_.cell(tail_), run));
    }

    [[nodiscard]] Cost saved() const noexcept { return saved_; }

private:
    // Whether the tail with `run` appended is, or can be made, as short as the distance between its
    // first and last cell. If so, `run` is appended.
    bool join(Run run) {
        const Point target = run_end(tail_, run);
        const Cost cost = run_cost(map_, map_.cell(tail_), run);
        const bool taut = distance_ + base_cost(run) == map_.distance_bound(anchor_, target);
        if (!taut || !map_.uniform()) {
            const Line line = free_line(map_, anchor_, target);
            if (line.cost < cost_ + cost) {
                replace_by_line(target, line, cost_ + cost);
                return true;
            }
        }
        if (taut) {
            push(run, cost);
            return true;
        }
        return map_.uniform() && replace_by_h_path(target, cost_ + cost);
    }

    void push(Run run, Cost cost) {
        push_run(run, first_, out_);
        cost_ += cost;
        distance_ += base_cost(run);
        tail_ = run_end(tail_, run);
    }

    void replace_by_line(Point target, Line line, Cost replaced) {
        out_.resize(first_);
        for (const Run leg : in_order(legs(map_, anchor_, target), line.shape))
            push_run(leg, first_, out_);
        arrive(target, line.cost, replaced);
    }

    bool replace_by_h_path(Point target, Cost replaced) {
        if (!reach_.test(map_, anchor_, target)) return false;
        out_.resize(first_);
        reach_.append_runs(map_, out_);
        arrive(target, map_.distance_bound(anchor_, target), replaced);
        return true;
    }

    void arrive(Point target, Cost cost, Cost replaced) {
        saved_ += replaced - cost;
        cost_ = cost;
        distance_ = map_.distance_bound(anchor_, target);
        tail_ = target;
    }

    // The cost of `run` over the cheapest terrain, as distance_bound counts it.
    [[nodiscard]] Cost base_cost(Run run) const noexcept {
        return static_cast<Cost>(run.steps) *
               (is_diagonal(run.direction) ? map_.min_diagonal() : map_.min_straight());
    }

    const Map& map_;
    HReach& reach_;
    std::vector<Run>& out_;
    Point anchor_;
    Point tail_;
    std::size_t first_ = 0;  // the tail's first run in out_
    Cost cost_ = 0;          // of the tail
    Cost distance_ = 0;      // cost of the tail over the cheapest terrain; the distance of its
                             // endpoints if it is taut
    Cost saved_ = 0;
};

// Replaces sections of a path by lines and h-reachable paths: one pass over the path `runs` from
// `start`, into `out` (replaced). It keeps an anchor on the new path, and the tail: the section
// from the anchor to the present cell. The anchor stays as long as the tail is as short as the
// distance between its endpoints, or a line or (on uniform maps) an h-reachable path makes it so;
// else it moves to the tail's end. Returns by how much the path gets shorter.
Cost pull(const Map& map, Point start, std::span<const Run> runs, HReach& reach,
          std::vector<Run>& out) {
    Pull pass(map, start, reach, out);
    for (const Run run : runs) pass.extend(run);
    return pass.saved();
}

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
