// Navigation meshes.

#include <algorithm>
#include <array>

#include "handles.hpp"
#if CAIRN_HAS_MESH
#include "cairn/mesh/from_grid.hpp"
#include "cairn/mesh/locator.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/mesh_image.hpp"
#if CAIRN_HAS_FORMATS && CAIRN_HAS_MORE_FORMATS
#include "cairn/formats/polyanya.hpp"
#endif
#if CAIRN_HAS_DETOUR
#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/recast_builder.hpp"
#include "cairn/detour/tile_set.hpp"
#include "cairn/detour/triangles.hpp"
#include "core/field_of.hpp"
#endif
#endif

#if CAIRN_HAS_MESH

namespace cairn::c {
namespace {

using MeshGiven = Given<cairn_mesh_options>;

static_assert(static_cast<int>(mesh::Scoring::portal_midpoints) == CAIRN_MIDPOINTS);
static_assert(static_cast<int>(mesh::Scoring::polygon_centres) == CAIRN_CENTRES);
static_assert(static_cast<int>(mesh::Scoring::portal_parts) == CAIRN_PARTS);

Result<mesh::MeshOptions> mesh_options(const MeshGiven& given) {
    if (!given.valid()) return tl::unexpected(wrong_size());
    if (Status status = check_choice("scoring", given->scoring, CAIRN_PARTS); !status.ok())
        return tl::unexpected(std::move(status));
    mesh::MeshOptions out;
    out.scoring = static_cast<mesh::Scoring>(given->scoring);
    if (given->area_costs != nullptr)
        std::transform(given->area_costs, given->area_costs + mesh::kAreas, out.area_costs.begin(),
                       to_float);
    out.units_per_length = given->units_per_length;
    out.longest_part = given->longest_part;
    out.radius = given->radius;
    return out;
}

mesh::OddPolygons odd_polygons(const MeshGiven& given) {
    return given->accept_odd != 0 ? mesh::OddPolygons::accept : mesh::OddPolygons::refuse;
}

Result<cairn_map> handle_of(Result<mesh::Mesh> mesh) {
    return std::move(mesh).map([](mesh::Mesh made) { return cairn_map{std::move(made)}; });
}

mesh::Point point_of(const double* xyz) noexcept {
    return {to_float(xyz[0]), to_float(xyz[1]), to_float(xyz[2])};
}

Status bad_arrays(const char* what) { return {StatusCode::bad_option, what}; }

/// Copies arrays into an image, which Mesh::build checks.
Result<mesh::MeshImage> image_of(const Given<cairn_mesh_arrays>& given) {
    if (!given.valid()) return tl::unexpected(wrong_size());
    const bool missing = (given->num_vertices > 0 && given->vertices == nullptr) ||
                         (given->num_polygons > 0 && given->first_corner == nullptr) ||
                         (given->num_corners > 0 && given->corners == nullptr) ||
                         (given->num_portals > 0 && given->portals == nullptr) ||
                         (given->num_connections > 0 && given->connections == nullptr);
    if (missing) return tl::unexpected(null_argument());
    mesh::MeshImage out;
    out.vertices.reserve(given->num_vertices);
    for (std::size_t i = 0; i < given->num_vertices; ++i)
        out.vertices.push_back(point_of(given->vertices + 3 * i));
    if (given->num_polygons > 0) {
        const std::span first(given->first_corner, std::size_t{given->num_polygons} + 1);
        // Mesh::build takes the numbers as they are.
        if (!std::is_sorted(first.begin(), first.end()) || first.back() > given->num_corners)
            return tl::unexpected(bad_arrays("first_corner must ascend, to at most num_corners"));
        out.first_corner.assign(first.begin(), first.end());
        out.corners.assign(given->corners, given->corners + first.back());
        if (given->areas != nullptr)
            out.areas.assign(given->areas, given->areas + given->num_polygons);
    }
    out.portals_given = given->portals != nullptr;
    for (std::size_t i = 0; i < given->num_portals; ++i) {
        const cairn_portal& p = given->portals[i];
        if (Status status = check_choice("one_way", p.one_way, 2); !status.ok())
            return tl::unexpected(std::move(status));
        out.portals.push_back({p.first, p.second, point_of(p.begin), point_of(p.end),
                               p.one_way != 2, p.one_way != 1, to_float(p.width)});
    }
    for (std::size_t i = 0; i < given->num_connections; ++i) {
        const cairn_connection& c = given->connections[i];
        if (Status status = check_choice("area", c.area, 63); !status.ok())
            return tl::unexpected(std::move(status));
        out.connections.push_back({c.from, c.to, point_of(c.begin), point_of(c.end),
                                   static_cast<std::uint8_t>(c.area), c.one_way == 0});
    }
    return out;
}

#if CAIRN_HAS_DETOUR

using detour::RecastOptions;
constexpr double kLongest = 1e6;
constexpr std::array kRecastFields{
    number_field<&RecastOptions::cell_size>("cell_size", 0.001, 1000, ""),
    number_field<&RecastOptions::cell_height>("cell_height", 0.001, 1000, ""),
    number_field<&RecastOptions::agent_height>("agent_height", 0, kLongest, ""),
    number_field<&RecastOptions::agent_radius>("agent_radius", 0, kLongest, ""),
    number_field<&RecastOptions::agent_climb>("agent_climb", 0, kLongest, ""),
    number_field<&RecastOptions::agent_slope>("agent_slope", 0, 89, ""),
    number_field<&RecastOptions::region_min_size>("region_min_size", 0, 10000, ""),
    number_field<&RecastOptions::region_merge_size>("region_merge_size", 0, 10000, ""),
    number_field<&RecastOptions::edge_max_length>("edge_max_length", 0, kLongest, ""),
    number_field<&RecastOptions::edge_max_error>("edge_max_error", 0, kLongest, ""),
    integer_field<&RecastOptions::corners>("corners", 3, 6, ""),
    number_field<&RecastOptions::detail_sample_distance>("detail_sample_distance", 0, kLongest, ""),
    number_field<&RecastOptions::detail_max_error>("detail_max_error", 0, kLongest, ""),
    integer_field<&RecastOptions::tile_size>("tile_size", 0, 1024, "")};

Result<detour::NavMesh> load_nav_mesh(const std::string& path, const MeshGiven& given,
                                      const BuildControl& control) {
    if (extension_of(path) == ".bin") return detour::read_tile_set(path);
    const auto settings = settings_of(given->recast, given->num_recast);
    if (!settings) return tl::unexpected(settings.error());
    RecastOptions recast;
    if (Status status = detail::apply_settings(*settings, kRecastFields, &recast); !status.ok())
        return tl::unexpected(std::move(status));
    const auto triangles = detour::read_obj(path);
    if (!triangles) return tl::unexpected(triangles.error());
    return detour::build_navmesh(*triangles, recast, control);
}

Result<mesh::Mesh> load_tiles(const std::string& path, const MeshGiven& given,
                              const mesh::MeshOptions& options, const BuildControl& control) {
    const auto loaded = load_nav_mesh(path, given, control);
    if (!loaded) return tl::unexpected(loaded.error());
    dtQueryFilter filter;
    for (std::size_t area = 0; area < mesh::kAreas; ++area)
        filter.setAreaCost(static_cast<int>(area), options.area_costs[area]);
    auto converted = detour::convert(**loaded, filter, options);
    if (!converted) return tl::unexpected(std::move(converted.error()));
    return std::move(converted->mesh);
}

#endif

Result<mesh::Mesh> load_mesh(const std::string& path, const MeshGiven& given,
                             const BuildControl& control) {
    const auto options = mesh_options(given);
    if (!options) return tl::unexpected(options.error());
    const std::string extension = extension_of(path);
#if CAIRN_HAS_DETOUR
    if (extension == ".bin" || extension == ".obj")
        return load_tiles(path, given, *options, control);
#endif
#if CAIRN_HAS_FORMATS && CAIRN_HAS_MORE_FORMATS
    if (extension == ".mesh") {
        auto image = formats::read_polyanya(path);
        if (!image) return tl::unexpected(std::move(image.error()));
        image->odd_polygons = odd_polygons(given);
        auto built = mesh::Mesh::build(image->source(), *options);
        if (!built && !built.error().message.empty()) built.error().message.insert(0, path + ": ");
        return built;
    }
#endif
    return fail(StatusCode::unsupported, path + ": no mesh is read from a file of this extension");
}

}  // namespace

Result<mesh::Mesh> mesh_of(const cairn_map& map) {
    if (const auto* const own = std::get_if<mesh::Mesh>(&map.map)) return *own;
    return fail(StatusCode::unsupported, "the map is no mesh");
}

Status read_edits(std::span<const cairn_polygon_edit> edits, std::vector<mesh::PolygonEdit>& out) {
    for (const cairn_polygon_edit& e : edits) {
        Status status = check_choice("area", e.area, 63);
        if (status.ok()) status = check_choice("blocked", e.blocked, 1);
        if (!status.ok()) return status;
        out.push_back({e.polygon, static_cast<std::uint8_t>(e.area), e.blocked != 0});
    }
    return {};
}

Status MeshChange::read(const cairn_mesh_change* change) {
    const Given<cairn_mesh_change> given(change);
    if (!given.valid()) return wrong_size();
    if ((given->num_removed > 0 && given->removed == nullptr) ||
        (given->num_edits > 0 && given->edits == nullptr))
        return null_argument();
    removed_ = {given->removed, given->num_removed};
    if (given->added != nullptr) {
        auto image = image_of(Given<cairn_mesh_arrays>(given->added));
        if (!image) return std::move(image.error());
        added_ = std::move(*image);
    }
    added_.odd_polygons =
        given->accept_odd != 0 ? mesh::OddPolygons::accept : mesh::OddPolygons::refuse;
    return read_edits({given->edits, given->num_edits}, edits_);
}

}  // namespace cairn::c

