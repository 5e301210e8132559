#pragma once
// The connect step: the direct-h-reachable subgoals of a start or a goal (section 15.3.2), and the
// table that holds the useful ones of all cells.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/status.hpp"
#include "core/memory.hpp"
#include "subgoal/connector_view.hpp"
#include "subgoal/line_test.hpp"
#include "subgoal/octants.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

struct Snapshot;

/// The connectors of every cell: its useful direct-h-reachable subgoals. With this table a query
/// connects a cell without scanning its surroundings.
///
/// Neighbouring cells have most of their connectors in common. So the map is cut into tiles of
/// 8 x 8 cells. A tile has a line for each subgoal that is a connector of any of its cells: the
/// subgoal's number, and a bit for each cell.
class ConnectorTable {
public:
    static constexpr std::uint32_t kTileSide = ConnectorView::kTileSide;
    /// The most bytes that a table may take for a cell of the map.
    static constexpr std::size_t kMaxBytesPerCell = 64;

    /// No table.
    ConnectorTable() = default;
    /// Builds the table. `useful`: see useful_octants. The result does not depend on the number of
    /// threads. O(map / 64 + connectors of all cells), most of them eight at a step. Errors:
    /// cancelled; too_large (kMaxBytesPerCell).
    [[nodiscard]] static Result<ConnectorTable> build(const SubgoalBits& bits,
                                                      const DiagonalBits& diagonals,
                                                      const std::vector<Octants>& useful,
                                                      const BuildControl& control);

    [[nodiscard]] bool empty() const noexcept { return first_.empty(); }

    /// Calls emit(number) for each connector of the free cell (x, y), in ascending order.
    template <class Emit>
    void for_each(int x, int y, Emit&& emit) const {
        const auto [begin, end, bit] = view().lines(x, y);
        // The bits of a cell cannot be predicted, so no branch depends on one.
        std::array<std::uint32_t, 64> found;
        for (std::uint32_t i = begin; i < end;) {
            const std::uint32_t stop = std::min(end, i + static_cast<std::uint32_t>(found.size()));
            std::size_t count = 0;
            for (; i < stop; ++i) {
                found[count] = nodes_[i];
                count += cells_[i] >> bit & 1;
            }
            for (std::size_t k = 0; k < count; ++k) emit(found[k]);
        }
    }

    [[nodiscard]] ConnectorView view() const noexcept {
        return {static_cast<std::uint32_t>(tiles_across_), first_, cells_, nodes_};
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return first_.size() * sizeof(std::uint32_t) +
               nodes_.size() * (sizeof(std::uint32_t) + sizeof(std::uint64_t));
    }

    friend bool operator==(const ConnectorTable&, const ConnectorTable&) = default;

private:
    class Builder;

    std::size_t tiles_across_ = 0;
    std::vector<std::uint32_t> first_;  // see ConnectorView
    std::vector<std::uint64_t> cells_;
    std::vector<std::uint32_t> nodes_;
};

/// The subgoals to which an endpoint is connected.
enum class Connections : std::uint8_t {
    none,  ///< not connected yet
    all,   ///< all direct-h-reachable ones
    taut,  ///< the useful ones: those where a taut path can go on
};

/// The start or goal of a query, and its connectors. It may itself be a subgoal.
struct Endpoint {
    std::uint64_t snapshot_id = 0;
    grid::Cell cell = grid::kNoCell;
    Connections kind = Connections::none;
    std::vector<Connector> connectors;
    std::vector<grid::Point> places;  ///< per connector: the subgoal's cell

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(connectors, places); }
};

/// Connects the free cell `cell`, unless `end` already holds its connectors of this kind in this
/// snapshot. Kind `taut` needs a snapshot with engines, and uses its connector table. Kind `all`,
/// and `taut` if there is no table, scan the cell's surroundings.
void connect(const Snapshot& snapshot, grid::Cell cell, Connections kind, Endpoint& end);

}  // namespace cairn::subgoal
