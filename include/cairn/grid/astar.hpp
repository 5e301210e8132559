#pragma once
// A* on the map, without an index: the baseline for every planner (P. Hart, N. Nilsson, B. Raphael,
// "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968).
//
// Costs are integers. The heuristic is Map::distance_bound; it is consistent, so each cell is
// expanded at most once. Working memory is in flat arrays indexed by cell. They are not cleared
// between searches: entries carry the number of the search that wrote them.
//
// Guarantee: a path of least cost, or the proof that there is none. Deterministic: the same calls
// give the same path on every machine. Ties: of equal f a heap takes the larger g first, a bucket
// the entry added last; a cell keeps the first parent that gave it its cost, and the neighbours of
// an expanded cell are visited clockwise from north. The two open lists may give different paths of
// equal cost.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/path.hpp"
#include "cairn/search_trace.hpp"
#include "cairn/status.hpp"

namespace cairn::grid {

/// The open list of A*.
enum class OpenList : std::uint8_t {
    /// The textbook search: a binary heap, and every legal move of a cell.
    heap,
    /// The fastest search: one bucket for each value of f (Dial 1969), last in, first out. On maps
    /// of one terrain weight under the strict corner rule it also skips moves that a canonical,
    /// diagonal-first path never makes (Harabor and Grastien 2011, "Online graph pruning for
    /// pathfinding on grid maps"). Maps with moves that cost more than 131,071 would need too many
    /// buckets: the heap is used.
    buckets,
};

struct AstarOptions {
    OpenList open = OpenList::heap;
    bool cost_only = false;  ///< leave Path::cells empty
};

/// The state of a search in slices.
enum class Progress : std::uint8_t { running, finished };

/// A* with its scratch memory: 8 bytes for each cell of the largest map searched so far (one bit
/// more for several goals), and the open list. Serves any number of queries on any maps, one at a
/// time: use one object per thread. Memory grows when needed and is kept, so a query that needs no
/// more than an earlier one allocates nothing.
class Astar {
public:
    Astar();
    ~Astar();
    Astar(Astar&&) noexcept;
    Astar& operator=(Astar&&) noexcept;

    /// Writes the cheapest path from `start` to `goal` into `out`, whose memory is reused. Returns
    /// out.status: ok; bad_option (`open` is no OpenList); start_outside, start_blocked,
    /// goal_outside, goal_blocked (checked in this order); no_path; cost_too_large; over_cost_limit
    /// (no path of cost limits.max_cost or less; a costlier one may exist); budget_exhausted;
    /// cancelled (checked every few hundred expansions). If start equals goal, the path has one
    /// cell and cost 0. O(size) expansions.
    StatusCode find_path(const Map& map, Point start, Point goal, Path& out,
                         const AstarOptions& options = {}, const SearchLimits& limits = {});

    /// find_path with an object of its own, which also records the search (cairn/search_trace.hpp).
    static StatusCode trace_path(const Map& map, Point start, Point goal, Path& out,
                                 SearchTrace& trace, const AstarOptions& options = {},
                                 const SearchLimits& limits = {});

    /// Writes the cheapest path from `start` to the nearest of `goals`; `reached` is the index of
    /// that goal (the lowest if a point is listed twice). Goals that are blocked or outside the map
    /// are skipped. Of equally near goals the first one found wins: always the same, but not always
    /// the lowest index. Returns the statuses of find_path, with one difference: goal_blocked if no
    /// goal is inside and free, or `goals` is empty. `reached` is goals.size() unless the status is
    /// ok. O(size) expansions.
    StatusCode find_nearest(const Map& map, Point start, std::span<const Point> goals, Path& out,
                            std::size_t& reached, const AstarOptions& options = {},
                            const SearchLimits& limits = {});

    /// Writes the costs from `start` to each of `goals` into `out`, which must have the same length
    /// (else bad_option). One search finds all. A cost is kInfinity if there is no path below that,
    /// or the goal is blocked or outside. Returns ok if all costs are known; start_outside,
    /// start_blocked; over_cost_limit, budget_exhausted or cancelled if some costs are not known:
    /// these are then kInfinity. O(size) expansions.
    StatusCode distances(const Map& map, Point start, std::span<const Point> goals,
                         std::span<Cost> out, const AstarOptions& options = {},
                         const SearchLimits& limits = {});

    /// Begins a search in slices. `map` and limits.cancel must stay valid until the search is
    /// finished or another one begins. Any other search with this object ends it.
    void begin(const Map& map, Point start, Point goal, const AstarOptions& options = {},
               const SearchLimits& limits = {});

    /// Expands up to `max_expansions` more cells. Slicing does not change the result.
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

}  // namespace cairn::grid
