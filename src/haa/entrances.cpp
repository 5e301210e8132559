#include "haa/entrances.hpp"

#include <algorithm>

namespace cairn::haa {

void ClassWindow::read(const AnnotatedMap& map, Agent agent, const grid::Rect& cluster) {
    window = {cluster.x - 1, cluster.y - 1, cluster.width + 2, cluster.height + 2};
    weights.assign(static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height),
                   0);
    const int first = std::max(window.x, 0);
    const int last = std::min(window.x + window.width, map.width());
    for (int y = std::max(window.y, 0); y < std::min(window.y + window.height, map.height()); ++y) {
        const std::size_t row = index({0, y});
        for (int x = first; x < last; ++x) {
            weights[row + static_cast<std::size_t>(x)] = map.weight(agent, map.cell({x, y}));
        }
    }
}

void ClassWindow::read_inside(const grid::Rect& cluster, std::vector<std::uint8_t>& inside) const {
    inside.clear();
    for (int y = cluster.y; y < cluster.y + cluster.height; ++y) {
        const auto row = weights.begin() + static_cast<std::ptrdiff_t>(index({cluster.x, y}));
        inside.insert(inside.end(), row, row + cluster.width);
    }
}

std::uint8_t ClassWindow::moves(const grid::MoveRules& rules, grid::Point p) const noexcept {
    if (weight(p) == 0) return 0;
    unsigned free = 0;
    for (std::size_t d = 0; d < grid::kDirections; ++d) {
        if (weight({p.x + grid::kDx[d], p.y + grid::kDy[d]}) != 0) free |= 1U << d;
    }
    return grid::legal_moves(static_cast<std::uint8_t>(free), rules);
}

EntranceFinder::EntranceFinder(const AnnotatedMap& map, const hpa::Partition& partition,
                               const Options& options, const Serving& serving)
    : map_(&map),
      partition_(&partition),
      options_(&options),
      serving_(&serving),
      choice_(options),
      windows_(serving.classes()),
      classes_(serving.classes()),
      near_(serving.classes()),
      far_(serving.classes()) {}

const std::vector<AnnotatedNode>& EntranceFinder::nodes(std::uint32_t cluster) {
    rect_ = partition_->rect(1, cluster);
    for (std::uint32_t k = 0; k < windows_.size(); ++k) {
        windows_[k].read(*map_, map_->agent(k), rect_);
        if (options_->abstraction == Abstraction::low_quality) {
            near_[k].read(*map_, map_->agent(k), rect_);
        }
    }
    const grid::MoveRules& rules = map_->options().rules;
    // Under the other rules a straight transition beside a diagonal move replaces it.
    const bool between_obstacles =
        rules.neighbourhood == grid::Neighbourhood::eight && rules.corner == grid::CornerRule::free;
    nodes_.clear();
    for (const int outward : {grid::kNorth, grid::kEast, grid::kSouth, grid::kWest}) {
        const Border side(rect_, outward);
        if (map_->contains(side.across(0))) add_transitions(side);
        if (between_obstacles) add_diagonals(side);
    }
    hpa::merge_by_cell(nodes_);
    return nodes_;
}

Tiles EntranceFinder::crossable(const ClassWindow& window, const Border& border) const noexcept {
    Tiles result = 0;
    for (int i = 0; i < border.length; ++i) {
        const bool free =
            window.weight(border.tile(i)) != 0 && window.weight(border.across(i)) != 0;
        result |= Tiles{free} << i;
    }
    return result;
}

void EntranceFinder::add_transitions(const Border& border) {
    choice_.clear();
    for (const std::uint8_t k : serving_->order()) {
        classes_[k].crossable = crossable(windows_[k], border);
        const std::uint32_t capability = map_->agent(k).capability;
        choice_.add_class(classes_[k].crossable, [&](int i) {
            return std::min(map_->clearance(capability, map_->cell(border.tile(i))),
                            map_->clearance(capability, map_->cell(border.across(i))));
        });
    }
    Tiles transitions = choice_.chosen();
    if (options_->abstraction == Abstraction::low_quality) {
        transitions = compacted(transitions, border);
    }
    for (; transitions != 0; transitions &= transitions - 1) {
        add(border.tile(std::countr_zero(transitions)), border.outward);
    }
}

// The transitions that weak dominance leaves: the same from both clusters beside the border.
Tiles EntranceFinder::compacted(Tiles transitions, const Border& border) {
    if (std::popcount(transitions) < 2) return transitions;
    const grid::Rect across = partition_->rect(1, partition_->cluster(1, border.across(0)));
    for (std::uint32_t k = 0; k < classes_.size(); ++k) {
        if ((classes_[k].crossable & transitions) == 0) continue;
        far_[k].read(*map_, map_->agent(k), across);
        classes_[k].near = near_[k].facing(border.outward);
        classes_[k].far = far_[k].facing(grid::opposite(border.outward));
    }
    return weakly_undominated(transitions, border.length, options_->reach, classes_);
}

// Adds the diagonal moves over this border, and through its two corners, that no straight
// transition replaces: those between two obstacles.
void EntranceFinder::add_diagonals(const Border& border) {
    const grid::MoveRules& rules = map_->options().rules;
    for (const ClassWindow& window : windows_) {
        for (int i = 0; i < border.length; ++i) {
            const unsigned moves = window.moves(rules, border.tile(i));
            for (const int d : {(border.outward + 1) & 7, (border.outward + 7) & 7}) {
                const unsigned beside = 1U << ((d + 1) & 7) | 1U << ((d + 7) & 7);
                if ((moves >> d & 1) != 0 && (moves & beside) == 0) add(border.tile(i), d);
            }
        }
    }
}

}  // namespace cairn::haa
