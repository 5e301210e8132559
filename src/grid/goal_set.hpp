#pragma once
// Several goals of one search, which ends at the first or at the last of them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/memory.hpp"
#include "grid/astar_kernel.hpp"

namespace cairn::grid {

// A bit for each cell of the map, set for goals not yet settled. The bound is the distance to the
// goals' bounding box: the least bound to any point in it, so consistent.
class GoalSet {
public:
    // Adds the goals that are inside `map` and free; returns whether there are any.
    bool assign(const Map& map, std::span<const Point> goals, bool stop_at_first) {
        if (bits_.size() * 64 < map.size()) bits_.resize((map.size() + 63) / 64);
        stop_at_first_ = stop_at_first;
        remaining_ = 0;
        left_ = top_ = std::numeric_limits<std::int32_t>::max();
        right_ = bottom_ = 0;
        for (const Point p : goals) {
            if (!map.contains(p) || !map.passable(map.cell(p)) || pending(map.cell(p))) continue;
            flip(map.cell(p));
            ++remaining_;
            left_ = std::min(left_, p.x);
            right_ = std::max(right_, p.x);
            top_ = std::min(top_, p.y);
            bottom_ = std::max(bottom_, p.y);
        }
        return remaining_ > 0;
    }

    // Removes `goals`, those of the assign before.
    void clear(const Map& map, std::span<const Point> goals) {
        for (const Point p : goals) {
            if (map.contains(p) && pending(map.cell(p))) flip(map.cell(p));
        }
    }

    [[nodiscard]] bool pending(Cell c) const noexcept { return (bits_[c / 64] >> c % 64 & 1) != 0; }

    [[nodiscard]] bool settle(Cell c) noexcept {
        if (!pending(c)) return false;
        flip(c);
        --remaining_;
        return stop_at_first_ || remaining_ == 0;
    }

    [[nodiscard]] Cost bound(const SearchFrame& frame, Point p) const noexcept {
        return frame.bound(static_cast<Cost>(std::max({0, left_ - p.x, p.x - right_})),
                           static_cast<Cost>(std::max({0, top_ - p.y, p.y - bottom_})));
    }

    // Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(bits_); }

private:
    void flip(Cell c) noexcept { bits_[c / 64] ^= std::uint64_t{1} << c % 64; }

    std::vector<std::uint64_t> bits_;
    std::size_t remaining_ = 0;
    std::int32_t left_ = 0;
    std::int32_t top_ = 0;
    std::int32_t right_ = 0;
    std::int32_t bottom_ = 0;
    bool stop_at_first_ = true;
};

}  // namespace cairn::grid
