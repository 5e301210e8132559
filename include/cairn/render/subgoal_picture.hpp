#pragma once
// Pictures of subgoal graphs and their answers: subgoals, edges, levels, the direct-h-reachable
// cells around a cell, and a path.
//
// After the figures of: Uras, Koenig, "Subgoal Graphs for Fast Optimal Pathfinding", Game AI Pro 2,
// 2015: 15.4 (edges), 15.6 (area), 15.7 and 15.12 (levels).

#include <optional>

#include "cairn/render/drawing.hpp"
#include "cairn/render/map_picture.hpp"
#include "cairn/status.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/query.hpp"

namespace cairn::render {

/// Which parts of the index are drawn. All but `subgoals` and `edges` need an index with engines
/// (subgoal::Index::complete).
struct SubgoalLayers {
    bool subgoals = true;  ///< dots
    bool edges = true;     ///< of the subgoal graph; with `taut`, those not taut are pale
    bool taut = true;      ///< the edges that the engines keep
    /// Subgoals coloured by their level of the N-level graph, larger on higher levels, and the
    /// edges of that graph.
    bool levels = false;
    /// The core graph: its subgoals and edges, extra edges dashed.
    bool core = false;
};

/// A query. `answer` may be null, and needs to live only during the call.
struct SubgoalRoute {
    grid::Point start;
    grid::Point goal;
    const subgoal::Answer* answer = nullptr;
    /// Lines from S and G to their direct-h-reachable subgoals, pale for connectors that the
    /// engines leave out.
    bool connectors = true;
    bool path = true;  ///< the cells of the path, and dots on its subgoals
};

/// What a picture shows of an index, and how.
struct SubgoalPicture {
    MapPicture map{};
    SubgoalLayers layers{};
    /// A free cell whose direct-h-reachable cells are tinted, with the lines that find them.
    std::optional<grid::Point> area_of{};
    std::optional<SubgoalRoute> route{};
};

/// The picture of an index. Errors: as draw_map; bad_option (a start, goal or `area_of` outside the
/// map, or `area_of` blocked); unsupported (a layer needs engines that the index does not have);
/// stale_index (an answer of another snapshot). O(cells of the area + subgoal graph). Thread-safe.
[[nodiscard]] Result<Drawing> draw_subgoals(const subgoal::Index& index,
                                            const SubgoalPicture& picture = {}) noexcept;

/// The highest levels of the simple, the two-level and the N-level subgoal graph side by side. The
/// graphs are built with `options`, except for its levels and labels. Of `picture`, the title,
/// `layers`, `area_of`, and all of the route except start and goal are not used. If `cell`
/// and `longest_side` are 0, panels have about 500 pixels a side. Errors: as Index::build and
/// draw_subgoals. Thread-safe.
[[nodiscard]] Result<Drawing> draw_subgoal_figure(const grid::Map& map,
                                                  const subgoal::Options& options,
                                                  const SubgoalPicture& picture = {}) noexcept;

}  // namespace cairn::render
