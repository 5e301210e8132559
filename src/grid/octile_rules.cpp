#include "grid/octile_rules.hpp"

#include <fmt/format.h>

namespace cairn::grid {

std::string objection_to_corners(const Map& map) {
    const auto& [rules, costs, weights] = map.options();
    if (rules.neighbourhood != Neighbourhood::eight) return "it has four neighbours, not eight";
    if (rules.corner != CornerRule::strict) return "its corner rule is not the strict one";
    if (!map.uniform()) return "its free cells have several weights";
    if (costs.straight >= costs.diagonal || costs.diagonal >= 2 * costs.straight) {
        return fmt::format("its costs {}, {} are not straight < diagonal < 2 * straight",
                           costs.straight, costs.diagonal);
    }
    return "";
}

}  // namespace cairn::grid
