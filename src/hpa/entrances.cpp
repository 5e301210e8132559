#include "hpa/entrances.hpp"

#include <algorithm>

namespace cairn::hpa {

using grid::Cell;
using grid::Point;

namespace {

struct Line {
    Cell first;
    int length;
    int along;  // direction from one tile to the next: east or south
};

// The cluster's tiles that face `outward`, a straight direction, in reading order.
Line border_line(const grid::Map& map, const grid::Rect& r, int outward) {
    const Point corner{outward == grid::kEast ? r.x + r.width - 1 : r.x,
                       outward == grid::kSouth ? r.y + r.height - 1 : r.y};
    const bool horizontal = outward == grid::kNorth || outward == grid::kSouth;
    return {map.cell(corner), horizontal ? r.width : r.height,
            horizontal ? grid::kEast : grid::kSouth};
}

}  // namespace

const std::vector<BorderNode>& EntranceFinder::nodes(std::uint32_t cluster) {
    rect_ = partition_->rect(1, cluster);
    nodes_.clear();
    for (const int outward : {grid::kNorth, grid::kEast, grid::kSouth, grid::kWest}) {
        scan_border(outward);
        if (options_->diagonals != DiagonalCrossings::none) scan_diagonals(outward);
    }

    std::sort(nodes_.begin(), nodes_.end(),
              [](const BorderNode& a, const BorderNode& b) { return a.cell < b.cell; });
    std::size_t kept = 0;
    for (const BorderNode& node : nodes_) {
        if (kept > 0 && nodes_[kept - 1].cell == node.cell) {
            nodes_[kept - 1].crossings |= node.crossings;
        } else {
            nodes_[kept++] = node;
        }
    }
    nodes_.resize(kept);
    return nodes_;
}

// A straight move is legal exactly where both tiles are free, so entrances are the maximal runs of
// legal moves.
void EntranceFinder::scan_border(int outward) {
    const Line line = border_line(*map_, rect_, outward);
    Cell cell = line.first;
    int run = 0;
    for (int i = 0; i < line.length; ++i, cell = map_->step(cell, line.along)) {
        if (crosses(cell, outward)) {
            ++run;
        } else if (run > 0) {
            add_entrance(cell, run, line.along, outward);
            run = 0;
        }
    }
    if (run > 0) add_entrance(cell, run, line.along, outward);
}

// `end` is the tile after the entrance's last.
void EntranceFinder::add_entrance(Cell end, int length, int along, int outward) {
    const auto tile = [&](int i) {
        const Cell offset = map_->step(0, along);
        return end - static_cast<Cell>(length - i) * offset;
    };
    switch (options_->transitions) {
        case Transitions::every:
            for (int i = 0; i < length; ++i) add(tile(i), outward);
            return;
        case Transitions::by_width:
            if (length >= options_->wide_entrance) {
                add(tile(0), outward);
                add(tile(length - 1), outward);
                return;
            }
            break;
        case Transitions::middle:
            break;
    }
    add(tile(length / 2), outward);
}

// Diagonal moves over this border, those through the cluster's corners included.
void EntranceFinder::scan_diagonals(int outward) {
    const Line line = border_line(*map_, rect_, outward);
    Cell cell = line.first;
    for (int i = 0; i < line.length; ++i, cell = map_->step(cell, line.along)) {
        for (const int d : {(outward + 1) & 7, (outward + 7) & 7}) {
            if (!crosses(cell, d)) continue;
            const bool replaceable = crosses(cell, (d + 1) & 7) || crosses(cell, (d + 7) & 7);
            if (options_->diagonals == DiagonalCrossings::every || !replaceable) add(cell, d);
        }
    }
}

}  // namespace cairn::hpa
