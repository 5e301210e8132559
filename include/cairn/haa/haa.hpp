#pragma once
// HAA*: near-optimal paths on grids for agents of all sizes and capabilities, by one abstract graph
// (D. Harabor, A. Botea, "Hierarchical Path Planning for Multi-Size Agents in Heterogeneous
// Environments", CIG 2008). The pipeline is HPA*'s, on the agent's view.

#include <string_view>

#include "cairn/grid/paths.hpp"
#include "cairn/haa/index.hpp"
#include "cairn/haa/query.hpp"
#include "cairn/searcher.hpp"

namespace cairn::haa {

/// From where to where, and who.
struct Request {
    grid::Point start;
    grid::Point goal;
    Agent agent;
    friend bool operator==(const Request&, const Request&) = default;
};

struct Planner {
    static constexpr std::string_view kName = "haa";
    static constexpr std::string_view kSummary = "near-optimal, agents of several sizes and terrains";
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

    [[nodiscard]] static Result<Index> build(const Map& map, const Options& options = {},
                                             const BuildControl& control = {}) {
        return Index::build(map, options, control);
    }
};

/// Keeps the views that it was last asked for alive, up to four. Queries on those take no lock, and
/// once warmed up allocate nothing; views that have got labels since are used at once.
using Searcher = cairn::Searcher<Planner>;

}  // namespace cairn::haa
