// Indexes of HPA* and HAA* under other weights (Index::with_costs), and built from scratch, on one
// core.

#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "cairn/grid/generate.hpp"
#include "cairn/haa/index.hpp"
#include "cairn/hpa/index.hpp"

namespace cairn {
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

grid::TerrainImage make_terrain(Ground ground) {
    grid::TerrainImage hills = image_of(grid::MapKind::terrain);
    if (ground == Ground::nine) return hills;
    grid::TerrainImage caves = image_of(grid::MapKind::caves);
    for (std::size_t i = 0; i < caves.terrain.size(); ++i) {
        const bool high = hills.terrain[i] >= '5' && hills.terrain[i] <= '9';
        if (ground == Ground::two && high && caves.terrain[i] == '.') caves.terrain[i] = '2';
    }
    return caves;
}

grid::Map make_map(Ground ground) {
    grid::MapOptions options;
    options.weights = grid::TerrainWeights::weighted();
    return grid::Map::create(512, 512, make_terrain(ground).terrain, options).value();
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
hpa::Options by_width() {
    hpa::Options options;
    options.cluster_size = 10;
    options.transitions = hpa::Transitions::by_width;
    return options;
}

BuildControl one_thread() {
    BuildControl control;
    control.threads = 1;
    return control;
}

void from_scratch(benchmark::State& state, Ground ground) {
    const grid::Map map = make_map(ground).with_weights(other_weights()).value();
    for (auto _ : state) benchmark::DoNotOptimize(hpa::Index::build(map, by_width(), one_thread()));
}

void with_costs(benchmark::State& state, Ground ground) {
    const hpa::Index index = hpa::Index::build(make_map(ground), by_width()).value();
    for (auto _ : state) benchmark::DoNotOptimize(index.with_costs(other_weights(), one_thread()));
}

/// For agents of two sizes and two capabilities: all terrains, and terrain 1 with the costs that
/// all have. `other`: all terrains under other costs.
haa::AnnotatedMap agent_map(Ground ground, bool other) {
    haa::AnnotationOptions options;
    haa::Capability all;
    options.key = {};
    options.key.terrain['.'] = 1;
    for (haa::Terrain t = 1; t <= 9; ++t) {
        options.key.terrain['0' + t] = t;
        all.terrains |= static_cast<haa::TerrainSet>(1U << t);
        all.weight[t] = other && t > 1 ? static_cast<std::uint8_t>(11 - t) : t;
    }
    options.capabilities = {all, haa::Capability(haa::terrain_set({1}))};
    return haa::AnnotatedMap::create(make_terrain(ground), options).value();
}

/// With labels for the agents of size 1.
haa::Index agent_index(const haa::AnnotatedMap& map) {
    constexpr std::array agents{haa::Agent{0, 1}, haa::Agent{1, 1}};
    const auto index = haa::Index::build(map, {}, one_thread()).value();
    return index.with_labels(agents, one_thread()).value();
}

void haa_from_scratch(benchmark::State& state, Ground ground) {
    const haa::AnnotatedMap map = agent_map(ground, true);
    for (auto _ : state) benchmark::DoNotOptimize(agent_index(map));
}

void haa_with_costs(benchmark::State& state, Ground ground) {
    const haa::Index index = agent_index(agent_map(ground, false));
    const haa::AnnotatedMap other = agent_map(ground, true);
    for (auto _ : state)
        benchmark::DoNotOptimize(index.with_costs(other.options().capabilities, one_thread()));
}

BENCHMARK_CAPTURE(from_scratch, one, Ground::one)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(from_scratch, two, Ground::two)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(from_scratch, nine, Ground::nine)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(with_costs, one, Ground::one)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(with_costs, two, Ground::two)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(with_costs, nine, Ground::nine)->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(haa_from_scratch, two, Ground::two)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(haa_from_scratch, nine, Ground::nine)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(haa_with_costs, two, Ground::two)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(haa_with_costs, nine, Ground::nine)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cairn
