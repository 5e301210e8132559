#include "problems.hpp"

#include <random>

#include "cairn/grid/components.hpp"

namespace cairn::app {

Result<std::vector<Problem>> random_problems(const grid::Map& map, int count, std::uint64_t seed) {
    const grid::Components components = grid::Components::build(map).value();
    std::vector<grid::Cell> cells;
    bool solvable = false;
    for (grid::Cell c = 0; c < map.size(); ++c) {
        if (!map.passable(c)) continue;
        cells.push_back(c);
        solvable = solvable || map.moves(c) != 0;
    }
    if (!solvable) return fail(StatusCode::no_path, "no two cells of the map are connected");

    // Modulo, not a distribution: those of standard libraries differ.
    std::mt19937_64 random(seed);
    std::vector<Problem> problems;
    while (problems.size() < static_cast<std::size_t>(count)) {
        const grid::Cell a = cells[random() % cells.size()];
        const grid::Cell b = cells[random() % cells.size()];
        if (a != b && components.of(a) == components.of(b))
            problems.push_back({map.point(a), map.point(b)});
    }
    return problems;
}

}  // namespace cairn::app
