#pragma once
// One cluster and the cells around it, as agent classes see them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/haa/annotated_map.hpp"

namespace cairn::haa {

/// The weights of one agent class in a window: a cluster and one more cell on each side, on which
/// the moves of the cluster's cells depend. Row by row; 0 off the map and where the agent cannot
/// stand.
struct ClassWindow {
    grid::Rect window;  ///< may reach off the map
    std::vector<std::uint8_t> weights;

    /// Reads the window around `cluster`.
    void read(const AnnotatedMap& map, Agent agent, const grid::Rect& cluster);

    /// The weights of the cluster alone, row by row.
    void read_inside(const grid::Rect& cluster, std::vector<std::uint8_t>& inside) const;

    [[nodiscard]] std::uint8_t weight(grid::Point p) const noexcept { return weights[index(p)]; }
    /// The legal moves from a cell of the cluster, as grid::Map::moves.
    [[nodiscard]] std::uint8_t moves(const grid::MoveRules& rules, grid::Point p) const noexcept;

private:
    [[nodiscard]] std::size_t index(grid::Point p) const noexcept {
        return static_cast<std::size_t>((p.y - window.y) * window.width + p.x - window.x);
    }
};

}  // namespace cairn::haa
