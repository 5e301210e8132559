#include "cairn/grid/line.hpp"

#include <algorithm>

namespace cairn::grid {
namespace {

constexpr int sign(int v) noexcept { return (v > 0) - (v < 0); }

constexpr Run make_run(int dx, int dy, int steps) noexcept {
    return {static_cast<std::uint8_t>(steps == 0 ? 0 : direction_of(dx, dy)), steps};
}

bool line_is_free(const Map& map, Point a, const Legs& ordered) noexcept {
    return run_is_free(map, map.cell(a), ordered[0]) &&
           run_is_free(map, map.cell(run_end(a, ordered[0])), ordered[1]);
}

Cost line_cost(const Map& map, Point a, const Legs& ordered) noexcept {
    return run_cost(map, map.cell(a), ordered[0]) +
           run_cost(map, map.cell(run_end(a, ordered[0])), ordered[1]);
}

}  // namespace

Legs legs(const Map& map, Point a, Point b) noexcept {
    const int dx = b.x - a.x;
    const int dy = b.y - a.y;
    const int columns = std::abs(dx);
    const int rows = std::abs(dy);
    if (map.options().rules.neighbourhood == Neighbourhood::four) {
        return {make_run(sign(dx), 0, columns), make_run(0, sign(dy), rows)};
    }
    const int diagonal = std::min(columns, rows);
    const Run straight = columns > rows ? make_run(sign(dx), 0, columns - rows)
                                        : make_run(0, sign(dy), rows - columns);
    return {make_run(sign(dx), sign(dy), diagonal), straight};
}

Cost run_cost(const Map& map, Cell c, Run run) noexcept {
    if (run.steps == 0) return 0;
    std::uint64_t cost = 0;
    if (map.uniform()) {
        cost =
            std::uint64_t{map.move_cost(c, run.direction)} * static_cast<std::uint32_t>(run.steps);
    } else {
        for (std::int32_t i = 0; i < run.steps; ++i, c = map.step(c, run.direction)) {
            cost += map.move_cost(c, run.direction);
        }
    }
    return saturated(cost);
}

void append_run(const Map& map, Cell c, Run run, std::vector<Cell>& out) {
    const std::size_t first = out.size();
    const auto steps = static_cast<std::size_t>(run.steps);
    const Cell stride = map.step(0, run.direction);
    out.resize(first + steps);
    for (std::size_t i = 0; i < steps; ++i) out[first + i] = c + stride * static_cast<Cell>(i + 1);
}

Line free_line(const Map& map, Point a, Point b) noexcept {
    const Legs unordered = legs(map, a, b);
    Line best;
    for (const LineShape shape : {LineShape::diagonal_first, LineShape::straight_first}) {
        const Legs ordered = in_order(unordered, shape);
        if (!line_is_free(map, a, ordered)) continue;
        if (map.uniform()) return {shape, map.distance_bound(a, b)};
        const Cost cost = line_cost(map, a, ordered);
        if (cost < best.cost) best = {shape, cost};
    }
    return best;
}

void append_line(const Map& map, Point a, Point b, LineShape shape, std::vector<Cell>& out) {
    const Legs ordered = in_order(legs(map, a, b), shape);
    append_run(map, map.cell(a), ordered[0], out);
    append_run(map, map.cell(run_end(a, ordered[0])), ordered[1], out);
}

}  // namespace cairn::grid
