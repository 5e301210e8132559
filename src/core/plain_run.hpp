#pragma once
// The run of a planner without an index, by a search that can be advanced in slices.

#include <cstdint>
#include <optional>

#include "cairn/status.hpp"

namespace cairn {

/// `Search` is the search of one thread, and `Progress` what its slices return. options_of(const
/// Query&), beside the planner P, gives the search's options.
template <class P, class Search, class Progress>
class PlainRun {
public:
    using Index = typename P::Index;
    using Query = typename P::Query;
    using Answer = typename P::Answer;
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

    [[nodiscard]] bool searching() const noexcept { return searching_; }
    void fail(StatusCode status) noexcept {
        searching_ = false;
        reset(*answer_, query_, *index_);
        answer_->status = status;
    }

protected:
    Search search_;

private:
    std::optional<Index> index_;
    Query query_;
    Answer* answer_ = nullptr;
    bool searching_ = false;
};

}  // namespace cairn
