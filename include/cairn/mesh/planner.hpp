#pragma once
// A* on a mesh as a planner (cairn/planner.hpp), for code written for all planners.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/path.hpp"
#include "cairn/mesh/paths.hpp"
#include "cairn/searcher.hpp"

namespace cairn {
struct Field;
}

namespace cairn::mesh {

/// How much an answer holds.
enum class Detail : std::uint8_t {
    cost,      ///< only the cost
    corridor,  ///< every polygon and link
    path,      ///< the waypoints: the string pulled tight in the corridor
};

/// A query of A*. The polygons of its places must be given: A* does not locate points.
struct AstarQuery {
    Place start{};
    Place goal{};
    Detail detail = Detail::path;
    SearchLimits limits{};

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
};

/// The answer to such a query: the cost and the links of cairn/mesh/path.hpp, and with the details
/// corridor and path, for status ok and partial paths:
struct AstarAnswer : Path {
    std::vector<Polygon> polygons;    ///< the corridor, from the start's polygon on
    std::vector<Waypoint> waypoints;  ///< with Detail::path: the corners of the string. A partial
                                      ///< path ends in the middle of the last portal.
};

/// A* over the portals (cairn/mesh/astar.hpp): exact, the baseline for HNA*.
struct AstarPlanner {
    static constexpr std::string_view kName = "astar";
    static constexpr std::string_view kSummary = "exact, meshes, no index";
    static constexpr bool kExact = true;
    using Map = mesh::Mesh;
    using Options = NoOptions;
    using Index = mesh::Mesh;
    using Place = mesh::Place;
    using Query = AstarQuery;
    using Answer = AstarAnswer;
    using Detail = mesh::Detail;
    using Request = mesh::Request;
    using Paths = mesh::Paths;
    using Edit = PolygonEdit;
    using Step = Polygon;

    [[nodiscard]] static Result<Index> build(const Map& map, const Options& /*options*/ = {},
                                             const BuildControl& /*control*/ = {}) noexcept {
        return map;
    }
};

using AstarSearcher = cairn::Searcher<AstarPlanner>;

}  // namespace cairn::mesh
