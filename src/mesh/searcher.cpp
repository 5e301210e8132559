// A* on meshes as a planner (cairn/planner.hpp).

#include "core/searcher.hpp"

#include "cairn/mesh/funnel.hpp"
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
void reset(AstarAnswer& answer, const AstarQuery& /*query*/, const Mesh& /*mesh*/) noexcept {
    answer.status = StatusCode::no_path;
    answer.cost = kInfinity;
    answer.lower_bound = 0;
    answer.links.clear();
    answer.polygons.clear();
    answer.waypoints.clear();
    answer.statistics = {};
}

/// The middles of the portals between the ends.
void list_path(const Mesh& mesh, const AstarQuery& query, const Path& answer,
               std::vector<TracePoint>& path) {
    path.push_back(trace_point(mesh.anchor(query.start.polygon, query.start.point)));
    for (const Link link : answer.links) path.push_back(trace_point(mesh.midpoint(link)));
    path.push_back(trace_point(mesh.anchor(query.goal.polygon, query.goal.point)));
}

/// Adds the polygons and the string to an answer whose links are known.
void complete(const Mesh& mesh, const AstarQuery& query, Funnel& funnel, AstarAnswer& answer) {
    answer.polygons.clear();
    answer.waypoints.clear();
    if (query.detail == Detail::cost) return;
    if (answer.status != StatusCode::ok && answer.links.empty()) return;
    polygons(mesh, query.start.polygon, answer.links, answer.polygons);
    if (query.detail < Detail::path) return;
    const bool to_goal = answer.polygons.back() == query.goal.polygon;
    const Point end = to_goal ? query.goal.point : mesh.midpoint(answer.links.back());
    funnel.pull(mesh, query.start.point, end, answer.links, answer.waypoints);
}

class AstarRun : public PlainRun<AstarPlanner, Astar, Progress> {
    using Plain = PlainRun<AstarPlanner, Astar, Progress>;

public:
    StatusCode find(const Mesh& mesh, const AstarQuery& query, AstarAnswer& answer) {
        const StatusCode status = Plain::find(mesh, query, answer);
        complete(mesh, query, funnel_, answer);
        return status;
    }

    static void trace(const Mesh& mesh, const AstarQuery& query, AstarAnswer& answer,
                      SearchTrace& trace) {
        Plain::trace(mesh, query, answer, trace);
        Funnel funnel;
        complete(mesh, query, funnel, answer);
    }

    bool advance(std::uint64_t budget) {
        if (!searching_) return false;
        if (Plain::advance(budget)) return true;
        complete(*index_, query_, funnel_, *answer_);
        return false;
    }

    [[nodiscard]] std::size_t memory() const noexcept { return Plain::memory() + funnel_.memory(); }

    /// Runs one search for all goals.
    StatusCode costs(const Mesh& mesh, const AstarQuery& model, std::span<const Place> goals,
                     std::span<Cost> costs) {
        return search_.distances(mesh, model.start, goals, costs, model.limits);
    }

private:
    Funnel funnel_;
};

}  // namespace cairn::mesh

namespace cairn {

template <>
struct RunOf<mesh::AstarPlanner> {
    using Type = mesh::AstarRun;
};

}  // namespace cairn

template class cairn::Searcher<cairn::mesh::AstarPlanner>;
