#pragma once
// A* on the bare map, without an index: the yardstick of every planner, and their short-range
// search.
//
// Integer costs, the octile bound of Map::distance_bound as heuristic (consistent, so a cell is
// expanded once), flat arrays indexed by cell, marked with a generation instead of cleared.
//
// Guarantee: a path of least cost, or the proof that there is none. Deterministic: the same calls
// give the same path on every machine. Ties: of equal f the larger g is expanded first; a cell
// keeps the first parent that gave it its cost, and an expanded cell's neighbours are met in
// direction order from north, clockwise. The two open lists may give different paths of equal cost.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/path.hpp"
#include "cairn/status.hpp"

namespace cairn::grid {

enum class OpenList : std::uint8_t {
    /// The plain textbook search: a binary heap, and every legal move of a cell looked at.
    heap,
    /// The fastest: one bucket for each value of f (Dial 1969), last in, first out. On maps of one
    /// terrain
    /// under the strict corner rule it also leaves out moves that a canonical, diagonal-first path
    /// never makes
    /// (Harabor and Grastien 2011, "Online graph pruning for pathfinding on grid maps"). Maps whose
    /// costs
    /// spread too far for buckets are searched with the heap instead.
    buckets,
};

struct AstarOptions {
    OpenList open = OpenList::heap;
    bool cost_only = false;  ///< leave Path::cells empty
};

enum class Progress : std::uint8_t { running, finished };

/// A* with its scratch memory: 8 bytes for each cell of the largest map searched so far, and the
/// open list. Good for any number of queries on any maps, one at a time: use one object per thread.
/// Memory grows when needed and is kept, so a query that needs no more than an earlier one
/// allocates nothing.
class Astar {
public:
    Astar();
    ~Astar();
    Astar(Astar&&) noexcept;
    Astar& operator=(Astar&&) noexcept;

    /// The cheapest path from `start` to `goal` into `out`, whose memory is reused. Returns
    /// out.status: ok; start_outside, goal_outside, start_blocked, goal_blocked (checked in this
    /// order); no_path; over_cost_limit (nothing of cost limits.max_cost or less, and the search
    /// did not get as far as to tell whether there is a costlier path); budget_exhausted; cancelled
    /// (looked at every few hundred expansions). start == goal is a path of one cell and cost 0.
    /// O(size) expansions.
    StatusCode find_path(const Map& map, Point start, Point goal, Path& out,
                         const AstarOptions& options = {}, const SearchLimits& limits = {});

    /// The cheapest path from `start` to the nearest of `goals`; `reached` is that goal's index
    /// (the lowest if a point is listed twice). Goals that are blocked or outside the map are
    /// skipped. Of equally near goals the one met first wins: always the same one, but not always
    /// the lowest index. Statuses as find_path's; goal_blocked if no goal is inside and free, or
    /// there are none at all. `reached` is goals.size() unless ok.
    StatusCode find_nearest(const Map& map, Point start, std::span<const Point> goals, Path& out,
                            std::size_t& reached, const AstarOptions& options = {},
                            const SearchLimits& limits = {});

    /// The costs from `start` to each of `goals` into `out`, of the same length (bad_option if it
    /// is not), in one search that ends when all are known. kInfinity where no path leads, or the
    /// goal is blocked or outside. Returns ok if all are known; start_outside, start_blocked;
    /// over_cost_limit, budget_exhausted or cancelled if some are not, which then are kInfinity.
    StatusCode distances(const Map& map, Point start, std::span<const Point> goals,
                         std::span<Cost> out, const AstarOptions& options = {},
                         const SearchLimits& limits = {});

    /// Starts a search to be advanced in slices. `map` and limits.cancel must stay where they are
    /// until the search is finished or another one begins. Any other search with this object ends
    /// it.
    void begin(const Map& map, Point start, Point goal, const AstarOptions& options = {},
               const SearchLimits& limits = {});

    /// Expands up to `max_expansions` more cells. Slicing does not change the result.
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

}  // namespace cairn::grid
