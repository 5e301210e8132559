#pragma once
// Weak dominance: which transitions of a border are redundant since whoever could cross there can
// reach and use another one ("Compacting the abstract graph").

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/haa/annotated_map.hpp"
#include "haa/border_choice.hpp"

namespace cairn::haa {

/// Which border tiles of a cluster the inside of it connects for one agent class.
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

/// What one agent class sees of a border.
struct BorderClass {
    Tiles crossable = 0;
    std::span<const std::uint8_t> near;  // BorderSets of the clusters on both sides
    std::span<const std::uint8_t> far;
};

/// What is left of `transitions`, tiles of a border of `length`. For each that is left out there is
/// one left, at most `reach` tiles away, that every class that could cross here can cross, and that
/// is connected to it for that class inside both clusters. The least useful go first: those of the
/// fewest classes, then the farthest from the middle, then the last.
/// O(transitions^2 * classes).
[[nodiscard]] Tiles weakly_undominated(Tiles transitions, int length, int reach,
                                       std::span<const BorderClass> classes);

}  // namespace cairn::haa
