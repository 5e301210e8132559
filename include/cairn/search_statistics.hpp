#pragma once
// What a search took: counts that every search keeps.

#include <cstdint>

namespace cairn {

/// Effort of a search, cheap enough to be always counted.
struct SearchStatistics {
    std::uint64_t expanded = 0;   ///< nodes taken from the open list and expanded
    std::uint64_t generated = 0;  ///< nodes put onto the open list
    std::uint64_t open_sum =
        0;  ///< open-list size summed over expansions (mean = open_sum / expanded)

    SearchStatistics& operator+=(const SearchStatistics& other) noexcept {
        expanded += other.expanded;
        generated += other.generated;
        open_sum += other.open_sum;
        return *this;
    }
};

}  // namespace cairn
