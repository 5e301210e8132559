#include "subgoal/snapshot.hpp"

#include <xxhash.h>

#include <array>

#include "grid/map_checks.hpp"

namespace cairn::subgoal {

std::uint64_t fresh_snapshot_id(const grid::Map& map, const Options& options) {
    const std::array<std::int64_t, 5> shape{static_cast<int>(options.edges), options.prune,
                                            options.levels, static_cast<int>(options.extra_edges),
                                            static_cast<int>(options.order)};
    const std::uint64_t id = XXH3_64bits_withSeed(shape.data(), sizeof shape, map.fingerprint());
    return id == 0 ? 1 : id;
}

Status check(const grid::Map& map) {
    const std::string reason = grid::objection_to_corners(map);
    if (reason.empty()) return {};
    return {StatusCode::unsupported,
            "subgoal graphs do not serve this map: " + reason + "; use HPA* or A*"};
}

std::vector<grid::Cell> subgoal_cells(const SubgoalBits& bits) {
    std::vector<grid::Cell> cells;
    cells.reserve(bits.count());
    for (int y = 0; y < bits.height(); ++y) {
        bits.for_each_in_row(y, [&](int x, int) {
            cells.push_back(static_cast<grid::Cell>(y) * static_cast<grid::Cell>(bits.width()) +
                            static_cast<grid::Cell>(x));
        });
    }
    return cells;
}

}  // namespace cairn::subgoal
