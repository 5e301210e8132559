// Batches, worlds, and paths in a changing world.

#include "searcher.hpp"
#if CAIRN_HAS_BATCH

#include "cairn/grid/planners.hpp"
#if CAIRN_HAS_MESH
#include "cairn/mesh/planner.hpp"
#endif

namespace cairn::c {
namespace {

static_assert(sizeof(StatusCode) == 1);

/// Requests as the C++ interface takes them: where the caller's arrays have its form they are not
/// copied, else the lists of the searcher get copies.
class Requests {
public:
    Requests(const cairn_requests* given, cairn_searcher& s) noexcept : given_(given), s_(s) {}

    /// Errors: bad_option.
    [[nodiscard]] Result<AnyRequests> all() {
        if (Status status = check(); !status.ok()) return tl::unexpected(std::move(status));
        if (given_->points != nullptr) {
#if CAIRN_HAS_MESH
            read_points();
            return std::span<const mesh::Request>(s_.points);
#else
            return tl::unexpected(not_built("mesh"));
#endif
        }
        const Strided<std::int32_t, 4> cells(given_->cells, given_->cells_stride);
        if (const auto* const array = cells.array<grid::Request>(); array != nullptr && !agents_)
            return std::span(array, given_->count);
        if (agents_) return single();
        s_.cells.resize(given_->count);
        for (std::size_t i = 0; i < given_->count; ++i) {
            const auto [start, goal] = cell_pair(cells, i);
            s_.cells[i] = {start, goal};
        }
        return std::span<const grid::Request>(s_.cells);
    }
    /// The requests as a list, for routes and for agents. Errors: bad_option.
    [[nodiscard]] Result<std::span<const AnyRequest>> single() {
        if (Status status = check(); !status.ok()) return tl::unexpected(std::move(status));
        s_.requests.resize(given_->count);
        if (given_->points != nullptr) {
#if CAIRN_HAS_MESH
            read_points();
            for (std::size_t i = 0; i < given_->count; ++i) {
                s_.requests[i] = {};
                s_.requests[i].start = s_.points[i].start;
                s_.requests[i].goal = s_.points[i].goal;
            }
#else
            return tl::unexpected(not_built("mesh"));
#endif
        } else {
            const Strided<std::int32_t, 4> cells(given_->cells, given_->cells_stride);
            for (std::size_t i = 0; i < given_->count; ++i) {
                const auto [start, goal] = cell_pair(cells, i);
                s_.requests[i] = {};
                s_.requests[i].start = start;
                s_.requests[i].goal = goal;
#if CAIRN_HAS_HAA
                if (agents_) s_.requests[i].agent = agent(i);
#endif
            }
        }
        return std::span<const AnyRequest>(s_.requests);
    }

private:
    [[nodiscard]] Status check() {
        if (!given_.valid()) return wrong_size();
        if (given_->count > 0 && (given_->cells == nullptr) == (given_->points == nullptr))
            return {StatusCode::bad_option, "requests are either of cells or of points"};
        agents_ = given_->agents != nullptr && given_->points == nullptr;
        return {};
    }
    [[nodiscard]] static std::pair<grid::Point, grid::Point> cell_pair(
        const Strided<std::int32_t, 4>& cells, std::size_t i) noexcept {
        std::int32_t xy[4];
        cells.read(i, xy);
        return {{xy[0], xy[1]}, {xy[2], xy[3]}};
    }
#if CAIRN_HAS_HAA
    [[nodiscard]] haa::Agent agent(std::size_t i) const noexcept {
        const Strided<std::int32_t, 2> agents(given_->agents, given_->agents_stride);
        std::int32_t numbers[2];
        agents.read(i, numbers);
        return {static_cast<std::uint32_t>(numbers[1]), numbers[0]};
    }
#endif
#if CAIRN_HAS_MESH
    void read_points() {
        const Strided<double, 6> all(given_->points, given_->points_stride);
        const Strided<std::uint32_t, 2> polygons(given_->polygons, given_->polygons_stride);
        s_.points.resize(given_->count);
        for (std::size_t i = 0; i < given_->count; ++i) {
            double p[6];
            std::uint32_t of[2] = {CAIRN_NONE, CAIRN_NONE};
            all.read(i, p);
            if (polygons) polygons.read(i, of);
            s_.points[i] = {{of[0], {to_float(p[0]), to_float(p[1]), to_float(p[2])}},
                            {of[1], {to_float(p[3]), to_float(p[4]), to_float(p[5])}}};
        }
    }
#endif

