#pragma once
// The inner loops of cut labels. Sums of two costs are below 2^32; less kInfinity they are signed,
// which is what baseline x86-64 compares, so all loops vectorise there. A cost less kInfinity is
// called a deficit: at most 0, and 0 for no path.

#include <cstddef>
#include <cstdint>

#include "cairn/cost.hpp"

namespace cairn {

using Deficit = std::int32_t;

[[nodiscard]] inline Deficit deficit(Cost cost) noexcept {
    return static_cast<Deficit>(cost - kInfinity);
}

/// A deficit or the sum of one and a cost, as a cost.
[[nodiscard]] inline Cost cost_of(Deficit deficit) noexcept {
    return static_cast<Cost>(deficit) + kInfinity;
}

/// Wraps instead of overflowing, for damaged labels' sake.
[[nodiscard]] inline Deficit add(Deficit deficit, Cost cost) noexcept {
    return static_cast<Deficit>(static_cast<std::uint32_t>(deficit) + cost);
}

/// min over k < count of a[k] + b[k]; at least kInfinity if all are infinite or count is 0.
[[nodiscard]] inline Cost min_sum(const Cost* a, const Cost* b, std::size_t count) noexcept {
    auto least = static_cast<Deficit>(kInfinity);
    for (std::size_t k = 0; k < count; ++k) {
        const Deficit sum = add(deficit(a[k]), b[k]);
        least = sum < least ? sum : least;
    }
    return cost_of(least);
}

/// The same with the deficits of a's costs.
[[nodiscard]] inline Cost min_sum(const Deficit* a, const Cost* b, std::size_t count) noexcept {
    auto least = static_cast<Deficit>(kInfinity);
    for (std::size_t k = 0; k < count; ++k) {
        const Deficit sum = add(a[k], b[k]);
        least = sum < least ? sum : least;
    }
    return cost_of(least);
}

/// least[k] = min(least[k], offset + label[k]) for k < count, with deficits in `least`.
inline void min_with_offset(Deficit* __restrict least, const Cost* __restrict label, Cost offset,
                            std::size_t count) noexcept {
    const Deficit shift = deficit(offset);
    for (std::size_t k = 0; k < count; ++k) {
        const Deficit sum = add(shift, label[k]);
        least[k] = sum < least[k] ? sum : least[k];
    }
}

}  // namespace cairn
