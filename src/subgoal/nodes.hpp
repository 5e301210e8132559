#pragma once
// The nodes of the engines: the subgoals under numbers that edits keep.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/graph.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/paged_array.hpp"
#include "subgoal/octants.hpp"
#include "subgoal/record_bands.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

/// Fresh nodes are numbered in the order of their cells, as SubgoalBits::number does. An edit keeps
/// the numbers of the subgoals that stay, gives the next numbers to new ones, in the order of their
/// cells, and never uses those of removed ones again.
///
/// Immutable. Edited copies share memory.
class Nodes {
public:
    Nodes() = default;
    /// The subgoals of `bits`. `useful` has their octants, in the order of the cells.
    /// O(map / 64 + subgoals).
    Nodes(const SubgoalBits& bits, std::span<const Octants> useful);

    /// The nodes after `edits`; `bits` are those of the edited map. New nodes have the octants
    /// `useful_of_new`, removed ones none. O(cells edited), and a pointer for every 4,096
    /// nodes and every 65,536 cells.
    [[nodiscard]] Nodes edited(const SubgoalBits& bits, std::span<const grid::TerrainEdit> edits,
                               Octants useful_of_new) const;
    /// The present nodes, numbered afresh. O(map / 64 + nodes).
    [[nodiscard]] Nodes compacted(const SubgoalBits& bits) const;

    /// How many numbers are used up, those of removed nodes included.
    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(points_.size());
    }
    /// Whether so many numbers are used up that those of present nodes should be given afresh.
    [[nodiscard]] bool worn_out() const noexcept {
        constexpr std::uint32_t kSpare = 4096;
        return size() - present_ > present_ + kSpare;
    }
    /// Whether the numbers are those of fresh nodes.
    [[nodiscard]] bool fresh() const noexcept { return fresh_; }

    /// The cell of a node; (-1, -1) if it was removed.
    [[nodiscard]] const grid::Point& point(std::uint32_t node) const noexcept {
        return fresh_points_ != nullptr ? fresh_points_[node] : points_[node];
    }
    /// Loads a node's point into the cache.
    void prefetch(std::uint32_t node) const noexcept { __builtin_prefetch(&point(node)); }
    /// The number of that cell; kNoCell if the node was removed.
    [[nodiscard]] grid::Cell cell(std::uint32_t node) const noexcept {
        const grid::Point p = point(node);
        return p.x < 0 ? grid::kNoCell : grid::cell_of(width_, p);
    }
    [[nodiscard]] bool removed(std::uint32_t node) const noexcept { return point(node).x < 0; }
    /// The cells of all nodes, by number.
    [[nodiscard]] std::vector<grid::Cell> cells() const;
    /// The points of all nodes, by number.
    [[nodiscard]] std::vector<grid::Point> points() const;

    /// The same for a separator order.
    [[nodiscard]] std::vector<NodePoint> node_points() const;

    /// The octants that are useful at a node (useful_octants), or kAllOctants without pruning.
    [[nodiscard]] Octants useful(std::uint32_t node) const noexcept { return useful_[node]; }
    [[nodiscard]] const PagedArray<Octants>& useful() const noexcept { return useful_; }
    /// `useful` has size() elements.
    void set_useful(PagedArray<Octants> useful) noexcept { useful_ = std::move(useful); }

    /// The node at the subgoal (x, y).
    [[nodiscard]] std::uint32_t number(int x, int y) const noexcept {
        const RecordStore::Record record = records_[tile(x, y)];
        const std::uint64_t before = subgoals_of(record) & ((std::uint64_t{1} << bit(x, y)) - 1);
        return record[kHeader + count_bits(before)];
    }

    [[nodiscard]] std::size_t bytes() const noexcept {
        return records_.bytes() + points_.size() * (sizeof(grid::Point) + sizeof(Octants));
    }

private:
    // The map is cut into tiles of 8 x 8 cells. The record of a tile without nodes is empty. Others
    // have 64 bits, in two words, that tell which cells are nodes, and then the nodes' numbers.
    static constexpr unsigned kSide = 8;
    static constexpr std::size_t kHeader = 2;

    [[nodiscard]] static unsigned bit(int x, int y) noexcept {
        return static_cast<unsigned>(y) % kSide * kSide + static_cast<unsigned>(x) % kSide;
    }
    [[nodiscard]] std::size_t tile(int x, int y) const noexcept {
        return static_cast<unsigned>(y) / kSide * std::size_t{tiles_across_} +
               static_cast<unsigned>(x) / kSide;
    }
    [[nodiscard]] static std::uint64_t subgoals_of(RecordStore::Record record) noexcept {
        return record[0] | std::uint64_t{record[1]} << 32;
    }
    [[nodiscard]] bool has(int x, int y) const noexcept {
        const RecordStore::Record record = records_[tile(x, y)];
        return !record.empty() && (subgoals_of(record) >> bit(x, y) & 1) != 0;
    }
    /// A tile's record after nodes at `points`, all in this tile, came or went.
    struct Change {
        std::uint32_t tile = 0;
        grid::Point point;
        std::uint32_t number = 0;  // of a new node
    };
    [[nodiscard]] std::vector<std::uint32_t> changed(RecordStore::Record record,
                                                     std::span<const Change> changes) const;

    int width_ = 0;
    std::uint32_t tiles_across_ = 0;
    bool fresh_ = true;
    std::uint32_t present_ = 0;  // nodes that were not removed
    PagedArray<grid::Point> points_;
    const grid::Point* fresh_points_ = nullptr;  // points_ in one piece; null after an edit
    PagedArray<Octants> useful_;
    RecordBands records_;
};

}  // namespace cairn::subgoal
