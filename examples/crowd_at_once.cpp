// A crowd that leaves the rooms of a map by four doors: all paths in one call, on all cores.

#include <array>
#include <cstdio>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/formats/movingai.hpp"
#include "cairn/subgoal/subgoal.hpp"

int main(int argc, char** argv) {
    const auto map = cairn::formats::load_map(argc > 1 ? argv[1] : "maps/rooms.map");
    if (!map) return std::puts(map.error().message.c_str()), 1;
    const auto index = cairn::subgoal::Index::build(*map);
    if (!index) return std::puts(index.error().message.c_str()), 1;

    const std::array<cairn::grid::Point, 4> doors{
        {{35, 252}, {222, 217}, {map->width() - 4, 3}, {3, 3}}};
    std::vector<cairn::grid::Request> requests;
    for (int y = 0; y < map->height(); y += 4) {
        for (int x = 0; x < map->width(); x += 4) {
            const auto door = static_cast<std::size_t>(x / 4 + y / 4) % doors.size();
            requests.push_back({{x, y}, doors[door]});
        }
    }

    cairn::batch::Options options;
    options.cells = cairn::batch::Cells::turning;
    const auto paths =
        cairn::batch::find_paths<cairn::subgoal::Planner>(*index, requests, {}, options);
    if (!paths) return std::puts(paths.error().message.c_str()), 1;

    std::size_t with_path = 0;
    for (const cairn::StatusCode status : paths->status)
        if (status == cairn::StatusCode::ok) ++with_path;
    std::printf("%zu of %zu agents have a way out, over %zu turning points in all\n", with_path,
                requests.size(), paths->cells.items().size());
    return 0;
}
