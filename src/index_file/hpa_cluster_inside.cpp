#include "index_file/hpa_cluster_inside.hpp"

#include <algorithm>
#include <bit>

namespace cairn::index_file {
namespace {

constexpr std::uint8_t bit(int direction) { return static_cast<std::uint8_t>(1U << direction); }

// The directions that leave a rectangle from the cells along one of its sides.
constexpr std::uint8_t kNorthward =
    bit(grid::kNorthWest) | bit(grid::kNorth) | bit(grid::kNorthEast);
constexpr std::uint8_t kEastward = bit(grid::kNorthEast) | bit(grid::kEast) | bit(grid::kSouthEast);
constexpr std::uint8_t kSouthward =
    bit(grid::kSouthEast) | bit(grid::kSouth) | bit(grid::kSouthWest);
constexpr std::uint8_t kWestward = bit(grid::kSouthWest) | bit(grid::kWest) | bit(grid::kNorthWest);

}  // namespace

// Removes the moves that leave the cluster.
void ClusterInside::set_rect(const grid::Rect& rect) {
    rect_ = rect;
    size_ = static_cast<std::uint32_t>(rect.width * rect.height);
    for (std::size_t d = 0; d < step_.size(); ++d)
        step_[d] = static_cast<std::uint32_t>(grid::kDy[d] * rect.width + grid::kDx[d]);
    const auto width = static_cast<std::size_t>(rect.width);
    for (std::size_t x = 0; x < width; ++x) {
        moves_[x] &= static_cast<std::uint8_t>(~kNorthward);
        moves_[size_ - 1 - x] &= static_cast<std::uint8_t>(~kSouthward);
    }
    for (std::size_t row = 0; row < size_; row += width) {
        moves_[row] &= static_cast<std::uint8_t>(~kWestward);
        moves_[row + width - 1] &= static_cast<std::uint8_t>(~kEastward);
    }
    part_.assign(size_, kNoPart);
    part_sizes_.clear();
    allowed_part_ = kNoPart;
}

std::uint16_t ClusterInside::part(std::uint32_t cell) {
    if (part_[cell] != kNoPart) return part_[cell];
    const auto part = static_cast<std::uint16_t>(part_sizes_.size());
    part_[cell] = part;
    queue_.assign(1, cell);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        for (unsigned m = moves_[queue_[i]]; m != 0; m &= m - 1) {
            const std::uint32_t next =
                queue_[i] + step_[static_cast<std::size_t>(std::countr_zero(m))];
            if (part_[next] != kNoPart) continue;
            part_[next] = part;
            queue_.push_back(next);
        }
    }
    part_sizes_.push_back(static_cast<std::uint32_t>(queue_.size()));
    return part;
}

void ClusterInside::set_approach(int width, int height) {
    if (approach_width_ == width && approach_height_ == height) return;
    approach_width_ = width;
    approach_height_ = height;
    approach_.clear();
    const auto squared = [](int x, int y) { return x * x + y * y; };
    for (int y = 1 - height; y < height; ++y) {
        for (int x = 1 - width; x < width; ++x) {
            unsigned nearer = 0;
            for (std::size_t d = 0; d < grid::kDirections; ++d) {
                if (squared(x + grid::kDx[d], y + grid::kDy[d]) < squared(x, y)) nearer |= 1U << d;
            }
            approach_.push_back(static_cast<std::uint8_t>(nearer));
        }
    }
}

// Sets the entries that the tables of a part's nodes may hold, by cell.
void ClusterInside::allow(std::uint16_t part) {
    if (allowed_part_ == part) return;
    allowed_part_ = part;
    allowed_.resize(size_);
    for (std::uint32_t cell = 0; cell < size_; ++cell) {
        allowed_[cell] = part_[cell] == part
                             ? moves_[cell]
                             : static_cast<std::uint16_t>(1U << hpa::MoveTables::kNoMove);
    }
}

// A cycle of moves cannot come nearer to the node at each step. So it is enough to follow the moves
// from the cells where they do not come nearer.
bool ClusterInside::table_leads(const hpa::MoveTables& tables, std::uint32_t slot,
                                std::uint32_t node) {
    if (tables.entry(slot, node) != hpa::MoveTables::kAtNode) return false;
    allow(part_[node]);
    set_approach(rect_.width, rect_.height);
    const auto width = static_cast<std::uint32_t>(rect_.width);
    const std::uint32_t stride = 2 * width - 1;
    // At the offset of the cluster's first cell from the node.
    const std::uint8_t* approach =
        approach_.data() + (static_cast<std::uint32_t>(rect_.height) - 1 - node / width) * stride +
        (width - 1 - node % width);
    astray_.resize(size_);
    std::size_t astray = 0;
    std::uint32_t illegal = 0;
    std::uint32_t cell = 0;
    for (int y = 0; y < rect_.height; ++y, approach += stride) {
        for (std::uint32_t x = 0; x < width; ++x, ++cell) {
            const std::uint32_t entry = tables.entry(slot, cell);
            illegal += ~(std::uint32_t{allowed_[cell]} >> entry) & 1;
            astray_[astray] = cell;
            // kNoMove and kAtNode count as nearer.
            astray += ~((approach[x] | 0xff00U) >> entry) & 1;
        }
    }
    if (illegal != 1) return false;  // kAtNode at the node itself counts as illegal
    if (astray == 0) return true;
    chain_.assign(size_, 0);
    last_chain_ = 0;
    return std::all_of(astray_.begin(), astray_.begin() + static_cast<std::ptrdiff_t>(astray),
                       [&](std::uint32_t c) { return chain_ends(tables, slot, c); });
}

bool ClusterInside::table_leads_from_some(const hpa::MoveTables& tables, std::uint32_t slot,
                                          std::uint32_t node) {
    if (tables.entry(slot, node) != hpa::MoveTables::kAtNode) return false;
    allow(part_[node]);
    astray_.clear();  // here all cells with a move
    for (std::uint32_t cell = 0; cell < size_; ++cell) {
        const std::uint32_t entry = tables.entry(slot, cell);
        if (cell == node || entry == hpa::MoveTables::kNoMove) continue;
        if ((allowed_[cell] >> entry & 1) == 0) return false;
        astray_.push_back(cell);
    }
    chain_.assign(size_, 0);
    last_chain_ = 0;
    return std::all_of(astray_.begin(), astray_.end(),
                       [&](std::uint32_t c) { return chain_ends(tables, slot, c); });
}

// Whether the moves from a cell lead to the node, or to a cell from which they are known to.
bool ClusterInside::chain_ends(const hpa::MoveTables& tables, std::uint32_t slot,
                               std::uint32_t cell) {
    const std::uint32_t chain = ++last_chain_;
    while (chain_[cell] == 0) {
        chain_[cell] = chain;
        const std::uint32_t entry = tables.entry(slot, cell);
        if (entry == hpa::MoveTables::kAtNode) return true;
        if (entry == hpa::MoveTables::kNoMove) return false;
        cell += step_[entry];
    }
    return chain_[cell] != chain;
}

}  // namespace cairn::index_file
