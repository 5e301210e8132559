#include "hpa/entrances.hpp"

#include <algorithm>

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
    switch (options_->transitions) {
        case Transitions::every:
            for (int i = 0; i < length; ++i) add(tile(i), outward);
            break;
        case Transitions::by_cost:
            add_by_cost(first, length, along, outward);
            break;
        case Transitions::by_width:
        case Transitions::middle:
            const bool ends =
                options_->transitions == Transitions::by_width && length >= options_->wide_entrance;
            add(tile(ends ? 0 : length / 2), outward);
            if (ends) add(tile(length - 1), outward);
            break;
    }
}

void EntranceFinder::add_by_cost(Cell first, int length, int along, int outward) {
    const auto tile = [&](int i) { return first + static_cast<Cell>(i) * map_->step(0, along); };
    const auto across = [&](int i) { return map_->step(tile(i), outward); };
    const std::uint64_t straight = map_->options().costs.straight;
    std::uint64_t weights = 0;  // the sum over the tiles on both sides, so far
    std::uint64_t walk = 0;     // along both sides, to the first tile of the run
    int runs = 0;
    candidates_.clear();
    for (int begin = 0, end = 1; begin < length; begin = end++, ++runs) {
        const std::uint32_t near = map_->weight(tile(begin));
        const std::uint32_t far = map_->weight(across(begin));
        while (end < length && map_->weight(tile(end)) == near && map_->weight(across(end)) == far)
            ++end;
        const int steps = end - begin - 1;
        const std::uint64_t step = straight * (near + far);
        const auto consider = [&](int i) {
            candidates_.push_back({tile(begin + i), map_->move_cost(tile(begin + i), outward),
                                   walk + static_cast<std::uint64_t>(i) * step});
        };
        if (steps + 1 < options_->wide_entrance) {
            consider((steps + 1) / 2);
        } else {
            const int gaps = (steps + kWidestGap - 1) / kWidestGap;
            for (int gap = 0; gap <= gaps; ++gap) consider(steps * gap / gaps);
        }
        weights += static_cast<std::uint64_t>(steps + 1) * (near + far);
        walk += static_cast<std::uint64_t>(steps) * step;
        if (end < length)
            walk += map_->move_cost(tile(end - 1), along) + map_->move_cost(across(end - 1), along);
    }
    if (runs > 1) thin(kDetour * straight * weights / (2 * static_cast<std::uint64_t>(length)));
    for (const Candidate& candidate : candidates_) add(candidate.cell, outward);
}

// Leaves out candidates that a kept one replaces: going along one side to that one, across, and
// back along the other side costs at most `most` more. Cheap ones are kept first, then those to the
// west or north, so that both clusters beside the border keep the same.
void EntranceFinder::thin(std::uint64_t most) {
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
        return a.crossing != b.crossing ? a.crossing < b.crossing : a.walk < b.walk;
    });
    std::size_t kept = 0;
    for (const Candidate candidate : candidates_) {
        const auto replaces = [&](const Candidate& other) {
            const std::uint64_t there_and_back =
                std::max(other.walk, candidate.walk) - std::min(other.walk, candidate.walk);
            return there_and_back + other.crossing <= candidate.crossing + most;
        };
        const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(kept);
        if (std::none_of(candidates_.begin(), end, replaces)) candidates_[kept++] = candidate;
    }
    candidates_.resize(kept);
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
