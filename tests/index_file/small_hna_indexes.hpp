#pragma once
// Small HNA* indexes and queries for the tests of index files.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cairn/hna/hna.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/index_file/hna_index_file.hpp"
#include "small_indexes.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/random_meshes.hpp"

namespace cairn::index_file::test {

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

/// Loads from memory that is the index's own.
inline Result<hna::Index> load_hna(std::string bytes, const mesh::Mesh* mesh = nullptr) {
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    return hna_index_from_bytes(as_bytes(*owner), owner, "test.crhn", mesh);
}

/// An index of its mesh edited at one polygon, without labels.
inline hna::Index toggled(const hna::Index& index, mesh::Polygon polygon) {
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

}  // namespace cairn::index_file::test
