#pragma once
// Checks of HNA* answers against the least cost of a path, and the meshes, options and queries that
// the HNA* tests share.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "cairn/hna/hna.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/hna/query.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/random_meshes.hpp"

namespace cairn::hna::test {

using cairn::test::MeshDijkstra;
using cairn::test::random_mesh;
using cairn::test::RandomMaps;
using mesh::Mesh;
using mesh::Place;
using mesh::Polygon;

/// An engine, how it connects start and goal, and the level that it searches.
struct SearchMode {
    Engine engine = Engine::automatic;
    ConnectBy connect = ConnectBy::automatic;
    SearchLevel level = SearchLevel::automatic;
};

/// All modes that an index can be searched in.
[[nodiscard]] std::vector<SearchMode> search_modes(const Index& index);
/// The engines that expand nodes.
inline constexpr Engine kSearching[] = {Engine::astar};

/// What is wrong with an answer; empty if nothing is. `best` is the least cost of a path, or
/// kInfinity if there is no path. The query must have no limits, and its start and goal must lie in
/// free polygons: the only right statuses are ok and no_path.
[[nodiscard]] std::string fault_of(const Index& index, const Query& query, const Answer& answer,
                                   Cost best);
/// Searches in every mode, for the path and for the cost alone. The first fault, or empty.
[[nodiscard]] std::string fault_of_any_mode(const Index& index, Query query, Cost best,
                                            Searcher& searcher, Answer& answer);
/// The same for `pairs` random pairs of places. Their polygons may be blocked, but are no
/// connections.
[[nodiscard]] std::string fault_of_random_pairs(const Index& index, int pairs, RandomMaps& random,
                                                Searcher& searcher);
[[nodiscard]] std::string describe(const Query& query);

/// The index of a mesh, built by the calling thread alone: tests build thousands of small indexes.
/// Fails the test and ends the program if the mesh or the options are refused.
[[nodiscard]] Index build(const Mesh& mesh, const Options& options = {});
/// The index with the labels that its options ask for, built by the calling thread alone.
[[nodiscard]] Index with_labels(const Index& index);
/// The answer to a query by a fresh searcher.
[[nodiscard]] Answer answer_to(const Index& index, const Query& query);
[[nodiscard]] Query query_of(const Place& start, const Place& goal,
                             Engine engine = Engine::automatic);
/// A query between two random places. The goal is drawn first, under every compiler.
[[nodiscard]] Query random_query(const mesh::Mesh& mesh, cairn::test::RandomMaps& random,
                                 Engine engine = Engine::automatic);
/// The members of an answer that do not depend on what its searcher did before, nor on how the
/// query was cut into slices.
[[nodiscard]] inline auto essence(const Answer& a) {
    return std::tie(a.status, a.cost, a.start, a.goal, a.goal_moved, a.searched_level,
                    a.abstract_nodes, a.links, a.polygons, a.waypoints, a.length,
                    a.statistics.search.expanded);
}

/// Whether the mesh allows Pccp::centres and centre_paths.
[[nodiscard]] bool ranks_by_centres(const Mesh& mesh);
/// Random options that the mesh allows: levels, mu, partitioner, PCCP, labels.
[[nodiscard]] Options any_options(const Mesh& mesh, RandomMaps& random);
[[nodiscard]] inline Index any_index(const Mesh& mesh, RandomMaps& random) {
    return build(mesh, any_options(mesh, random));
}
/// A random query that the index supports, without limits, between any two places.
[[nodiscard]] Query any_query(const Index& index, RandomMaps& random);
/// One to `most` random edits: polygons are blocked or freed, and some get an area from 0 to 3.
[[nodiscard]] std::vector<mesh::PolygonEdit> any_edits(const Mesh& mesh, RandomMaps& random,
                                                       int most);
/// A random_mesh of up to some hundred polygons: its lattice has up to 16 cells a side.
[[nodiscard]] Mesh large_mesh(std::uint64_t seed);
/// Long rows with walls between them. The walls have a gap at the right and at the left end in
/// turn, so the path from the first row to the last is long and crosses many portals.
[[nodiscard]] Mesh serpentine(int rows);

}  // namespace cairn::hna::test