#endif

using namespace cairn::c;  // NOLINT(google-build-using-namespace): the functions are global
using cairn::Result;
using cairn::Status;

cairn_status cairn_mesh_create(const cairn_mesh_arrays* arrays, const cairn_mesh_options* options,
                               cairn_map** mesh) {
    return make(
        mesh,
        [&]() -> Result<cairn_map> {
#if CAIRN_HAS_MESH
            const MeshGiven given(options);
            const auto built_with = mesh_options(given);
            if (!built_with) return tl::unexpected(built_with.error());
            auto image = image_of(Given<cairn_mesh_arrays>(arrays));
            if (!image) return tl::unexpected(std::move(image.error()));
            image->odd_polygons = odd_polygons(given);
            return handle_of(cairn::mesh::Mesh::build(image->source(), *built_with));
#else
            return tl::unexpected(not_built("mesh"));
#endif
        },
        arrays);
}

cairn_status cairn_mesh_load(const char* path, const cairn_mesh_options* options,
                             const cairn_control* control, cairn_map** mesh) {
    return make(
        mesh,
        [&]() -> Result<cairn_map> {
#if CAIRN_HAS_MESH
            const Control given(control);
            if (Status status = given.check(); !status.ok())
                return tl::unexpected(std::move(status));
            return handle_of(load_mesh(path, MeshGiven(options), given.get()));
#else
            return tl::unexpected(not_built("mesh"));
#endif
        },
        path);
}

