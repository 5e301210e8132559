#pragma once
// Path costs: unsigned integers, so that every engine, thread count and compiler agrees bit for
// bit.

#include <cstdint>

namespace cairn {

/// A path cost in units of its map's cost model. Valid costs are below kInfinity, so that the sum
/// of any two costs, infinite ones included, fits the type.
using Cost = std::uint32_t;

/// "No path." Also the exclusive upper bound of every cost a map can produce.
inline constexpr Cost kInfinity = 0x7fff'ffff;

/// The costs of a straight and a diagonal step over terrain of weight 1 (HPA* paper, section 4.1).
struct CostModel {
    std::uint32_t straight = 408;
    std::uint32_t diagonal = 577;

    /// 577/408 = sqrt 2 to within 1.5e-6: the default, for maps of up to some 3.7 million free
    /// cells of weight 1.
    [[nodiscard]] static constexpr CostModel standard() noexcept { return {408, 577}; }
    /// 8119/5741 = sqrt 2 to within 1.1e-8, for maps of up to some 264,000 free cells.
    [[nodiscard]] static constexpr CostModel fine() noexcept { return {5741, 8119}; }
    /// The paper's 1 and 1.42.
    [[nodiscard]] static constexpr CostModel paper() noexcept { return {100, 142}; }

    friend bool operator==(const CostModel&, const CostModel&) = default;
};

}  // namespace cairn
