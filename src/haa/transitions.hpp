#pragma once
// The transitions of one border: those that agent classes choose, and which of them weak dominance
// leaves. It drops a transition if every agent that could use it can reach and use another one
// ("Compacting the abstract graph").

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/options.hpp"

namespace cairn::haa {

/// A set of tiles of a border, which has at most 64: bit i is the i-th tile from the west or north.
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

    /// Starts another border.
    void clear() noexcept { chosen_ = 0; }

    /// The next class chooses among the tiles that it can cross. For Transitions::best_clearance,
    /// `clearance(i)` is the lesser clearance of tile i and the tile across.
    /// Returns its choice: at least one tile of each run of `crossable`.
    template <class Clearance>
    Tiles add_class(Tiles crossable, Clearance&& clearance) {
        Tiles choices = 0;
        for_each_run(crossable,
                     [&](int first, int length) { choices |= choose(first, length, clearance); });
        chosen_ |= choices;
        return choices;
    }

    /// The choices of all classes added since `clear`.
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

    // The tile of greatest clearance. Ties: the tile nearest to the middle, then the first.
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

    // The tile of `taken` nearest to `wish`, if it is within the shift; otherwise `wish`.
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

/// The border tiles of a cluster, in sets that paths inside it connect for one agent class.
class BorderSets {
public:
    /// Finds the sets. O(cluster).
    void read(const AnnotatedMap& map, Agent agent, const grid::Rect& cluster);

    /// The number of each tile's set, on the border that faces `outward`, a straight direction. 0
    /// where the agent cannot stand. A set has the same number on all borders.
    [[nodiscard]] std::span<const std::uint8_t> facing(int outward) const noexcept {
        return sets_[static_cast<std::size_t>(outward) / 2];
    }

private:
    std::array<std::array<std::uint8_t, 64>, 4> sets_{};  // [direction / 2][tile]
};

/// A border as one agent class sees it.
struct BorderClass {
    Tiles crossable = 0;
    Tiles used = 0;                      // its transitions, crossable tiles
    std::span<const std::uint8_t> near;  // BorderSets::facing of the cluster on this side
    std::span<const std::uint8_t> far;   // and of the one across
};

/// Removes the transitions of a border of `length` tiles that are weakly dominated: one that is
/// kept, at most `reach` tiles away, can replace it for every class that uses it. A transition
/// replaces another one for a class if the class can cross it and reach it from the other one
/// inside both clusters. Tiles of the fewest users are tried first, then the farthest from the
/// middle, then the last. Each class then uses, in place of a removed transition, the nearest kept
/// one that replaces it for this class; of two the first. O(transitions^2 * classes).
void remove_weakly_dominated(int length, int reach, std::span<BorderClass> classes);

}  // namespace cairn::haa
