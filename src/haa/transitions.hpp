#pragma once
// The transitions of one border: those that agent classes choose, and of these the ones that weak
// dominance leaves. A transition is redundant if every agent that could cross there can reach and
// use another one ("Compacting the abstract graph").

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/haa/annotated_map.hpp"
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

/// The border tiles of a cluster, grouped by what its inside connects for one agent class.
class BorderSets {
public:
    /// O(cluster).
    void read(const AnnotatedMap& map, Agent agent, const grid::Rect& cluster);

    /// The sets of the tiles that face `outward`, a straight direction, as Tiles; a tile where the
    /// agent cannot stand is in none. The same set has the same number on every border.
    [[nodiscard]] std::span<const std::uint8_t> facing(int outward) const noexcept {
        return sets_[static_cast<std::size_t>(outward) / 2];
    }

private:
    std::array<std::array<std::uint8_t, 64>, 4> sets_{};
};

/// A border as one agent class sees it.
struct BorderClass {
    Tiles crossable = 0;
    std::span<const std::uint8_t> near;  // BorderSets of the clusters on both sides
    std::span<const std::uint8_t> far;
};

/// The remaining tiles of `transitions`, tiles of a border of `length`. For each removed tile there
/// is a remaining one, at most `reach` tiles away, that every class that could cross the removed
/// one can cross, and that is connected to it for that class inside both clusters. The least useful
/// go first: those of the fewest classes, then the farthest from the middle, then the last.
/// O(transitions^2 * classes).
[[nodiscard]] Tiles weakly_undominated(Tiles transitions, int length, int reach,
                                       std::span<const BorderClass> classes);

}  // namespace cairn::haa
