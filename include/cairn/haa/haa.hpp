#pragma once
// HAA*: near-optimal paths on grids for agents of all sizes and capabilities, by one abstract graph
// (D. Harabor, A. Botea, "Hierarchical Path Planning for Multi-Size Agents in Heterogeneous
// Environments", CIG 2008). A query takes the steps of HPA*, on the agent's view of that graph
// (cairn/haa/index.hpp).

#include <string_view>

#include "cairn/grid/paths.hpp"
#include "cairn/haa/index.hpp"
#include "cairn/haa/query.hpp"
#include "cairn/searcher.hpp"

namespace cairn::haa {

/// The start, the goal and the agent of one path; start and goal are anchors.
struct Request {
    grid::Point start;
    grid::Point goal;
    Agent agent;
    friend bool operator==(const Request&, const Request&) = default;
};

/// HAA* as a planner: see cairn/planner.hpp.
struct Planner {
    static constexpr std::string_view kName = "haa";
    static constexpr std::string_view kSummary =
        "near-optimal, agents of several sizes and terrains";
    static constexpr bool kExact = false;
    using Map = AnnotatedMap;
    using Options = haa::Options;
    using Index = haa::Index;
    using Place = grid::Point;
    using Query = haa::Query;
    using Answer = haa::Answer;
    using Detail = haa::Detail;
    using Engine = haa::Engine;
    using Request = haa::Request;
    using Paths = grid::Paths;
    using Edit = grid::TerrainEdit;
    using Step = grid::Cell;

    [[nodiscard]] static Result<Index> build(const Map& map, const Options& options = {},
                                             const BuildControl& control = {}) noexcept {
        return Index::build(map, options, control);
    }
};

/// Answers queries on a haa::Index; use one per thread. It keeps the views of the last four agent
/// classes alive. Queries on those take no lock, and allocate nothing once warmed up. If such a
/// view gets labels, the next query uses them.
using Searcher = cairn::Searcher<Planner>;

}  // namespace cairn::haa
