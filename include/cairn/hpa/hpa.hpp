#pragma once
// HPA*: near-optimal paths on grids, by an abstract graph of clusters (A. Botea, M. Mueller,
// J. Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004).

#include <string_view>

#include "cairn/grid/paths.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/hpa/query.hpp"
#include "cairn/searcher.hpp"

namespace cairn::hpa {

/// HPA* as a planner: see cairn/planner.hpp.
struct Planner {
    static constexpr std::string_view kName = "hpa";
    static constexpr std::string_view kSummary = "near-optimal, any map";
    static constexpr bool kExact = false;
    using Map = grid::Map;
    using Options = hpa::Options;
    using Index = hpa::Index;
    using Place = grid::Point;
    using Query = hpa::Query;
    using Answer = hpa::Answer;
    using Detail = hpa::Detail;
    using Engine = hpa::Engine;
    using Request = grid::Request;
    using Paths = grid::Paths;
    using Edit = grid::TerrainEdit;
    using Step = grid::Cell;

    [[nodiscard]] static Result<Index> build(const Map& map, const Options& options = {},
                                             const BuildControl& control = {}) noexcept {
        return Index::build(map, options, control);
    }
};

/// Answers queries on an hpa::Index; use one per thread.
using Searcher = cairn::Searcher<Planner>;

}  // namespace cairn::hpa
