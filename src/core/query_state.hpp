#pragma once
// The state of a query that the runs of all planners share.

#include <optional>

#include "cairn/cost.hpp"
#include "cairn/status.hpp"
#include "core/trace_recorder.hpp"

namespace cairn {

template <class TIndex, class TQuery, class TAnswer>
class QueryState {
public:
    using Index = TIndex;
    using Query = TQuery;
    using Answer = TAnswer;

    [[nodiscard]] bool searching() const noexcept { return searching_; }
    /// Records the queries that begin from now on; null: no more.
    void record(TraceRecorder* trace) noexcept { trace_ = trace; }

    /// Ends the query, whose answer has no meaning then.
    void abandon() noexcept { searching_ = false; }
    /// Ends the query with an answer that holds only a status.
    void fail(StatusCode status) noexcept {
        searching_ = false;
        reset(*answer_, query_, *index_);
        answer_->status = status;
    }

protected:
    /// Stores a query and where its answer goes. The planner's reset() empties the answer.
    void set_query(const Index& index, const Query& query, Answer& answer) {
        // Not copied if it is the same: a copy changes a reference count that all threads share.
        if (!index_ || &index_->snapshot() != &index.snapshot()) index_ = index;
        query_ = query;
        answer_ = &answer;
        searching_ = false;
        reset(answer, query, index);
    }

    [[nodiscard]] const auto& snapshot() const noexcept { return index_->snapshot(); }
    /// Paths must cost less than this.
    [[nodiscard]] Cost bound() const noexcept {
        const Cost max_cost = query_.limits.max_cost;
        return max_cost < kInfinity ? max_cost + 1 : kInfinity;
    }

    std::optional<Index> index_;
    Query query_;
    Answer* answer_ = nullptr;
    TraceRecorder* trace_ = nullptr;  // null: the query is not traced
    bool searching_ = false;
};

}  // namespace cairn
