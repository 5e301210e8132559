#pragma once
// What an agent may stand on, found cell by cell in the terrain: the view of an annotated map that
// clearances have no part in, for checking answers.

#include <cstdint>
#include <utility>

#include "cairn/grid/map.hpp"
#include "cairn/haa/annotated_map.hpp"

namespace cairn::app {

class Footprint {
public:
    /// Needs map.knows(agent).
    Footprint(haa::AnnotatedMap map, haa::Agent agent) : map_(std::move(map)), agent_(agent) {}

    /// The weight of the dearest terrain that the agent covers; 0 where it does not fit.
    /// O(size^2).
    [[nodiscard]] std::uint8_t weight(grid::Point anchor) const;
    [[nodiscard]] bool fits(grid::Point anchor) const { return weight(anchor) != 0; }
    /// What AnnotatedMap::class_map should be. Errors: as grid::Map::create. O(map * size^2).
    [[nodiscard]] Result<grid::Map> class_map() const;

private:
    [[nodiscard]] std::uint8_t cell_weight(grid::Point p) const;

    haa::AnnotatedMap map_;
    haa::Agent agent_;
};

}  // namespace cairn::app
