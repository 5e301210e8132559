#pragma once
// HNA*: exact paths on navigation meshes, by a hierarchy of clusters of polygons (V. Rahmani,
// N. Pelechano, "Towards multi-agent path finding with hierarchical navigation meshes", 2020).

#include <string_view>

#include "cairn/hna/index.hpp"
#include "cairn/hna/query.hpp"
#include "cairn/mesh/paths.hpp"
#include "cairn/searcher.hpp"

namespace cairn::hna {

/// HNA* as a planner: see cairn/planner.hpp.
struct Planner {
    static constexpr std::string_view kName = "hna";
    static constexpr std::string_view kSummary = "exact, meshes";
    static constexpr bool kExact = true;
    using Map = mesh::Mesh;
    using Options = hna::Options;
    using Index = hna::Index;
    using Place = mesh::Place;
    using Query = hna::Query;
    using Answer = hna::Answer;
    using Detail = hna::Detail;
    using Engine = hna::Engine;
    using Request = mesh::Request;
    using Paths = mesh::Paths;
    using Edit = mesh::PolygonEdit;
    using Step = mesh::Polygon;

    [[nodiscard]] static Result<Index> build(const Map& map, const Options& options = {},
                                             const BuildControl& control = {}) noexcept {
        return Index::build(map, options, control);
    }
};

/// Answers queries on an hna::Index; use one per thread.
using Searcher = cairn::Searcher<Planner>;

}  // namespace cairn::hna
