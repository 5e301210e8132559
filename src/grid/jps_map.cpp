#include "cairn/grid/jps.hpp"
#include "grid/obstacle_bits.hpp"
#include "grid/octile_rules.hpp"

namespace cairn::grid {
namespace {

Status check_supported(const Map& map) {
    const std::string reason = objection_to_corners(map);
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
