#pragma once
// Subgoal graphs: shortest paths on grids of one terrain weight, over the corners of obstacles
// (T. Uras, S. Koenig, "Subgoal Graphs for Fast Optimal Pathfinding", Game AI Pro 2, 2015).

#include <string_view>

#include "cairn/grid/paths.hpp"
#include "cairn/searcher.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/query.hpp"

namespace cairn::subgoal {

/// Subgoal graphs as a planner: see cairn/planner.hpp.
struct Planner {
    static constexpr std::string_view kName = "subgoal";
    static constexpr std::string_view kSummary = "exact, maps of one terrain";
    static constexpr bool kExact = true;
    using Map = grid::Map;
    using Options = subgoal::Options;
    using Index = subgoal::Index;
    using Place = grid::Point;
    using Query = subgoal::Query;
    using Answer = subgoal::Answer;
    using Detail = subgoal::Detail;
    using Engine = subgoal::Engine;
    using Request = grid::Request;
    using Paths = grid::Paths;
    using Edit = grid::TerrainEdit;
    using Step = grid::Cell;

    [[nodiscard]] static Result<Index> build(const Map& map, const Options& options = {},
                                             const BuildControl& control = {}) noexcept {
        return Index::build(map, options, control);
    }
};

/// Answers queries on a subgoal::Index; use one per thread.
using Searcher = cairn::Searcher<Planner>;

}  // namespace cairn::subgoal
