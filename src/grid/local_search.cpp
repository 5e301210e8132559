#include "grid/local_search.hpp"

#include <algorithm>
#include <bit>

namespace cairn::grid {
namespace {

// The directions, as bits, in which a step from the cell (x, y) of the window stays inside.
std::uint8_t inward(int x, int y, const Rect& window) noexcept {
    unsigned allowed = 0xff;
    if (y == 0) allowed &= ~0x83U;                  // no NW N NE
    if (x == window.width - 1) allowed &= ~0x0eU;   // no NE E SE
    if (y == window.height - 1) allowed &= ~0x38U;  // no SE S SW
    if (x == 0) allowed &= ~0xe0U;                  // no SW W NW
    return static_cast<std::uint8_t>(allowed);
}

}  // namespace

void LocalSearch::set_size(const Rect& window) {
    window_ = window;
    size_ = static_cast<std::uint32_t>(window.width) * static_cast<std::uint32_t>(window.height);
    for (std::size_t d = 0; d < kDirections; ++d) {
        offsets_[d] = static_cast<std::uint32_t>(kDy[d] * window.width + kDx[d]);
    }
    moves_.resize(size_);
    distance_.resize(size_);
}

// A bucket is a range of 2^bucket_shift_ <= min_straight distances, so that no move ends in the
// bucket where it starts. The ring of buckets is longer than the costliest move.
void LocalSearch::set_buckets(Cost min_straight, Cost max_move) {
    bucket_shift_ = std::bit_width(min_straight) - 1;
    const std::uint32_t ring = std::bit_ceil((max_move >> bucket_shift_) + 2);
    bucket_mask_ = ring - 1;
    if (buckets_.size() < ring) buckets_.resize(ring);
}

void LocalSearch::set_window(const Map& map, const Rect& window) {
    set_size(window);
    first_ = map.cell({window.x, window.y});
    stride_ = static_cast<Cell>(map.width());
    uniform_ = map.uniform();
    step_cost_ = {map.min_straight(), map.min_diagonal()};
    set_buckets(map.min_straight(), map.max_move());
    std::uint32_t local = 0;
    for (int y = 0; y < window.height; ++y) {
        Cell cell = map.cell({window.x, window.y + y});
        for (int x = 0; x < window.width; ++x, ++cell, ++local) {
            moves_[local] = map.moves(cell);
        }
    }
    for (int x = 0; x < window.width; ++x) {
        moves_[static_cast<std::size_t>(x)] &= inward(x, 0, window);
        moves_[size_ - 1 - static_cast<std::size_t>(x)] &=
            inward(window.width - 1 - x, window.height - 1, window);
    }
    for (int y = 0; y < window.height; ++y) {
        const auto row = static_cast<std::size_t>(y * window.width);
        const auto last = static_cast<std::size_t>(window.width - 1);
        moves_[row] &= inward(0, y, window);
        moves_[row + last] &= inward(window.width - 1, y, window);
    }
    if (uniform_) return;
    weighted_cost_.resize(std::size_t{size_} * 8);
    for (local = 0; local < size_; ++local) {
        const Cell cell = global(local);
        for (unsigned moves = moves_[local]; moves != 0; moves &= moves - 1) {
            const int d = std::countr_zero(moves);
            weighted_cost_[local * 8 + static_cast<std::uint32_t>(d)] = map.move_cost(cell, d);
        }
    }
}

void LocalSearch::set_window(const Rect& window, std::span<const std::uint8_t> weights,
                             const MoveRules& rules, const CostModel& costs) {
    set_size(window);
    first_ = 0;
    stride_ = static_cast<Cell>(window.width);
    std::uint32_t lightest = 255;
    std::uint32_t heaviest = 1;
    for (const std::uint8_t weight : weights) {
        if (weight == 0) continue;
        lightest = std::min<std::uint32_t>(lightest, weight);
        heaviest = std::max<std::uint32_t>(heaviest, weight);
    }
    lightest = std::min(lightest, heaviest);  // for windows without a free cell
    uniform_ = lightest == heaviest;
    step_cost_ = {costs.straight * lightest, costs.diagonal * lightest};
    set_buckets(step_cost_[0], costs.diagonal * heaviest);
    if (!uniform_) weighted_cost_.resize(std::size_t{size_} * 8);

    const std::array<std::uint32_t, 2> base{costs.straight, costs.diagonal};
    std::uint32_t local = 0;
    for (int y = 0; y < window.height; ++y) {
        for (int x = 0; x < window.width; ++x, ++local) {
            moves_[local] = 0;
            if (weights[local] == 0) continue;
            unsigned free = 0;
            for (unsigned around = inward(x, y, window); around != 0; around &= around - 1) {
                const int d = std::countr_zero(around);
                if (weights[step(local, d)] != 0) free |= 1U << d;
            }
            moves_[local] = legal_moves(static_cast<std::uint8_t>(free), rules);
            if (uniform_) continue;
            for (unsigned moves = moves_[local]; moves != 0; moves &= moves - 1) {
                const int d = std::countr_zero(moves);
                weighted_cost_[local * 8 + static_cast<std::uint32_t>(d)] =
                    base[d & 1] * (std::uint32_t{weights[local]} + weights[step(local, d)]) / 2;
            }
        }
    }
}

void LocalSearch::run(std::uint32_t source, SearchStatistics* statistics) try {
    std::fill_n(distance_.begin(), size_, kInfinity);
    distance_[source] = 0;
    buckets_[0].push_back({0, source});
    std::uint64_t queued = 1;
    SearchStatistics effort;
    effort.generated = 1;

    for (std::uint32_t bucket = 0; queued > 0; bucket = (bucket + 1) & bucket_mask_) {
        auto& current = buckets_[bucket];
        for (const Entry entry : current) {
            if (distance_[entry.cell] != entry.distance) continue;
            ++effort.expanded;
            effort.open_sum += queued;
            for (unsigned moves = moves_[entry.cell]; moves != 0; moves &= moves - 1) {
                const int d = std::countr_zero(moves);
                const std::uint32_t next = step(entry.cell, d);
                const Cost distance = entry.distance + move_cost(entry.cell, d);
                if (distance >= distance_[next]) continue;
                distance_[next] = distance;
                buckets_[(distance >> bucket_shift_) & bucket_mask_].push_back({distance, next});
                ++effort.generated;
                ++queued;
            }
        }
        queued -= current.size();
        current.clear();
    }
    if (statistics != nullptr) *statistics += effort;
} catch (...) {
    for (auto& bucket : buckets_) bucket.clear();  // the next run needs them empty
    throw;
}

int LocalSearch::move_to_source(std::uint32_t local) const noexcept {
    for (unsigned moves = moves_[local]; moves != 0; moves &= moves - 1) {
        const int d = std::countr_zero(moves);
        if (distance_[step(local, d)] + move_cost(local, d) == distance_[local]) return d;
    }
    return kDirections;
}

}  // namespace cairn::grid
