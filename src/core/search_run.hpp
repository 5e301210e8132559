#pragma once
// Runs A* or JPS on a map or a mesh, whole or in slices, under the caller's limits.

#include <cstdint>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/search_statistics.hpp"
#include "cairn/status.hpp"
#include "core/slices.hpp"

namespace cairn {

enum class Outcome : std::uint8_t { running, found, exhausted };

/// A Search has the members
///
///   Outcome expand(uint64_t)                expands up to that many more nodes
///   const SearchStatistics& statistics()
///   StatusCode failure(limits)              why it is exhausted
///   void forget_effort()                    resets statistics()
///   Cost cost()                             the cost of the path, after Outcome::found
///   void append_path(list&)                 appends the path, after Outcome::found
///   Cost lower_bound()                      no path costs less, after Outcome::running
///   void append_partial_path(list&)         appends the path to the open node nearest the goal,
///                                           after Outcome::running; nothing if there is none
///   list& list_of(Path&)                    the member of a Path that holds the path
///   size_t memory()
template <class Search>
class SearchRun {
public:
    /// Starts the run. The owner has prepared `search`.
    void start(const SearchLimits& limits, bool cost_only) noexcept {
        limits_ = limits;
        cost_only_ = cost_only;
        outcome_ = Outcome::running;
        searching_ = true;
    }
    /// Ends the run with a status before any search.
    void refuse(StatusCode status) noexcept {
        search.forget_effort();
        stop(status);
    }

    /// True while unfinished. `slice`: see advance_in_slices.
    bool advance(std::uint64_t budget, std::uint64_t slice) {
        return budget == 0 ? searching_ : advance_in_slices(*this, limits_, budget, slice);
    }

    /// Writes the result to `out`: budget_exhausted if the run is not finished.
    template <class Path>
    StatusCode take(Path& out) const {
        out.status = searching_ ? StatusCode::budget_exhausted : status_;
        out.statistics = search.statistics();
        out.cost = kInfinity;
        out.lower_bound = 0;
        auto& list = Search::list_of(out);
        list.clear();
        if (out.status == StatusCode::ok) {
            out.cost = out.lower_bound = search.cost();
            if (!cost_only_) search.append_path(list);
        } else if (stopped_early(out.status)) {
            out.lower_bound = search.lower_bound();
            if (limits_.partial_path && !cost_only_) search.append_partial_path(list);
        }
        return out.status;
    }

    [[nodiscard]] StatusCode status() const noexcept { return status_; }
    [[nodiscard]] std::size_t memory() const noexcept { return search.memory(); }

    // The members that advance_in_slices needs.
    [[nodiscard]] bool searching() const noexcept { return searching_; }
    [[nodiscard]] std::uint64_t expanded() const noexcept { return search.statistics().expanded; }
    bool advance_search(std::uint64_t budget) {
        outcome_ = search.expand(budget);
        return outcome_ == Outcome::running;
    }
    void finish_search() {
        stop(outcome_ == Outcome::found ? StatusCode::ok : search.failure(limits_));
    }
    void stop(StatusCode status) noexcept {
        status_ = status;
        searching_ = false;
    }

    Search search;

private:
    SearchLimits limits_;
    StatusCode status_ = StatusCode::no_path;
    Outcome outcome_ = Outcome::running;
    bool searching_ = false;
    bool cost_only_ = false;
};

}  // namespace cairn
