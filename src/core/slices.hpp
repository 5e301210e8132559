#pragma once
// The loop that runs searches in slices, under the caller's limits.

#include <algorithm>
#include <cstdint>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// The status if there is a path, but none is cheap enough: for the caller's limit, if one is set,
/// or for a cost.
[[nodiscard]] inline StatusCode too_costly(const SearchLimits& limits) noexcept {
    return limits.max_cost < kInfinity - 1 ? StatusCode::over_cost_limit
                                           : StatusCode::cost_too_large;
}

/// ok, or why the caller wants the search to end now: cancelled, or budget_exhausted for its
/// deadline.
[[nodiscard]] inline StatusCode ended_by(const SearchLimits& limits) noexcept {
    if (limits.cancelled()) return StatusCode::cancelled;
    return limits.deadline.passed() ? StatusCode::budget_exhausted : StatusCode::ok;
}

/// Whether a query that ends with this status was stopped by its limits: it may have a partial
/// path.
[[nodiscard]] constexpr bool stopped_early(StatusCode status) noexcept {
    return status == StatusCode::budget_exhausted || status == StatusCode::cancelled;
}

/// Advances the searches of `run` by up to `budget` nodes, or until `limits` end the run. Checks
/// the cancel flag and the deadline every `slice` nodes. True while unfinished. A run has the
/// members
///
///   bool searching()                    whether a search is in progress
///   uint64_t expanded()                 nodes expanded so far, which max_expanded limits
///   bool advance_search(uint64_t)       expands up to that many more nodes; true while unfinished
///   void finish_search()                takes the result of a finished search; may begin another
///   void stop(StatusCode)               ends the run early, with a status
template <class Run>
bool advance_in_slices(Run& run, const SearchLimits& limits, std::uint64_t budget,
                       std::uint64_t slice) {
    while (run.searching()) {
        if (const StatusCode end = ended_by(limits); end != StatusCode::ok) {
            run.stop(end);
            return false;
        }
        const std::uint64_t before = run.expanded();
        const std::uint64_t left = limits.max_expanded - std::min(limits.max_expanded, before);
        if (!run.advance_search(std::min({budget, slice, left}))) {
            run.finish_search();
            continue;
        }
        const std::uint64_t after = run.expanded();
        if (after >= limits.max_expanded) {
            run.stop(StatusCode::budget_exhausted);
            return false;
        }
        budget -= std::min(budget, after - before);
        if (budget == 0) return true;
    }
    return false;
}

}  // namespace cairn
