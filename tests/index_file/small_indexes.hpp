#pragma once
// Small indexes of each planner and queries, for the tests of index files.

#include <algorithm>
#include <concepts>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../fuzz/haa_index_cases.hpp"
#include "../../fuzz/hna_index_cases.hpp"
#include "../../fuzz/hpa_index_cases.hpp"
#include "../../fuzz/subgoal_index_cases.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/index_file.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "index_file/frame.hpp"
#include "support/hash.hpp"

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

/// With checksums that are right for what the bytes now are: as a forger would do it.
inline std::string resealed(std::string bytes) {
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
    const std::size_t words = bytes.size() / 4;
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + random() % words * 4, 4);
        word += static_cast<std::uint32_t>(random() % 3) - 1;
        std::memcpy(forged.data() + random() % words * 4, &word, 4);
    }
    return forged;
}

/// Loads from memory that is the index's own.
template <class Index, class... Map>
Result<Index> read(std::string bytes, const Map&... map) {
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    return from_bytes<Index>(as_bytes(*owner), owner, "test.cairn", map...);
}

/// The same, of the map of another index where the file does not hold it.
template <class Index>
Result<Index> read_like(const Index& index, std::string bytes) {
    if constexpr (IndexFileMap<Index>::kHeld)
        return read<Index>(std::move(bytes));
    else
        return read<Index>(std::move(bytes), index.map());
}

template <class Index>
std::string bytes_of_index(const Index& index) {
    return to_bytes(index).value();
}

/// The bytes themselves, for golden tests.
inline std::string hash_of(const std::string& bytes) {
    cairn::test::Hash hash;
    for (const char byte : bytes) hash.add(static_cast<std::uint8_t>(byte));
    return hash.text();
}

