#pragma once
// What the agent classes see of one cluster and the cells around it.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/haa/annotated_map.hpp"

namespace cairn::haa {

/// The weights of one agent class in a window: a cluster, and one cell more on each side, which is
/// what the moves of the cluster's cells depend on. Row by row; 0 off the map and where the agent
/// cannot stand.
struct ClassWindow {
    grid::Rect window;  ///< may reach off the map
    std::vector<std::uint8_t> weights;

    /// Reads the window around `cluster`.
    void read(const AnnotatedMap& map, Agent agent, const grid::Rect& cluster);

    [[nodiscard]] std::uint8_t weight(grid::Point p) const noexcept {
        return weights[static_cast<std::size_t>((p.y - window.y) * window.width + p.x - window.x)];
    }
    /// The legal moves from a cell of the cluster, as grid::Map::moves.
    [[nodiscard]] std::uint8_t moves(const grid::MoveRules& rules, grid::Point p) const noexcept;
};

}  // namespace cairn::haa
