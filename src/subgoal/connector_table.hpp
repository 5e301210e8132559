#pragma once
// The connectors of all cells.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/status.hpp"
#include "subgoal/connector_view.hpp"
#include "subgoal/line_test.hpp"
#include "subgoal/nodes.hpp"
#include "subgoal/record_bands.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

struct Snapshot;

/// The connectors of every cell: its useful direct-h-reachable subgoals. With this table a query
/// connects a cell without scanning its surroundings.
///
/// Neighbouring cells have most of their connectors in common. So the map is cut into tiles of
/// 8 x 8 cells. A tile has a line for each subgoal that is a connector of any of its cells: the
/// subgoal's node, and a bit for each cell. The lines are in the order of the subgoals' cells, so
/// that the numbers of nodes decide no tie.
///
/// A table that was built holds its lines in plain arrays. Edited tables share these arrays, and
/// hold the lines of the tiles that have changed since in records. Immutable.
class ConnectorTable {
public:
    static constexpr std::uint32_t kTileSide = ConnectorView::kTileSide;
    /// The most bytes that a table may take for a cell of the map.
    static constexpr std::size_t kMaxBytesPerCell = 64;

    /// No table.
    ConnectorTable() = default;
    /// Builds the table for fresh nodes. The result does not depend on the number of threads.
    /// O(map / 64 + connectors of all cells), most of them eight at a step. Errors: cancelled;
    /// too_large (kMaxBytesPerCell).
    [[nodiscard]] static Result<ConnectorTable> build(const SubgoalBits& bits,
                                                      const DiagonalBits& diagonals,
                                                      const Nodes& nodes,
                                                      const BuildControl& control);

    /// The table of `after`, which is an edit of this table's snapshot `before`. `changed` has the
    /// nodes, removed and new ones included, that may be connectors of other cells than before. No
    /// table if this is none, or if it would be too large. O(connected cells of these nodes / 8 +
    /// lines of the tiles in which they change + map / 64).
    [[nodiscard]] ConnectorTable edited(const Snapshot& before, const Snapshot& after,
                                        std::span<const std::uint32_t> changed) const;
    /// The table with other numbers, those of `nodes` compacted; `bits` have the same subgoals.
    [[nodiscard]] ConnectorTable compacted(const Nodes& nodes, const SubgoalBits& bits) const;

    [[nodiscard]] bool empty() const noexcept { return built_ == nullptr; }

    /// Calls emit(node) for each connector of the free cell (x, y), in the order of their cells.
    template <class Emit>
    void for_each(int x, int y, Emit&& emit) const {
        if (!replaced_.none()) [[unlikely]] {
            const RecordStore::Record record = replaced_[view_.tile(x, y)];
            if (!record.empty()) {
                const std::uint32_t bit = ConnectorView::bit(x, y);
                const std::uint32_t lines = record[0];
                const std::uint32_t* const nodes = record.data() + 1;
                const std::uint32_t* const cells = nodes + std::size_t{lines} * (1 + bit / 32);
                emit_found(0, lines, nodes, cells, bit % 32, emit);
                return;
            }
        }
        const auto [begin, end, bit] = view_.lines(x, y);
        emit_found(begin, end, view_.nodes.data(), view_.cells.data(), bit, emit);
    }

    /// The arrays of a table that was built, not edited.
    [[nodiscard]] const ConnectorView& view() const noexcept { return view_; }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return view_.first.size_bytes() + view_.cells.size_bytes() + view_.nodes.size_bytes() +
               replaced_.bytes();
    }

    /// Whether all tiles have the same lines.
    friend bool operator==(const ConnectorTable& a, const ConnectorTable& b);

private:
    class Builder;
    /// The arrays that a ConnectorView names.
    struct Lines {
        std::vector<std::uint32_t> first;
        std::vector<std::uint64_t> cells;
        std::vector<std::uint32_t> nodes;
    };
    struct Line {
        std::uint32_t node = 0;
        std::uint64_t cells = 0;
        friend bool operator==(const Line&, const Line&) = default;
    };

    ConnectorTable(std::size_t tiles_across, Lines lines)
        : built_(std::make_shared<const Lines>(std::move(lines))),
          view_{static_cast<std::uint32_t>(tiles_across), built_->first, built_->cells,
                built_->nodes},
          lines_(built_->nodes.size()) {}

    /// Calls emit(nodes[i]) for each line whose bit is set.
    template <class Word, class Emit>
    static void emit_found(std::uint32_t begin, std::uint32_t end, const std::uint32_t* nodes,
                           const Word* cells, std::uint32_t bit, Emit& emit) {
        // The bits of a cell cannot be predicted, so no branch depends on one.
        std::array<std::uint32_t, 64> found;
        for (std::uint32_t i = begin; i < end;) {
            const std::uint32_t stop = std::min(end, i + static_cast<std::uint32_t>(found.size()));
            std::size_t count = 0;
            for (; i < stop; ++i) {
                found[count] = nodes[i];
                count += cells[i] >> bit & 1;
            }
            for (std::size_t k = 0; k < count; ++k) emit(found[k]);
        }
    }

    [[nodiscard]] std::size_t tiles() const noexcept {
        return view_.first.empty() ? 0 : view_.first.size() - 1;
    }
    /// Replaces `out` by the lines of a tile.
    void lines_of(std::size_t tile, std::vector<Line>& out) const;

    std::shared_ptr<const Lines> built_;
    ConnectorView view_;  // of *built_
    // Per tile whose lines have changed since: how many lines, their nodes, the lower halves of
    // their cells, then the upper ones. Empty for other tiles. No records if no tile has changed.
    RecordBands replaced_;
    std::uint64_t lines_ = 0;  // of all tiles
};

}  // namespace cairn::subgoal
