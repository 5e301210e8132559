#pragma once
// Many agents at once: a span of trips in, flat arrays of paths out, on all cores.
//
// The HNA* paper (Rahmani, Pelechano, section 6) plans for many agents with one block of a GPU
// each. Here every worker thread has one searcher, and trips are taken up part by part of the map,
// in each goal by goal: agents that head for one place share how it is connected and, by HNA* with
// labels, what their ways have in common; agents that ask the same share the answer. Where far
// fewer starts than goals are asked for, trips are taken up start by start. Who asks batch after
// batch keeps a Searcher (cairn/batch/searcher.hpp).
//
// Each call asks what `model` asks, from and to the places of each trip instead of its own, so
// Query::detail says how much each answer holds; lists of what it leaves out stay empty.
// Query::limits holds for each trip by itself, and its cancel flag stops the trip it meets.
//
// The result is that of as many single queries, bit for bit, in the order of the trips, for any
// number of threads and any order of the trips. A trip that cannot be answered has its own status
// and spoils no other. Control: progress is reported and threads are counted as in a build; when
// `control.cancel` is set, what has been answered is returned and all else is
// StatusCode::cancelled; when Options::max_spent or max_time is used up, all else is
// StatusCode::budget_exhausted. May be called from any thread; indexes are only read.
//
// Errors: bad_option (negative threads); too_large (over Options::max_bytes, out of memory, or more
// than 2^32 - 1 trips): then ask for fewer trips at a time, or for less of each.
//
// Time: that of the queries, divided by the threads, and O(trips log trips) to sort them.

#include <span>

#include "cairn/batch/routes.hpp"
#include "cairn/control.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/haa/searcher.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/hna/query.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/hpa/query.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/status.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/query.hpp"

namespace cairn::batch {

[[nodiscard]] Result<CellRoutes> find_paths(const hpa::Index& index,
                                            std::span<const CellTrip> trips,
                                            const hpa::Query& model = {},
                                            const Options& options = {},
                                            const BuildControl& control = {});

/// `prepare` the index for the agent classes first, or the first trip of each class does that.
[[nodiscard]] Result<CellRoutes> find_paths(const haa::Index& index,
                                            std::span<const AgentTrip> trips,
                                            const haa::Query& model = {},
                                            const Options& options = {},
                                            const BuildControl& control = {});

[[nodiscard]] Result<CellRoutes> find_paths(const subgoal::Index& index,
                                            std::span<const CellTrip> trips,
                                            const subgoal::Query& model = {},
                                            const Options& options = {},
                                            const BuildControl& control = {});

/// By A* over the cells for each trip, without an index: the yardstick. `limits` hold for each trip
/// by itself. For agents, on their haa::AnnotatedMap::class_map, it is AA*.
[[nodiscard]] Result<CellRoutes> find_paths(const grid::Map& map, std::span<const CellTrip> trips,
                                            const grid::AstarOptions& astar = {},
                                            const SearchLimits& limits = {},
                                            const Options& options = {},
                                            const BuildControl& control = {});

/// Options::cells is of no meaning here.
[[nodiscard]] Result<MeshRoutes> find_paths(const hna::Index& index,
                                            std::span<const MeshTrip> trips,
                                            const hna::Query& model = {},
                                            const Options& options = {},
                                            const BuildControl& control = {});

/// By A* over the polygons for each trip, without an index: the paper's yardstick. Places have to
/// have a polygon; there are no waypoints; `limits` hold for each trip by itself.
[[nodiscard]] Result<MeshRoutes> find_paths(const mesh::Mesh& mesh, std::span<const MeshTrip> trips,
                                            const SearchLimits& limits = {},
                                            const Options& options = {},
                                            const BuildControl& control = {});

}  // namespace cairn::batch
