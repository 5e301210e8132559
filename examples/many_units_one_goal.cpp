// A hundred units go to one place: the goal is connected to the graph only once (HPA* paper,
// section 3.2.1). Then one unit finds the nearest of several places.

#include <array>
#include <cstdio>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/nearest.hpp"
#include "cairn/hpa/hpa.hpp"

using namespace cairn;

int main() {
    const auto map = formats::load_map("maps/city.map");
    const auto index = map ? hpa::Index::build(*map) : fail(StatusCode::bad_option);
    if (!index) return 1;
    const grid::Point goal = nearest_passable(*map, {128, 128}).value_or(grid::Point{});

    hpa::Searcher searcher;
    hpa::Answer answer;
    hpa::Query query;
    query.goal = goal;
    query.detail = hpa::Detail::cost;
    int with_path = 0;
    double steps = 0;  // straight steps that cost as much as all paths together
    for (int i = 0; i < 100; ++i) {
        const grid::Point around{10 + i % 10 * 25, 10 + i / 10 * 25};
        query.start = nearest_passable(*map, around).value_or(around);
        if (searcher.find(*index, query, answer) != StatusCode::ok) continue;
        ++with_path;
        steps += static_cast<double>(answer.cost) / map->options().costs.straight;
    }
    std::printf("%d of 100 units can reach %d,%d; they are %.1f steps away on average\n", with_path,
                goal.x, goal.y, steps / with_path);

    std::array<grid::Point, 4> depots{{{20, 20}, {235, 20}, {20, 235}, {235, 235}}};
    for (grid::Point& depot : depots) depot = nearest_passable(*map, depot).value_or(depot);
    query.start = goal;
    query.detail = hpa::Detail::path;
    std::size_t nearest = 0;
    if (searcher.find_nearest(*index, query, depots, answer, nearest) != StatusCode::ok) return 1;
    std::printf("the nearest depot is %d,%d, %zu cells away\n", depots[nearest].x,
                depots[nearest].y, answer.cells.size() - 1);
    return 0;
}
