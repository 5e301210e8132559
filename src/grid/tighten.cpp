#include "tighten.hpp"

#include <algorithm>
#include <span>

#include "runs.hpp"

namespace cairn::grid {
namespace {

// How the last runs of a path can be shortened: of the runs before and after the middle one,
// `count` steps each are replaced by `gain` * count steps of the middle run's direction.
struct Slide {
    Run before;
    Run middle;
    Run after;
    std::int32_t gain = 0;
    std::size_t runs = 0;  // how many of the last runs it takes; 0 if none can be shortened
};

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
    [[nodiscard]] Slide find() const noexcept {
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
        const Slide slide = find();
        if (slide.runs == 0) return false;
        Point p = run_end(tail_, {slide.after.direction, -slide.after.steps});
        p = run_end(p, {slide.middle.direction, -slide.middle.steps});
        std::int32_t done = 0;
        Run middle = slide.middle;
        const auto extend = [&](std::int32_t count) {
            const Cost saved = try_slide(slide, p, middle, count);
            if (saved == 0) return false;
            saved_ += saved;
            done += count;
            middle.steps += slide.gain * count;
            p = run_end(p, {slide.before.direction, -count});
            return true;
        };
        if (extend_far(std::min(slide.before.steps, slide.after.steps), extend) == 0) return false;
        out_.resize(out_.size() - slide.runs);
        push_run({slide.before.direction, slide.before.steps - done}, 0, out_);
        push_run(middle, 0, out_);
        push_run({slide.after.direction, slide.after.steps - done}, 0, out_);
        return true;
    }

    // What it saves to slide `middle`, which begins at `p`, by `count` steps; 0 if nothing or if it
    // is blocked.
    [[nodiscard]] Cost try_slide(const Slide& slide, Point p, Run middle,
                                 std::int32_t count) const {
        const Run longer{middle.direction, middle.steps + slide.gain * count};
        const Point from = run_end(p, {slide.before.direction, -count});
        if (!run_is_free(map_, map_.cell(from), longer)) return 0;
        const Cost before = run_cost(map_, map_.cell(from), {slide.before.direction, count});
        const Cost now = run_cost(map_, map_.cell(p), middle);
        const Cost after =
            run_cost(map_, map_.cell(run_end(p, middle)), {slide.after.direction, count});
        const Cost then = run_cost(map_, map_.cell(from), longer);
        return then < before + now + after ? before + now + after - then : 0;
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
