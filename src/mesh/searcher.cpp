// A* on meshes as a planner (cairn/planner.hpp).

#include "core/searcher.hpp"

#include "cairn/mesh/planner.hpp"
#include "core/plain_run.hpp"
#include "mesh/trace_points.hpp"

namespace cairn::mesh {
// Found by argument-dependent lookup, so not in an unnamed namespace.
[[nodiscard]] AstarOptions options_of(const AstarQuery& query) noexcept {
    return {.cost_only = query.detail == Detail::cost};
}

[[nodiscard]] bool in_range(const AstarQuery& query) noexcept {
    return query.detail <= Detail::path;
}

/// Empties an answer.
void reset(Path& path, const AstarQuery& /*query*/, const Mesh& /*mesh*/) noexcept {
    path.status = StatusCode::no_path;
    path.cost = kInfinity;
    path.lower_bound = 0;
    path.links.clear();
    path.statistics = {};
}

/// The middles of the portals between the ends.
void list_path(const Mesh& mesh, const AstarQuery& query, const Path& answer,
               std::vector<TracePoint>& path) {
    path.push_back(trace_point(mesh.anchor(query.start.polygon, query.start.point)));
    for (const Link link : answer.links) path.push_back(trace_point(mesh.midpoint(link)));
    path.push_back(trace_point(mesh.anchor(query.goal.polygon, query.goal.point)));
}

class AstarRun : public PlainRun<AstarPlanner, Astar, Progress> {
public:
    /// Runs one search for all goals.
    StatusCode costs(const Mesh& mesh, const AstarQuery& model, std::span<const Place> goals,
                     std::span<Cost> costs) {
        return search_.distances(mesh, model.start, goals, costs, model.limits);
    }
};

}  // namespace cairn::mesh

namespace cairn {

template <>
struct RunOf<mesh::AstarPlanner> {
    using Type = mesh::AstarRun;
};

}  // namespace cairn

template class cairn::Searcher<cairn::mesh::AstarPlanner>;
