#pragma once
// The inner loops of cut labels. Sums of two costs are below 2^32; less kInfinity they are signed,
// which is what x86-64 compares, so all loops vectorise. A cost less kInfinity is
// called a deficit: at most 0, and 0 for no path.

#include <cstddef>
#include <cstdint>
#include <span>

#include "cairn/cost.hpp"
#include "cairn/cut_labels.hpp"

namespace cairn {

using Deficit = std::int32_t;

[[nodiscard]] inline Deficit deficit(Cost cost) noexcept {
    return static_cast<Deficit>(cost - kInfinity);
}

/// A deficit or the sum of one and a cost, as a cost.
[[nodiscard]] inline Cost cost_of(Deficit deficit) noexcept {
    return static_cast<Cost>(deficit) + kInfinity;
}

/// min over k < count of a[k] + b[k]; at least kInfinity if all are infinite or count is 0.
[[nodiscard]] Cost min_sum(const Cost* a, const Cost* b, std::size_t count) noexcept;

/// The same with the deficits of a's costs.
[[nodiscard]] Cost min_sum(const Deficit* a, const Cost* b, std::size_t count) noexcept;

/// The least k whose sum is `sum`, what min_sum gave, or count if that was of none.
[[nodiscard]] std::size_t find_sum(const Cost* a, const Cost* b, std::size_t count,
                                   Cost sum) noexcept;
[[nodiscard]] std::size_t find_sum(const Deficit* a, const Cost* b, std::size_t count,
                                   Cost sum) noexcept;

/// least[k] = min(least[k], offset + label[k]) for k < count, with deficits in `least`.
void min_with_offset(Deficit* least, const Cost* label, Cost offset, std::size_t count) noexcept;

/// What meet_rows may read of each label, however small `count` is, and may write of `least`.
inline constexpr std::size_t kLeastEntries = 8;

/// min over k < count of the least cost of entry k in `from` and the least cost of it in `to`,
/// added up; kInfinity if all are infinite. least[k] becomes the deficit of the former.
[[nodiscard]] Cost meet_rows(std::span<const CutLabelRow> from, std::span<const CutLabelRow> to,
                             std::size_t count, Deficit* least) noexcept;

/// Where offset + upper[k] is less than label[k], for k < count, it replaces that, and `hop` the
/// hop beside it.
void take_over(const Cost* upper, std::size_t count, Cost offset, std::uint32_t hop, Cost* label,
               std::uint32_t* hops) noexcept;
void take_over(const std::uint64_t* upper, std::size_t count, std::uint64_t offset,
               std::uint32_t hop, std::uint64_t* label, std::uint32_t* hops) noexcept;

}  // namespace cairn
