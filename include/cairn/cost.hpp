#pragma once
// Path costs: unsigned integers, so that all engines, thread counts and compilers give identical
// results.

#include <cstdint>

namespace cairn {

/// A path cost in the units of its map's CostModel or of its mesh (Mesh::units_per_length). Valid
/// costs are below kInfinity, so that the sum of any two costs, kInfinity included, fits the type.
using Cost = std::uint32_t;

/// The cost that stands for "no path", and for a path whose cost would not be below it: queries
/// tell the two apart by StatusCode::no_path and StatusCode::cost_too_large. All parts of a path
/// that costs less also cost less, so every cost below it is exact.
inline constexpr Cost kInfinity = 0x7fff'ffff;

/// A sum of costs as a cost: kInfinity unless it is below that.
[[nodiscard]] constexpr Cost saturated(std::uint64_t sum) noexcept {
    return sum < kInfinity ? static_cast<Cost>(sum) : kInfinity;
}

/// The costs of a straight and a diagonal step over terrain of weight 1 (HPA* paper, section 4.1).
/// A map needs 0 < straight <= diagonal <= 2 * straight, and a diagonal of at most 1,000,000. The
/// larger the costs, the better their ratio can approximate sqrt 2, but the shorter the longest
/// paths: queries for a path that costs kInfinity or more get cost_too_large.
struct CostModel {
    std::uint32_t straight = 408;
    std::uint32_t diagonal = 577;

    /// The default. 577/408 differs from sqrt 2 by about 1.5e-6 (relative). For paths of up to 3.7
    /// million moves over weight 1, or 14,700 over weight 252.
    [[nodiscard]] static constexpr CostModel standard() noexcept { return {408, 577}; }
    /// 8119/5741 differs from sqrt 2 by about 7.6e-9 (relative). For paths of up to 264,000 moves
    /// over weight 1.
    [[nodiscard]] static constexpr CostModel fine() noexcept { return {5741, 8119}; }
    /// 1 and 1.42, as in the HPA* paper, times 100.
    [[nodiscard]] static constexpr CostModel paper() noexcept { return {100, 142}; }

    friend bool operator==(const CostModel&, const CostModel&) = default;
};

}  // namespace cairn
