#pragma once
// The inside of one 1-cluster as the map gives it: which cells are connected there, and whether a
// move table leads where it should.

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/grid/map.hpp"
#include "hpa/move_table.hpp"

namespace cairn::index_file {

/// Reuse one for many clusters. "Local" cells are numbered row by row inside the cluster.
class ClusterInside {
public:
    static constexpr std::uint16_t kNoPart = 0xffff;

    /// Chooses the cluster; moves_at(point) are the legal moves there. O(cluster).
    template <class MovesAt>
    void set(const grid::Rect& rect, MovesAt&& moves_at) {
        moves_.clear();
        for (int y = rect.y; y < rect.y + rect.height; ++y) {
            for (int x = rect.x; x < rect.x + rect.width; ++x)
                moves_.push_back(moves_at(grid::Point{x, y}));
        }
        set_rect(rect);
    }

    [[nodiscard]] std::uint32_t local(grid::Point p) const noexcept {
        return static_cast<std::uint32_t>((p.y - rect_.y) * rect_.width + (p.x - rect_.x));
    }

    /// The part, a set of cells connected inside the cluster, that a local cell belongs to.
    /// O(part) the first time, else O(1).
    [[nodiscard]] std::uint16_t part(std::uint32_t cell);
    /// The number of cells of a part.
    [[nodiscard]] std::uint32_t part_size(std::uint16_t part) const noexcept {
        return part_sizes_[part];
    }

    /// Whether the table of node `slot`, which is on local cell `node`, leads from every cell of
    /// the node's part to the node, by legal moves inside the cluster, and has no move on other
    /// cells. Needs part(node) called before. O(cluster).
    [[nodiscard]] bool table_leads(const hpa::MoveTables& tables, std::uint32_t slot,
                                   std::uint32_t node);
    /// The same, but cells of the part may be without a move, from which the node costs too much.
    [[nodiscard]] bool table_leads_from_some(const hpa::MoveTables& tables, std::uint32_t slot,
                                             std::uint32_t node);

private:
    void set_rect(const grid::Rect& rect);
    void set_approach(int width, int height);
    void allow(std::uint16_t part);
    [[nodiscard]] bool chain_ends(const hpa::MoveTables& tables, std::uint32_t slot,
                                  std::uint32_t cell);

    grid::Rect rect_;
    std::uint32_t size_ = 0;                               // cells
    std::array<std::uint32_t, grid::kDirections> step_{};  // what a move adds to a local cell
    std::vector<std::uint8_t> moves_;  // by cell: bits of the legal moves that stay inside
    std::vector<std::uint16_t> part_;  // by cell; kNoPart if it is not found yet
    std::vector<std::uint32_t> part_sizes_;
    std::vector<std::uint32_t> queue_;
    // By offset from a node: the directions that reduce the straight-line distance to it.
    int approach_width_ = 0;
    int approach_height_ = 0;
    std::vector<std::uint8_t> approach_;
    std::uint16_t allowed_part_ = kNoPart;
    std::vector<std::uint16_t> allowed_;  // by cell: bit e is set if tables may hold entry e
    // Of the table that is being checked.
    std::vector<std::uint32_t> astray_;  // cells whose move does not come nearer to the node
    std::vector<std::uint32_t> chain_;   // by cell: the chain of moves that reached it; 0 if none
    std::uint32_t last_chain_ = 0;
};

}  // namespace cairn::index_file
