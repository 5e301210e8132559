#pragma once
// The oracle: the simplest Dijkstra that could be right, over links, sharing no code with the
// searches it checks.

#include <vector>

#include "cairn/cost.hpp"
#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

/// By link, the least cost of a way from `start` over that link, from its polygon to its twin's;
/// kInfinity where there is none. All are kInfinity if the start's polygon is blocked or none.
/// For tests and verification: O(links log links) for polygons of bounded size, and it allocates.
/// Thread-safe, like all in this header.
[[nodiscard]] std::vector<Cost> costs_from(const Mesh& mesh, const Place& start);

/// By link, the least cost of a way from its portal, through its polygon, to `goal`, at first
/// crossing any other link than this one; kInfinity where there is none. So the cheapest path over
/// a link costs costs_from(...)[link] + costs_to(...)[twin(link)].
[[nodiscard]] std::vector<Cost> costs_to(const Mesh& mesh, const Place& goal);

/// The cost of the cheapest path, as Astar finds it; kInfinity if there is none.
[[nodiscard]] Cost path_cost(const Mesh& mesh, const Place& start, const Place& goal);

}  // namespace cairn::mesh
