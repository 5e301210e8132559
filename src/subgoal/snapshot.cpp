#include "subgoal/snapshot.hpp"

#include <xxhash.h>

#include <array>

namespace cairn::subgoal {

std::uint64_t fresh_snapshot_id(const grid::Map& map, const Options& options) {
    const std::array<std::int64_t, 5> shape{static_cast<int>(options.edges), options.prune,
                                            options.levels, static_cast<int>(options.extra_edges),
                                            static_cast<int>(options.order)};
    const std::uint64_t id = XXH3_64bits_withSeed(shape.data(), sizeof shape, map.fingerprint());
    return id == 0 ? 1 : id;
}

Status check(const grid::Map& map) {
    const auto refuse = [](const char* why) { return Status{StatusCode::unsupported, why}; };
    const grid::MoveRules& rules = map.options().rules;
    if (rules.neighbourhood != grid::Neighbourhood::eight)
        return refuse("subgoal graphs need maps with eight neighbours: use HPA* or A*");
    if (rules.corner != grid::CornerRule::strict)
        return refuse("subgoal graphs need the strict corner rule: use HPA* or A*");
    if (!map.uniform())
        return refuse("subgoal graphs need one terrain weight on the whole map: use HPA* or A*");
    return {};
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