    Given<cairn_requests> given_;
    cairn_searcher& s_;
    bool agents_ = false;
};

Result<batch::Options> batch_options(const cairn_batch_options* options) {
    const Given<cairn_batch_options> given(options);
    if (!given.valid()) return tl::unexpected(wrong_size());
    batch::Options out;
    if (given->turning != 0) out.cells = batch::Cells::turning;
    if (given->max_bytes != 0) out.max_bytes = given->max_bytes;
    if (given->max_spent != 0) out.max_spent = given->max_spent;
    return out;
}

template <class T>
void describe_list(const Lists<T>& lists, const std::uint64_t*& first, const T*& items) noexcept {
    first = lists.first().data();
    items = lists.items().data();
}

void describe_paths(const AnyPaths& paths, cairn_path_lists& out) noexcept {
    const auto costs = [&](const PathCosts& own) {
        out.count = own.status.size();
        out.statuses = reinterpret_cast<const std::uint8_t*>(own.status.data());
        out.costs = own.cost.data();
    };
    if (const auto* const own = paths.as<grid::AstarPlanner>()) {
        costs(*own);
        describe_list(own->cells, out.first_cell, out.cells);
    }
#if CAIRN_HAS_MESH
    if (const auto* const other = paths.as<mesh::AstarPlanner>()) {
        costs(*other);
        const mesh::Waypoint* waypoints = nullptr;
        describe_list(other->polygons, out.first_polygon, out.polygons);
        describe_list(other->waypoints, out.first_waypoint, waypoints);
        out.waypoints = reinterpret_cast<const cairn_waypoint*>(waypoints);
    }
#endif
}

#if CAIRN_HAS_WORLD

/// The routes as the C++ interface takes them, in the searcher's list.
Status read_routes(const cairn_routes* routes, cairn_searcher& s) {
    const Given<cairn_routes> given(routes);
    if (!given.valid()) return wrong_size();
    if (!s.of_world) return {StatusCode::unsupported, "the searcher belongs to an index"};
    if (given->requests == nullptr) return null_argument();
    const auto requests = Requests(given->requests, s).single();
    if (!requests) return requests.error();
    const std::size_t count = requests->size();
    if (count > 0 && given->first == nullptr) return null_argument();
    s.routes.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t begin = given->first[i];
        const std::uint64_t end = given->first[i + 1];
        if (end < begin) return {StatusCode::bad_option, "the numbers in `first` must ascend"};
        if (end > begin && given->steps == nullptr) return null_argument();
        s.routes[i].request = (*requests)[i];
        s.routes[i].steps = {given->steps + begin, static_cast<std::size_t>(end - begin)};
        s.routes[i].cost = given->costs == nullptr ? kInfinity : given->costs[i];
    }
    return {};
}

#endif

}  // namespace
}  // namespace cairn::c

#endif

using namespace cairn::c;  // NOLINT(google-build-using-namespace): the functions are global
using cairn::Result;
using cairn::Status;

cairn_status cairn_find_paths(cairn_searcher* searcher, const cairn_query* query,
                              const cairn_requests* requests, const cairn_batch_options* options,
                              const cairn_control* control, cairn_paths** paths) {
    return call(
        [&]() -> Status {
#if CAIRN_HAS_BATCH
            const Control given(control);
            if (Status status = given.check(); !status.ok()) return status;
            const auto own_options = batch_options(options);
            if (!own_options) return own_options.error();
            const auto own_requests = Requests(requests, *searcher).all();
            if (!own_requests) return own_requests.error();
            cairn_paths& out = reused(paths);
            out.replanned = false;
            return searcher->ask([&](auto& own, const auto&... index) {
                return own.find_paths(index..., searcher->query_or_usual(query), *own_requests,
                                      out.result.paths, *own_options, given.get());
            });
#else
            return not_built("batch");
#endif
        },
        searcher, requests, paths);
}

cairn_status cairn_paths_get(const cairn_paths* paths, cairn_path_lists* lists) {
    return call(
        [&] {
            cairn_path_lists out{};
#if CAIRN_HAS_BATCH
            describe_paths(paths->result.paths, out);
            if (paths->replanned) out.routes = paths->result.routes.data();
#endif
            return give(out, lists);
        },
        paths, lists);
}

void cairn_paths_free(cairn_paths* paths) { delete paths; }

