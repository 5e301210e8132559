#include "pull.hpp"

#include "runs.hpp"

namespace cairn::grid {
namespace {

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

}  // namespace

Cost pull(const Map& map, Point start, std::span<const Run> runs, HReach& reach,
          std::vector<Run>& out) {
    Pull pass(map, start, reach, out);
    for (const Run run : runs) pass.extend(run);
    return pass.saved();
}

}  // namespace cairn::grid
