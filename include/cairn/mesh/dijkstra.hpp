#pragma once
// A reference implementation for tests: plain Dijkstra over links, which shares no code with the
// searches that it checks.

#include <vector>

#include "cairn/cost.hpp"
#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

/// For each link, the least cost of a path from `start` that ends by crossing the link, from its
/// polygon to its twin's; kInfinity if there is none. All are kInfinity if the start's polygon is
/// blocked or does not exist. For tests and verification: O(links log links) for polygons of
/// bounded size, and it allocates. Thread-safe, like everything in this header.
[[nodiscard]] Result<std::vector<Cost>> costs_from(const Mesh& mesh, const Place& start) noexcept;

/// For each link, the least cost of a path from the link's portal into its polygon and on to
/// `goal`, without crossing the link first; kInfinity if there is none. The cheapest path that
/// crosses a link therefore costs costs_from(...)[link] + costs_to(...)[twin(link)]. Time as
/// costs_from.
[[nodiscard]] Result<std::vector<Cost>> costs_to(const Mesh& mesh, const Place& goal) noexcept;

/// The cost of the cheapest path, as Astar finds it; kInfinity if there is none. Time as
/// costs_from.
[[nodiscard]] Result<Cost> path_cost(const Mesh& mesh, const Place& start,
                                     const Place& goal) noexcept;

}  // namespace cairn::mesh
