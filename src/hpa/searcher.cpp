#include "cairn/hpa/searcher.hpp"

#include <algorithm>

#include "hpa/query_run.hpp"

namespace cairn::hpa {

struct Searcher::Impl : QueryRun {
    using QueryRun::QueryRun;
};

Searcher::Searcher(std::size_t cached_ends) : impl_(std::make_unique<Impl>(cached_ends)) {}
Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

StatusCode Searcher::find(const Index& index, const Query& query, Answer& answer) {
    impl_->begin(index, query, answer);
    while (impl_->advance(std::numeric_limits<std::uint64_t>::max())) {
    }
    return answer.status;
}

void Searcher::begin(const Index& index, const Query& query, Answer& answer) {
    impl_->begin(index, query, answer);
}

bool Searcher::advance(std::uint64_t budget) { return impl_->advance(budget); }

StatusCode Searcher::costs(const Index& index, grid::Point start,
                           std::span<const grid::Point> goals, std::span<Cost> costs) {
    if (goals.size() != costs.size()) return StatusCode::unsupported;
    const grid::Map& map = index.map();
    if (!map.contains(start)) return StatusCode::start_outside;
    if (!map.passable(map.cell(start))) return StatusCode::start_blocked;
    Query query;
    query.start = start;
    query.detail = Detail::cost;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        query.goal = goals[i];
        find(index, query, impl_->side_answer);
        costs[i] = impl_->side_answer.cost;
    }
    return StatusCode::ok;
}

namespace {

// Whether another goal may do better.
bool concerns_goal(StatusCode status) {
    return status == StatusCode::no_path || status == StatusCode::over_cost_limit ||
           status == StatusCode::goal_outside || status == StatusCode::goal_blocked;
}

}  // namespace

StatusCode Searcher::find_nearest(const Index& index, Query query,
                                  std::span<const grid::Point> goals, Answer& answer,
                                  std::size_t& nearest) {
    const Detail detail = query.detail;
    const SearchLimits limits = query.limits;
    bool found = false;
    bool too_dear = false;
    query.nearest_reachable = false;
    query.detail = Detail::cost;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        query.goal = goals[i];
        const StatusCode status = find(index, query, answer);
        if (status == StatusCode::ok) {
            found = true;
            nearest = i;
            // Only nearer goals are of interest from here on.
            query.limits.max_cost = std::max<Cost>(answer.cost, 1) - 1;
            if (answer.cost == 0) break;
        } else if (!concerns_goal(status)) {
            return status;
        }
        too_dear = too_dear || status == StatusCode::over_cost_limit;
    }
    query.limits = limits;
    query.detail = detail;
    if (!found) {
        reset(answer, query, index);
        return answer.status = too_dear ? StatusCode::over_cost_limit : StatusCode::no_path;
    }
    query.goal = goals[nearest];
    return find(index, query, answer);
}

}  // namespace cairn::hpa
