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
    LazyPath();
    ~LazyPath();
    LazyPath(LazyPath&&) noexcept;
    LazyPath& operator=(LazyPath&&) noexcept;
    LazyPath(const LazyPath&) = delete;
    LazyPath& operator=(const LazyPath&) = delete;

    /// Starts at the beginning of `answer`, the result of a query on `index` with
    /// Detail::abstract_path or more. Keeps the index alive, so edits do not affect it. Returns ok;
    /// the answer's status if that is not ok; stale_index if the answer belongs to another
    /// snapshot; unsupported if the answer holds no abstract path. May be called again to start
    /// over. O(abstract path).
    StatusCode begin(const Index& index, const Answer& answer);

    /// The next cell: S first, G last, then std::nullopt. Refines the next abstract edge when the
    /// cells of the last one are used up: O(cluster) with or without move tables. An abstract path
    /// of a higher level l also needs one search inside an l-cluster for each of its edges.
    [[nodiscard]] std::optional<grid::Cell> next();

    /// Whether `current` belongs to another snapshot, so that the next cells may be blocked now.
    [[nodiscard]] bool stale(const Index& current) const noexcept;

    /// The cost of the moves returned so far.
    [[nodiscard]] Cost walked() const noexcept;
    /// The cost of the whole abstract path, before smoothing. After ConnectRule::towards_goal the
    /// path walked may cost less.
    [[nodiscard]] Cost cost() const noexcept;
    /// The effort of refining so far.
    [[nodiscard]] const grid::SearchStatistics& statistics() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::hpa
