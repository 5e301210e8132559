#pragma once
// The simple subgoal graph: the edges of each subgoal.
//
// It is stored in tiles of 16 x 16 cells, each a record of 32-bit words. An edit replaces the
// records of the tiles that it changes and shares the others. Edges name subgoals by their cells,
// because an edit anywhere may change their numbers. The record of a tile with n subgoals:
//
//     n | local cell + 256 * begin (n) | edges
//
// The subgoals are sorted by local cell (16 y + x inside the tile). `begin` is the index in the
// record of a subgoal's first edge; an edge is the cell that it leads to, ascending.

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

    /// Builds the graph. O(subgoals * cells in sight). Direct edges are found in parallel.
    /// Errors: cancelled; too_large (2^24 words or more in a record; only with Edges::h_reachable).
    [[nodiscard]] static Result<SubgoalGraph> build(const SubgoalBits& bits, Edges edges,
                                                    const BuildControl& control);

    /// The graph of an edited map: `after` are the bits with `edits` applied, `affected` the
    /// affected_subgoals. For direct edges only. O(subgoals in sight of the edits).
    [[nodiscard]] SubgoalGraph edited(const SubgoalBits& after,
                                      std::span<const grid::TerrainEdit> edits,
                                      std::span<const std::uint32_t> affected) const;

    /// The cells of the subgoals joined to the one at (x, y), in ascending order.
    [[nodiscard]] std::span<const std::uint32_t> neighbours(int x, int y) const noexcept {
        const RecordStore::Record record = records_[tile(x, y)];
        const std::uint32_t n = record.empty() ? 0 : record[0];
        const std::uint32_t key = local(x, y);
        for (std::uint32_t i = 1; i <= n; ++i) {
            if ((record[i] & 0xff) == key) return edges_of(record, i);
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
    /// tile * kTileCells + local cell: sorts subgoals by record, then by their order in it.
    [[nodiscard]] static std::uint32_t key(int width, int x, int y) noexcept {
        const int tile = (y >> kTileShift) * tiles(width) + (x >> kTileShift);
        return static_cast<std::uint32_t>(tile) * kTileCells + local(x, y);
    }
    /// The subgoal of a key.
    [[nodiscard]] grid::Point point_of_key(std::uint32_t key) const noexcept {
        const grid::Point corner = tile_corner(key / kTileCells);
        const auto local = static_cast<int>(key % kTileCells);
        return {corner.x + local % kTileSide, corner.y + local / kTileSide};
    }
    /// Whether the counts and indexes of a record are valid. Its edges are not checked.
    [[nodiscard]] static bool well_formed(RecordStore::Record record) noexcept;

    friend bool operator==(const SubgoalGraph&, const SubgoalGraph&) noexcept = default;

private:
    static constexpr std::size_t kMaxRecordWords = std::size_t{1} << 24;

    /// The edges of the i-th subgoal of a record, counted from 1.
    [[nodiscard]] static RecordStore::Record edges_of(RecordStore::Record record,
                                                      std::uint32_t i) noexcept {
        const std::size_t begin = record[i] >> 8;
        const std::size_t end = i < record[0] ? record[i + 1] >> 8 : record.size();
        return record.subspan(begin, end - begin);
    }

    /// The graph with edges to all h-reachable subgoals, given that with direct edges.
    [[nodiscard]] Result<SubgoalGraph> with_h_reachable_edges(const SubgoalBits& bits,
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

/// Finds all h-reachable subgoals of a subgoal: those to which a chain of direct edges leads whose
/// lengths add up to the octile distance (figure 15.3).
class HReachableEdges {
public:
    /// `direct` has the direct edges of `bits`; both must outlive this.
    HReachableEdges(const SubgoalBits& bits, const SubgoalGraph& direct)
        : bits_(bits), direct_(direct), seen_(bits.count(), 0) {}

    /// Replaces `out` by the cells of the other subgoals h-reachable from that at (x, y),
    /// ascending.
    void find(int x, int y, std::vector<std::uint32_t>& out);

private:
    const SubgoalBits& bits_;
    const SubgoalGraph& direct_;
    std::vector<std::uint32_t> seen_;  // per subgoal: the last search that found it
    std::uint32_t search_ = 0;         // the number of the present search
};

}  // namespace cairn::subgoal
