#include "cairn/hna/searcher.hpp"

#include "core/searcher_calls.hpp"
#include "hna/query_run.hpp"

namespace cairn::hna {

struct Searcher::Impl : SearcherCalls<QueryRun> {};

Searcher::Searcher() : impl_(std::make_unique<Impl>()) {}
Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

StatusCode Searcher::find(const Index& index, const Query& query, Answer& answer) {
    return impl_->find(index, query, answer);
}

void Searcher::begin(const Index& index, const Query& query, Answer& answer) {
    impl_->begin(index, query, answer);
}

bool Searcher::advance(std::uint64_t budget) { return impl_->advance(budget); }

StatusCode Searcher::costs(const Index& index, const mesh::Place& start,
                           std::span<const mesh::Place> goals, std::span<Cost> costs) {
    Query query;
    query.start = start;
    return impl_->costs(index, query, goals, costs);
}

StatusCode Searcher::find_nearest(const Index& index, Query query,
                                  std::span<const mesh::Place> goals, Answer& answer,
                                  std::size_t& nearest) {
    return impl_->find_nearest(index, query, goals, answer, nearest);
}

}  // namespace cairn::hna
