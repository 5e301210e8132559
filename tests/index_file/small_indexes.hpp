#pragma once
// Small indexes of each planner, queries on them, and changes of index files, for the tests of
// index files.

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
#include "core/separator/connected_parts.hpp"
#include "index_file/frame.hpp"
#include "support/hash.hpp"

namespace cairn::index_file::test {

/// A random map whose terrain values are weights: 0 in about `blocked` per cent of the cells, which
/// are obstacles, else 1 to `heaviest`.
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

/// The file with checksums that match its bytes, as a forger would set them.
inline std::string resealed(std::string bytes) {
    seal(bytes);
    return bytes;
}

/// The bytes with one bit flipped.
inline std::string flipped(std::string bytes, std::size_t bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    return bytes;
}

/// The bytes with one to three words overwritten by the value of another word, plus -1, 0 or 1.
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

/// Loads an index from bytes that it keeps alive.
template <class Index, class... Map>
Result<Index> read(std::string bytes, const Map&... map) {
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    return from_bytes<Index>(as_bytes(*owner), owner, "test.cairn", map...);
}

/// Loads an index of the same map as `index`, which is passed if the file does not hold its map.
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

/// A hash of a file, for golden tests.
inline std::string hash_of(const std::string& bytes) {
    cairn::test::Hash hash;
    for (const char byte : bytes) hash.add(static_cast<std::uint8_t>(byte));
    return hash.text();
}

inline hpa::Index build(const grid::Map& map, const hpa::Options& options) {
    return hpa::Index::build(map, options).value();
}

/// A query from cell to cell that the engine must search: a direct line is not tried.
inline hpa::Query query(const grid::Map& map, grid::Cell start, grid::Cell goal,
                        hpa::Engine engine) {
    hpa::Query query;
    query.start = map.point(start);
    query.goal = map.point(goal);
    query.engine = engine;
    query.try_direct_line = false;
    return query;
}

/// The engines that can answer queries on an index.
inline std::vector<hpa::Engine> engines(const hpa::Index& index) {
    std::vector<hpa::Engine> engines{hpa::Engine::astar, hpa::Engine::levels};
    if (index.has_labels()) engines.push_back(hpa::Engine::cut_labels);
    return engines;
}

/// The index after an edit of cell `number` (modulo the size): weight 1 becomes an obstacle, and
/// the reverse. The edit drops labels, and the levels of a subgoal graph.
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

/// The engines that can answer queries on an index.
inline std::vector<subgoal::Engine> engines(const subgoal::Index& index) {
    std::vector<subgoal::Engine> engines{subgoal::Engine::astar};
    if (index.complete()) engines.push_back(subgoal::Engine::levels);
    if (index.has_labels()) engines.push_back(subgoal::Engine::cut_labels);
    return engines;
}

/// Options that are valid for a mesh and vary with a number.
inline hna::Options hna_options(const mesh::Mesh& mesh, std::uint64_t number) {
    hna::Options options;
    options.levels = 1 + static_cast<int>(number % 4);
    options.mu = 2 + static_cast<int>(number / 4 % 4);
    if (number % 3 == 0 && has_metis()) options.partitioner = hna::Partitioner::multilevel;
    options.pccp = number % 7 == 3 ? hna::Pccp::none : hna::Pccp::portals;
    if (mesh.options().scoring == mesh::Scoring::polygon_centres && !mesh.directed())
        options.pccp = static_cast<hna::Pccp>(number / 5 % 4);
    options.labels = number % 7 != 4;
    return options;
}

inline hna::Index build(const mesh::Mesh& mesh, const hna::Options& options) {
    return hna::Index::build(mesh, options).value();
}

/// The index after polygon `number` (modulo their count) was blocked or freed, without labels.
inline hna::Index toggled(const hna::Index& index, std::uint64_t number) {
    const auto polygon = static_cast<mesh::Polygon>(number % index.mesh().num_polygons());
    const mesh::PolygonEdit edit{polygon, index.mesh().area(polygon),
                                 !index.mesh().blocked(polygon)};
    return index.edited(std::span(&edit, 1)).value();
}

/// The engines that can answer queries on an index.
inline std::vector<hna::Engine> engines(const hna::Index& index) {
    std::vector<hna::Engine> engines{hna::Engine::astar};
    if (index.has_labels()) engines.push_back(hna::Engine::cut_labels);
    return engines;
}

/// Queries every `stride`-th pair of polygons from centre to centre by every engine; calls
/// check(query, answer) for each.
template <class Check>
void for_each_answer(const hna::Index& index, std::uint64_t stride, const Check& check) {
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

/// The index after an edit of cell `number` (modulo the size): ground becomes an obstacle, all else
/// ground.
inline haa::Index toggled(const haa::Index& index, std::uint64_t number) {
    const auto cell = static_cast<grid::Cell>(number % index.map().size());
    const grid::Point p = point(index.map(), cell);
    const grid::TerrainEdit edit{
        {p.x, p.y, 1, 1}, static_cast<std::uint8_t>(index.map().terrain(cell) == '.' ? '@' : '.')};
    return index.edited(std::span(&edit, 1)).value();
}

/// Queries every `stride`-th pair of cells, each for the next agent and engine in turn; calls
/// check(query, answer) for each.
template <class Check>
void for_each_answer(const haa::Index& index, std::uint64_t stride, const Check& check) {
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

/// What the tests for all planners need of each: its kind in files, the cases of its fuzz corpus,
/// which of them are built but never edited, and an index of another map than theirs.
template <class Index>
struct Planner;

template <>
struct Planner<hpa::Index> {
    static constexpr const char* kKind = "hpa";
    static auto cases() { return fuzz::hpa_index_cases(); }
    static bool never_edited(const fuzz::HpaIndexCase& /*c*/) { return true; }
    static hpa::Index index_of_other_map() { return build(noise_map(2, 15, 12), hpa::Options{}); }
};

template <>
struct Planner<subgoal::Index> {
    static constexpr const char* kKind = "subgoal";
    static auto cases() { return fuzz::subgoal_index_cases(); }
    static bool never_edited(const fuzz::SubgoalIndexCase& c) { return c.complete; }
    static subgoal::Index index_of_other_map() {
        return build(noise_map(2, 19, 10), subgoal::Options{});
    }
};

template <>
struct Planner<haa::Index> {
    static constexpr const char* kKind = "haa";
    static auto cases() { return fuzz::haa_index_cases(); }
    static bool never_edited(const fuzz::HaaIndexCase& /*c*/) { return true; }
    static haa::Index index_of_other_map() { return toggled(fuzz::build(cases()[0]), 52); }
};

template <>
struct Planner<hna::Index> {
    static constexpr const char* kKind = "hna";
    static auto cases() { return fuzz::hna_index_cases(); }
    static bool never_edited(const fuzz::HnaIndexCase& c) { return !c.edited && !c.changed; }
    static hna::Index index_of_other_map() { return toggled(fuzz::build(cases()[0]), 2); }
};

}  // namespace cairn::index_file::test
