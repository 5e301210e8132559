#include "cairn/grid/smooth.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "cairn/grid/line.hpp"
#include "core/guarded.hpp"

namespace cairn::grid {
namespace {

// Smoothing works on runs: moves in one direction. Tighten slides single runs, Pull replaces
// sections of a path.

// Appends `run`, or joins it to the last run if that has the same direction and its index is
// `first` or more. An empty run changes nothing.
inline void push_run(Run run, std::size_t first, std::vector<Run>& runs) {
    if (run.steps == 0) return;
    if (runs.size() > first && runs.back().direction == run.direction) {
        runs.back().steps += run.steps;
    } else {
        runs.push_back(run);
    }
}

// Makes up to `limit` steps by calls of extend(n), which makes the next n steps or none, and says
// whether it has. n begins at 1, doubles after a success, and falls by 1 after a failure, until the
// next step is known to fail. Returns the number of steps made.
template <class Extend>
std::int32_t extend_far(std::int32_t limit, Extend&& extend) {
    std::int32_t done = 0;
    std::int32_t failed = limit + 1;
    std::int32_t count = 1;
    while (count > 0 && done + count < failed) {
        if (extend(count)) {
            done += count;
            count *= 2;
        } else {
            failed = done + count;
        }
        count = std::min(count, failed - done - 1);
    }
    return done;
}

// The first run of `path`, which has at least two cells, on a map of this width. `p` is the point
// of its first cell.
Run head_run(std::int32_t width, std::span<const Cell> path, Point p) noexcept {
    const Point q = point_of(width, path[1]);
    const Run first_move{static_cast<std::uint8_t>(direction_of(q.x - p.x, q.y - p.y)), 1};
    // On a map of one or two columns two directions can have the same difference of cell numbers.
    if (width < 3) return first_move;
    const Cell stride = path[1] - path[0];
    std::size_t end = 1;
    while (end + 1 < path.size() && path[end + 1] - path[end] == stride) ++end;
    return {first_move.direction, static_cast<std::int32_t>(end)};
}

// Writes the runs of a legal path into `runs` (replaced).
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

// Writes the cells of `runs` from `start`, which is the first of them, into `out` (replaced).
void to_cells(const Map& map, Cell start, std::span<const Run> runs, std::vector<Cell>& out) {
    std::size_t cells = 1;
    for (const Run run : runs) cells += static_cast<std::size_t>(run.steps);
    out.resize(cells);
    Cell* to = out.data();
    Cell c = start;
    *to++ = c;
    for (const Run run : runs) {
        const Cell stride = map.step(0, run.direction);  // modulo 2^32
        for (std::int32_t i = 0; i < run.steps; ++i) *to++ = c += stride;
    }
}

// Makes `runs` the same path in the other direction.
void reverse(std::vector<Run>& runs) noexcept {
    std::reverse(runs.begin(), runs.end());
    for (Run& run : runs) run.direction = static_cast<std::uint8_t>(opposite(run.direction));
}

// A slide moves the middle one of the last three runs of a path sideways, step by step. With each
// step, `before` and `after` lose one move (or gain one, where their sign is -1), and `middle`
// gains `gain` moves (or loses them, if negative). An empty run stands for a missing one.
struct Slide {
    Run before;
    Run middle;
    Run after;
    std::int32_t gain = 0;
    std::size_t runs = 0;  // how many runs at the path's end it replaces; 0 if there is no slide
    std::int32_t before_sign = 1;
    std::int32_t after_sign = 1;
};

// A section of a path: up to three runs.
using Section = std::array<Run, 3>;

// Pulls a path tight, turn by turn.
//
// Where a path turns the same way twice, as in north-east, east, south-east, the run between the
// turns may slide towards their inside: it gets longer by less than the outer two runs get shorter.
// The runs are treated as a stack: after a slide that empties a run, the run before it is one of
// the last three.
class Tighten {
public:
    Tighten(const Map& map, Point start, std::vector<Run>& out)
        : map_(map), out_(out), tail_(start) {
        out_.clear();
    }

    // Adds the next run of the path.
    void extend(Run run) {
        push_run(run, 0, out_);
        tail_ = run_end(tail_, run);
        while (slide_last()) {
        }
    }

    [[nodiscard]] Cost saved() const noexcept { return saved_; }

private:
    // The slide that makes the path shorter at its end. With eight neighbours, a turn by two or
    // three eighths of a circle gets a new run between its two runs. After two equal turns the run
    // between them slides. Turns are measured clockwise, in eighths of a circle. A slide's gain is
    // how many moves of the run between lead as far as one move of each outer run.
    [[nodiscard]] Slide inward() const noexcept {
        const std::size_t n = out_.size();
        if (n < 2) return {};
        const Run b = out_[n - 1];
        const Run a = out_[n - 2];
        const int turn = (b.direction - a.direction) & 7;
        if (turn == 4) return {a, {a.direction, 0}, b, 0, 2};  // back over the same cells
        const bool left = turn > 4;
        const int sharpness = left ? 8 - turn : turn;
        // An empty run in the direction that many eighths from a's towards b's.
        const auto turned = [&](int eighths) {
            const int direction = a.direction + (left ? 8 - eighths : eighths);
            return Run{static_cast<std::uint8_t>(direction & 7), 0};
        };
        if (map_.options().rules.neighbourhood == Neighbourhood::eight) {
            if (sharpness == 3) return {a, turned(is_diagonal(a.direction) ? 1 : 2), b, 1, 2};
            if (sharpness == 2) return {a, turned(1), b, is_diagonal(a.direction) ? 2 : 1, 2};
        }
        if (n < 3) return {};
        const Run first = out_[n - 3];
        if (((a.direction - first.direction) & 7) != turn) return {};
        return {first, a, b, sharpness == 2 ? 0 : is_diagonal(b.direction) ? 2 : 1, 3};
    }