inline hpa::Index build(const grid::Map& map, const hpa::Options& options) {
    return hpa::Index::build(map, options).value();
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

/// An index of its map edited at one cell, without engines.
template <class Index>
requires(std::same_as<typename IndexFileMap<Index>::type, grid::Map>) Index
    toggled(const Index& index, std::uint64_t number) {
    const auto cell = static_cast<grid::Cell>(number % index.map().size());
    const grid::Point p = index.map().point(cell);
    const grid::TerrainEdit edit{{p.x, p.y, 1, 1},
                                 static_cast<std::uint8_t>(1 - index.map().terrain(cell))};
    return index.edited(std::span(&edit, 1)).value();
}

inline subgoal::Index build(const grid::Map& map, const subgoal::Options& options) {
    return subgoal::Index::build(map, options).value();
}

inline subgoal::Query query(const grid::Map& map, grid::Cell start, grid::Cell goal,
                            subgoal::Engine engine) {
    subgoal::Query query;
    query.start = map.point(start);
    query.goal = map.point(goal);
    query.engine = engine;
    return query;
}

/// The engines that an index has.
inline std::vector<subgoal::Engine> engines(const subgoal::Index& index) {
    std::vector<subgoal::Engine> engines{subgoal::Engine::astar};
    if (index.complete()) engines.push_back(subgoal::Engine::levels);
    if (index.has_labels()) engines.push_back(subgoal::Engine::cut_labels);
    return engines;
}

/// Options for a mesh that vary with a number.
inline hna::Options hna_options(const mesh::Mesh& mesh, std::uint64_t number) {
    hna::Options options;
    options.levels = 1 + static_cast<int>(number % 4);
    options.mu = 2 + static_cast<int>(number / 4 % 4);
    options.partitioner =
        number % 3 == 0 ? hna::Partitioner::growing : hna::Partitioner::multilevel;
    options.pccp = number % 7 == 3 ? hna::Pccp::none : hna::Pccp::portals;
    if (mesh.options().scoring == mesh::Scoring::polygon_centres && !mesh.directed())
        options.pccp = static_cast<hna::Pccp>(number / 5 % 4);
    options.labels = number % 7 != 4;
    return options;
}

inline hna::Index build(const mesh::Mesh& mesh, const hna::Options& options) {
    return hna::Index::build(mesh, options).value();
}

/// An index of its mesh edited at one polygon, without labels.
inline hna::Index toggled(const hna::Index& index, std::uint64_t number) {
    const auto polygon = static_cast<mesh::Polygon>(number % index.mesh().num_polygons());
    const mesh::PolygonEdit edit{polygon, index.mesh().area(polygon),
                                 !index.mesh().blocked(polygon)};
    return index.edited(std::span(&edit, 1)).value();
}

/// The engines that an index has.
inline std::vector<hna::Engine> engines(const hna::Index& index) {
    std::vector<hna::Engine> engines{hna::Engine::astar, hna::Engine::levels};
    if (index.has_labels()) engines.push_back(hna::Engine::cut_labels);
    return engines;
}

/// Asks by every engine along every `stride`-th pair of polygons, centre to centre; calls
/// check(query, answer).
template <class Check>
void ask(const hna::Index& index, std::uint64_t stride, const Check& check) {
    const mesh::Mesh& mesh = index.mesh();
    const std::uint64_t polygons = mesh.num_polygons();
    hna::Searcher searcher;
    hna::Answer answer;
    for (std::uint64_t pair = stride / 2; pair < polygons * polygons; pair += stride) {
        const auto from = static_cast<mesh::Polygon>(pair / polygons);
        const auto to = static_cast<mesh::Polygon>(pair % polygons);
        for (const hna::Engine engine : engines(index)) {
            hna::Query query;
            query.start = {from, mesh.centre(from)};
            query.goal = {to, mesh.centre(to)};
            query.engine = engine;
            searcher.find(index, query, answer);
            check(query, answer);
        }
    }
}

inline grid::Point point(const haa::AnnotatedMap& map, std::uint64_t cell) {
    const auto width = static_cast<std::uint64_t>(map.width());
    return {static_cast<int>(cell % width), static_cast<int>(cell / width)};
}

/// The index of its map with one cell made ground, or an obstacle.
inline haa::Index toggled(const haa::Index& index, std::uint64_t number) {
    const auto cell = static_cast<grid::Cell>(number % index.map().size());
    const grid::Point p = point(index.map(), cell);
    const grid::TerrainEdit edit{
        {p.x, p.y, 1, 1}, static_cast<std::uint8_t>(index.map().terrain(cell) == '.' ? '@' : '.')};
    return index.edited(std::span(&edit, 1)).value();
}

/// Asks for every `stride`-th pair of cells, for every agent and engine; calls check(query,
/// answer).
template <class Check>
void ask(const haa::Index& index, std::uint64_t stride, const Check& check) {
    haa::Searcher searcher;
    haa::Answer answer;
    const haa::AnnotatedMap& map = index.map();
    const std::uint64_t cells = map.size();
    std::uint64_t number = 0;
    for (std::uint64_t pair = stride / 2; pair < cells * cells; pair += stride) {
        haa::Query query;
        query.agent = map.agent(static_cast<std::uint32_t>(number % map.classes()));
        query.start = point(map, pair / cells);
        query.goal = point(map, pair % cells);
        query.engine = static_cast<hpa::Engine>(number / map.classes() % 4);
        query.try_direct_line = false;
        ++number;
        searcher.find(index, query, answer);
        check(query, answer);
    }
}

inline std::vector<haa::Agent> all_agents(const haa::Index& index) {
    std::vector<haa::Agent> agents;
    for (std::uint32_t k = 0; k < index.map().classes(); ++k) {
        agents.push_back(index.map().agent(k));
    }
    return agents;
}

/// What tests over all planners are about: the corpus of the planner's fuzz target, which of its
/// indexes are built and never edited, and an index of another map.
template <class Index>
struct Planner;

template <>
struct Planner<hpa::Index> {
    static constexpr const char* kKind = "hpa";
    static auto cases() { return fuzz::hpa_index_cases(); }
    static bool fresh(const fuzz::HpaIndexCase& /*c*/) { return true; }
    static hpa::Index other() { return build(noise_map(2, 15, 12), hpa::Options{}); }
};

template <>
struct Planner<subgoal::Index> {
    static constexpr const char* kKind = "subgoal";
    static auto cases() { return fuzz::subgoal_index_cases(); }
    static bool fresh(const fuzz::SubgoalIndexCase& c) { return c.complete; }
    static subgoal::Index other() { return build(noise_map(2, 19, 10), subgoal::Options{}); }
};

template <>
struct Planner<haa::Index> {
    static constexpr const char* kKind = "haa";
    static auto cases() { return fuzz::haa_index_cases(); }
    static bool fresh(const fuzz::HaaIndexCase& /*c*/) { return true; }
    static haa::Index other() { return toggled(fuzz::build(cases()[0]), 52); }
};

template <>
struct Planner<hna::Index> {
    static constexpr const char* kKind = "hna";
    static auto cases() { return fuzz::hna_index_cases(); }
    static bool fresh(const fuzz::HnaIndexCase& c) { return !c.edited && !c.changed; }
    static hna::Index other() { return toggled(fuzz::build(cases()[0]), 2); }
};

}  // namespace cairn::index_file::test