cairn_status cairn_paths_valid(cairn_searcher* searcher, const cairn_query* query,
                               const cairn_routes* routes, uint64_t edits, uint8_t* valid) {
    return call(
        [&]() -> Status {
#if CAIRN_HAS_WORLD
            cairn_searcher& s = *searcher;
            if (Status status = read_routes(routes, s); !status.ok()) return status;
            for (const cairn::AnyRoute& route : s.routes)
                *valid++ = s.of_world->path_valid(s.query_or_usual(query), route, edits) ? 1 : 0;
            return {};
#else
            return not_built("world");
#endif
        },
        searcher, routes, valid);
}

cairn_status cairn_replan(cairn_searcher* searcher, const cairn_query* query,
                          const cairn_routes* routes, uint64_t edits, int32_t improvable,
                          const cairn_control* control, cairn_paths** paths) {
    return call(
        [&]() -> Status {
#if CAIRN_HAS_WORLD
            const Control given(control);
            if (Status status = given.check(); !status.ok()) return status;
            cairn_searcher& s = *searcher;
            if (Status status = read_routes(routes, s); !status.ok()) return status;
            cairn_paths& out = reused(paths);
            out.replanned = true;
            const auto what =
                improvable != 0 ? cairn::ReplanWhat::improvable : cairn::ReplanWhat::broken;
            return s.of_world->replan(s.query_or_usual(query), s.routes, edits, out.result, what,
                                      given.get());
#else
            return not_built("world");
#endif
        },
        searcher, routes, paths);
}

#if CAIRN_HAS_WORLD

cairn_status cairn_world_create(const cairn_index* index, const cairn_world_options* options,
                                cairn_world** world) {
    return make(
        world,
        [&]() -> Result<cairn_world> {
            const Given<cairn_world_options> given(options);
            if (!given.valid()) return tl::unexpected(wrong_size());
            cairn::WorldOptions out;
            if (given->inline_microseconds == CAIRN_NONE) {
                out.inline_microseconds = 0;
            } else if (given->inline_microseconds != 0) {
                out.inline_microseconds = given->inline_microseconds;
            }
            out.worker = given->no_worker == 0;
            if (given->threads != 0) out.threads = given->threads;
            if (given->order_edits != 0) out.order_edits = given->order_edits;
            if (given->remembered_areas != 0) out.remembered_areas = given->remembered_areas;
            auto made = cairn::AnyWorld::create(index->index, out);
            if (!made) return tl::unexpected(std::move(made.error()));
            return cairn_world{std::make_shared<cairn::AnyWorld>(std::move(*made)), index->usual};
        },
        index);
}

cairn_status cairn_world_edit(cairn_world* world, const cairn_edits* edits, uint64_t* number) {
    return call(
        [&]() -> Status {
            Edits list;
            if (Status status = list.read(edits, world->world->planner().space); !status.ok())
                return status;
            const auto made = world->world->edit(list.get());
            if (!made) return made.error();
            if (number != nullptr) *number = *made;
            return {};
        },
        world, edits);
}

uint64_t cairn_world_edits(const cairn_world* world) {
    return world == nullptr ? 0 : world->world->edits();
}

cairn_status cairn_world_snapshot(const cairn_world* world, cairn_index** index, uint64_t* edits) {
    return make(
        index,
        [&]() -> Result<cairn_index> {
            auto now = world->world->snapshot();
            if (!now) return tl::unexpected(std::move(now.error()));
            if (edits != nullptr) *edits = now->edits;
            return index_of(std::move(now->index));
        },
        world);
}

int cairn_world_work(cairn_world* world) {
    return world != nullptr && world->world->work() ? 1 : 0;
}

cairn_status cairn_world_work_status(const cairn_world* world) {
    return call([&] { return world->world->work_status(); }, world);
}

#else

cairn_status cairn_world_create(const cairn_index*, const cairn_world_options*,
                                cairn_world** world) {
    return make(world, []() -> Result<cairn_world> { return tl::unexpected(not_built("world")); });
}
cairn_status cairn_world_edit(cairn_world*, const cairn_edits*, uint64_t*) {
    return call([] { return not_built("world"); });
}
uint64_t cairn_world_edits(const cairn_world*) { return 0; }
cairn_status cairn_world_snapshot(const cairn_world*, cairn_index** index, uint64_t*) {
    return make(index, []() -> Result<cairn_index> { return tl::unexpected(not_built("world")); });
}
int cairn_world_work(cairn_world*) { return 0; }
cairn_status cairn_world_work_status(const cairn_world*) {
    return call([] { return not_built("world"); });
}

#endif

void cairn_world_free(cairn_world* world) { delete world; }
