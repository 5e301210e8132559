#pragma once
// The effort of a search.

#include <cstdint>

namespace cairn {

/// Counts that every search keeps, since they cost next to no time.
struct SearchStatistics {
    std::uint64_t expanded = 0;   ///< nodes taken from the open list and expanded
    std::uint64_t generated = 0;  ///< nodes put onto the open list
    /// The size of the open list summed over expansions: its mean is open_sum / expanded.
    std::uint64_t open_sum = 0;

    SearchStatistics& operator+=(const SearchStatistics& other) noexcept {
        expanded += other.expanded;
        generated += other.generated;
        open_sum += other.open_sum;
        return *this;
    }
};

}  // namespace cairn
