// Checks of paths and drawings of maps for the tests of all planners.

#include "support/planner.hpp"

#include <fmt/format.h>

namespace cairn::test {

std::string fault_of_cells(const grid::Map& map, const std::vector<grid::Cell>& cells,
                           grid::Point start, grid::Point goal, Cost cost) {
    if (cells.empty() || cells.front() != map.cell(start) || cells.back() != map.cell(goal))
        return "the path does not lead from S to G";
    const Cost walked = grid::path_cost(map, cells);
    if (walked == kInfinity) return "the path makes an illegal move";
    return walked == cost ? "" : fmt::format("the path costs {}, the answer says {}", walked, cost);
}

std::string map_text(const grid::Map& map) {
    std::string text;
    constexpr int kLongestSide = 130;
    if (map.width() > kLongestSide || map.height() > kLongestSide) return text;
    for (grid::Cell cell = 0; cell < map.size(); ++cell) {
        const std::uint32_t weight = map.weight(cell);
        text += weight == 0   ? '@'
                : weight < 2  ? '.'
                : weight < 10 ? static_cast<char>('0' + weight)
                              : '+';
        if (map.point(cell).x == map.width() - 1) text += '\n';
    }
    return text;
}

}  // namespace cairn::test
