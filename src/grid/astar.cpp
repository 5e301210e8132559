#include "cairn/grid/astar.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/memory.hpp"
#include "core/open_heap.hpp"
#include "grid/astar_kernel.hpp"
#include "grid/endpoints.hpp"
#include "grid/flood.hpp"
#include "grid/open_buckets.hpp"
#include "grid/search_labels.hpp"
#include "grid/trace_points.hpp"

namespace cairn::grid {

namespace {

// Several goals of one search, which ends when it has settled the first of them, or all. The
// heuristic is the least bound to any point of the goals' bounding box, so it is consistent.
class GoalSet {
public:
    // Adds the goals that are inside `map` and free; returns whether there are any.
    bool assign(const Map& map, std::span<const Point> goals, bool stop_at_first) {
        if (bits_.size() * 64 < map.size()) bits_.resize((map.size() + 63) / 64);
        stop_at_first_ = stop_at_first;
        remaining_ = 0;
        left_ = top_ = std::numeric_limits<std::int32_t>::max();
        right_ = bottom_ = 0;
        for (const Point p : goals) {
            if (!map.contains(p) || !map.passable(map.cell(p)) || pending(map.cell(p))) continue;
            flip(map.cell(p));
            ++remaining_;
            left_ = std::min(left_, p.x);
            right_ = std::max(right_, p.x);
            top_ = std::min(top_, p.y);
            bottom_ = std::max(bottom_, p.y);
        }
        return remaining_ > 0;
    }

    // Removes all goals; `goals` are those of the last assign().
    void clear(const Map& map, std::span<const Point> goals) {
        for (const Point p : goals) {
            if (map.contains(p) && pending(map.cell(p))) flip(map.cell(p));
        }
    }

    // Whether `c` is a goal that is not settled yet.
    [[nodiscard]] bool pending(Cell c) const noexcept { return (bits_[c / 64] >> c % 64 & 1) != 0; }

    // Whether one of the cells is a goal that is not settled yet; as bits, like Flood::bits.
    [[nodiscard]] bool any_pending(std::span<const std::uint64_t> cells) const noexcept {
        for (std::size_t w = 0; w < cells.size(); ++w) {
            if ((bits_[w] & cells[w]) != 0) return true;
        }
        return false;
    }

    // To be called for each cell that the search settles; returns whether the search ends there.
    [[nodiscard]] bool settle(Cell c) noexcept {
        if (!pending(c)) return false;
        flip(c);
        --remaining_;
        return stop_at_first_ || remaining_ == 0;
    }

    [[nodiscard]] Cost bound(const SearchFrame& frame, Point p) const noexcept {
        return frame.bound(static_cast<Cost>(std::max({0, left_ - p.x, p.x - right_})),
                           static_cast<Cost>(std::max({0, top_ - p.y, p.y - bottom_})));
    }

    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(bits_); }

private:
    void flip(Cell c) noexcept { bits_[c / 64] ^= std::uint64_t{1} << c % 64; }

    std::vector<std::uint64_t> bits_;  // one for each cell: whether it is pending
    std::size_t remaining_ = 0;        // goals pending
    std::int32_t left_ = 0;            // the bounding box, inclusive
    std::int32_t top_ = 0;
    std::int32_t right_ = 0;
    std::int32_t bottom_ = 0;
    bool stop_at_first_ = true;
};

// A* to one goal or to several: the Search of a SearchRun.
class AstarSearch {
    // Returns use(observer), with the observer of the search.
    template <class Use>
    auto observe(const Use& use) {
        const auto name = [this](Cell cell) { return trace_node(frame_.map(), cell); };
        return with_observer(trace, 0, name, use);
    }

public:
    // To be set before begin(): `goals` if `many_goals`, otherwise `goal`.
    SingleGoal goal;
    GoalSet goals;
    bool many_goals = false;
    TraceRecorder* trace = nullptr;  // where to record searches to one goal; may be null

