#include "grid/flood.hpp"

#include <bit>

namespace cairn::grid {

void Flood::from(const Map& map, Cell start) {
    reached_.assign((map.size() + 63) / 64, 0);
    const auto reach = [this](Cell c) {
        std::uint64_t& word = reached_[c / 64];
        const std::uint64_t bit = std::uint64_t{1} << c % 64;
        if ((word & bit) != 0) return;
        word |= bit;
        open_.push_back(c);
    };
    open_.clear();
    reach(start);
    while (!open_.empty()) {
        const Cell cell = open_.back();
        open_.pop_back();
        for (unsigned moves = map.moves(cell); moves != 0; moves &= moves - 1)
            reach(map.step(cell, std::countr_zero(moves)));
    }
}

}  // namespace cairn::grid
