#include "tighten.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "runs.hpp"

namespace cairn::grid {
namespace {

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

}  // namespace

Cost tighten(const Map& map, Point start, std::span<const Run> runs, std::vector<Run>& out) {
    Tighten tight(map, start, out);
    for (const Run run : runs) tight.extend(run);
    return tight.saved();
}

}  // namespace cairn::grid