    void begin(const Map& map, Cell start, OpenList open, Cost max_cost) {
        use_buckets_ = open == OpenList::buckets && f_span(map) <= OpenBuckets::kMaxSpan;
        frame_ = SearchFrame(map, use_buckets_, max_cost);
        tally_ = {};
        start_ = start;
        labels_.begin(map.size());
        labels_.set(start, 0, SearchLabels::kStart);
        const Point p = map.point(start);
        const Cost f = many_goals ? goals.bound(frame_, p) : goal.bound(frame_, p);
        if (use_buckets_) {
            buckets_.reset(f, static_cast<Cost>(f_span(map)));
            buckets_.push(start, f, 0);
        } else {
            heap_.clear();
            heap_.push(start, f, 0);
        }
        tally_.statistics.generated = 1;
        if (trace != nullptr)
            observe([&](const auto& observer) { observer.generated(start, 0, f); });
    }

    [[nodiscard]] Outcome expand(std::uint64_t budget) {
        return use_buckets_ ? expand(buckets_, budget) : expand(heap_, budget);
    }

    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return tally_.statistics; }
    [[nodiscard]] StatusCode failure(const SearchLimits& limits) {
        return why_no_path(frame_.map(), limits, tally_.pruned, [this] {
            flood_.from(frame_.map(), start_);
            return many_goals ? goals.any_pending(flood_.bits()) : flood_.reached(goal.cell());
        });
    }
    void forget_effort() noexcept { tally_ = {}; }

    // The goal that ended the search.
    [[nodiscard]] Cell reached() const noexcept { return tally_.reached; }
    // The g of a labelled cell.
    [[nodiscard]] Cost g(Cell cell) const noexcept { return labels_.g(cell); }
    // The cost of a search that has found its goal.
    [[nodiscard]] Cost cost() const noexcept { return g(tally_.reached); }
    void append_path(std::vector<Cell>& cells) const {
        trace_back(frame_.map(), labels_, tally_.reached, cells);
    }
    [[nodiscard]] Cost lower_bound() const noexcept {
        return use_buckets_ ? buckets_.least_f() : heap_.least_f();
    }
    void append_partial_path(std::vector<Cell>& cells) const {
        const Cell end = use_buckets_ ? nearest_open(buckets_) : nearest_open(heap_);
        if (end != kNoCell) trace_back(frame_.map(), labels_, end, cells);
    }
    [[nodiscard]] static std::vector<Cell>& list_of(Path& path) noexcept { return path.cells; }
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(goals, labels_, heap_.entries(), buckets_, flood_);
    }

private:
    template <class Queue>
    [[nodiscard]] Cell nearest_open(const Queue& open) const {
        return many_goals ? grid::nearest_open(frame_, labels_, open, goals)
                          : grid::nearest_open(frame_, labels_, open, goal);
    }
    template <class Queue>
    [[nodiscard]] Outcome expand(Queue& open, std::uint64_t budget) {
        WholeMap whole;
        if (many_goals) return grid::expand(frame_, labels_, open, goals, whole, budget, tally_);
        return observe([&](const auto& observer) {
            return grid::expand(frame_, labels_, open, goal, whole, budget, tally_, observer);
        });
    }

    SearchLabels labels_;
    OpenHeap heap_;
    OpenBuckets buckets_;
    SearchFrame frame_;
    SearchTally tally_;
    Flood flood_;
    Cell start_ = kNoCell;
    bool use_buckets_ = false;
};

constexpr std::uint64_t kSlice = 512;  // expansions between two checks of the cancel flag

[[nodiscard]] StatusCode check(const AstarOptions& options) noexcept {
    return options.open <= OpenList::buckets ? StatusCode::ok : StatusCode::bad_option;
}

}  // namespace

struct Astar::State : SearchRun<AstarSearch> {
    // The goals of `search` must have been set.
    void begin(const Map& map, Point from, const AstarOptions& options,
               const SearchLimits& limits) {
        search.begin(map, map.cell(from), options.open, limits.max_cost);
        start(limits, options.cost_only);
    }
};

Astar::Astar() : state_(std::make_unique<State>()) {}
Astar::~Astar() = default;
Astar::Astar(Astar&&) noexcept = default;
Astar& Astar::operator=(Astar&&) noexcept = default;

