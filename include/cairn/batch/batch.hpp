#pragma once
// Batches: the paths of many agents in one call, as flat arrays, on all cores.
//
// The HNA* paper (Rahmani, Pelechano, section 6) plans for each agent with one block of a GPU.
// Here every worker thread has one searcher. Requests are sorted by the part of the map where they
// start, then by goal. So agents with the same goal share its connection and, with the labels of
// HNA*, the common part of their paths; equal requests share the answer. If there are far fewer
// starts than goals, requests are sorted by start instead.
//
// Each request is the query `model` with the start and goal of the request (haa: and its agent).
// Query::detail sets how much each answer holds; lists of what it leaves out stay empty.
// Query::limits applies to each request separately; to cancel the batch, use BuildControl::cancel.
//
// The result equals that of single queries, bit for bit, in the order of the requests, for any
// number of threads and any order of the requests. A request that cannot be answered has its own
// status and does not affect others. When `control.cancel` is set, the answers found so far are
// returned, and all other requests have StatusCode::cancelled. When Options::max_spent is used up,
// or SearchLimits::deadline of the model has passed, all other requests have
// StatusCode::budget_exhausted.
//
// With grid::AstarPlanner or mesh::AstarPlanner there is no index: these are the baseline for the
// other planners.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "cairn/control.hpp"
#include "cairn/planner.hpp"
#include "cairn/status.hpp"

namespace cairn::batch {

/// Which cells of a path on a grid the result holds.
enum class Cells : std::uint8_t {
    all,      ///< every cell
    turning,  ///< the start, the cells where the direction changes, and the goal
};

/// Options of one batch.
struct Options {
    Cells cells = Cells::all;  ///< no effect on meshes
    /// The most bytes that the batch takes while it runs, including the result. It needs 56 bytes a
    /// request (88 on meshes) and each list twice, once as found and once in the result, also where
    /// equal requests share a list. Two things do not count: the searcher of each thread, and its
    /// buffer for each kind of list, which takes half a megabyte, or as much as the thread has
    /// found so far, up to 8 megabytes.
    std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();
    /// A budget for all requests together: each spends 1, and 1 more for each node that its main
    /// search expands (labels expand none). The budget is spent in the order in which requests are
    /// answered, which depends only on the requests. A request that starts while some budget is
    /// left is answered completely; all requests after that have StatusCode::budget_exhausted. With
    /// a budget set, a batch takes memory for up to 4,096 more lists.
    std::uint64_t max_spent = std::numeric_limits<std::uint64_t>::max();
};

/// Answers batch after batch, as a game does frame after frame, and keeps the working memory: a
/// searcher for each worker thread, and room for the lists of the largest batch. Each searcher
/// keeps the last index that it was used with alive. Keep one object per calling thread, for any
/// number of indexes. A moved-from object can only be assigned to or destroyed.
template <Planner P>
class Searcher {
public:
    using Index = typename P::Index;
    using Query = typename P::Query;
    using Request = typename P::Request;
    using Paths = typename P::Paths;

    Searcher() noexcept;
    ~Searcher();
    Searcher(Searcher&&) noexcept;
    Searcher& operator=(Searcher&&) noexcept;

    /// Writes the answers to `requests` into `paths`, whose memory is reused: a batch no larger
    /// than an earlier one on the same index allocates only temporary memory to sort the requests,
    /// a few bytes each. Memory kept from earlier batches does not count towards
    /// Options::max_bytes. If the status is not ok, the contents of `paths` have no meaning.
    ///
    /// Errors: bad_option (an option or the number of threads out of range); too_large (over
    /// Options::max_bytes, or more than 2^32 - 1 requests: use smaller batches, or less Detail);
    /// out_of_memory. Time: that of the queries divided by the number of threads, and O(n log n) to
    /// sort n requests. The index is only read.
    [[nodiscard]] Status find_paths(const Index& index, std::span<const Request> requests,
                                    Paths& paths, const Query& model = {},
                                    const Options& options = {},
                                    const BuildControl& control = {}) noexcept;

    /// The working memory held now, in bytes: the capacity of all lists and tables, those of the
    /// workers' searchers and answers included. 0 before first use. Neither indexes nor results
    /// count. Not to be called while a batch runs. O(workers * cached endpoints + blocks of
    /// memory).
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A single batch without a Searcher to keep: find_paths<hpa::Planner>(index, requests). Errors
/// and time as Searcher::find_paths. Thread-safe.
template <Planner P>
[[nodiscard]] Result<typename P::Paths> find_paths(const typename P::Index& index,
                                                   std::span<const typename P::Request> requests,
                                                   const typename P::Query& model = {},
                                                   const Options& options = {},
                                                   const BuildControl& control = {}) noexcept {
    typename P::Paths paths;
    Status status = Searcher<P>().find_paths(index, requests, paths, model, options, control);
    if (!status.ok()) return tl::unexpected(std::move(status));
    return paths;
}

}  // namespace cairn::batch
