#pragma once
// Answers queries on HPA* indexes. The pipeline: locate, connect, search, refine, smooth.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "cairn/hpa/index.hpp"
#include "cairn/hpa/query.hpp"

namespace cairn::hpa {

/// The working memory of queries, and the calls that use it. Any call ends a sliced query begun
/// before it. A searcher keeps the last index it was used with alive. Keep one per thread and use
/// it for any number of indexes; the indexes themselves are never written to. Once warmed up on the
/// largest index and longest path, queries allocate nothing (but for what Answer's vectors need to
/// grow).
class Searcher {
public:
    /// `cached_ends`: starts and goals whose connections are kept for later queries
    /// (section 3.2.1); at least the last two always are, so a goal asked for again and again is
    /// inserted once.
    explicit Searcher(std::size_t cached_ends = 8);
    ~Searcher();
    Searcher(Searcher&&) noexcept;
    Searcher& operator=(Searcher&&) noexcept;
    Searcher(const Searcher&) = delete;
    Searcher& operator=(const Searcher&) = delete;

    /// Answers a query. Returns answer.status: ok; start_outside, goal_outside, start_blocked,
    /// goal_blocked; no_path; over_cost_limit, budget_exhausted, cancelled by Query::limits;
    /// unsupported (labels asked for where the index has none); bad_option (corridor_ring outside
    /// 0..64); corrupt_file (an index file that somebody forged contradicts itself).
    StatusCode find(const Index& index, const Query& query, Answer& answer);

    /// The same in slices: begin, then advance until it returns false. The main search is what is
    /// sliced; connecting, refining and smoothing run whole, at the beginning and the end. The
    /// answer and anything the query's limits point to must live until then; the index is kept
    /// alive, and an edit meanwhile does not disturb the query.
    void begin(const Index& index, const Query& query, Answer& answer);
    /// Expands up to `budget` abstract nodes more. True while unfinished.
    bool advance(std::uint64_t budget = std::numeric_limits<std::uint64_t>::max());

    /// Answers for several goals from one start. `costs[i]` becomes the cost to goals[i] as
    /// Detail::cost gives it: of the straight line where that is free, else of the abstract path;
    /// kInfinity where there is none or the goal is outside or blocked. costs.size() must equal
    /// goals.size(). Uses labels if the index has them, else one search per goal with the start
    /// connected once. Returns start_outside, start_blocked, unsupported (sizes differ) or ok.
    StatusCode costs(const Index& index, grid::Point start, std::span<const grid::Point> goals,
                     std::span<Cost> costs);

    /// Answers `query` for the goal of least cost, measured as `costs` does (the first of equals);
    /// query.goal and nearest_reachable are ignored, and every goal has the limits to itself.
    /// `nearest` becomes its position in `goals`. no_path if none can be reached, over_cost_limit
    /// if none within the limit; budget_exhausted or cancelled as soon as one goal meets that.
    StatusCode find_nearest(const Index& index, Query query, std::span<const grid::Point> goals,
                            Answer& answer, std::size_t& nearest);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::hpa
