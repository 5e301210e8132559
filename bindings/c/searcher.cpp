// Searchers, single queries and answers.

#include "searcher.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace cairn::c {
namespace {

static_assert(sizeof(cairn_goal_cost) == sizeof(GoalCost));
static_assert(CAIRN_STEP_SOURCE == static_cast<int>(TraceStep::source) &&
              CAIRN_STEP_DESTINATION == static_cast<int>(TraceStep::destination) &&
              CAIRN_STEP_GENERATING == static_cast<int>(TraceStep::generating) &&
              CAIRN_STEP_EXPANDING == static_cast<int>(TraceStep::expanding) &&
              CAIRN_STEP_CLOSING == static_cast<int>(TraceStep::closing) &&
              CAIRN_STEP_END == static_cast<int>(TraceStep::end));

AnyPlace cell_place(cairn_cell cell) noexcept { return grid::Point{cell.x, cell.y}; }

/// A place on a mesh; none if the library has no meshes.
Result<AnyPlace> mesh_place(const cairn_place& place) {
#if CAIRN_HAS_MESH
    return to_place(place);
#else
    return tl::unexpected(not_built("mesh"));
#endif
}

StatusCode find(cairn_searcher& s, const cairn_query* query, const AnyPlace& start,
                const AnyPlace& goal, cairn_answer** answer) {
    AnyAnswer& out = reused(answer).answer;
    return s.ask([&](auto& searcher, const auto&... index) {
        return searcher.find(index..., s.query_or_usual(query), start, goal, out);
    });
}

StatusCode find_traced(cairn_searcher& s, const cairn_query* query, const AnyPlace& start,
                       const AnyPlace& goal, std::size_t max_events, cairn_answer** answer,
                       cairn_trace** trace) {
    *trace = nullptr;
    if (!s.index) return StatusCode::unsupported;
    SearchTrace steps;
    steps.max_events = max_events;
    const StatusCode status = s.of_index.trace(*s.index, s.query_or_usual(query), start, goal,
                                               reused(answer).answer, steps);
    auto out = std::make_unique<cairn_trace>();
    out->left_out = steps.left_out;
    out->events.reserve(steps.events.size());
    for (const TraceEvent& e : steps.events) {
        out->events.push_back({static_cast<int32_t>(e.step), e.level, e.search, e.node, e.parent,
                               e.g, e.f, e.place.x, e.place.y});
    }
    *trace = out.release();
    return status;
}

StatusCode begin(cairn_searcher& s, const cairn_query* query, const AnyPlace& start,
                 const AnyPlace& goal, cairn_answer** answer) {
    AnyAnswer& out = reused(answer).answer;
    return s.ask([&](auto& searcher, const auto&... index) {
        return searcher.begin(index..., s.query_or_usual(query), start, goal, out);
    });
}

StatusCode reachable(cairn_searcher& s, const cairn_query* query, const AnyPlace& start,
                     const AnyPlace& goal) {
    const AnyQuery& least = (query == nullptr ? s.usual : query->queries).reachable;
    return s.ask([&](auto& searcher, const auto&... index) {
        return searcher.find(index..., least, start, goal, s.reached);
    });
}

/// Calls use(start, goal) with places on a mesh.
template <class Use>
cairn_status on_mesh(cairn_searcher* searcher, const cairn_place* start, const cairn_place* goal,
                     const void* answer, const Use& use) noexcept {
    return call(
        [&]() -> Status {
            const auto from = mesh_place(*start);
            const auto to = mesh_place(*goal);
            if (!from || !to) return from ? to.error() : from.error();
            return {use(*from, *to), {}};
        },
        searcher, start, goal, static_cast<const char*>(answer));
}

/// Reads the only place of `start`, and `goals`, into the searcher.
Status read_ends(cairn_searcher& s, const cairn_places* start, const cairn_places* goals) {
    if (Status status = read_places(start, s.starts); !status.ok()) return status;
    if (s.starts.size() != 1) return {StatusCode::bad_option, "there must be one start"};
    return read_places(goals, s.goals);
}

Status check_places(const Given<cairn_places>& given) {
    if (!given.valid()) return wrong_size();
    if (given->count > 0 && (given->cells == nullptr) == (given->points == nullptr))
        return {StatusCode::bad_option, "places are either cells or points"};
    return {};
}

#if CAIRN_HAS_MESH

static_assert(sizeof(cairn_waypoint) == sizeof(mesh::Waypoint));
static_assert(offsetof(cairn_waypoint, link) == offsetof(mesh::Waypoint, link));
static_assert(CAIRN_NONE == mesh::kNone);

#endif

}  // namespace

