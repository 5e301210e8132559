#pragma once
// The run (RunOf in core/searcher.hpp) of a planner that searches the map or mesh itself.

#include <cstdint>

#include "core/query_state.hpp"

namespace cairn {

/// `Search` is the planner's resumable search; `Progress` is the enum that its advance() returns.
/// options_of(const Query&), found by argument-dependent lookup, returns the search's options.
template <class P, class Search, class Progress>
class PlainRun : public QueryState<typename P::Index, typename P::Query, typename P::Answer> {
    using State = QueryState<typename P::Index, typename P::Query, typename P::Answer>;

public:
    using typename State::Answer;
    using typename State::Index;
    using typename State::Query;
    using Place = typename P::Place;

    /// Answers a whole query. Does not copy the index, unlike begin().
    StatusCode find(const Index& index, const Query& query, Answer& answer) {
        searching_ = false;
        return search_.find_path(index, query.start, query.goal, answer, options_of(query),
                                 query.limits);
    }

    static void trace(const Index& index, const Query& query, Answer& answer, SearchTrace& trace) {
        Search::trace_path(index, query.start, query.goal, answer, trace, options_of(query),
                           query.limits);
    }

    void begin(const Index& index, const Query& query, Answer& answer) {
        index_ = index;  // a copy, which edits between the slices do not affect
        query_ = query;
        answer_ = &answer;
        searching_ = true;
        reset(answer, query, index);
        search_.begin(*index_, query.start, query.goal, options_of(query_), query_.limits);
    }

    bool advance(std::uint64_t budget) {
        if (!searching_) return false;
        if (search_.advance(budget) == Progress::running) return true;
        searching_ = false;
        search_.take(*answer_);
        return false;
    }

    /// Bytes held now, the index not counted.
    [[nodiscard]] std::size_t memory() const noexcept { return search_.memory(); }

protected:
    using State::answer_;
    using State::index_;
    using State::query_;
    using State::searching_;

    Search search_;
};

}  // namespace cairn
