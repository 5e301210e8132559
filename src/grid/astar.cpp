#include "cairn/grid/astar.hpp"

#include <algorithm>
#include <limits>

#include "core/open_heap.hpp"
#include "grid/astar_kernel.hpp"
#include "grid/goal_set.hpp"
#include "grid/open_buckets.hpp"
#include "grid/search_labels.hpp"

namespace cairn::grid {

struct Astar::State {
    SearchLabels labels;
    OpenHeap heap;
    OpenBuckets buckets;
    SingleGoal goal;
    GoalSet goals;

    SearchFrame frame;
    SearchLimits limits;
    SearchTally tally;
    StatusCode status = StatusCode::no_path;
    bool running = false;
    bool use_buckets = false;
    bool many_goals = false;
    bool cost_only = false;

    void finish(StatusCode code) noexcept {
        status = code;
        running = false;
    }

    void start_over(StatusCode code) noexcept {
        tally = {};
        finish(code);
    }

    // `goal` or `goals` is set already.
    void begin(const Map& map, Cell start, const AstarOptions& options,
               const SearchLimits& bounds) {
        use_buckets = options.open == OpenList::buckets && f_span(map) <= OpenBuckets::kMaxSpan;
        frame = SearchFrame(map, use_buckets, bounds.max_cost);
        limits = bounds;
        cost_only = options.cost_only;
        tally = {};
        labels.begin(map.size());
        labels.set(start, 0, SearchLabels::kStart);
        const Point p = map.point(start);
        const Cost f = many_goals ? goals.bound(frame, p) : goal.bound(frame, p);
        if (use_buckets) {
            buckets.reset(f, static_cast<Cost>(f_span(map)));
            buckets.push(start, f, 0);
        } else {
            heap.clear();
            heap.push(start, f, 0);
        }
        tally.statistics.generated = 1;
        running = true;
    }

    template <class Queue>
    Outcome expand_some(Queue& open, std::uint64_t budget) {
        WholeMap whole;
        return many_goals ? expand(frame, labels, open, goals, whole, budget, tally)
                          : expand(frame, labels, open, goal, whole, budget, tally);
    }

    void advance(std::uint64_t max_expansions) {
        constexpr std::uint64_t kSlice = 512;  // between two looks at the cancel flag
        while (running && max_expansions > 0) {
            if (limits.cancel != nullptr && limits.cancel->cancelled()) {
                return finish(StatusCode::cancelled);
            }
            const std::uint64_t before = tally.statistics.expanded;
            const std::uint64_t left = limits.max_expanded - std::min(before, limits.max_expanded);
            const std::uint64_t slice = std::min({max_expansions, kSlice, left});
            const Outcome outcome =
                use_buckets ? expand_some(buckets, slice) : expand_some(heap, slice);
            max_expansions -= std::min(max_expansions, tally.statistics.expanded - before);
            if (outcome == Outcome::found) return finish(StatusCode::ok);
            if (outcome == Outcome::exhausted) {
                return finish(tally.pruned ? StatusCode::over_cost_limit : StatusCode::no_path);
            }
            if (tally.statistics.expanded >= limits.max_expanded)
                return finish(StatusCode::budget_exhausted);
        }
    }

    StatusCode take(Path& out) const {
        out.status = running ? StatusCode::budget_exhausted : status;
        out.statistics = tally.statistics;
        out.cost = kInfinity;
        out.cells.clear();
        if (out.status != StatusCode::ok) return out.status;
        out.cost = labels.g(tally.reached);
        if (!cost_only) trace_back(frame.map(), labels, tally.reached, out.cells);
        return out.status;
    }
};

Astar::Astar() : state_(std::make_unique<State>()) {}
Astar::~Astar() = default;
Astar::Astar(Astar&&) noexcept = default;
Astar& Astar::operator=(Astar&&) noexcept = default;

void Astar::begin(const Map& map, Point start, Point goal, const AstarOptions& options,
                  const SearchLimits& limits) {
    State& s = *state_;
    if (const StatusCode code = check_ends(map, start, goal); code != StatusCode::ok) {
        return s.start_over(code);
    }
    s.goal = SingleGoal(map.cell(goal), goal);
    s.many_goals = false;
    s.begin(map, map.cell(start), options, limits);
}

Progress Astar::advance(std::uint64_t max_expansions) {
    state_->advance(max_expansions);
    return state_->running ? Progress::running : Progress::finished;
}

StatusCode Astar::take(Path& out) { return state_->take(out); }

StatusCode Astar::find_path(const Map& map, Point start, Point goal, Path& out,
                            const AstarOptions& options, const SearchLimits& limits) {
    begin(map, start, goal, options, limits);
    advance(std::numeric_limits<std::uint64_t>::max());
    return take(out);
}

StatusCode Astar::find_nearest(const Map& map, Point start, std::span<const Point> goals, Path& out,
                               std::size_t& reached, const AstarOptions& options,
                               const SearchLimits& limits) {
    State& s = *state_;
    reached = goals.size();
    if (const StatusCode code = check_ends(map, start, start); code != StatusCode::ok) {
        s.start_over(code);
        return take(out);
    }
    if (!s.goals.assign(map, goals, true)) {
        s.start_over(StatusCode::goal_blocked);
        return take(out);
    }
    s.many_goals = true;
    s.begin(map, map.cell(start), options, limits);
    advance(std::numeric_limits<std::uint64_t>::max());
    s.goals.clear(map, goals);
    if (s.status == StatusCode::ok) {
        const auto hit = std::find(goals.begin(), goals.end(), map.point(s.tally.reached));
        reached = static_cast<std::size_t>(hit - goals.begin());
    }
    return take(out);
}

StatusCode Astar::distances(const Map& map, Point start, std::span<const Point> goals,
                            std::span<Cost> out, const AstarOptions& options,
                            const SearchLimits& limits) {
    State& s = *state_;
    s.start_over(StatusCode::ok);
    if (out.size() != goals.size()) return StatusCode::bad_option;
    std::fill(out.begin(), out.end(), kInfinity);
    if (const StatusCode code = check_ends(map, start, start); code != StatusCode::ok) {
        s.start_over(code);
        return code;
    }
    if (!s.goals.assign(map, goals, false)) return StatusCode::ok;
    s.many_goals = true;
    s.begin(map, map.cell(start), options, limits);
    advance(std::numeric_limits<std::uint64_t>::max());
    for (std::size_t i = 0; i < goals.size(); ++i) {
        if (!map.contains(goals[i])) continue;
        const Cell c = map.cell(goals[i]);
        if (map.passable(c) && !s.goals.pending(c)) out[i] = s.labels.g(c);
    }
    s.goals.clear(map, goals);
    return s.status == StatusCode::no_path ? StatusCode::ok : s.status;
}

const SearchStatistics& Astar::statistics() const noexcept { return state_->tally.statistics; }

}  // namespace cairn::grid
