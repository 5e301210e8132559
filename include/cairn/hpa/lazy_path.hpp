#pragma once
// An abstract path that is refined step by step: the first moves now, the rest when they are needed
// (HPA* paper, sections 1, 3.2 and 3.2.2).
//
// A LazyPath suits a unit that may be blocked or get a new goal: only what it walks is refined. If
// it is blocked, query a new abstract path from its cell.

#include <cstddef>
#include <memory>
#include <optional>

#include "cairn/grid/path.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/hpa/query.hpp"

namespace cairn::hpa {

/// The refinement of one abstract path. Use it from one thread at a time.
class LazyPath {
public:
    LazyPath() noexcept;
    ~LazyPath();
    LazyPath(LazyPath&&) noexcept;
    LazyPath& operator=(LazyPath&&) noexcept;
    LazyPath(const LazyPath&) = delete;
    LazyPath& operator=(const LazyPath&) = delete;

    /// Starts at the beginning of `answer`, the result of a query on `index` with
    /// Detail::abstract_path or more. Keeps the index alive, so edits do not affect the path. The
    /// answer may change afterwards. Returns ok; the answer's status if that is not ok; stale_index
    /// if the answer belongs to another snapshot; unsupported if the answer holds no abstract path.
    /// May be called again to start over, or with another answer. O(abstract path), and connecting
    /// S and G. Also returns out_of_memory; then no path has begun.
    StatusCode begin(const Index& index, const Answer& answer) noexcept;

    /// The next cell: S first, G last, then std::nullopt. When the cells of an abstract edge are
    /// used up, refines the next edge: O(cluster) with or without move tables. An abstract path of
    /// a higher level l also needs one search inside an l-cluster for each of its edges.
    /// std::nullopt also if memory runs out: see status().
    [[nodiscard]] std::optional<grid::Cell> next() noexcept;

    /// ok, or out_of_memory if the last call of next() ran out of memory. The path stays where it
    /// was, and next() may be called again.
    [[nodiscard]] StatusCode status() const noexcept;

    /// Whether some step from the cell returned last on is not legal in `current`, the index of the
    /// same map after edits. True if no path has begun, and if memory runs out. O(1) if `current`
    /// is the path's snapshot, or the last one that it was found legal in; otherwise refines the
    /// rest of the path, O(cells), so that next() no longer has to.
    [[nodiscard]] bool stale(const Index& current) noexcept;

    /// The cost of the moves returned so far.
    [[nodiscard]] Cost walked() const noexcept;
    /// The cost of the whole abstract path, before smoothing. If the query used
    /// ConnectRule::towards_goal, the path walked may cost less.
    [[nodiscard]] Cost cost() const noexcept;
    /// The effort of refining so far.
    [[nodiscard]] grid::SearchStatistics statistics() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::hpa
