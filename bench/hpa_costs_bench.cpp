// An HPA* index under other weights (Index::with_costs), and one built from scratch, on one core.

#include <benchmark/benchmark.h>

#include "cairn/grid/generate.hpp"
#include "cairn/hpa/index.hpp"

namespace cairn::hpa {
namespace {

enum class Ground : std::uint8_t {
    one,   ///< caves with one terrain
    two,   ///< the same caves with two terrains, in areas about 64 cells wide
    nine,  ///< hills of nine terrains
};

grid::TerrainImage image_of(grid::MapKind kind) {
    grid::GenerateOptions options;
    options.kind = kind;
    options.width = options.height = 512;
    return grid::generate(options).value();
}

grid::Map make_map(Ground ground) {
    grid::MapOptions options;
    options.weights = grid::TerrainWeights::weighted();
    const grid::TerrainImage hills = image_of(grid::MapKind::terrain);
    if (ground == Ground::nine) return grid::Map::create(512, 512, hills.terrain, options).value();
    grid::TerrainImage caves = image_of(grid::MapKind::caves);
    for (std::size_t i = 0; i < caves.terrain.size(); ++i) {
        const bool high = hills.terrain[i] >= '5' && hills.terrain[i] <= '9';
        if (ground == Ground::two && high && caves.terrain[i] == '.') caves.terrain[i] = '2';
    }
    return grid::Map::create(512, 512, caves.terrain, options).value();
}

/// Those of units that are slow on the terrains where others are fast.
grid::TerrainWeights other_weights() {
    grid::TerrainWeights weights = grid::TerrainWeights::weighted();
    for (std::uint8_t& weight : weights.weight) {
        if (weight != 0) weight = static_cast<std::uint8_t>(10 - weight);
    }
    return weights;
}

/// Transitions by width do not depend on weights.
Options by_width() {
    Options options;
    options.cluster_size = 10;
    options.transitions = Transitions::by_width;
    return options;
}

BuildControl one_thread() {
    BuildControl control;
    control.threads = 1;
    return control;
}

void from_scratch(benchmark::State& state, Ground ground) {
    const grid::Map map = make_map(ground).with_weights(other_weights()).value();
    for (auto _ : state) benchmark::DoNotOptimize(Index::build(map, by_width(), one_thread()));
}

void with_costs(benchmark::State& state, Ground ground) {
    const Index index = Index::build(make_map(ground), by_width()).value();
    for (auto _ : state) benchmark::DoNotOptimize(index.with_costs(other_weights(), one_thread()));
}

BENCHMARK_CAPTURE(from_scratch, one, Ground::one)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(from_scratch, two, Ground::two)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(from_scratch, nine, Ground::nine)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(with_costs, one, Ground::one)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(with_costs, two, Ground::two)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(with_costs, nine, Ground::nine)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cairn::hpa
