// A* on a grid map with both open lists, and the search in a corridor around a known path.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include "cairn/grid/astar.hpp"
#include "cairn/grid/components.hpp"
#include "cairn/grid/corridor.hpp"
#include "cairn/grid/generate.hpp"

namespace cairn::grid {
namespace {

Map make_map(MapKind kind) {
    GenerateOptions options;
    options.kind = kind;
    options.width = options.height = 512;
    const TerrainImage image = generate(options).value();
    return Map::create(image.width, image.height, image.terrain).value();
}

/// 100 pairs of random cells in the largest component.
std::vector<std::pair<Point, Point>> make_queries(const Map& map) {
    const Components components = Components::build(map).value();
    std::vector<Point> points;
    std::mt19937 random(1);
    while (points.size() < 200) {
        const auto c = static_cast<Cell>(random() % map.size());
        if (components.of(c) == components.largest()) points.push_back(map.point(c));
    }
    std::vector<std::pair<Point, Point>> queries;
    for (std::size_t i = 0; i < points.size(); i += 2)
        queries.emplace_back(points[i], points[i + 1]);
    return queries;
}

/// Reports mean expansions of a query and the mean size of the open list.
void report(benchmark::State& state, const SearchStatistics& total) {
    const auto queries = static_cast<double>(state.iterations());
    state.counters["expanded"] = static_cast<double>(total.expanded) / queries;
    state.counters["open"] =
        static_cast<double>(total.open_sum) / static_cast<double>(total.expanded);
}

void astar(benchmark::State& state, MapKind kind, OpenList open) {
    const Map map = make_map(kind);
    const auto queries = make_queries(map);
    Astar search;
    Path path;
    SearchStatistics total;
    std::size_t i = 0;
    for (auto _ : state) {
        const auto& [start, goal] = queries[i++ % queries.size()];
        search.find_path(map, start, goal, path, {.open = open});
        total += path.statistics;
    }
    report(state, total);
}

// The corridor has the blocks of a known path and one ring of blocks around them.
void corridor(benchmark::State& state, MapKind kind) {
    constexpr int kBlockSize = 10;
    const Map map = make_map(kind);
    const auto queries = make_queries(map);
    Astar astar;
    std::vector<Path> known(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
        astar.find_path(map, queries[i].first, queries[i].second, known[i]);
    }
    Corridor blocks;
    CorridorSearch search;
    Path path;
    SearchStatistics total;
    std::size_t i = 0;
    for (auto _ : state) {
        const std::size_t k = i++ % queries.size();
        blocks.reset(map.width(), map.height(), kBlockSize);
        for (const Cell c : known[k].cells) blocks.add(map.point(c));
        blocks.widen(1);
        search.find_path(map, blocks, queries[k].first, queries[k].second, known[k].cost, path);
        total += path.statistics;
    }
    report(state, total);
}

BENCHMARK_CAPTURE(astar, rooms_heap, MapKind::rooms, OpenList::heap);
BENCHMARK_CAPTURE(astar, rooms_buckets, MapKind::rooms, OpenList::buckets);
BENCHMARK_CAPTURE(corridor, rooms, MapKind::rooms);
BENCHMARK_CAPTURE(astar, caves_heap, MapKind::caves, OpenList::heap);
BENCHMARK_CAPTURE(astar, caves_buckets, MapKind::caves, OpenList::buckets);
BENCHMARK_CAPTURE(corridor, caves, MapKind::caves);

}  // namespace
}  // namespace cairn::grid
