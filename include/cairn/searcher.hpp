#pragma once
// Answers queries, for any planner. The pipeline: locate, connect, search, refine, smooth.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "cairn/planner.hpp"

namespace cairn {

/// The working memory of queries, and the calls that use it. Keep one per thread and use it for any
/// number of indexes; the indexes are never written to. A searcher keeps the last index it was used
/// with alive. Once warmed up on the largest index and the longest path, queries allocate nothing,
/// but for what the vectors of Answer need to grow.
///
/// Nothing here throws. Memory is taken at first use; where that fails, a call returns
/// out_of_memory, the searcher drops what it holds, and the same call may succeed later.
template <class P>
class Searcher {
public:
    using Index = typename P::Index;
    using Query = typename P::Query;
    using Answer = typename P::Answer;
    using Place = typename P::Place;

    /// `cached_endpoints`: how many starts and goals stay connected for later queries (HPA* paper,
    /// section 3.2.1). At least the last two do, so that a goal asked for again is connected once.
    /// HNA* and planners without an index have no use for it.
    explicit Searcher(std::size_t cached_endpoints = 8) noexcept;
    ~Searcher();
    Searcher(Searcher&& other) noexcept;
    Searcher& operator=(Searcher&& other) noexcept;
    Searcher(const Searcher&) = delete;
    Searcher& operator=(const Searcher&) = delete;

    /// Answers a query. Returns answer.status:
    ///
    ///   ok
    ///   start_outside, goal_outside, start_blocked, goal_blocked
    ///   no_path
    ///   over_cost_limit, budget_exhausted, cancelled    by Query::limits
    ///   unsupported     an engine or table is asked for that the index does not have
    ///   bad_option      a number of the query is out of its range; haa: no such agent
    ///   out_of_memory   also haa: too_large, where the agent's view had to be made first
    ///   corrupt_file    an index file that somebody forged contradicts itself
    StatusCode find(const Index& index, const Query& query, Answer& answer) noexcept;

    /// The same in slices: begin, then advance until it returns false. The main search is what is
    /// sliced; connecting, refining and smoothing run whole, at the beginning and the end. The
    /// answer and anything that the query's limits point to must live until then; the index is kept
    /// alive, and an edit meanwhile does not disturb the query. Any other call ends a query begun
    /// before it. Returns ok if the query is answered or a search has begun, else answer.status.
    StatusCode begin(const Index& index, const Query& query, Answer& answer) noexcept;
    /// Expands up to `budget` nodes more. True while unfinished.
    bool advance(std::uint64_t budget = std::numeric_limits<std::uint64_t>::max()) noexcept;

    /// The costs from model.start to each of `goals`, as Detail::cost gives them: kInfinity where
    /// there is no path or the goal is outside or blocked. model.goal and model.detail are ignored.
    /// costs.size() must equal goals.size(). Returns ok; what is wrong with the start; unsupported
    /// (the sizes differ); out_of_memory.
    StatusCode costs(const Index& index, const Query& model, std::span<const Place> goals,
                     std::span<Cost> costs) noexcept;

    /// Answers `model` for the goal of least cost (the first of equals). model.goal and
    /// nearest_reachable are ignored, and every goal has the limits to itself. `nearest` becomes
    /// its position in `goals`. Returns answer.status: no_path if none can be reached,
    /// over_cost_limit if none within the limit; other statuses as soon as one goal meets them.
    StatusCode find_nearest(const Index& index, const Query& model, std::span<const Place> goals,
                            Answer& answer, std::size_t& nearest) noexcept;

private:
    struct Run;
    [[nodiscard]] Run& run();

    std::unique_ptr<Run> run_;
    std::size_t cached_endpoints_;
};

}  // namespace cairn
