#include <algorithm>

#include "cairn/grid/corridor.hpp"
#include "core/memory.hpp"
#include "core/open_heap.hpp"
#include "grid/astar_kernel.hpp"
#include "grid/endpoints.hpp"
#include "grid/open_buckets.hpp"
#include "grid/search_labels.hpp"

namespace cairn::grid {
namespace {

// The kernel's view of a corridor, which also keeps the least bound of a path that leaves it.
class Confined {
public:
    static constexpr bool kRestricted = true;

    explicit Confined(const Corridor& corridor) : corridor_(corridor) {}

    [[nodiscard]] unsigned exits(Point p) const noexcept { return corridor_.exits(p); }
    void leave(Cost f) noexcept { least_ = std::min(least_, f); }
    [[nodiscard]] Cost least() const noexcept { return least_; }

private:
    const Corridor& corridor_;
    Cost least_ = kInfinity;
};

}  // namespace

struct CorridorSearch::State {
    SearchLabels labels;
    OpenHeap heap;
    OpenBuckets buckets;

    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(labels, heap.entries(), buckets);
    }

    // Runs the search to its end. The lower bound covers what is left in the open list.
    template <class Queue>
    StatusCode run(const SearchFrame& frame, Queue& open, SingleGoal goal, Confined& region,
                   const SearchLimits& limits, SearchTally& tally, Cost& lower_bound) {
        constexpr std::uint64_t kCancelSlice = 512;  // nodes between two checks of the cancel flag
        StatusCode status = StatusCode::ok;
        Outcome outcome = Outcome::running;
        while (outcome == Outcome::running && status == StatusCode::ok) {
            const std::uint64_t left = limits.max_expanded - tally.statistics.expanded;
            outcome =
                expand(frame, labels, open, goal, region, std::min(kCancelSlice, left), tally);
            if (outcome != Outcome::running) break;
            if (tally.statistics.expanded >= limits.max_expanded) {
                status = StatusCode::budget_exhausted;
            } else if (limits.cancelled()) {
                status = StatusCode::cancelled;
            }
        }
        lower_bound = region.least();
        if (tally.pruned) lower_bound = std::min(lower_bound, frame.max_cost() + 1);
        if (outcome == Outcome::found) {
            lower_bound = std::min(lower_bound, labels.g(tally.reached));
        } else if (outcome == Outcome::running) {
            lower_bound = std::min(lower_bound, open.least_f());
        } else {
            status = lower_bound == kInfinity ? StatusCode::no_path : StatusCode::over_cost_limit;
        }
        return status;
    }
};

CorridorSearch::CorridorSearch() : state_(std::make_unique<State>()) {}
CorridorSearch::~CorridorSearch() = default;
CorridorSearch::CorridorSearch(CorridorSearch&&) noexcept = default;
CorridorSearch& CorridorSearch::operator=(CorridorSearch&&) noexcept = default;

std::size_t CorridorSearch::memory() const noexcept { return memory_of(state_); }

StatusCode CorridorSearch::find_path(const Map& map, const Corridor& corridor, Point start,
                                     Point goal, Cost upper_bound, Path& out, Cost& lower_bound,
                                     const SearchLimits& limits) {
    out.cost = kInfinity;
    out.cells.clear();
    out.statistics = {};
    lower_bound = 0;
    out.status = check_endpoints(map, start, goal);
    if (out.status != StatusCode::ok) return out.status;
    if (corridor.width() != map.width() || corridor.height() != map.height()) {
        return out.status = StatusCode::bad_option;
    }
    if (!corridor.contains(start)) {
        lower_bound = std::min(map.distance_bound(start, goal), kInfinity - 1);
        return out.status = StatusCode::over_cost_limit;
    }

    State& s = *state_;
    const bool use_buckets = f_span(map) <= OpenBuckets::kMaxSpan;
    const Cost most = std::min({upper_bound, limits.max_cost, kInfinity - 1});
    const SearchFrame frame(map, use_buckets, most);
    const SingleGoal target(map.cell(goal), goal);
    const Cost f = target.bound(frame, start);
    s.labels.begin(map.size());
    s.labels.set(map.cell(start), 0, SearchLabels::kStart);
    Confined region(corridor);
    SearchTally tally;
    if (use_buckets) {
        s.buckets.reset(f, static_cast<Cost>(f_span(map)));
        s.buckets.push(map.cell(start), f, 0);
        out.status = s.run(frame, s.buckets, target, region, limits, tally, lower_bound);
    } else {
        s.heap.clear();
        s.heap.push(map.cell(start), f, 0);
        out.status = s.run(frame, s.heap, target, region, limits, tally, lower_bound);
    }
    out.statistics = tally.statistics;
    if (out.status == StatusCode::ok) {
        out.cost = s.labels.g(tally.reached);
        trace_back(map, s.labels, tally.reached, out.cells);
    }
    return out.status;
}

}  // namespace cairn::grid
