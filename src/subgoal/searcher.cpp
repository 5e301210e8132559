#include "cairn/subgoal/searcher.hpp"

#include "grid/several_goals.hpp"
#include "subgoal/query_run.hpp"

namespace cairn::subgoal {

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
    return grid::costs_to_goals<Query>(
        index.map(), start, goals, costs, impl_->side_answer,
        [&](const Query& query, Answer& answer) { return find(index, query, answer); });
}

StatusCode Searcher::find_nearest(const Index& index, Query query,
                                  std::span<const grid::Point> goals, Answer& answer,
                                  std::size_t& nearest) {
    return grid::find_nearest_goal(
        query, goals, answer, nearest,
        [&](const Query& one, Answer& out) { return find(index, one, out); },
        [&](Answer& out, const Query& one) { reset(out, one, index); });
}

}  // namespace cairn::subgoal
