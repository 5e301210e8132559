#pragma once
// Weak dominance: a transition of a border is redundant if every agent that could cross there can
// reach and use another one ("Compacting the abstract graph").

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/haa/annotated_map.hpp"
#include "haa/border_choice.hpp"

namespace cairn::haa {

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