std::size_t Astar::memory() const noexcept { return memory_of(state_); }

void Astar::begin(const Map& map, Point start, Point goal, const AstarOptions& options,
                  const SearchLimits& limits) {
    State& s = *state_;
    StatusCode code = check(options);
    if (code == StatusCode::ok) code = check_endpoints(map, start, goal);
    if (code != StatusCode::ok) return s.refuse(code);
    s.search.goal = SingleGoal(map.cell(goal), goal);
    s.search.many_goals = false;
    s.begin(map, start, options, limits);
}

Progress Astar::advance(std::uint64_t max_expansions) {
    return state_->advance(max_expansions, kSlice) ? Progress::running : Progress::finished;
}

StatusCode Astar::take(Path& out) { return state_->take(out); }

StatusCode Astar::find_path(const Map& map, Point start, Point goal, Path& out,
                            const AstarOptions& options, const SearchLimits& limits) {
    begin(map, start, goal, options, limits);
    advance(std::numeric_limits<std::uint64_t>::max());
    return take(out);
}

[[gnu::cold]] StatusCode Astar::trace_path(const Map& map, Point start, Point goal, Path& out,
                                           SearchTrace& trace, const AstarOptions& options,
                                           const SearchLimits& limits) {
    TraceRecorder recorder(trace);
    if (check_endpoints(map, start, goal) == StatusCode::ok)
        record_ends(map, start, goal, recorder);
    Astar traced;
    traced.state_->search.trace = &recorder;
    traced.find_path(map, start, goal, out, options, limits);
    finish(map, out, goal, recorder);
    return out.status;
}

StatusCode Astar::find_nearest(const Map& map, Point start, std::span<const Point> goals, Path& out,
                               std::size_t& reached, const AstarOptions& options,
                               const SearchLimits& limits) {
    State& s = *state_;
    GoalSet& set = s.search.goals;
    reached = goals.size();
    StatusCode code = check(options);
    if (code == StatusCode::ok) code = check_start(map, start);
    if (code == StatusCode::ok && !set.assign(map, goals, /*stop_at_first=*/true))
        code = StatusCode::goal_blocked;
    if (code != StatusCode::ok) {
        s.refuse(code);
        return take(out);
    }
    s.search.many_goals = true;
    s.begin(map, start, options, limits);
    advance(std::numeric_limits<std::uint64_t>::max());
    set.clear(map, goals);
    if (s.status() == StatusCode::ok) {
        const auto goal = std::find(goals.begin(), goals.end(), map.point(s.search.reached()));
        reached = static_cast<std::size_t>(goal - goals.begin());
    }
    return take(out);
}

StatusCode Astar::distances(const Map& map, Point start, std::span<const Point> goals,
                            std::span<Cost> out, const AstarOptions& options,
                            const SearchLimits& limits) {
    State& s = *state_;
    GoalSet& set = s.search.goals;
    s.refuse(StatusCode::ok);  // forgets the effort of the search before
    if (out.size() != goals.size() || check(options) != StatusCode::ok)
        return StatusCode::bad_option;
    std::fill(out.begin(), out.end(), kInfinity);
    if (const StatusCode code = check_start(map, start); code != StatusCode::ok) {
        s.refuse(code);
        return code;
    }
    if (!set.assign(map, goals, /*stop_at_first=*/false)) return StatusCode::ok;
    s.search.many_goals = true;
    s.begin(map, start, options, limits);
    advance(std::numeric_limits<std::uint64_t>::max());
    for (std::size_t i = 0; i < goals.size(); ++i) {
        if (!map.contains(goals[i])) continue;
        const Cell c = map.cell(goals[i]);
        if (map.passable(c) && !set.pending(c)) out[i] = s.search.g(c);
    }
    set.clear(map, goals);
    const bool all_known =
        s.status() == StatusCode::no_path || s.status() == StatusCode::cost_too_large;
    return all_known ? StatusCode::ok : s.status();
}

const SearchStatistics& Astar::statistics() const noexcept { return state_->search.statistics(); }

}  // namespace cairn::grid
