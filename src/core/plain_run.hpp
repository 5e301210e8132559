#pragma once
// The run of a planner without an index, by a search that can be advanced in slices.

#include <cstdint>

#include "core/query_state.hpp"

namespace cairn {

/// `Search` is the search of one thread, and `Progress` what its slices return. options_of(const
/// Query&), beside the planner P, gives the search's options.
template <class P, class Search, class Progress>
class PlainRun : public QueryState<typename P::Index, typename P::Query, typename P::Answer> {
    using State = QueryState<typename P::Index, typename P::Query, typename P::Answer>;

public:
    using typename State::Answer;
    using typename State::Index;
    using typename State::Query;
    using Place = typename P::Place;

    /// A whole query. The index outlives it, so it is not copied.
    StatusCode find(const Index& index, const Query& query, Answer& answer) {
        searching_ = false;
        return search_.find_path(index, query.start, query.goal, answer, options_of(query),
                                 query.limits);
    }

    void begin(const Index& index, const Query& query, Answer& answer) {
        index_ = index;  // a copy, so that an edit meanwhile does not matter
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
