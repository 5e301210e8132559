#pragma once
// What every answer of an HNA* index must be, whatever was asked: checked against the best cost.

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

struct Way {
    Engine engine = Engine::automatic;
    ConnectBy connect = ConnectBy::automatic;
};

/// All ways to search an index: by each engine that it has, connected in each way.
[[nodiscard]] std::vector<Way> ways(const Index& index);
/// Those that expand nodes.
inline constexpr Engine kSearching[] = {Engine::astar, Engine::levels};

/// What is wrong with the answer to a query, where the best path costs `best` (kInfinity: there is
/// none); empty if nothing is. Judges ok and no_path: of queries without limits, whose ends are
/// places in polygons not blocked.
[[nodiscard]] std::string fault_of(const Index& index, const Query& query, const Answer& answer,
                                   Cost best);
/// Asks in every way, for the path and for the cost alone: what is wrong first.
[[nodiscard]] std::string fault_of_any_way(const Index& index, Query query, Cost best,
                                           Searcher& searcher, Answer& answer);
/// Asks in every way between `pairs` random places of polygons that are no connections, blocked
/// ones included.
[[nodiscard]] std::string fault_of_random_pairs(const Index& index, int pairs, RandomMaps& random,
                                                Searcher& searcher);
[[nodiscard]] std::string describe(const Query& query);

/// The index of a mesh, by the calling thread alone: thousands of small ones are built. Fails the
/// test if there is none.
[[nodiscard]] Index build(const Mesh& mesh, const Options& options = {});
/// With the labels and the table it is to have, by the calling thread alone.
[[nodiscard]] Index with_labels(const Index& index);
/// The answer to a query by a fresh searcher.
[[nodiscard]] Answer answer_to(const Index& index, const Query& query);
[[nodiscard]] Query query_of(const Place& start, const Place& goal,
                             Engine engine = Engine::automatic);
/// Between two random places, drawn in one order under every compiler.
[[nodiscard]] Query random_query(const mesh::Mesh& mesh, cairn::test::RandomMaps& random,
                                 Engine engine = Engine::automatic);
/// All but the effort and what it was found by.
[[nodiscard]] inline auto essence(const Answer& a) {
    return std::tie(a.status, a.cost, a.start, a.goal, a.goal_moved, a.abstract_nodes, a.links,
                    a.polygons, a.waypoints, a.length, a.statistics.search.expanded);
}

/// Whether paths ranked by centres are those of least cost: else such an index is refused.
[[nodiscard]] bool ranks_by_centres(const Mesh& mesh);
/// Options of every kind that a mesh allows: levels, mu, partitioner, rows, table, labels.
[[nodiscard]] Options any_options(const Mesh& mesh, RandomMaps& random);
[[nodiscard]] inline Index any_index(const Mesh& mesh, RandomMaps& random) {
    return build(mesh, any_options(mesh, random));
}
/// Any query that the index can answer, without limits, between any two places.
[[nodiscard]] Query any_query(const Index& index, RandomMaps& random);
/// Up to `most` polygons blocked, freed, or of an area from 0 to 3.
[[nodiscard]] std::vector<mesh::PolygonEdit> any_edits(const Mesh& mesh, RandomMaps& random,
                                                       int most);
/// A mesh of any kind with about so many cells a side: up to some hundred polygons.
[[nodiscard]] Mesh large_mesh(std::uint64_t seed);
/// Rows of rectangles with a gap at one end and the other in turn: a long way over many portals.
[[nodiscard]] Mesh serpentine(int rows);

}  // namespace cairn::hna::test
