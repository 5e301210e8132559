#pragma once
// The inner loops of cut labels. Sums of two costs are below 2^32; taken less kInfinity they are
// signed, which is what baseline x86-64 can compare, so all loops vectorise there.

#include <cstddef>
#include <cstdint>

#include "cairn/cost.hpp"

namespace cairn {

/// A sum of two costs, each at most kInfinity, moved into the range of a signed integer.
[[nodiscard]] inline std::int32_t shifted_sum(Cost a, Cost b) noexcept {
    return static_cast<std::int32_t>(a - kInfinity + b);
}

/// min over k < count of a[k] + b[k]; at least kInfinity if all are infinite or count is 0.
[[nodiscard]] inline std::uint32_t min_sum(const Cost* a, const Cost* b,
                                           std::size_t count) noexcept {
    std::int32_t least = static_cast<std::int32_t>(kInfinity);
    for (std::size_t k = 0; k < count; ++k) {
        const std::int32_t sum = shifted_sum(a[k], b[k]);
        least = sum < least ? sum : least;
    }
    return static_cast<std::uint32_t>(least) + kInfinity;
}

/// least[k] = min(least[k], offset + label[k]) for k < count.
inline void min_with_offset(Cost* __restrict least, const Cost* __restrict label, Cost offset,
                            std::size_t count) noexcept {
    for (std::size_t k = 0; k < count; ++k) {
        const std::int32_t sum = shifted_sum(label[k], offset);
        const std::int32_t old = static_cast<std::int32_t>(least[k] - kInfinity);
        least[k] = static_cast<Cost>(sum < old ? sum : old) + kInfinity;
    }
}

}  // namespace cairn
