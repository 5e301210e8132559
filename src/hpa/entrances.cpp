#include "hpa/entrances.hpp"

namespace cairn::hpa {

using grid::Cell;

const std::vector<BorderNode>& EntranceFinder::nodes(std::uint32_t cluster) {
    rect_ = partition_->rect(1, cluster);
    nodes_.clear();
    for (const int outward : {grid::kNorth, grid::kEast, grid::kSouth, grid::kWest}) {
        for_each_entrance(*map_, rect_, outward, [&](Cell first, int length, int along) {
            add_entrance(first, length, along, outward);
        });
        if (options_->diagonals != DiagonalCrossings::none) scan_diagonals(outward);
    }
    merge_by_cell(nodes_);
    return nodes_;
}

void EntranceFinder::add_entrance(Cell first, int length, int along, int outward) {
    const auto tile = [&](int i) { return first + static_cast<Cell>(i) * map_->step(0, along); };
    const bool wide =
        options_->transitions == Transitions::by_width && length >= options_->wide_entrance;
    if (options_->transitions == Transitions::every) {
        for (int i = 0; i < length; ++i) add(tile(i), outward);
    } else if (wide) {
        add(tile(0), outward);
        add(tile(length - 1), outward);
    } else {
        add(tile(length / 2), outward);
    }
}

// Adds diagonal moves over this border, also those through the cluster's corners.
void EntranceFinder::scan_diagonals(int outward) {
    const BorderLine line(rect_, outward);
    Cell cell = map_->cell(line.first);
    for (int i = 0; i < line.length; ++i, cell = map_->step(cell, line.along)) {
        for (const int d : {(outward + 1) & 7, (outward + 7) & 7}) {
            if (!crosses(cell, d)) continue;
            // By a straight move across the border or along it.
            const bool replaceable = crosses(cell, (d + 1) & 7) || crosses(cell, (d + 7) & 7);
            if (options_->diagonals == DiagonalCrossings::every || !replaceable) add(cell, d);
        }
    }
}

}  // namespace cairn::hpa
