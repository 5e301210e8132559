#include "grid/map_limits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::grid {

Status check_shape(int width, int height, std::size_t cells, const CostModel& costs) {
    if (width < 1 || height < 1 || width > Map::kMaxSide || height > Map::kMaxSide) {
        return {StatusCode::bad_option,
                fmt::format("a map of {} x {} cells: each side must be 1 to {}", width, height,
                            Map::kMaxSide)};
    }
    const auto expected = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    if (cells != expected) {
        return {StatusCode::bad_option,
                fmt::format("{} terrain bytes for a map of {} x {} = {} cells", cells, width,
                            height, expected)};
    }
    if (costs.straight == 0 || costs.straight > costs.diagonal || costs.diagonal > 1'000'000 ||
        costs.diagonal > 2 * costs.straight) {
        return {StatusCode::bad_option,
                fmt::format(
                    "cost model {}, {}: needs 0 < straight <= diagonal <= 2 * straight, diagonal "
                    "at most 1,000,000",
                    costs.straight, costs.diagonal)};
    }
    return {};
}

namespace {

// Advice for a map whose diagonal cost must stay below `limit`: the best pair that does.
std::string coarser_costs(std::uint64_t limit) {
    for (const CostModel& costs : {CostModel{70, 99}, {29, 41}, {12, 17}, {5, 7}, {2, 3}, {1, 1}}) {
        if (costs.diagonal < limit) {
            return fmt::format("choose coarser costs, such as {},{}", costs.straight,
                               costs.diagonal);
        }
    }
    return "divide the map, or its weights";
}

}  // namespace

// No shortest path visits a cell twice.
Status check_path_costs(const MoveRules& rules, const CostModel& costs, std::size_t free_cells,
                        std::uint32_t heaviest) {
    const std::uint64_t limit =
        kInfinity / (std::uint64_t{heaviest} * std::max<std::size_t>(free_cells, 1));
    const bool eight = rules.neighbourhood == Neighbourhood::eight;
    if ((eight ? costs.diagonal : costs.straight) < limit) return {};
    return {StatusCode::too_large,
            fmt::format("a path over {} free cells of weight up to {} could overflow a cost: {}",
                        free_cells, heaviest, coarser_costs(limit))};
}

Status check_edits(int width, int height, std::span<const TerrainEdit> edits) {
    for (const auto& [area, terrain] : edits) {
        const bool inside = area.width > 0 && area.height > 0 && area.x >= 0 && area.y >= 0 &&
                            area.width <= width - area.x && area.height <= height - area.y;
        if (inside) continue;
        return {StatusCode::bad_option,
                fmt::format("edit of {} x {} cells at {},{}: it must be non-empty and inside the "
                            "map of {} x {}",
                            area.width, area.height, area.x, area.y, width, height)};
    }
    return {};
}

}  // namespace cairn::grid
