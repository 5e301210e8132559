#pragma once
// The loop that runs searches in slices, under their caller's limits.

#include <algorithm>
#include <cstdint>

#include "cairn/control.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// Advances the search of `run` by up to `budget` nodes, or until its limits end it. Looks at the
/// cancel flag every `slice` nodes. True while unfinished. A run has the members
///
///   bool searching()                    whether a search is under way
///   uint64_t expanded()                 what counts towards max_expanded, so far
///   bool advance_search(uint64_t)       expands up to so many nodes more; true while unfinished
///   void finish_search()                takes the result of one that has ended; may begin another
///   void stop(StatusCode)               ends one before its time
template <class Run>
bool advance_in_slices(Run& run, const SearchLimits& limits, std::uint64_t budget,
                       std::uint64_t slice) {
    while (run.searching()) {
        if (limits.cancelled()) {
            run.stop(StatusCode::cancelled);
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
