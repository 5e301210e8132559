#pragma once
// The simple subgoal graph: which subgoals each subgoal is joined to.
//
// Kept in tiles of 16 x 16 cells, one record of words each, under copy-on-write, so that an edit
// replaces the records of the tiles that it changes and shares the others. Other tiles' subgoals
// are named by cell, never by a number that an edit elsewhere could move:
//
//     n | local cell + 256 * begin (n) | edges
//
// sorted by local cell, row by row; edges hold cells in ascending order; `begin` counts from the
// record's first word. A subgoal has about ten edges: a word a subgoal and a word an edge.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/status.hpp"
#include "cairn/subgoal/options.hpp"
#include "overlay/record_store.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

class SubgoalGraph {
public:
    static constexpr int kTileShift = 4;
    static constexpr int kTileSide = 1 << kTileShift;
    static constexpr std::uint32_t kTileCells = kTileSide * kTileSide;

    SubgoalGraph() = default;
    SubgoalGraph(int width, RecordStore records)
        : width_(width), tiles_wide_(tiles(width)), records_(std::move(records)) {}

    /// On all cores; O(subgoals * their surroundings). Errors: cancelled;
    /// too_large (more than 2^24 edges from one tile, which only h-reachable ones can be).
    [[nodiscard]] static Result<SubgoalGraph> build(const SubgoalBits& bits, Edges edges,
                                                    const BuildControl& control);

    /// The graph of `after`, which are the bits of `before` with `edits` applied. Direct edges
    /// only. O(subgoals in sight of the edits).
    [[nodiscard]] SubgoalGraph edited(const SubgoalBits& before, const SubgoalBits& after,
                                      std::span<const grid::TerrainEdit> edits) const;

    /// The cells of the subgoals joined to the one at (x, y), in ascending order.
    [[nodiscard]] std::span<const std::uint32_t> neighbours(int x, int y) const noexcept {
        const RecordStore::Record record = records_[tile(x, y)];
        const std::uint32_t n = record.empty() ? 0 : record[0];
        const std::uint32_t key = local(x, y);
        for (std::uint32_t i = 1; i <= n; ++i) {
            if ((record[i] & 0xff) != key) continue;
            const std::size_t begin = record[i] >> 8;
            const std::size_t end = i < n ? record[i + 1] >> 8 : record.size();
            return record.subspan(begin, end - begin);
        }
        return {};
    }

    [[nodiscard]] std::size_t tile_count() const noexcept { return records_.size(); }
    [[nodiscard]] const RecordStore& records() const noexcept { return records_; }
    /// Directed edges. O(tiles).
    [[nodiscard]] std::size_t arc_count() const noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept { return records_.bytes(); }

    /// The north-western cell of a tile.
    [[nodiscard]] grid::Point tile_corner(std::size_t tile) const noexcept {
        const auto wide = static_cast<std::size_t>(tiles_wide_);
        return {static_cast<int>(tile % wide) << kTileShift, static_cast<int>(tile / wide)
                                                                 << kTileShift};
    }
    /// How many tiles a map of these sides has.
    [[nodiscard]] static std::size_t tile_count(int width, int height) noexcept {
        return static_cast<std::size_t>(tiles(width)) * static_cast<std::size_t>(tiles(height));
    }
    /// Tile * kTileCells + local cell: the order of records and of subgoals in them.
    [[nodiscard]] static std::uint32_t key(int width, int x, int y) noexcept {
        const int tile = (y >> kTileShift) * tiles(width) + (x >> kTileShift);
        return static_cast<std::uint32_t>(tile) * kTileCells + local(x, y);
    }
    /// Whether `record` has the shape described above.
    [[nodiscard]] static bool well_formed(RecordStore::Record record) noexcept;

    friend bool operator==(const SubgoalGraph&, const SubgoalGraph&) noexcept = default;

private:
    static constexpr std::size_t kMaxRecordWords = std::size_t{1} << 24;

    [[nodiscard]] Result<SubgoalGraph> widened(const SubgoalBits& bits,
                                               const BuildControl& control) const;
    [[nodiscard]] static int tiles(int side) noexcept {
        return (side + kTileSide - 1) >> kTileShift;
    }
    [[nodiscard]] std::size_t tile(int x, int y) const noexcept {
        return static_cast<std::size_t>(y >> kTileShift) * static_cast<std::size_t>(tiles_wide_) +
               static_cast<std::size_t>(x >> kTileShift);
    }
    [[nodiscard]] static std::uint32_t local(int x, int y) noexcept {
        return static_cast<std::uint32_t>((y & (kTileSide - 1)) << kTileShift |
                                          (x & (kTileSide - 1)));
    }

    int width_ = 0;
    int tiles_wide_ = 0;
    RecordStore records_;
};

/// All h-reachable subgoals of a subgoal: those that a chain of direct edges leads to whose lengths
/// add up to the octile distance (Figure 15.3).
class HReachableEdges {
public:
    /// `direct` has the direct edges of `bits`; both must outlive this.
    HReachableEdges(const SubgoalBits& bits, const SubgoalGraph& direct)
        : bits_(bits), direct_(direct), seen_(bits.count(), 0) {}

    /// The cells of the subgoals h-reachable from the one at (x, y), but for itself, ascending.
    void find(int x, int y, std::vector<std::uint32_t>& out);

private:
    const SubgoalBits& bits_;
    const SubgoalGraph& direct_;
    std::vector<std::uint32_t> seen_;  // per subgoal: the last search that met it
    std::uint32_t search_ = 0;
};

}  // namespace cairn::subgoal
