#include "haa/entrances.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace cairn::haa {

std::vector<std::uint8_t> choosing_order(const AnnotatedMap& map) {
    const auto rank = [&](std::uint8_t k) {
        const Agent agent = map.agent(k);
        const Capability& capability = map.options().capabilities[agent.capability];
        return std::tuple(-agent.size, std::popcount(capability.terrains), k);
    };
    std::vector<std::uint8_t> order(map.classes());
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::uint8_t a, std::uint8_t b) { return rank(a) < rank(b); });
    return order;
}

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
                               const Options& options, std::span<const std::uint8_t> choosing_order)
    : map_(&map),
      partition_(&partition),
      options_(&options),
      choosing_order_(choosing_order),
      choice_(options),
      windows_(map.classes()),
      classes_(map.classes()),
      near_(map.classes()),
      far_(map.classes()) {}

void EntranceFinder::read_windows(const grid::Rect& cluster) {
    for (std::uint32_t k = 0; k < windows_.size(); ++k)
        windows_[k].read(*map_, map_->agent(k), cluster);
}

const std::vector<AnnotatedNode>& EntranceFinder::nodes(std::uint32_t cluster) {
    rect_ = partition_->rect(1, cluster);
    read_windows(rect_);
    if (options_->abstraction == Abstraction::low_quality) {
        for (std::uint32_t k = 0; k < near_.size(); ++k)
            near_[k].read(*map_, map_->agent(k), rect_);
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
    for (const std::uint8_t k : choosing_order_) {
        BorderClass& c = classes_[k];
        c.crossable = crossable(windows_[k], border);
        const std::uint32_t capability = map_->agent(k).capability;
        c.used = choice_.add_class(c.crossable, [&](int i) {
            return std::min(map_->clearance(capability, map_->cell(border.tile(i))),
                            map_->clearance(capability, map_->cell(border.across(i))));
        });
    }
    if (options_->abstraction == Abstraction::low_quality) compact(border);
    Tiles transitions = 0;
    for (const BorderClass& c : classes_) transitions |= c.used;
    for (; transitions != 0; transitions &= transitions - 1) {
        const int tile = std::countr_zero(transitions);
        ClassSet users;
        for (std::size_t k = 0; k < classes_.size(); ++k) {
            if ((classes_[k].used >> tile & 1) != 0) users.set(k);
        }
        add(border.tile(tile), border.outward, users);
    }
}

// Removes transitions that are weakly dominated: the same from both clusters beside the border.
void EntranceFinder::compact(const Border& border) {
    if (std::popcount(choice_.chosen()) < 2) return;
    const grid::Rect across = partition_->rect(1, partition_->cluster(1, border.across(0)));
    for (std::uint32_t k = 0; k < classes_.size(); ++k) {
        if (classes_[k].used == 0) continue;
        far_[k].read(*map_, map_->agent(k), across);
        classes_[k].near = near_[k].facing(border.outward);
        classes_[k].far = far_[k].facing(grid::opposite(border.outward));
    }
    remove_weakly_dominated(border.length, options_->reach, classes_);
}

// Adds the diagonal moves over this border, and through its two corners, that no straight
// transition replaces: those between two obstacles.
void EntranceFinder::add_diagonals(const Border& border) {
    const grid::MoveRules& rules = map_->options().rules;
    for (std::size_t k = 0; k < windows_.size(); ++k) {
        ClassSet users;
        users.set(k);
        for (int i = 0; i < border.length; ++i) {
            const unsigned moves = windows_[k].moves(rules, border.tile(i));
            for (const int d : {(border.outward + 1) & 7, (border.outward + 7) & 7}) {
                const unsigned beside = 1U << ((d + 1) & 7) | 1U << ((d + 7) & 7);
                if ((moves >> d & 1) != 0 && (moves & beside) == 0) add(border.tile(i), d, users);
            }
        }
    }
}

void EntranceFinder::add(grid::Point tile, int direction, const ClassSet& users) {
    AnnotatedNode node;
    node.cell = map_->cell(tile);
    node.crossings = static_cast<std::uint8_t>(1U << direction);
    node.users[static_cast<std::size_t>(direction)] = users;
    nodes_.push_back(node);
}

}  // namespace cairn::haa
