// Agents of several radii on a mesh.

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "handles.hpp"
#if CAIRN_HAS_HNA
#include "cairn/hna/discs.hpp"
#include "mesh/endpoints.hpp"
#endif

struct cairn_discs {
#if CAIRN_HAS_HNA
    cairn::hna::DiscIndex index;
#endif
};

struct cairn_disc_searcher {
#if CAIRN_HAS_HNA
    cairn::hna::DiscIndex index;
    cairn::hna::DiscSearcher searcher{};
    cairn::hna::DiscAnswer answer{};
#endif
};

#if CAIRN_HAS_HNA

namespace cairn::c {
namespace {

using hna::DiscIndex;

static_assert(sizeof(cairn_disc_waypoint) == sizeof(mesh::DiscWaypoint));
static_assert(offsetof(cairn_disc_waypoint, polygon) == offsetof(mesh::DiscWaypoint, polygon));
static_assert(offsetof(cairn_disc_waypoint, onwards) == offsetof(mesh::DiscWaypoint, onwards));
static_assert(offsetof(cairn_disc_waypoint, corner_x) == offsetof(mesh::DiscWaypoint, corner));
static_assert(static_cast<int>(mesh::Onwards::straight) == CAIRN_STRAIGHT);
static_assert(static_cast<int>(mesh::Onwards::arc_left) == CAIRN_ARC_LEFT);
static_assert(static_cast<int>(mesh::Onwards::arc_right) == CAIRN_ARC_RIGHT);
static_assert(CAIRN_NONE == mesh::kNone);

constexpr std::array kDetails{hna::Detail::path, hna::Detail::corridor, hna::Detail::cost,
                              hna::Detail::reachable};  // by CAIRN_DISC_PATH to ..._REACHABLE

/// Builds the index of a mesh.
Result<DiscIndex> build(const cairn_map& map, std::span<const double> radii,
                        std::span<const Setting> settings, const BuildControl& control) {
    const auto mesh = mesh_of(map);
    if (!mesh) return tl::unexpected(mesh.error());
    hna::Options options;
    if (Status status = apply_settings(settings, options); !status.ok())
        return tl::unexpected(std::move(status));
    return DiscIndex::build(*mesh, radii, options, control);
}

/// The query in C++.
Result<hna::DiscQuery> query_of(const Given<cairn_disc_query>& given,
                                const Given<cairn_limits>& limits) {
    if (!given.valid() || !limits.valid()) return tl::unexpected(wrong_size());
    const int most = static_cast<int>(kDetails.size()) - 1;
    if (Status status = check_choice("detail", given->detail, most); !status.ok())
        return tl::unexpected(std::move(status));
    hna::DiscQuery out;
    out.start = to_place(given->start);
    out.goal = to_place(given->goal);
    out.radius = given->radius;
    out.detail = kDetails[static_cast<std::size_t>(given->detail)];
    if (given->reach != 0) out.reach = given->reach;
    out.limits = limits_of(limits);
    return out;
}

/// What answered, as its option of queries names it.
const char* engine_name(hna::Engine engine) noexcept {
    if (engine == hna::Engine::automatic) return "none";
    for (const Choice& choice : find_field(hna::Query::fields(), "engine")->choices) {
        if (choice.value == static_cast<int>(engine)) return choice.name.data();
    }
    return "none";
}

cairn_disc_path path_of(const hna::DiscAnswer& answer) noexcept {
    cairn_disc_path out{};
    out.status = static_cast<cairn_status>(answer.status);
    out.cost = answer.cost;
    out.engine = engine_name(answer.engine);
    out.start = place_of(answer.start);
    out.goal = place_of(answer.goal);
    out.polygons = answer.polygons.data();
    out.num_polygons = answer.polygons.size();
    out.waypoints = reinterpret_cast<const cairn_disc_waypoint*>(answer.waypoints.data());
    out.num_waypoints = answer.waypoints.size();
    out.length = answer.length;
    return out;
}

}  // namespace
}  // namespace cairn::c

#endif

using namespace cairn::c;  // NOLINT(google-build-using-namespace): the functions are global
using cairn::Result;
using cairn::Status;
using cairn::StatusCode;

cairn_status cairn_discs_build(const cairn_map* mesh, const double* radii, size_t num_radii,
                               const cairn_setting* settings, size_t num_settings,
                               const cairn_control* control, cairn_discs** discs) {
    return make(
        discs,
        [&]() -> Result<cairn_discs> {
#if CAIRN_HAS_HNA
            const auto list = settings_of(settings, num_settings);
            if (!list) return tl::unexpected(list.error());
            const Control given(control);
            if (Status status = given.check(); !status.ok())
                return tl::unexpected(std::move(status));
            auto built = build(*mesh, {radii, num_radii}, *list, given.get());
            if (!built) return tl::unexpected(std::move(built.error()));
            return cairn_discs{std::move(*built)};
#else
            return tl::unexpected(not_built("hna"));
#endif
        },
        mesh, radii);
}

