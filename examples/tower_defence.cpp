// A tower defence game on weighted terrain. A tower that would close the way from the gate to the
// castle is not built. The ground under fire counts as costly, so creeps shun it, and those on
// their way look again.

#include <cstdio>
#include <vector>

#include "cairn/grid/generate.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/world/world.hpp"

using namespace cairn;
using P = hpa::Planner;

namespace {

constexpr grid::Point kGate{1, 20};
constexpr grid::Point kCastle{78, 20};
constexpr int kRange = 3;

/// The free cells under fire cost four times as much; the tower stands in their middle.
std::vector<grid::TerrainEdit> tower_at(const grid::Map& map, grid::Point p) {
    std::vector<grid::TerrainEdit> edits;
    for (int y = p.y - kRange; y <= p.y + kRange; ++y) {
        for (int x = p.x - kRange; x <= p.x + kRange; ++x) {
            if (map.contains({x, y}) && map.passable(map.cell({x, y})))
                edits.push_back({{x, y, 1, 1}, '4'});
        }
    }
    edits.push_back({{p.x - 1, p.y - 1, 3, 3}, '@'});
    return edits;
}

/// Builds a tower unless that closes the map: tried on a snapshot, which nobody else sees.
bool build(World<P>& world, grid::Point p) {
    const hpa::Index now = world.snapshot().index;
    const auto edits = tower_at(now.map(), p);
    const auto planned = now.edited(edits);
    if (!planned || planned->reachable(kGate, kCastle) != StatusCode::ok) {
        std::printf("no tower at %d,%d: it would close the map\n", p.x, p.y);
        return false;
    }
    return world.edit(edits).has_value();
}

}  // namespace

int main() {
    grid::TerrainImage image{80, 41, std::vector<std::uint8_t>(80 * 41, '1')};
    for (int y = 0; y < 41; ++y) {  // a wall with a gap of eleven cells, and one of three
        const bool gap = (y >= 15 && y <= 25) || (y >= 36 && y <= 38);
        if (!gap) image.set(40, y, '@');
    }
    grid::MapOptions options;
    options.weights = grid::TerrainWeights::weighted();
    const auto map = grid::make_map(image, options);
    const auto index = map ? hpa::Index::build(*map) : fail(StatusCode::bad_option);
    auto world = index ? World<P>::create(*index) : fail(StatusCode::bad_option);
    if (!world) return 1;
    WorldSearcher<P> searcher(*world);

    hpa::Query query;
    query.start = kGate;
    query.goal = kCastle;
    query.smoothing = hpa::Smoothing::corridor;
    hpa::Answer creep;
    if (searcher.find(query, creep) != StatusCode::ok) return 1;
    const double alone = path_length(*map, creep.cells);
    std::printf("without towers: %.1f\n", alone);

    const std::uint64_t before = world->edits();
    if (!build(*world, {36, 17}) || !build(*world, {36, 23})) return 1;
    const Route<P> route{{kGate, kCastle}, creep.cells};
    Replanned<P> replanned;
    if (!searcher.replan({&route, 1}, before, replanned, ReplanWhat::improvable, query).ok())
        return 1;
    std::printf("two towers at the wide gap: the path is %s, another one is %s\n",
                searcher.path_valid(route, before) ? "free" : "blocked",
                replanned.routes.empty() ? "no better" : "better");
    if (replanned.routes.empty()) return 1;
    const auto cells = replanned.paths.cells[0];
    std::printf("under fire: %.1f, of which %.1f are due to the fire\n",
                path_length(world->snapshot().index.map(), cells),
                path_length(world->snapshot().index.map(), cells) - path_length(*map, cells));

    // Walls of towers: the last one would leave no way.
    const bool closed = build(*world, {40, 37}) && build(*world, {40, 16}) &&
                        build(*world, {40, 19}) && build(*world, {40, 22}) &&
                        build(*world, {40, 24});
    return closed ? 1 : 0;
}