cairn_status cairn_mesh_from_grid(const cairn_map* grid, const cairn_mesh_options* options,
                                  cairn_map** mesh) {
    return make(
        mesh,
        [&]() -> Result<cairn_map> {
#if CAIRN_HAS_MESH
            const auto own = grid_of(*grid);
            if (!own) return tl::unexpected(own.error());
            const auto built_with = mesh_options(MeshGiven(options));
            if (!built_with) return tl::unexpected(built_with.error());
            return handle_of(cairn::mesh::mesh_from_grid(*own, *built_with));
#else
            return tl::unexpected(not_built("mesh"));
#endif
        },
        grid);
}

cairn_status cairn_mesh_changed(const cairn_map* mesh, const cairn_mesh_change* change,
                                cairn_map** changed) {
    return make(
        changed,
        [&]() -> Result<cairn_map> {
#if CAIRN_HAS_MESH
            const auto own = mesh_of(*mesh);
            if (!own) return tl::unexpected(own.error());
            MeshChange list;
            if (Status status = list.read(change); !status.ok())
                return tl::unexpected(std::move(status));
            return handle_of(own->changed(list.get()));
#else
            return tl::unexpected(not_built("mesh"));
#endif
        },
        mesh, change);
}

cairn_status cairn_mesh_copy(const cairn_map* mesh, double* vertices, uint32_t* first_corner,
                             uint32_t* corners, uint8_t* areas, uint8_t* blocked) {
    return call(
        [&]() -> Status {
#if CAIRN_HAS_MESH
            const auto own = mesh_of(*mesh);
            if (!own) return own.error();
            if (vertices != nullptr) {
                for (const cairn::mesh::Point& v : own->vertices()) {
                    for (const float coordinate : {v.x, v.y, v.z}) *vertices++ = coordinate;
                }
            }
            uint32_t first = 0;
            if (first_corner != nullptr) first_corner[0] = 0;
            for (cairn::mesh::Polygon p = 0; p < own->num_polygons(); ++p) {
                const auto list = own->corners(p);
                if (corners != nullptr) std::copy(list.begin(), list.end(), corners + first);
                first += static_cast<uint32_t>(list.size());
                if (first_corner != nullptr) first_corner[p + 1] = first;
                if (areas != nullptr) areas[p] = own->area(p);
                if (blocked != nullptr) blocked[p] = own->blocked(p) ? 1 : 0;
            }
            return {};
#else
            return not_built("mesh");
#endif
        },
        mesh);
}

cairn_status cairn_mesh_locate(const cairn_map* mesh, const cairn_places* places,
                               uint32_t* polygons) {
    return call(
        [&]() -> Status {
#if CAIRN_HAS_MESH
            const auto own = mesh_of(*mesh);
            if (!own) return own.error();
            Places list;
            if (Status status = read_places(places, list); !status.ok()) return status;
            const auto locator = cairn::mesh::Locator::create(*own);
            if (!locator) return locator.error();
            for (const cairn::AnyPlace& place : list) {
                const auto* const point = std::get_if<cairn::mesh::Place>(&place);
                if (point == nullptr) return bad_arrays("places on a mesh are points, not cells");
                *polygons++ = locator->find(*own, point->point);
            }
            return {};
#else
            return not_built("mesh");
#endif
        },
        mesh, places, polygons);
}
