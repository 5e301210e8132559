#pragma once
// A* over the portals of a navigation mesh, without an index: the yardstick of HNA*, and its level
// 0 (V. Rahmani, N. Pelechano, section 2 and Algorithm 1).
//
// A state is a link: standing in its polygon, at its portal. Costs and the bound on what is left
// are the mesh's; one label a portal is enough, since the way over a portal from its other side is
// never better than straight on.
//
// Guarantee: a path of least cost for the mesh's scoring, or the proof that there is none.
// Deterministic: the same calls give the same path on every machine. Ties: of equal f the larger g
// is expanded first; a portal keeps the first parent that gave it its cost, and an expanded
// polygon's links are met in their order.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/path.hpp"
#include "cairn/status.hpp"

namespace cairn::mesh {

struct AstarOptions {
    bool cost_only = false;  ///< leave Path::links empty
};

enum class Progress : std::uint8_t { running, finished };

/// A* with its scratch memory: 16 bytes for each portal of the largest mesh searched so far, 4 for
/// each polygon, and the open list. Good for any number of queries on any meshes, one at a time:
/// use one object per thread. Memory grows when needed and is kept, so a query that needs no more
/// than an earlier one allocates nothing.
class Astar {
public:
    Astar();
    ~Astar();
    Astar(Astar&&) noexcept;
    Astar& operator=(Astar&&) noexcept;

    /// The cheapest path from `start` to `goal` into `out`, whose memory is reused. Returns
    /// out.status: ok; start_outside, goal_outside (no such polygon, or a point that is not finite
    /// or so far from it that costs would overflow), start_blocked, goal_blocked (checked in this
    /// order); no_path; over_cost_limit (nothing of cost limits.max_cost or less, and the search
    /// did not get as far as to tell whether there is a costlier path); budget_exhausted; cancelled
    /// (looked at every few hundred expansions). Within one polygon the path is the straight line,
    /// even where there is a cheaper one over other areas. O(portals log portals) for polygons of
    /// bounded size.
    StatusCode find_path(const Mesh& mesh, const Place& start, const Place& goal, Path& out,
                         const AstarOptions& options = {}, const SearchLimits& limits = {});

    /// The cheapest path from `start` to the nearest of `goals`; `reached` is that goal's index.
    /// Goals that are blocked or outside are skipped. Of equally near goals the one met first wins:
    /// always the same one, but not always the lowest index. Statuses as find_path's; goal_blocked
    /// if no goal is inside and free, or there are none at all. `reached` is goals.size() unless
    /// ok.
    StatusCode find_nearest(const Mesh& mesh, const Place& start, std::span<const Place> goals,
                            Path& out, std::size_t& reached, const AstarOptions& options = {},
                            const SearchLimits& limits = {});

    /// The costs from `start` to each of `goals` into `out`, of the same length (bad_option if it
    /// is not), in one search that ends when all are known. kInfinity where no path leads, or the
    /// goal is blocked or outside. Returns ok if all are known; start_outside, start_blocked;
    /// over_cost_limit, budget_exhausted or cancelled if some are not, which then are kInfinity.
    StatusCode distances(const Mesh& mesh, const Place& start, std::span<const Place> goals,
                         std::span<Cost> out, const SearchLimits& limits = {});

    /// Starts a search to be advanced in slices. It keeps the mesh alive; limits.cancel must stay
    /// where it is until the search is finished or another one begins. Any other search with this
    /// object ends it.
    void begin(const Mesh& mesh, const Place& start, const Place& goal,
               const AstarOptions& options = {}, const SearchLimits& limits = {});

    /// Expands up to `max_expansions` more links. Slicing does not change the result.
    Progress advance(std::uint64_t max_expansions);

    /// The result of the search begun last, as find_path's. Needs advance() to have returned
    /// finished; before that, returns budget_exhausted with the statistics so far, and the search
    /// may go on.
    StatusCode take(Path& out);

    /// What the last search of any kind cost.
    [[nodiscard]] const SearchStatistics& statistics() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cairn::mesh
