#pragma once
// An abstract path refined a piece at a time: the first moves now, the rest as they are needed
// (HPA* paper, sections 1, 3.2 and 3.2.2).
//
// A unit that may be blocked or change its mind walks a LazyPath: nothing is refined that is not
// walked. When it is blocked, ask for a new abstract path from where it stands.

#include <cstddef>
#include <memory>
#include <optional>

#include "cairn/grid/path.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/hpa/query.hpp"

namespace cairn::hpa {

/// Belongs to one thread at a time.
class LazyPath {
public:
    LazyPath();
    ~LazyPath();
    LazyPath(LazyPath&&) noexcept;
    LazyPath& operator=(LazyPath&&) noexcept;
    LazyPath(const LazyPath&) = delete;
    LazyPath& operator=(const LazyPath&) = delete;

    /// Starts at the beginning of `answer`, which `index` gave with Detail::abstract_path or more.
    /// Keeps the index alive, so an edit does not disturb it. Returns ok; the answer's own status
    /// if that is not ok; stale_index if the answer is another snapshot's; unsupported if the
    /// answer holds no abstract path. May be called again to start anew.
    StatusCode begin(const Index& index, const Answer& answer);

    /// The next cell, S first, G last; nothing after that. Refines one abstract edge when the cells
    /// of the last are used up: O(cluster) with or without move tables, and on level l one search
    /// inside an l-cluster now and then.
    [[nodiscard]] std::optional<grid::Cell> next();

    /// Whether the map has changed since, so that the cells to come may have been blocked.
    [[nodiscard]] bool stale(const Index& current) const noexcept;

    /// Cost of the moves handed out so far, and of the whole path as the answer has it, smoothing
    /// left aside. After ConnectRule::towards_goal the way walked may cost less.
    [[nodiscard]] Cost walked() const noexcept;
    [[nodiscard]] Cost cost() const noexcept;
    [[nodiscard]] const grid::SearchStatistics& statistics() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::hpa
