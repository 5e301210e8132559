#pragma once
// Many agents at once: a span of requests in, flat arrays of paths out, on all cores.
//
// The HNA* paper (Rahmani, Pelechano, section 6) plans for many agents with one block of a GPU
// each. Here every worker thread has one searcher. Requests are answered in the order of the parts
// of the map that they start in, and within a part goal by goal: agents that head for one place
// share how it is connected and, by HNA* with labels, what their routes have in common; equal
// requests share the answer. Where there are far fewer starts than goals, the order is start by
// start.
//
// Each request asks what `model` asks, between its own endpoints. So Query::detail says how much
// each answer holds; lists of what it leaves out stay empty. Query::limits holds for each request
// by itself, and its cancel flag stops the request that it meets.
//
// The result is that of as many single queries, bit for bit, in the order of the requests, for any
// number of threads and any order of the requests. A request that cannot be answered has its own
// status and spoils no other. When `control.cancel` is set, what has been answered is returned and
// all else has StatusCode::cancelled. When Options::max_spent or max_time is used up, all else has
// StatusCode::budget_exhausted.
//
// With grid::AstarPlanner or mesh::AstarPlanner each request is searched without an index: the
// yardstick of the others.

#include <chrono>
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

/// Which cells of a path are wanted. Of no meaning on meshes.
enum class Cells : std::uint8_t {
    all,      ///< every one
    turning,  ///< the start, those where the direction changes, the goal
};

struct Options {
    Cells cells = Cells::all;
    /// Memory that the batch may take while it runs, the result included: 56 bytes a request (88 on
    /// meshes) and each list twice, as it is found and in its place in the result; lists that equal
    /// requests share count once. On top of that come a searcher and half a megabyte for each kind
    /// of list a thread, or as much again as it has found, up to 8 megabytes.
    std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();
    /// What all requests together may spend: each spends 1, and 1 more for each node that its main
    /// search expands (labels expand none). It is spent in the order in which requests are
    /// answered, which depends on the requests alone. A request that is begun while something is
    /// left is answered whole; all after it have StatusCode::budget_exhausted. Bounds set here cost
    /// up to 4,096 lists of memory more.
    std::uint64_t max_spent = std::numeric_limits<std::uint64_t>::max();
    /// Requests that are not begun within this time have StatusCode::budget_exhausted. Which those
    /// are depends on the machine, unlike anything else here. 0: none is begun.
    std::chrono::nanoseconds max_time = std::chrono::nanoseconds::max();
};

/// Answers batch after batch, as a game does frame after frame. Keeps the working memory: a
/// searcher for each thread that takes part, and room for what the largest batch has found. Each
/// searcher keeps the last index that it was used with alive. Keep one per calling thread, for any
/// number of indexes. What is moved from can be assigned to or destroyed, nothing else.
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

    /// Answers `requests` into `paths`, whose memory is used again: a batch no larger than one
    /// before, of the same index, takes none. What is kept from earlier batches does not count
    /// towards Options::max_bytes. When it does not return ok, what `paths` holds has no meaning.
    ///
    /// Errors: bad_option (a bad number of threads); too_large (over Options::max_bytes, or more
    /// than 2^32 - 1 requests: ask for fewer at a time, or for less of each); out_of_memory. Time:
    /// that of the queries, divided by the threads, and O(n log n) to sort n requests. Indexes are
    /// only read.
    [[nodiscard]] Status find_paths(const Index& index, std::span<const Request> requests,
                                    Paths& paths, const Query& model = {},
                                    const Options& options = {},
                                    const BuildControl& control = {}) noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One batch, by a searcher of its own: find_paths<hpa::Planner>(index, requests).
template <Planner P>
[[nodiscard]] Result<typename P::Paths> find_paths(const typename P::Index& index,
                                                   std::span<const typename P::Request> requests,
                                                   const typename P::Query& model = {},
                                                   const Options& options = {},
                                                   const BuildControl& control = {}) {
    typename P::Paths paths;
    Status status = Searcher<P>().find_paths(index, requests, paths, model, options, control);
    if (!status.ok()) return tl::unexpected(std::move(status));
    return paths;
}

}  // namespace cairn::batch
