// On the mesh of a generated map: A*, the funnel in A*'s corridors, and locating polygons.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "cairn/grid/generate.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/locator.hpp"

namespace cairn::mesh {
namespace {

struct Scene {
    Mesh mesh;
    std::vector<std::pair<Place, Place>> queries;  // start and goal
    std::vector<Path> paths;                       // A*'s, by query
};

// Queries are between the centres of random polygons that are connected.
Scene make_scene(grid::MapKind kind) {
    grid::GenerateOptions options;
    options.kind = kind;
    options.width = options.height = 512;
    const grid::TerrainImage image = grid::generate(options).value();
    const auto map = grid::Map::create(image.width, image.height, image.terrain).value();
    Scene scene;
    scene.mesh = mesh_from_grid(map).value();
    std::mt19937 random(1);
    const auto place = [&] {
        const auto polygon = static_cast<Polygon>(random() % scene.mesh.num_polygons());
        return Place{polygon, scene.mesh.centre(polygon)};
    };
    Astar search;
    Path path;
    for (int i = 0; i < 200; ++i) {
        const Place start = place();
        const Place goal = place();
        if (search.find_path(scene.mesh, start, goal, path) != StatusCode::ok) continue;
        scene.queries.emplace_back(start, goal);
        scene.paths.push_back(path);
    }
    return scene;
}

void astar(benchmark::State& state, grid::MapKind kind) {
    const Scene scene = make_scene(kind);
    Astar search;
    Path path;
    SearchStatistics total;
    std::size_t i = 0;
    for (auto _ : state) {
        const auto& [start, goal] = scene.queries[i++ % scene.queries.size()];
        search.find_path(scene.mesh, start, goal, path);
        total += path.statistics;
    }
    state.counters["expanded"] =
        static_cast<double>(total.expanded) / static_cast<double>(state.iterations());
}

void funnel(benchmark::State& state, grid::MapKind kind) {
    const Scene scene = make_scene(kind);
    Funnel funnel;
    std::vector<Waypoint> waypoints;
    std::size_t links = 0;
    std::size_t i = 0;
    for (auto _ : state) {
        const std::size_t k = i++ % scene.queries.size();
        const auto& [start, goal] = scene.queries[k];
        funnel.pull(scene.mesh, start.point, goal.point, scene.paths[k].links, waypoints);
        links += scene.paths[k].links.size();
    }
    state.counters["links"] = static_cast<double>(links) / static_cast<double>(state.iterations());
}

void find(benchmark::State& state, grid::MapKind kind) {
    const Scene scene = make_scene(kind);
    const auto locator = Locator::create(scene.mesh).value();
    std::size_t i = 0;
    for (auto _ : state) {
        const auto& [start, goal] = scene.queries[i++ % scene.queries.size()];
        benchmark::DoNotOptimize(locator.find(scene.mesh, start.point));
    }
}

BENCHMARK_CAPTURE(astar, rooms, grid::MapKind::rooms);
BENCHMARK_CAPTURE(astar, caves, grid::MapKind::caves);
BENCHMARK_CAPTURE(funnel, rooms, grid::MapKind::rooms);
BENCHMARK_CAPTURE(funnel, caves, grid::MapKind::caves);
BENCHMARK_CAPTURE(find, rooms, grid::MapKind::rooms);
BENCHMARK_CAPTURE(find, caves, grid::MapKind::caves);

}  // namespace
}  // namespace cairn::mesh
