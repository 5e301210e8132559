#pragma once
// Answers queries, for any planner: locates, connects, searches, refines and smooths.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "cairn/planner.hpp"
#include "cairn/search_trace.hpp"

namespace cairn {

/// A goal of a list, by its index, and the cost of a path to it.
struct GoalCost {
    std::size_t goal = 0;
    Cost cost = kInfinity;
    friend bool operator==(const GoalCost&, const GoalCost&) = default;
};

/// Answers queries and keeps their working memory. Use one object per thread, for any number of
/// indexes; indexes are only read. A searcher keeps the last index that it was used with alive.
/// Once warmed up on the largest index and the longest path, queries allocate nothing, except where
/// the vectors of Answer grow.
///
/// Nothing here throws. Memory is allocated at first use. If that fails, a call returns
/// out_of_memory and the searcher frees its memory; the same call may succeed later.
template <class P>
class Searcher {
public:
    using Index = typename P::Index;
    using Query = typename P::Query;
    using Answer = typename P::Answer;
    using Place = typename P::Place;

    /// `cached_endpoints`: the number of starts and goals whose connections are kept for later
    /// queries (HPA* paper, section 3.2.1). At least the last two are kept, so that repeated goals
    /// are connected once. HNA* and planners without an index ignore it.
    explicit Searcher(std::size_t cached_endpoints = 8) noexcept;
    ~Searcher();
    Searcher(Searcher&& other) noexcept;
    Searcher& operator=(Searcher&& other) noexcept;
    Searcher(const Searcher&) = delete;
    Searcher& operator=(const Searcher&) = delete;

    /// Answers a query. Returns answer.status. Every planner checks first the options, then the
    /// start, then the goal, and returns the first of these that applies:
    ///
    ///   bad_option, unsupported                                     see below
    ///   start_outside, start_blocked, goal_outside, goal_blocked    in this order
    ///
    /// Otherwise:
    ///
    ///   ok
    ///   no_path
    ///   cost_too_large  there is a path, but none that the planner finds costs less than kInfinity
    ///   over_cost_limit, budget_exhausted, cancelled    as Query::limits says
    ///   unsupported     the index does not have the engine or tables that the query names
    ///   bad_option      a number of the query is out of range; haa: no such agent
    ///   out_of_memory
    ///   too_large       haa: the agent's view had to be made first, and would be too large
    ///   corrupt_file    the index comes from a forged file that contradicts itself
    StatusCode find(const Index& index, const Query& query, Answer& answer) noexcept;

    /// Answers a query as `find` does, and records what its search expands and generates. It has
    /// working memory of its own, so the same query always gives the same trace. With
    /// Engine::automatic the engine is one that searches: `levels` for hpa, haa and subgoal,
    /// `astar` for hna. (Labels and climbing expand nothing; if the query names them, the trace has
    /// only its first and last events.) Searches of HPA* that connect start and goal to level 2 and
    /// higher are recorded too, those of the goal with TraceEvent::kGoal as their root. All other
    /// searches are left out: those on the cells of a cluster, in a band or corridor around the
    /// path, and around Query::blocked. The trace is empty if start or goal are refused.
    static StatusCode trace(const Index& index, const Query& query, Answer& answer,
                            SearchTrace& trace) noexcept;

    /// Answers a query in slices: call begin, then advance until it returns false. Only the main
    /// search is divided. Start and goal are connected to level 1 in begin, and to a higher level
    /// in the advance that comes to it; refining and smoothing run in the last advance. The answer
    /// and everything that the query's limits point to must live until then. The index is kept
    /// alive, and edits meanwhile do not affect the query. Any other call on this object, except
    /// memory, abandons the query. Returns ok if the query is answered or a search has begun,
    /// otherwise answer.status.
    StatusCode begin(const Index& index, const Query& query, Answer& answer) noexcept;
    /// Expands up to `budget` more nodes, but no more once `until` has passed, which it checks
    /// every few hundred nodes. Returns true while the query is not finished; after that
    /// answer.status is its result.
    bool advance(std::uint64_t budget = std::numeric_limits<std::uint64_t>::max(),
                 Deadline until = {}) noexcept;

    /// Writes the costs from model.start to each of `goals` into `costs`: those that queries with
    /// Detail::cost give. A cost is kInfinity if there is no path within the cost limit or below
    /// kInfinity, or the goal is outside or blocked; with nearest_reachable it is that of the
    /// nearest place that can be reached. model.goal and model.detail are ignored, and the limits
    /// apply to each goal separately. costs.size() must equal goals.size(). Returns ok; or
    /// bad_option, unsupported (also if the sizes differ), start_outside or start_blocked, with no
    /// meaning in `costs`. Another status of `find`, such as cancelled, ends the call: costs that
    /// are still unknown are then kInfinity. Time: one query for each goal. A* (grid::AstarPlanner,
    /// mesh::AstarPlanner) finds all costs in one search, to which the limits apply as a whole: it
    /// returns over_cost_limit if it comes to the cost limit before it has all costs.
    StatusCode costs(const Index& index, const Query& model, std::span<const Place> goals,
                     std::span<Cost> costs) noexcept;

    /// The same from each of `starts`: costs[i * goals.size() + j] becomes the cost from starts[i]
    /// to goals[j]. model.start is ignored; all costs from a start that is outside or blocked are
    /// kInfinity. costs.size() must equal starts.size() * goals.size(). Each start and goal is
    /// connected once, as long as they are at most 4,096 together.
    StatusCode costs(const Index& index, const Query& model, std::span<const Place> starts,
                     std::span<const Place> goals, std::span<Cost> costs) noexcept;

    /// Finds the goals of least cost from model.start, as many as `nearest` has room for. They
    /// become the first `count` elements of `nearest`, by cost, of equal costs by their index;
    /// `count` is less than nearest.size() if fewer can be reached. Otherwise as `costs` to these
    /// goals. Time: at most that of `costs`; once there are enough goals, a search ends where it
    /// can no longer be among the nearest.
    StatusCode find_nearest(const Index& index, const Query& model, std::span<const Place> goals,
                            std::span<GoalCost> nearest, std::size_t& count) noexcept;

    /// Answers `model` for the goal of least cost (the first of equally near ones). model.goal and
    /// nearest_reachable are ignored, and the limits apply to each goal separately. `nearest`
    /// becomes the index of the goal in `goals` if the status is ok; otherwise it has no meaning.
    /// Returns answer.status: ok; no_path if no goal can be reached; over_cost_limit or
    /// cost_too_large if none can be reached within the cost limit or at a cost below kInfinity.
    /// Goals that are outside or blocked are skipped. Any other
    /// status of a query ends the call. Time: one query for each goal, and one more.
    StatusCode find_nearest(const Index& index, const Query& model, std::span<const Place> goals,
                            Answer& answer, std::size_t& nearest) noexcept;

    /// The working memory held now, in bytes: the capacity of all its lists and tables. 0 before
    /// first use. Neither the index, though it is kept alive, nor answers count. Not to be called
    /// while another call runs. O(cached endpoints).
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    struct Run;
    [[nodiscard]] Run& run();
    [[nodiscard]] Run& run_for_pairs(std::size_t endpoints);

    std::unique_ptr<Run> run_;
    std::unique_ptr<Run> pairs_run_;   // of the costs of all pairs; null before they are asked for
    std::size_t pairs_endpoints_ = 0;  // that pairs_run_ caches
    std::size_t cached_endpoints_;
};

}  // namespace cairn