void cairn_discs_free(cairn_discs* discs) { delete discs; }

cairn_status cairn_discs_get(const cairn_discs* discs, cairn_discs_info* info) {
    return call(
        [&]() -> Status {
#if CAIRN_HAS_HNA
            const cairn::mesh::Clearance& clearance = discs->index.clearance();
            cairn_discs_info out{};
            out.num_pieces = clearance.mesh().num_polygons();
            out.radii = discs->index.radii().data();
            out.num_radii = discs->index.radii().size();
            out.num_gates = clearance.gates().size();
            out.memory = discs->index.memory();
            return give(out, info);
#else
            return not_built("hna");
#endif
        },
        discs, info);
}

cairn_status cairn_discs_clearance(const cairn_discs* discs, const cairn_place* place,
                                   double* distance) {
    return call(
        [&]() -> Status {
#if CAIRN_HAS_HNA
            const cairn::mesh::Clearance& clearance = discs->index.clearance();
            const auto own = discs->index.located(to_place(*place));
            if (!inside(clearance.whole(), own)) return {StatusCode::start_outside, {}};
            *distance =
                clearance.clearance(clearance.place(own), std::numeric_limits<double>::infinity());
            return {};
#else
            return not_built("hna");
#endif
        },
        discs, place, distance);
}

cairn_status cairn_discs_reachable(const cairn_discs* discs, const cairn_place* from,
                                   const cairn_place* to, double radius) {
    return call(
        [&]() -> Status {
#if CAIRN_HAS_HNA
            const cairn::hna::DiscIndex& index = discs->index;
            return {index.reachable(index.located(to_place(*from)), index.located(to_place(*to)),
                                    radius),
                    {}};
#else
            return not_built("hna");
#endif
        },
        discs, from, to);
}

cairn_status cairn_discs_widest(const cairn_discs* discs, const cairn_place* from,
                                const cairn_place* to, double* radius) {
    return call(
        [&]() -> Status {
#if CAIRN_HAS_HNA
            const cairn::hna::DiscIndex& index = discs->index;
            return {
                index.widest(index.located(to_place(*from)), index.located(to_place(*to)), *radius),
                {}};
#else
            return not_built("hna");
#endif
        },
        discs, from, to, radius);
}

cairn_status cairn_disc_searcher_create(const cairn_discs* discs, cairn_disc_searcher** searcher) {
    return make(
        searcher,
        [&]() -> Result<cairn_disc_searcher> {
#if CAIRN_HAS_HNA
            return cairn_disc_searcher{discs->index};
#else
            return tl::unexpected(not_built("hna"));
#endif
        },
        discs);
}

size_t cairn_disc_searcher_memory(const cairn_disc_searcher* searcher) {
#if CAIRN_HAS_HNA
    if (searcher != nullptr) return searcher->searcher.memory();
#endif
    return 0;
}

void cairn_disc_searcher_free(cairn_disc_searcher* searcher) { delete searcher; }

cairn_status cairn_find_disc(cairn_disc_searcher* searcher, const cairn_disc_query* query,
                             cairn_disc_path* path) {
    return call(
        [&]() -> Status {
#if CAIRN_HAS_HNA
            const Given<cairn_disc_query> given(query);
            const Given<cairn_limits> limits(given->limits);
            const auto own = query_of(given, limits);
            if (!own) return own.error();
            if (path->size < sizeof path->size) return wrong_size();
            const StatusCode code =
                searcher->searcher.find(searcher->index, *own, searcher->answer);
            static_cast<void>(give(path_of(searcher->answer), path));
            return {code, {}};
#else
            return not_built("hna");
#endif
        },
        searcher, query, path);
}

cairn_status cairn_disc_polyline(const cairn_disc_waypoint* waypoints, size_t num_waypoints,
                                 double tolerance, double* points, size_t* num_points) {
    return call(
        [&]() -> Status {
#if CAIRN_HAS_HNA
            if (waypoints == nullptr && num_waypoints > 0) return null_argument();
            for (size_t i = 0; i < num_waypoints; ++i) {
                if (waypoints[i].onwards > CAIRN_ARC_RIGHT)
                    return {StatusCode::bad_option, "a waypoint has no such value of `onwards`"};
            }
            std::vector<cairn::mesh::LinePoint> line;
            const StatusCode code =
                polyline(std::span(reinterpret_cast<const cairn::mesh::DiscWaypoint*>(waypoints),
                                   num_waypoints),
                         tolerance, line);
            if (code == StatusCode::bad_option) return {code, "tolerance: must be above 0"};
            if (code != StatusCode::ok) return {code, {}};
            const size_t room = std::exchange(*num_points, line.size());
            if (points == nullptr) return {};
            if (room < line.size())
                return {StatusCode::bad_option, "there is too little room for the points"};
            for (const cairn::mesh::LinePoint& point : line) {
                for (const double number : {point.x, point.y, point.z}) *points++ = number;
            }
            return {};
#else
            return not_built("hna");
#endif
        },
        num_points);
}
