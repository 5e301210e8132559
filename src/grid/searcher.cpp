// The searchers of A* and of jump point search, and find_path without an index.

#include "core/searcher.hpp"

#include "cairn/grid/planners.hpp"
#include "core/guarded.hpp"
#include "core/plain_run.hpp"
#include "grid/endpoints.hpp"
#include "grid/trace_points.hpp"

namespace cairn::grid {
// PlainRun finds options_of and reset by argument-dependent lookup, so they are not in an unnamed
// namespace.
[[nodiscard]] AstarOptions options_of(const AstarQuery& query) noexcept {
    return {.open = query.open, .cost_only = query.detail == Detail::cost};
}
[[nodiscard]] JpsOptions options_of(const JpsQuery& query) noexcept {
    return {.cost_only = query.detail == Detail::cost};
}

[[nodiscard]] bool in_range(const AstarQuery& query) noexcept {
    return query.detail <= Detail::path && query.open <= OpenList::buckets;
}
[[nodiscard]] bool in_range(const JpsQuery& query) noexcept { return query.detail <= Detail::path; }

/// Empties an answer.
template <class Query, class Index>
void reset(Path& path, const Query& /*query*/, const Index& /*index*/) noexcept {
    path.status = StatusCode::no_path;
    path.cost = kInfinity;
    path.lower_bound = 0;
    path.cells.clear();
    path.statistics = {};
}

void list_path(const Map& map, const AstarQuery& /*query*/, const Path& answer,
               std::vector<TracePoint>& path) {
    list_path(map.width(), answer.cells, path);
}
void list_path(const JpsMap& map, const JpsQuery& /*query*/, const Path& answer,
               std::vector<TracePoint>& path) {
    list_path(map.map().width(), answer.cells, path);
}

class AstarRun : public PlainRun<AstarPlanner, Astar, Progress> {
public:
    /// One search for all goals.
    StatusCode costs(const Map& map, const AstarQuery& query, std::span<const Point> goals,
                     std::span<Cost> costs) {
        return search_.distances(map, query.start, goals, costs, options_of(query), query.limits);
    }
};

class JpsRun : public PlainRun<JpsPlanner, Jps, Progress> {
public:
    [[nodiscard]] static StatusCode check_start(const JpsMap& map, const JpsQuery& query) noexcept {
        return grid::check_start(map.map(), query.start);
    }
};

}  // namespace cairn::grid

namespace cairn {

template <>
struct RunOf<grid::AstarPlanner> {
    using Type = grid::AstarRun;
};
template <>
struct RunOf<grid::JpsPlanner> {
    using Type = grid::JpsRun;
};

Result<grid::Path> find_path(const grid::Map& map, grid::Point start, grid::Point goal) noexcept
    try {
    grid::Path path;
    const auto bits = grid::JpsMap::create(map);
    rethrow_out_of_memory(bits);
    if (bits) {
        grid::Jps().find_path(*bits, start, goal, path);
    } else {
        grid::Astar().find_path(map, start, goal, path, {.open = grid::OpenList::buckets});
    }
    if (path.status != StatusCode::ok) return fail(path.status);
    return path;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn

template class cairn::Searcher<cairn::grid::AstarPlanner>;
template class cairn::Searcher<cairn::grid::JpsPlanner>;
