// Random maps and edits, and rotations and reflections of maps.

#include "support/random_maps.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "cairn/grid/generate.hpp"

namespace cairn::test {

using grid::Map;

constexpr auto kNumKinds = static_cast<int>(grid::kMapKinds.size());

RandomMaps::Size RandomMaps::size(int longest) {
    Size size{number(1, longest), number(1, longest)};
    if (chance(10)) (chance(50) ? size.width : size.height) = 1;
    return size;
}

CostModel RandomMaps::costs() {
    constexpr std::array models{CostModel::standard(), CostModel::fine(), CostModel::paper(),
                                CostModel{1, 1}, CostModel{2, 3}};
    return chance(60) ? models[0] : models[static_cast<std::size_t>(number(1, 4))];
}

// A generated map of one of the first `kinds` kinds of grid::kMapKinds.
std::vector<std::uint8_t> RandomMaps::terrain(const Size& size, int kinds) {
    grid::GenerateOptions generate;
    generate.kind = grid::kMapKinds[static_cast<std::size_t>(number(0, kinds - 1))];
    generate.width = size.width;
    generate.height = size.height;
    generate.seed = random_();
    if (generate.kind == grid::MapKind::rooms) generate.size = number(4, 8);
    if (generate.kind == grid::MapKind::city) generate.size = number(8, 12);
    if (generate.kind == grid::MapKind::terrain) generate.size = number(4, 16);
    if (generate.kind == grid::MapKind::random) generate.density = number(5, 50);
    return grid::generate(generate)->terrain;
}

Map RandomMaps::map(const Size& size, const grid::MoveRules& rules) {
    grid::MapOptions options;
    options.rules = rules;
    options.costs = costs();
    options.weights = grid::TerrainWeights::weighted();
    std::vector<std::uint8_t> cells = terrain(size, kNumKinds);
    if (chance(40)) {
        for (std::uint8_t& t : cells) {
            if (options.weights.weight[t] > 0)
                t = static_cast<std::uint8_t>('0' + number(1, chance(50) ? 9 : 2));
        }
    }
    return *Map::create(size.width, size.height, cells, options);
}

Map RandomMaps::uniform_map(const Size& size, const CostModel& costs) {
    static_assert(grid::kMapKinds.back() == grid::MapKind::terrain, "the only weighted kind");
    grid::MapOptions options;
    options.costs = costs;
    const std::vector<std::uint8_t> cells = terrain(size, kNumKinds - 1);
    return *Map::create(size.width, size.height, cells, options);
}

Map RandomMaps::noise(const Size& size, int density) {
    std::vector<std::uint8_t> cells(static_cast<std::size_t>(size.width * size.height), '.');
    for (std::uint8_t& t : cells) {
        if (chance(density)) t = '@';
    }
    return *Map::create(size.width, size.height, cells);
}

grid::Point RandomMaps::point(const Map& map) {
    const int x = number(0, map.width() - 1);
    return {x, number(0, map.height() - 1)};
}

std::vector<grid::TerrainEdit> RandomMaps::edits(const Map& map) {
    std::vector<grid::TerrainEdit> edits(static_cast<std::size_t>(number(1, 3)));
    for (grid::TerrainEdit& edit : edits) {
        const grid::Point corner = point(map);
        const int longest = chance(60) ? 1 : number(1, 12);
        const int width = number(1, longest);
        const int height = number(1, longest);
        edit.area = {corner.x, corner.y, std::min(width, map.width() - corner.x),
                     std::min(height, map.height() - corner.y)};
        edit.terrain = chance(40) ? std::uint8_t{'@'} : map.terrain(map.cell(point(map)));
        if (!map.uniform() && chance(40))
            edit.terrain = static_cast<std::uint8_t>('0' + number(1, 9));
    }
    return edits;
}

namespace {

grid::Point quarter_turn(grid::Point p, int height) { return {height - 1 - p.y, p.x}; }

}  // namespace

grid::Point transformed(const Map& map, grid::Point p, int turns, bool mirrored) {
    int width = map.width();
    int height = map.height();
    for (; turns > 0; --turns) {
        p = quarter_turn(p, height);
        std::swap(width, height);
    }
    if (mirrored) p.x = width - 1 - p.x;
    return p;
}

Map transformed(const Map& map, int turns, bool mirrored) {
    const bool upright = turns % 2 == 0;
    const int width = upright ? map.width() : map.height();
    const int height = upright ? map.height() : map.width();
    std::vector<std::uint8_t> cells(map.size());
    for (grid::Cell cell = 0; cell < map.size(); ++cell) {
        const grid::Point p = transformed(map, map.point(cell), turns, mirrored);
        cells[static_cast<std::size_t>(p.y * width + p.x)] = map.terrain(cell);
    }
    return *Map::create(width, height, cells, map.options());
}

std::vector<grid::Point> free_points(const Map& map) {
    std::vector<grid::Point> points;
    for (grid::Cell cell = 0; cell < map.size(); ++cell) {
        if (map.passable(cell)) points.push_back(map.point(cell));
    }
    return points;
}

Map small_map(int width, int height, std::uint64_t free, const grid::MoveRules& rules) {
    std::vector<std::uint8_t> cells(static_cast<std::size_t>(width * height));
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = free >> i & 1;
    grid::MapOptions options;
    options.rules = rules;
    options.weights = grid::TerrainWeights::literal();
    return *Map::create(width, height, cells, options);
}

}  // namespace cairn::test