    // Slides one of the last runs if that makes the path cheaper; returns whether it has.
    bool slide_last() {
        const Slide shorter = inward();
        return apply(shorter) || (!map_.uniform() && follow_terrain(shorter));
    }

    // Tries slides that do not shorten the path, but make it cheaper where terrain differs: moves
    // of the last run b go before the run a that precedes it, moves of a go after b, or the middle
    // of three runs slides outwards.
    bool follow_terrain(const Slide& shorter) {
        if (out_.size() < 2) return false;
        const Run b = out_[out_.size() - 1];
        const Run a = out_[out_.size() - 2];
        const Run no_a{a.direction, 0};
        const Run no_b{b.direction, 0};
        if (apply({.before = no_b, .middle = a, .after = b, .runs = 2, .before_sign = -1}) ||
            apply({.before = a, .middle = b, .after = no_a, .runs = 2, .after_sign = -1}))
            return true;
        // Not with a gain of 0 (u-turns with four neighbours): no run would get shorter.
        if (shorter.runs < 3 || shorter.gain == 0) return false;
        Slide outward = shorter;
        outward.gain = -shorter.gain;
        outward.before_sign = outward.after_sign = -1;
        return apply(outward);
    }

    // Slides as far as that makes the path cheaper. False if no step does.
    bool apply(const Slide& slide) {
        if (slide.runs == 0) return false;
        std::int32_t limit = std::numeric_limits<std::int32_t>::max();
        if (slide.before_sign > 0) limit = std::min(limit, slide.before.steps);
        if (slide.after_sign > 0) limit = std::min(limit, slide.after.steps);
        if (slide.gain < 0) limit = std::min(limit, slide.middle.steps / -slide.gain);

        Point p = run_end(tail_, {slide.after.direction, -slide.after.steps});
        p = run_end(p, {slide.middle.direction, -slide.middle.steps});  // where middle begins
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

    // The cost saved by sliding `middle`, which begins at `p`, by `count` steps; 0 if that saves
    // nothing or the slid runs are blocked.
    [[nodiscard]] Cost try_slide(const Slide& slide, Point p, Run middle,
                                 std::int32_t count) const {
        return map_.uniform() ? try_uniform(slide, p, middle, count)
                              : try_weighted(slide, p, middle, count);
    }

    // On a map of several weights. Not inlined, which would make uniform maps slower.
    [[gnu::noinline]] [[nodiscard]] Cost try_weighted(const Slide& slide, Point p, Run middle,
                                                      std::int32_t count) const {
        const Run before{slide.before.direction, count};
        const Run after{slide.after.direction, count};
        const Run moved{middle.direction, middle.steps + slide.gain * count};
        const Run none{middle.direction, 0};
        const bool before_shrinks = slide.before_sign > 0;
        const bool after_shrinks = slide.after_sign > 0;
        const Point from = before_shrinks ? run_end(p, {before.direction, -count}) : p;
        const Section slid{before_shrinks ? none : before, moved, after_shrinks ? none : after};
        if (!is_free(from, slid)) return 0;
        const Cost old_cost =
            cost(from, {before_shrinks ? before : none, middle, after_shrinks ? after : none});
        const Cost new_cost = cost(from, slid);
        return new_cost < old_cost ? old_cost - new_cost : 0;
    }

    // For a slide inwards on a uniform map. `lost` and `gained` are for each step.
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

    [[nodiscard]] bool is_free(Point p, const Section& section) const noexcept {
        for (const Run run : section) {
            if (!run_is_free(map_, map_.cell(p), run)) return false;
            p = run_end(p, run);
        }
        return true;
    }

    [[nodiscard]] Cost cost(Point p, const Section& section) const noexcept {
        std::uint64_t sum = 0;
        for (const Run run : section) {
            sum += run_cost(map_, map_.cell(p), run);
            p = run_end(p, run);
        }
        return saturated(sum);
    }

    const Map& map_;
    std::vector<Run>& out_;  // the path so far
    Point tail_;             // its last cell
    Cost saved_ = 0;
};

// Tightens the path `runs` from `start` into `out` (replaced). Returns the cost that this saves.
Cost tighten(const Map& map, Point start, std::span<const Run> runs, std::vector<Run>& out) {
    Tighten pass(map, start, out);
    for (const Run run : runs) pass.extend(run);
    return pass.saved();
}

// Replaces sections of a path by lines and h-reachable paths, in one pass. The new path has an
// anchor and a tail: the section from the anchor to the present cell. A tail is taut if it is as
// short as the distance between its ends. The anchor stays as long as the tail is taut, or a line
// or (on uniform maps) an h-reachable path makes it so; otherwise it moves to the tail's end.
class Pull {
public:
    Pull(const Map& map, Point start, HReach& reach, std::vector<Run>& out)
        : map_(map), reach_(reach), out_(out), anchor_(start), tail_(start) {
        out_.clear();
    }

