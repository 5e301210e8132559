#pragma once
// A* over the portals of a navigation mesh, without an index: the baseline for HNA*, and level 0 of
// its hierarchy (V. Rahmani, N. Pelechano, "Towards multi-agent path finding with hierarchical
// navigation meshes", 2020, section 2 and Algorithm 1).
//
// A state of the search is a link: the agent stands in the link's polygon, at its portal. The mesh
// gives the costs and the heuristic (Mesh::bound). Each portal is labelled only once, not for both
// its links, since turning back at a portal is never better than going straight on.
//
// Guarantee: a path of least cost for the mesh's scoring, or the proof that there is none.
// Deterministic: the same calls give the same path on every machine. Ties: of equal f the larger g
// is expanded first; a portal keeps the first parent that gave it its cost, and the links of an
// expanded polygon are visited in their order.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/path.hpp"
#include "cairn/search_trace.hpp"
#include "cairn/status.hpp"

namespace cairn::mesh {

struct AstarOptions {
    bool cost_only = false;  ///< leave Path::links empty
};

/// The state of a search in slices.
enum class Progress : std::uint8_t { running, finished };

/// A* with its scratch memory: 16 bytes for each portal of the largest mesh searched so far, 4 for
/// each polygon, and the open list. Serves any number of queries on any meshes, one at a time: use
/// one object per thread. Memory grows when needed and is kept, so a query that needs no more than
/// an earlier one allocates nothing.
class Astar {
public:
    Astar();
    ~Astar();
    Astar(Astar&&) noexcept;
    Astar& operator=(Astar&&) noexcept;

    /// Writes the cheapest path from `start` to `goal` into `out`, whose memory is reused. Returns
    /// out.status: ok; start_outside (no such polygon, or a point that is not finite),
    /// start_blocked, goal_outside, goal_blocked (checked in this order); no_path; over_cost_limit
    /// (no path of cost limits.max_cost or less; a costlier one may exist); budget_exhausted;
    /// cancelled (checked every few hundred expansions). Within one polygon the path is the
    /// straight line, even if a cheaper one leads over other areas. O(portals log portals) for
    /// polygons of bounded size.
    StatusCode find_path(const Mesh& mesh, const Place& start, const Place& goal, Path& out,
                         const AstarOptions& options = {}, const SearchLimits& limits = {});

    /// find_path with an object of its own, which also records the search (cairn/search_trace.hpp).
    static StatusCode trace_path(const Mesh& mesh, const Place& start, const Place& goal, Path& out,
                                 SearchTrace& trace, const AstarOptions& options = {},
                                 const SearchLimits& limits = {});

    /// Writes the cheapest path from `start` to the nearest of `goals`; `reached` is the index of
    /// that goal. Goals that are blocked or outside are skipped. Of equally near goals the first
    /// one found wins: always the same, but not always the lowest index. Returns the statuses of
    /// find_path, with one difference: goal_blocked if no goal is inside and free, or `goals` is
    /// empty. `reached` is goals.size() unless the status is ok. Time as find_path.
    StatusCode find_nearest(const Mesh& mesh, const Place& start, std::span<const Place> goals,
                            Path& out, std::size_t& reached, const AstarOptions& options = {},
                            const SearchLimits& limits = {});

    /// Writes the costs from `start` to each of `goals` into `out`, which must have the same length
    /// (else bad_option). One search finds all. A cost is kInfinity if there is no path, or the
    /// goal is blocked or outside. Returns ok if all costs are known; start_outside, start_blocked;
    /// over_cost_limit, budget_exhausted or cancelled if some costs are not known: these are then
    /// kInfinity. Time as find_path, and for each goal O(links of its polygon).
    StatusCode distances(const Mesh& mesh, const Place& start, std::span<const Place> goals,
                         std::span<Cost> out, const SearchLimits& limits = {});

    /// Begins a search in slices. It keeps the mesh alive. limits.cancel must stay valid until the
    /// search is finished or another one begins. Any other search with this object ends it.
    void begin(const Mesh& mesh, const Place& start, const Place& goal,
               const AstarOptions& options = {}, const SearchLimits& limits = {});

    /// Expands up to `max_expansions` more links. Slicing does not change the result.
    Progress advance(std::uint64_t max_expansions);

    /// The result of the search begun last, as find_path gives it, once advance() has returned
    /// finished. Before that it returns budget_exhausted with the statistics so far, and the search
    /// can go on.
    StatusCode take(Path& out);

    /// The effort of the last search of any kind.
    [[nodiscard]] const SearchStatistics& statistics() const noexcept;

    /// Bytes of scratch memory held now. O(1).
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cairn::mesh
