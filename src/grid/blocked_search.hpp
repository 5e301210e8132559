#pragma once
// A* on a map with cells that stand in the way of one request, under any rules and weights.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/grid/corridor.hpp"
#include "cairn/grid/map.hpp"
#include "core/open_heap.hpp"
#include "core/search_run.hpp"
#include "grid/astar_kernel.hpp"
#include "grid/open_buckets.hpp"
#include "grid/search_labels.hpp"

namespace cairn::grid {

/// Cells of a map that are walls, with all that a search needs to see them as such. One list at a
/// time; freeing the last one takes time for its cells only.
class BlockedCells {
public:
    static constexpr bool kRestricted = true;

    /// Blocks `cells` of `map`, except `start`; and frees those of the call before. The map must
    /// live until the next call.
    void block(const Map& map, std::span<const Cell> cells, Cell start);
    /// Confines searches to `corridor`, which must live until the last use; null: to the whole map.
    void confine(const Corridor* corridor) noexcept { corridor_ = corridor; }

    /// The first step of a path of the map, from step `from` on, that the blocked cells forbid:
    /// step i leads from path[i] to path[i + 1], the last one nowhere. A blocked cell forbids its
    /// step. path.size() if all can be walked.
    [[nodiscard]] std::size_t first_forbidden(std::span<const Cell> path,
                                              std::size_t from = 0) const noexcept;

    // As the region of a search (astar_kernel.hpp).
    /// The moves from `p` that the blocked cells forbid, or that leave the corridor.
    [[nodiscard]] unsigned exits(Point p) const noexcept {
        const unsigned outside = corridor_ == nullptr ? 0 : corridor_->exits(p);
        return is_near(map_->cell(p)) ? outside | forbidden(p) : outside;
    }
    void leave(Cost /*f*/) noexcept {}

    [[nodiscard]] std::size_t memory() const noexcept;

private:
    static void set(std::vector<std::uint64_t>& bits, Cell cell, bool value) noexcept;
    [[nodiscard]] static bool test(const std::vector<std::uint64_t>& bits, Cell cell) noexcept {
        return (bits[cell / 64] >> cell % 64 & 1) != 0;
    }
    [[nodiscard]] bool is_near(Cell cell) const noexcept { return test(near_, cell); }
    [[nodiscard]] unsigned forbidden(Point p) const noexcept;
    void mark(bool value) noexcept;

    const Map* map_ = nullptr;
    Point size_;  // of the map
    const Corridor* corridor_ = nullptr;
    std::vector<Cell> cells_;             // those blocked now
    std::vector<std::uint64_t> blocked_;  // by cell
    std::vector<std::uint64_t> near_;     // by cell: blocked itself, or next to a blocked cell
};

/// A* between two free cells around blocked ones: the Search of a SearchRun.
class BlockedSearch {
public:
    BlockedCells blocked;  ///< to be set before begin()

    void begin(const Map& map, Point start, Point goal, Cost max_cost);
    [[nodiscard]] Outcome expand(std::uint64_t budget);

    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return tally_.statistics; }
    /// Whether cells were left out for their cost.
    [[nodiscard]] bool pruned() const noexcept { return tally_.pruned; }
    [[nodiscard]] Cost cost() const noexcept { return labels_.g(tally_.reached); }
    /// Replaces `cells` by the path found.
    void take_path(std::vector<Cell>& cells) const {
        trace_back(frame_.map(), labels_, tally_.reached, cells);
    }
    /// After Outcome::running: no path costs less; and replaces `cells` by the path to the open
    /// cell nearest the goal.
    [[nodiscard]] Cost lower_bound() const noexcept {
        return use_buckets_ ? buckets_.least_f() : heap_.least_f();
    }
    void take_partial_path(std::vector<Cell>& cells) const;
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    SearchFrame frame_;
    SearchLabels labels_;
    SingleGoal goal_;
    OpenHeap heap_;
    OpenBuckets buckets_;
    bool use_buckets_ = false;
    SearchTally tally_;
};

}  // namespace cairn::grid
