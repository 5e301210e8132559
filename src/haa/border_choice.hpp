#pragma once
// The transitions that agent classes choose on one border.

#include <bit>
#include <cstdint>

#include "cairn/haa/options.hpp"

namespace cairn::haa {

/// Tiles of a border, which has at most 64: bit i stands for the i-th from the west or north.
using Tiles = std::uint64_t;

/// The tiles first to first + length - 1.
[[nodiscard]] constexpr Tiles tiles(int first, int length) noexcept {
    return (length >= 64 ? ~Tiles{0} : (Tiles{1} << length) - 1) << first;
}

/// Calls visit(first, length) for every maximal run of tiles.
template <class Visit>
void for_each_run(Tiles set, Visit&& visit) {
    while (set != 0) {
        const int first = std::countr_zero(set);
        const int length = std::countr_one(set >> first);
        visit(first, length);
        set &= ~tiles(first, length);
    }
}

/// Collects the choices of the agent classes, in their order.
class BorderChoice {
public:
    explicit BorderChoice(const Options& options) : options_(&options) {}

    /// Forgets everything: another border.
    void clear() noexcept { chosen_ = 0; }

    /// The next class chooses from the tiles that it can cross. Transitions::best_clearance
    /// compares `clearance(i)`.
    template <class Clearance>
    void add_class(Tiles crossable, Clearance&& clearance) {
        Tiles wishes = 0;
        for_each_run(crossable,
                     [&](int first, int length) { wishes |= choose(first, length, clearance); });
        chosen_ |= wishes;
    }

    [[nodiscard]] Tiles chosen() const noexcept { return chosen_; }

private:
    // The choice of a class in one of its entrances.
    template <class Clearance>
    [[nodiscard]] Tiles choose(int first, int length, Clearance&& clearance) const {
        const Tiles taken = chosen_ & tiles(first, length);
        switch (options_->transitions) {
            case Transitions::every:
                return tiles(first, length);
            case Transitions::by_width:
                if (length >= options_->wide_entrance) {
                    return moved(first, taken) | moved(first + length - 1, taken);
                }
                break;
            case Transitions::middle:
                break;
            case Transitions::best_clearance:
                return moved(best(first, length, clearance), taken);
        }
        return moved(first + length / 2, taken);
    }

    // The tile of greatest clearance, of several the one next to the middle, then the first.
    template <class Clearance>
    [[nodiscard]] static int best(int first, int length, Clearance&& clearance) {
        const int middle = first + length / 2;
        int best = middle;
        for (int away = 1; away <= length / 2; ++away) {
            if (clearance(middle - away) > clearance(best)) best = middle - away;
            if (middle + away < first + length && clearance(middle + away) > clearance(best)) {
                best = middle + away;
            }
        }
        return best;
    }

    // The tile `wish`, or the nearest one of `taken` within the shift.
    [[nodiscard]] Tiles moved(int wish, Tiles taken) const noexcept {
        for (int away = 0; away <= options_->shift; ++away) {
            if (wish >= away && (taken >> (wish - away) & 1) != 0) return Tiles{1} << (wish - away);
            if (wish + away < 64 && (taken >> (wish + away) & 1) != 0) {
                return Tiles{1} << (wish + away);
            }
        }
        return Tiles{1} << wish;
    }

    const Options* options_;
    Tiles chosen_ = 0;
};

}  // namespace cairn::haa
