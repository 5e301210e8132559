// A strategy game: 500 units walk between the rooms of a building, and a door is closed and opened
// again ten times. Units whose path is broken get another one at once, and so do those that the
// open door saves a detour. Prints how long the frames take.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

#include "cairn/grid/generate.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "cairn/world/world.hpp"

using namespace cairn;
using P = subgoal::Planner;
using Clock = std::chrono::steady_clock;

struct Unit {
    std::vector<grid::Cell> path;  // never empty
    std::size_t at = 0;
    [[nodiscard]] std::span<const grid::Cell> rest() const { return std::span(path).subspan(at); }
};

int main() {
    const auto image = grid::generate({.kind = grid::MapKind::rooms, .size = {}, .density = 100});
    const auto map = image ? grid::make_map(*image) : fail(StatusCode::bad_option);
    const auto index = map ? subgoal::Index::build(*map) : fail(StatusCode::bad_option);
    auto world = index ? World<P>::create(*index) : fail(StatusCode::bad_option);
    if (!world) return 1;
    WorldSearcher<P> searcher(*world);
    std::mt19937 random(1);
    const auto some_cell = [&] {
        grid::Cell cell = 0;
        while (!map->passable(cell)) cell = static_cast<grid::Cell>(random() % map->size());
        return cell;
    };
    std::vector<Unit> units(500);
    for (Unit& unit : units) unit.path = {some_cell()};
    // A unit without a path stays where it is and asks for another goal in the next frame.
    const auto follow = [](Unit& unit, std::span<const grid::Cell> cells) {
        unit = {cells.empty() ? std::vector{unit.rest().front()}
                              : std::vector(cells.begin(), cells.end())};
    };

    const grid::Rect door{72, 81, 1, 1};
    const BuildControl one_thread{{}, nullptr, 1};
    grid::Paths paths;
    Replanned<P> replanned;
    double worst = 0;
    double all = 0;
    std::size_t turned = 0;
    for (int frame = 1; frame <= 300; ++frame) {
        const auto begin = Clock::now();
        if (frame % 30 == 0) {
            const auto terrain = static_cast<std::uint8_t>(frame / 30 % 2 == 1 ? '@' : '.');
            const auto number = world->edit(std::array{grid::TerrainEdit{door, terrain}});
            std::vector<Route<P>> routes;
            for (const Unit& unit : units) {
                const auto rest = unit.rest();
                routes.push_back({{map->point(rest.front()), map->point(rest.back())}, rest});
            }
            if (!number ||
                !searcher
                     .replan(routes, *number - 1, replanned, ReplanWhat::improvable, {}, one_thread)
                     .ok())
                return 1;
            for (std::size_t k = 0; k < replanned.routes.size(); ++k)
                follow(units[replanned.routes[k]], replanned.paths.cells[k]);
            turned += replanned.routes.size();
        }
        std::vector<std::size_t> arrived;
        std::vector<grid::Request> requests;
        for (std::size_t i = 0; i < units.size(); ++i) {
            if (units[i].rest().size() > 1) continue;
            arrived.push_back(i);
            requests.push_back({map->point(units[i].path.back()), map->point(some_cell())});
        }
        if (!searcher.find_paths(requests, paths, {}, {}, one_thread).ok()) return 1;
        for (std::size_t k = 0; k < arrived.size(); ++k) follow(units[arrived[k]], paths.cells[k]);
        for (Unit& unit : units) unit.at += unit.rest().size() > 1 ? 1 : 0;

        const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
        worst = std::max(worst, took.count());
        all += took.count();
    }
    std::printf("300 frames: %.3f ms at the mean, %.2f at worst; %zu paths were replaced\n",
                all / 300, worst, turned);
    return turned > 0 ? 0 : 1;
}
