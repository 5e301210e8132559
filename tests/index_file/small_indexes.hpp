#pragma once
// Small maps, indexes and queries for the tests of index files.

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/hpa/hpa.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/index_file/hpa_index_file.hpp"
#include "index_file/index_seal.hpp"

namespace cairn::index_file::test {

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

/// With a checksum that is right for what the bytes now are: as a forger would do it.
inline std::string resealed(std::string bytes) {
    bytes.resize(bytes.size() - std::min(bytes.size(), kChecksumBytes));
    seal(bytes);
    return bytes;
}

/// With a bit changed.
inline std::string flipped(std::string bytes, std::size_t bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    return bytes;
}

/// With up to three words changed to another's value, or nearly so: what a forger would try.
inline std::string with_words_changed(const std::string& bytes, std::mt19937_64& random) {
    std::string forged = bytes;
    const std::size_t words = (bytes.size() - kChecksumBytes) / 4;
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + random() % words * 4, 4);
        word += static_cast<std::uint32_t>(random() % 3) - 1;
        std::memcpy(forged.data() + random() % words * 4, &word, 4);
    }
    return forged;
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

}  // namespace cairn::index_file::test
