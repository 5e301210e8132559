#pragma once
// A search on the cells of a map, run to its end or in slices; for Astar and Jps.

#include <cstdint>

#include "cairn/control.hpp"
#include "cairn/grid/path.hpp"
#include "core/slices.hpp"
#include "grid/astar_kernel.hpp"

namespace cairn::grid {

/// A Search has the members
///
///   Outcome expand(uint64_t)             expands up to so many nodes more
///   const SearchTally& tally()
///   Cost cost()                          of one that has found its goal
///   void append_cells(vector<Cell>&)     likewise
///   size_t memory()
template <class Search>
class SearchRun {
public:
    /// Begins to run the search.
    void start(const SearchLimits& limits, bool cost_only) noexcept {
        limits_ = limits;
        cost_only_ = cost_only;
        outcome_ = Outcome::running;
        searching_ = true;
    }
    /// Ends the run with a status, without a search.
    void refuse(StatusCode status) noexcept {
        search.forget_tally();
        stop(status);
    }

    /// True while unfinished. `slice` as of advance_in_slices.
    bool advance(std::uint64_t budget, std::uint64_t slice) {
        return budget == 0 ? searching_ : advance_in_slices(*this, limits_, budget, slice);
    }

    StatusCode take(Path& out) const {
        out.status = searching_ ? StatusCode::budget_exhausted : status_;
        out.statistics = search.tally().statistics;
        out.cost = kInfinity;
        out.cells.clear();
        if (out.status != StatusCode::ok) return out.status;
        out.cost = search.cost();
        if (!cost_only_) search.append_cells(out.cells);
        return out.status;
    }

    [[nodiscard]] StatusCode status() const noexcept { return status_; }
    [[nodiscard]] std::size_t memory() const noexcept { return search.memory(); }

    // The members that advance_in_slices needs.
    [[nodiscard]] bool searching() const noexcept { return searching_; }
    [[nodiscard]] std::uint64_t expanded() const noexcept {
        return search.tally().statistics.expanded;
    }
    bool advance_search(std::uint64_t budget) {
        outcome_ = search.expand(budget);
        return outcome_ == Outcome::running;
    }
    void finish_search() noexcept {
        const bool pruned = search.tally().pruned;
        stop(outcome_ == Outcome::found ? StatusCode::ok
             : pruned                   ? StatusCode::over_cost_limit
                                        : StatusCode::no_path);
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

}  // namespace cairn::grid
