#pragma once
// Pictures of subgoal graphs and of what they answer: subgoals, edges, levels, the separators that
// cut labels come from, the direct-h-reachable surroundings of a cell, and a path.
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

/// Which parts of the index are drawn. All but the first two need an index with engines.
struct SubgoalLayers {
    bool subgoals = true;  ///< dots
    bool edges = true;     ///< of the simple subgoal graph; pale where `taut` is drawn as well
    bool taut = true;      ///< the edges that the engines keep
    /// Subgoals coloured by their level of the N-level graph, larger the higher it is, and its
    /// edges.
    bool levels = false;
    /// The core graph: its subgoals and edges, extra edges dashed.
    bool core = false;
    /// Subgoals coloured by the depth in the tree of separators at which they are removed, the
    /// root's the largest. Needs labels.
    bool separators = false;
};

/// A query. `answer` may be null, and needs to live only during the call.
struct SubgoalRoute {
    grid::Point start;
    grid::Point goal;
    const subgoal::Answer* answer = nullptr;
    /// Lines from S and G to their direct-h-reachable subgoals, pale to those that the engines
    /// leave out.
    bool connectors = true;
    bool path = true;  ///< the cells of the path, and dots on its subgoals
};

struct SubgoalPicture {
    MapPicture map{};
    SubgoalLayers layers{};
    /// A free cell whose direct-h-reachable cells are tinted, with the lines that find them.
    std::optional<grid::Point> area_of{};
    std::optional<SubgoalRoute> route{};
};

/// The picture of an index. Errors: as draw_map; bad_option (a start, goal or `area_of` outside the
/// map, or the latter blocked); unsupported (a layer that needs engines or labels which the index
/// has not); stale_index (an answer of another snapshot). O(cells of the area + subgoal graph).
/// Thread-safe.
[[nodiscard]] Result<Drawing> draw_subgoals(const subgoal::Index& index,
                                            const SubgoalPicture& picture = {});

/// The simple subgoal graph, the two-level one and the N-level one side by side, only their highest
/// level each. The graphs are built, with `options` but for levels and labels. Of `picture`,
/// `layers`, `area_of`, the route but for its ends, and the title are not used, and a cell size of
/// 0 means one for panels of some 500 pixels. Errors: as Index::build and draw_subgoals.
[[nodiscard]] Result<Drawing> draw_subgoal_figure(const grid::Map& map,
                                                  const subgoal::Options& options,
                                                  const SubgoalPicture& picture = {});

}  // namespace cairn::render