Status read_places(const cairn_places* places, Places& out) {
    const Given<cairn_places> given(places);
    if (Status status = check_places(given); !status.ok()) return status;
    out.clear();
    if (given->count == 0) return {};
    if (given->cells != nullptr) {
        const Strided<std::int32_t, 2> cells(given->cells, given->stride);
        for (std::size_t i = 0; i < given->count; ++i) {
            std::int32_t xy[2];
            cells.read(i, xy);
            out.emplace_back(grid::Point{xy[0], xy[1]});
        }
        return {};
    }
    const Strided<double, 3> points(given->points, given->stride);
    const Strided<std::uint32_t> polygons(given->polygons, given->polygons_stride);
    for (std::size_t i = 0; i < given->count; ++i) {
        double xyz[3];
        std::uint32_t polygon[1] = {CAIRN_NONE};
        points.read(i, xyz);
        if (polygons) polygons.read(i, polygon);
        auto place = mesh_place({xyz[0], xyz[1], xyz[2], polygon[0]});
        if (!place) return std::move(place.error());
        out.push_back(*place);
    }
    return {};
}

}  // namespace cairn::c

using namespace cairn::c;  // NOLINT(google-build-using-namespace): the functions are global
using cairn::Result;
using cairn::Status;
using cairn::StatusCode;

cairn_status cairn_searcher_create(const cairn_index* index, cairn_searcher** searcher) {
    return make(
        searcher,
        [&]() -> Result<cairn_searcher> {
            cairn_searcher made{index->usual};
            made.index = index->index;
            return made;
        },
        index);
}

cairn_status cairn_searcher_create_for_world(const cairn_world* world, cairn_searcher** searcher) {
    return make(
        searcher,
        [&]() -> Result<cairn_searcher> {
#if CAIRN_HAS_WORLD
            cairn_searcher made{world->usual};
            made.world = world->world;
            made.of_world.emplace(*made.world);
            return made;
#else
            return tl::unexpected(not_built("world"));
#endif
        },
        world);
}

cairn_status cairn_searcher_set_index(cairn_searcher* searcher, const cairn_index* index) {
    return call(
        [&]() -> Status {
            if (!searcher->index)
                return {StatusCode::unsupported, "the searcher belongs to a world"};
            searcher->usual = index->usual;
            searcher->index = index->index;
            return {};
        },
        searcher, index);
}

size_t cairn_searcher_memory(const cairn_searcher* searcher) {
    if (searcher == nullptr) return 0;
#if CAIRN_HAS_WORLD
    if (searcher->of_world) return searcher->of_world->memory();
#endif
    return searcher->of_index.memory();
}

void cairn_searcher_free(cairn_searcher* searcher) { delete searcher; }

cairn_status cairn_find(cairn_searcher* searcher, const cairn_query* query, cairn_cell start,
                        cairn_cell goal, cairn_answer** answer) {
    return call([&] { return find(*searcher, query, cell_place(start), cell_place(goal), answer); },
                searcher, answer);
}

cairn_status cairn_find_on_mesh(cairn_searcher* searcher, const cairn_query* query,
                                const cairn_place* start, const cairn_place* goal,
                                cairn_answer** answer) {
    return on_mesh(searcher, start, goal, answer, [&](const auto& from, const auto& to) {
        return find(*searcher, query, from, to, answer);
    });
}

cairn_status cairn_find_traced(cairn_searcher* searcher, const cairn_query* query, cairn_cell start,
                               cairn_cell goal, size_t max_events, cairn_answer** answer,
                               cairn_trace** trace) {
    return call(
        [&] {
            return find_traced(*searcher, query, cell_place(start), cell_place(goal), max_events,
                               answer, trace);
        },
        searcher, answer, trace);
}

cairn_status cairn_find_traced_on_mesh(cairn_searcher* searcher, const cairn_query* query,
                                       const cairn_place* start, const cairn_place* goal,
                                       size_t max_events, cairn_answer** answer,
                                       cairn_trace** trace) {
    return on_mesh(searcher, start, goal, trace == nullptr ? nullptr : answer,
                   [&](const auto& from, const auto& to) {
                       return find_traced(*searcher, query, from, to, max_events, answer, trace);
                   });
}

cairn_status cairn_trace_get(const cairn_trace* trace, cairn_trace_list* list) {
    return call(
        [&] {
            cairn_trace_list out{};
            out.count = trace->events.size();
            out.events = trace->events.data();
            out.left_out = trace->left_out;
            return give(out, list);
        },
        trace, list);
}

void cairn_trace_free(cairn_trace* trace) { delete trace; }

cairn_status cairn_begin(cairn_searcher* searcher, const cairn_query* query, cairn_cell start,
                         cairn_cell goal, cairn_answer** answer) {
    return call(
        [&] { return begin(*searcher, query, cell_place(start), cell_place(goal), answer); },
        searcher, answer);
}

cairn_status cairn_begin_on_mesh(cairn_searcher* searcher, const cairn_query* query,
                                 const cairn_place* start, const cairn_place* goal,
                                 cairn_answer** answer) {
    return on_mesh(searcher, start, goal, answer, [&](const auto& from, const auto& to) {
        return begin(*searcher, query, from, to, answer);
    });
}