    // Adds the next run of the path.
    void extend(Run run) {
        if (join(run)) return;
        run.steps -= extend_far(run.steps - 1, [&](std::int32_t count) {
            return join({run.direction, count});
        });
        anchor_ = tail_;
        first_ = out_.size();
        cost_ = 0;
        distance_ = 0;
        push(run, run_cost(map_, map_.cell(tail_), run));
    }

    [[nodiscard]] Cost saved() const noexcept { return saved_; }

private:
    // Appends `run` to the tail if the tail then is taut or can be made so; returns whether.
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
    Point tail_;             // the end of the tail
    std::size_t first_ = 0;  // the tail's first run in out_
    Cost cost_ = 0;          // of the tail
    Cost distance_ = 0;  // base_cost of the tail; equals distance_bound of its ends if it is taut
    Cost saved_ = 0;
};

// Pulls the path `runs` from `start` into `out` (replaced). Returns the cost that this saves.
Cost pull(const Map& map, Point start, std::span<const Run> runs, HReach& reach,
          std::vector<Run>& out) {
    Pull pass(map, start, reach, out);
    for (const Run run : runs) pass.extend(run);
    return pass.saved();
}

// More than any path is known to need; the bounds keep the time linear.
constexpr int kMaxPasses = 8;  // of Tighten in a row
constexpr int kMaxRounds = 4;  // of Pull and then Tighten

// The paper's pass, from cell to cell: lines from an anchor to each later cell, up to the first
// cell whose free lines all cost more than the path there. The last line replaces the section, and
// its end is the next anchor. Writes the runs and returns the cost saved.
Cost follow_lines(const Map& map, std::span<const Cell> path, std::vector<Run>& runs) {
    runs.clear();
    Cost saved = 0;
    for (std::size_t i = 0; i + 1 < path.size();) {
        const Point anchor = map.point(path[i]);
        const std::size_t first = runs.size();
        Cost section_cost = 0;
        Cost section_saved = 0;
        Point p = anchor;
        std::size_t j = i;
        while (j + 1 < path.size()) {
            const Run step = head_run(map.width(), path.subspan(j, 2), p);
            section_cost += map.move_cost(path[j], step.direction);
            p = run_end(p, step);
            const Line line = free_line(map, anchor, p);
            if (j > i && line.cost > section_cost) break;
            runs.resize(first);
            for (const Run leg : in_order(legs(map, anchor, p), line.shape))
                push_run(leg, first, runs);
            section_saved = section_cost - line.cost;
            ++j;
        }
        saved += section_saved;
        i = j;
    }
    return saved;
}

// Runs up to `passes` passes over scratch.runs, from both ends of the path in turn, until one after
// the first saves nothing. pass(start) reads scratch.runs from `start`, writes scratch.next and
// returns the cost saved. Returns the sum of these costs.
template <class Pass>
Cost run_passes(Smoother& scratch, Point start, Point goal, int passes, Pass&& pass) {
    Cost saved = 0;
    bool reversed = false;
    for (int i = 0; i < passes; ++i) {
        if (i > 0) {
            reverse(scratch.runs);
            reversed = !reversed;
        }
        const Cost pass_saved = pass(reversed ? goal : start);
        saved += pass_saved;
        std::swap(scratch.runs, scratch.next);
        if (i > 0 && pass_saved == 0) break;
    }
    if (reversed) reverse(scratch.runs);
    return saved;
}

// Smooths scratch.runs, at any effort but `paper`. Returns the cost saved.
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

StatusCode smooth(const Map& map, std::span<const Cell> path, Cost& cost, Smoother& scratch,
                  std::vector<Cell>& out, const SmoothOptions& options) noexcept try {
    if (options.effort > SmoothEffort::thorough) return StatusCode::bad_option;
    if (path.empty()) {
        out.clear();
        return StatusCode::ok;
    }
    const Cell start = path.front();
    if (path.size() == 1) {
        out.assign(1, start);
        return StatusCode::ok;
    }
    if (options.effort == SmoothEffort::paper) {
        cost -= follow_lines(map, path, scratch.runs);
    } else {
        to_runs(map, path, scratch.runs);
        cost -= shorten(map, map.point(start), map.point(path.back()), options.effort, scratch);
    }
    to_cells(map, start, scratch.runs, out);
    return StatusCode::ok;
} catch (...) {
    out.clear();
    return out_of_memory();
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
