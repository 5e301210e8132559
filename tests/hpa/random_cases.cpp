#include "hpa/random_cases.hpp"

#include <array>

#include "cairn/grid/generate.hpp"
#include "hpa/verify.hpp"

namespace cairn::hpa::test {

using grid::Map;
using grid::Point;

RandomCases::Size RandomCases::size(int longest) {
    Size size{number(1, longest), number(1, longest)};
    if (chance(10)) (chance(50) ? size.width : size.height) = 1;
    return size;
}

Map RandomCases::map(const Size& size, const grid::MoveRules& rules) {
    constexpr std::array costs{CostModel::standard(), CostModel::fine(), CostModel::paper(),
                               CostModel{1, 1}, CostModel{2, 3}};
    grid::MapOptions options;
    options.rules = rules;
    options.costs = chance(60) ? costs[0] : costs[static_cast<std::size_t>(number(1, 4))];
    options.weights = grid::TerrainWeights::weighted();

    grid::GenerateOptions generate;
    generate.kind = grid::kMapKinds[static_cast<std::size_t>(number(0, 7))];
    generate.width = size.width;
    generate.height = size.height;
    generate.seed = random_();
    if (generate.kind == grid::MapKind::rooms) generate.size = number(4, 8);
    if (generate.kind == grid::MapKind::city) generate.size = number(8, 12);
    if (generate.kind == grid::MapKind::terrain) generate.size = number(4, 16);
    if (generate.kind == grid::MapKind::random) generate.density = number(5, 50);
    std::vector<std::uint8_t> terrain = grid::generate(generate)->terrain;
    if (chance(40)) {
        for (std::uint8_t& t : terrain) {
            if (options.weights.weight[t] > 0)
                t = static_cast<std::uint8_t>('0' + number(1, chance(50) ? 9 : 2));
        }
    }
    return *Map::create(size.width, size.height, terrain, options);
}

Options RandomCases::options() {
    Options options;
    options.cluster_size = chance(30) ? 10 : number(2, 16);
    options.levels = number(1, 4);
    options.branching = number(2, 4);
    options.transitions = static_cast<Transitions>(number(0, 2));
    options.wide_entrance = number(2, 8);
    options.diagonals =
        chance(80) ? DiagonalCrossings::needed : static_cast<DiagonalCrossings>(number(1, 2));
    options.move_tables = chance(50);
    options.labels = chance(70);
    return options;
}

Point RandomCases::point(const Map& map) {
    return {number(0, map.width() - 1), number(0, map.height() - 1)};
}

Query RandomCases::query(Point start, Point goal, bool labels) {
    Query query;
    query.start = start;
    query.goal = goal;
    query.detail = chance(70) ? Detail::path : static_cast<Detail>(number(0, 3));
    query.smoothing = static_cast<Smoothing>(number(0, 2));
    query.engine = static_cast<Engine>(number(0, labels ? 3 : 2));
    query.connect = static_cast<ConnectRule>(number(0, 2));
    query.try_direct_line = chance(30);
    query.corridor_ring = number(0, 3);
    return query;
}

// The start is drawn first: the order of evaluation of arguments is the compiler's choice.
Query RandomCases::query(const Map& map, bool labels) {
    const Point start = point(map);
    return query(start, point(map), labels);
}

Query RandomCases::plain_query(const Map& map) {
    const Point start = point(map);
    return unsmoothed(start, point(map));
}

std::vector<grid::TerrainEdit> RandomCases::edits(const Map& map) {
    std::vector<grid::TerrainEdit> edits(static_cast<std::size_t>(number(1, 3)));
    for (grid::TerrainEdit& edit : edits) {
        const Point corner = point(map);
        const int side = chance(60) ? 1 : number(1, 12);
        edit.area = {corner.x, corner.y, std::min(number(1, side), map.width() - corner.x),
                     std::min(number(1, side), map.height() - corner.y)};
        edit.terrain = chance(40) ? std::uint8_t{'@'} : map.terrain(map.cell(point(map)));
        if (!map.uniform() && chance(40))
            edit.terrain = static_cast<std::uint8_t>('0' + number(1, 9));
    }
    return edits;
}

namespace {

Point quarter_turn(Point p, int height) { return {height - 1 - p.y, p.x}; }

}  // namespace

Point transformed(const Map& map, Point p, int turns, bool mirrored) {
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
    std::vector<std::uint8_t> terrain(map.size());
    for (grid::Cell cell = 0; cell < map.size(); ++cell) {
        const Point p = transformed(map, map.point(cell), turns, mirrored);
        terrain[static_cast<std::size_t>(p.y * width + p.x)] = map.terrain(cell);
    }
    return *Map::create(width, height, terrain, map.options());
}

}  // namespace cairn::hpa::test
