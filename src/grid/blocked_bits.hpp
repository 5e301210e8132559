#pragma once
// The obstacles of a map and, for one request, cells that stand in the way.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cairn/grid/moves.hpp"
#include "grid/obstacle_bits.hpp"

namespace cairn::grid {

/// Obstacles by rows and by columns that can be written, with one list of blocked cells at a time.
/// What has been written once stays copied, so later requests on a snapshot allocate nothing.
class BlockedBits {
public:
    /// Blocks `cells` of the map besides its obstacles, except `start`; and frees those of the call
    /// before. Different maps must have different `id`s.
    void block(const ObstacleBits& obstacles, std::uint64_t id, std::span<const Cell> cells,
               Cell start);

    // The functions below need a call of block().
    [[nodiscard]] const BitGrid& rows() const noexcept { return rows_->grid(); }
    [[nodiscard]] const BitGrid& columns() const noexcept { return columns_->grid(); }
    /// Whether a path of the map can be walked in spite of the blocked cells, under the strict
    /// corner rule.
    [[nodiscard]] bool allows(std::span<const Cell> path) const noexcept;

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    void free_all();

    std::uint64_t id_ = 0;
    std::optional<BitGrid::Editor> rows_;
    std::optional<BitGrid::Editor> columns_;
    std::vector<Point> blocked_;  // obstacles only here
};

}  // namespace cairn::grid