int cairn_advance(cairn_searcher* searcher, uint64_t budget, uint64_t microseconds) {
    if (searcher == nullptr) return 0;
    const uint64_t nodes = budget == 0 ? std::numeric_limits<uint64_t>::max() : budget;
    const auto until =
        microseconds == 0 ? cairn::Deadline() : cairn::Deadline::in_microseconds(microseconds);
    return searcher->ask(
        [&](auto& own, const auto&... /*index*/) { return own.advance(nodes, until); });
}

cairn_status cairn_reachable(cairn_searcher* searcher, const cairn_query* query, cairn_cell start,
                             cairn_cell goal) {
    return call([&] { return reachable(*searcher, query, cell_place(start), cell_place(goal)); },
                searcher);
}

cairn_status cairn_reachable_on_mesh(cairn_searcher* searcher, const cairn_query* query,
                                     const cairn_place* start, const cairn_place* goal) {
    return on_mesh(searcher, start, goal, searcher, [&](const auto& from, const auto& to) {
        return reachable(*searcher, query, from, to);
    });
}

cairn_status cairn_costs(cairn_searcher* searcher, const cairn_query* query,
                         const cairn_places* starts, const cairn_places* goals, uint32_t* costs) {
    return call(
        [&]() -> Status {
            cairn_searcher& s = *searcher;
            Status status = read_places(starts, s.starts);
            if (status.ok()) status = read_places(goals, s.goals);
            if (!status.ok()) return status;
            const std::span<uint32_t> out(costs, s.starts.size() * s.goals.size());
            status.code = s.ask([&](auto& own, const auto&... index) {
                if (s.starts.size() == 1)
                    return own.costs(index..., s.query_or_usual(query), s.starts[0], s.goals, out);
                return own.costs(index..., s.query_or_usual(query), s.starts, s.goals, out);
            });
            return status;
        },
        searcher, starts, goals, costs);
}

cairn_status cairn_nearest(cairn_searcher* searcher, const cairn_query* query,
                           const cairn_places* start, const cairn_places* goals,
                           cairn_goal_cost* nearest, size_t* count) {
    return call(
        [&]() -> Status {
            cairn_searcher& s = *searcher;
            Status status = read_ends(s, start, goals);
            if (!status.ok()) return status;
            s.nearest.resize(std::min(*count, s.goals.size()));
            size_t found = 0;
            status.code = s.ask([&](auto& own, const auto&... index) {
                return own.find_nearest(index..., s.query_or_usual(query), s.starts[0], s.goals,
                                        s.nearest, found);
            });
            *count = status.ok() ? found : 0;
            for (size_t i = 0; i < *count; ++i) nearest[i] = {s.nearest[i].goal, s.nearest[i].cost};
            return status;
        },
        searcher, start, goals, nearest, count);
}

cairn_status cairn_find_nearest(cairn_searcher* searcher, const cairn_query* query,
                                const cairn_places* start, const cairn_places* goals,
                                cairn_answer** answer, size_t* which) {
    return call(
        [&]() -> Status {
            cairn_searcher& s = *searcher;
            Status status = read_ends(s, start, goals);
            if (!status.ok()) return status;
            cairn::AnyAnswer& out = reused(answer).answer;
            status.code = s.ask([&](auto& own, const auto&... index) {
                return own.find_nearest(index..., s.query_or_usual(query), s.starts[0], s.goals,
                                        out, *which);
            });
            return status;
        },
        searcher, start, goals, answer, which);
}

cairn_status cairn_answer_get(const cairn_answer* answer, cairn_path* path) {
    return call(
        [&] {
            const cairn::AnswerDetails details = answer->answer.details();
            cairn_path out{};
            out.status = static_cast<int32_t>(answer->answer.status());
            out.cost = answer->answer.cost();
            out.lower_bound = details.lower_bound;
            out.engine = details.engine.data();
            out.expanded = details.expanded();
            out.cells = details.cells.data();
            out.num_cells = details.cells.size();
            out.nodes = details.nodes.data();
            out.num_nodes = details.nodes.size();
            out.goal_place.polygon = CAIRN_NONE;
            if (const auto* const goal = std::get_if<cairn::grid::Point>(&details.goal))
                out.goal_cell = {goal->x, goal->y};
#if CAIRN_HAS_MESH
            out.polygons = details.polygons.data();
            out.num_polygons = details.polygons.size();
            out.waypoints = reinterpret_cast<const cairn_waypoint*>(details.waypoints.data());
            out.num_waypoints = details.waypoints.size();
            if (const auto* const goal = std::get_if<cairn::mesh::Place>(&details.goal))
                out.goal_place = place_of(*goal);
#endif
            return give(out, path);
        },
        answer, path);
}

void cairn_answer_free(cairn_answer* answer) { delete answer; }
