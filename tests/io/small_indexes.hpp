#pragma once
// Small maps, indexes and queries for the tests of index files.

#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/hpa/index.hpp"
#include "cairn/hpa/searcher.hpp"
#include "cairn/io/hpa_index_file.hpp"

namespace cairn::io::test {

/// A map of weights 0 to `heaviest`, with about `blocked` per cent obstacles.
inline grid::Map noise_map(std::uint32_t seed, int width, int height, grid::MoveRules rules = {},
                           unsigned blocked = 25, unsigned heaviest = 1) {
    std::mt19937 random(seed);
    grid::MapOptions options;
    options.rules = rules;
    options.weights = grid::TerrainWeights::literal();
    std::vector<std::uint8_t> terrain(static_cast<std::size_t>(width * height));
    for (std::uint8_t& t : terrain) {
        t = static_cast<std::uint8_t>(random() % 100 < blocked ? 0 : 1 + random() % heaviest);
    }
    return grid::Map::create(width, height, terrain, options).value();
}

inline std::span<const std::byte> as_bytes(std::string_view bytes) {
    return std::as_bytes(std::span(bytes));
}

/// Loads from memory that is the index's own.
inline Result<hpa::Index> load(std::string bytes, const grid::Map& map) {
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    return index_from_bytes(as_bytes(*owner), owner, "test.crhp", map);
}

inline hpa::Query query(const grid::Map& map, grid::Cell start, grid::Cell goal,
                        hpa::Engine engine) {
    hpa::Query query;
    query.start = map.point(start);
    query.goal = map.point(goal);
    query.engine = engine;
    query.try_direct_line = false;
    return query;
}

/// The engines that an index has.
inline std::vector<hpa::Engine> engines(const hpa::Index& index) {
    std::vector<hpa::Engine> engines{hpa::Engine::astar, hpa::Engine::levels};
    if (index.has_labels()) engines.push_back(hpa::Engine::cut_labels);
    return engines;
}

}  // namespace cairn::io::test
