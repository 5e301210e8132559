#include <fmt/format.h>

#include "cairn/grid/jps.hpp"
#include "grid/obstacle_bits.hpp"

namespace cairn::grid {
namespace {

// Why jump point search cannot serve the map; empty if it can.
std::string objection(const Map& map) {
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

Status check_supported(const Map& map) {
    const std::string reason = objection(map);
    if (reason.empty()) return {};
    return {StatusCode::unsupported,
            "jump point search does not serve this map: " + reason + "; use A* or HPA*"};
}

}  // namespace

Result<JpsMap> JpsMap::create(const Map& map) {
    if (Status s = check_supported(map); !s.ok()) return tl::unexpected(std::move(s));
    return JpsMap(map, std::make_shared<const ObstacleBits>(make_obstacle_bits(map)));
}

Result<JpsMap> JpsMap::edited(std::span<const TerrainEdit> edits) const {
    const Result<Map> map = map_.edited(edits);
    if (!map) return tl::unexpected(map.error());
    if (Status s = check_supported(*map); !s.ok()) return tl::unexpected(std::move(s));
    return JpsMap(*map, std::make_shared<const ObstacleBits>(grid::edited(*bits_, *map, edits)));
}

std::size_t JpsMap::bytes() const noexcept { return bits_->bytes(); }

}  // namespace cairn::grid
