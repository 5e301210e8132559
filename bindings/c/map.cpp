// Grids, and maps for agents.

#include <algorithm>
#include <cmath>

#include "cairn/grid/map.hpp"
#include "handles.hpp"
#if CAIRN_HAS_MESH
#include "cairn/mesh/mesh_image.hpp"
#endif
#if CAIRN_HAS_FORMATS
#include "cairn/formats/movingai.hpp"
#if CAIRN_HAS_MORE_FORMATS
#include "cairn/formats/nav2.hpp"
#include "cairn/formats/palette.hpp"
#include "cairn/formats/polyanya.hpp"
#include "cairn/formats/raster.hpp"
#endif
#endif

namespace cairn::c {
namespace {

using grid::TerrainImage;
using MapGiven = Given<cairn_map_options>;

static_assert(static_cast<int>(grid::CornerRule::both_blocked) == CAIRN_CORNER_BOTH_BLOCKED);
static_assert(static_cast<int>(grid::CornerRule::free) == CAIRN_CORNER_FREE);

Status check_position(const MapGiven& given) {
    const bool finite = std::isfinite(given->resolution) && std::isfinite(given->origin_x) &&
                        std::isfinite(given->origin_y) && std::isfinite(given->yaw);
    if (given->resolution == 0 || (given->resolution > 0 && finite)) return {};
    return {StatusCode::bad_option,
            "resolution must be above 0, or 0 for no position; origin_x, origin_y and yaw finite"};
}

Result<grid::MapOptions> map_options(const MapGiven& given) {
    if (!given.valid()) return tl::unexpected(wrong_size());
    Status status = check_choice("terrain", given->terrain, CAIRN_WEIGHTS);
    if (status.ok()) status = check_choice("neighbours", given->neighbours, CAIRN_FOUR);
    if (status.ok()) status = check_choice("corner", given->corner, CAIRN_CORNER_FREE);
    if (status.ok()) status = check_position(given);
    if (!status.ok()) return tl::unexpected(std::move(status));
    grid::MapOptions out;
    if (given->neighbours == CAIRN_FOUR) out.rules.neighbourhood = grid::Neighbourhood::four;
    out.rules.corner = static_cast<grid::CornerRule>(given->corner);
    if (given->straight != 0) out.costs.straight = given->straight;
    if (given->diagonal != 0) out.costs.diagonal = given->diagonal;
    if (given->weights != nullptr) {
        out.weights = weights_of(given->weights);
    } else if (given->palette != nullptr) {
        out.weights = {};
        std::fill_n(out.weights.weight.begin(), 16, std::uint8_t{1});
    } else if (given->terrain != CAIRN_LETTERS) {
        out.weights = given->terrain == CAIRN_DIGITS ? grid::TerrainWeights::weighted()
                                                     : grid::TerrainWeights::literal();
    }
    return out;
}

std::optional<Position> position_of(const MapGiven& given) {
    if (given->resolution == 0) return std::nullopt;
    return Position{given->resolution, given->origin_x, given->origin_y, given->yaw};
}

/// The map of terrain in a handle.
Result<cairn_map> map_of(int width, int height, std::span<const std::uint8_t> terrain,
                         const MapGiven& given) {
    const auto options = map_options(given);
    if (!options) return tl::unexpected(options.error());
    return grid::Map::create(width, height, terrain, *options).map([&](grid::Map map) {
        return cairn_map{std::move(map), position_of(given)};
    });
}
#if CAIRN_HAS_FORMATS
Result<cairn_map> map_of(const Result<TerrainImage>& image, const MapGiven& given) {
    if (!image) return tl::unexpected(image.error());
    return map_of(image->width, image->height, image->terrain, given);
}
#endif

#if CAIRN_HAS_FORMATS && CAIRN_HAS_MORE_FORMATS

formats::PictureLimits limits_of(const MapGiven& given) {
    formats::PictureLimits limits;
    if (given->max_pixels != 0) limits.max_pixels = given->max_pixels;
    if (given->layer != nullptr) limits.tiled.layer = given->layer;
    if (given->wall_property != nullptr) limits.tiled.property = given->wall_property;
    limits.tiled.empty_is_free = given->empty_is_free != 0;
    return limits;
}

Result<cairn_map> load_yaml(const std::string& path, const MapGiven& given) {
    const auto loaded =
        formats::load_occupancy_map(path, {given->unknown_is_free != 0, limits_of(given)});
    if (!loaded) return tl::unexpected(loaded.error());
    const formats::GeoReference& geo = loaded->geo;
    return map_of(loaded->terrain, given).map([&](cairn_map map) {
        map.position = Position{geo.resolution, geo.origin.x, geo.origin.y, geo.yaw};
        return map;
    });
}

Result<cairn_map> load_with_palette(const std::string& path, const MapGiven& given) {
#if CAIRN_HAS_HAA
    const auto palette = formats::load_palette(given->palette);
    if (!palette) return tl::unexpected(palette.error());
    return map_of(formats::load_terrain_png(path, *palette, limits_of(given)), given);
#else
    return tl::unexpected(not_built("palettes"));
#endif
}

/// The position as the formats have it.
formats::GeoReference geo_of(const Position& position, int height) {
    return {position.resolution, {position.x, position.y}, position.yaw, height};
}

#endif

Result<cairn_map> load_map(const std::string& path, const MapGiven& given) {
    if (!given.valid()) return tl::unexpected(wrong_size());
#if CAIRN_HAS_FORMATS && CAIRN_HAS_MORE_FORMATS
    const std::string extension = extension_of(path);
    if (given->palette != nullptr) return load_with_palette(path, given);
    if (extension == ".yaml" || extension == ".yml") return load_yaml(path, given);
    return map_of(formats::load_terrain(path, limits_of(given)), given);
#elif CAIRN_HAS_FORMATS
    if (given->palette != nullptr) return tl::unexpected(not_built("palettes"));
    return map_of(formats::read_map(path), given);
#else
    return tl::unexpected(not_built("formats"));
#endif
}

Result<cairn_map> parse_map(std::string_view bytes, const MapGiven& given) {
    if (!given.valid()) return tl::unexpected(wrong_size());
#if CAIRN_HAS_FORMATS && CAIRN_HAS_MORE_FORMATS
    if (given->palette == nullptr)
        return map_of(formats::parse_terrain(bytes, "map", limits_of(given)), given);
#if CAIRN_HAS_HAA
    const auto palette = formats::load_palette(given->palette);
    if (!palette) return tl::unexpected(palette.error());
    return map_of(formats::parse_terrain_png(bytes, "map", *palette, limits_of(given)), given);
#else
    return tl::unexpected(not_built("palettes"));
#endif
#elif CAIRN_HAS_FORMATS
    return map_of(formats::parse_map(bytes, "map"), given);
#else
    return tl::unexpected(not_built("formats"));
#endif
}

/// The terrain of a grid in MovingAI letters, if its bytes are weights up to 9. Errors: bad_option.
Result<TerrainImage> letters_of(const cairn_map& map) {
    auto image = image_of(map.map);
    const auto* const own = std::get_if<grid::Map>(&map.map);
    if (!image || own == nullptr || own->options().weights != grid::TerrainWeights::literal())
        return image;
    for (std::uint8_t& byte : image->terrain) {
        constexpr std::string_view kLetters = "@.23456789";
        if (byte >= kLetters.size())
            return fail(StatusCode::bad_option, "weights above 9 have no letter");
        byte = static_cast<std::uint8_t>(kLetters[byte]);
    }
    return image;
}

Status save_grid(const cairn_map& map, const std::string& path) {
    const auto image = letters_of(map);
    if (!image) return image.error();
    const std::string extension = extension_of(path);
#if CAIRN_HAS_FORMATS
    if (extension == ".map") return formats::write_map(path, *image);
#if CAIRN_HAS_MORE_FORMATS
    if (extension == ".png" || extension == ".pgm") {
        const auto picture = formats::picture_of(*image);
        if (!picture) return picture.error();
        return extension == ".png" ? formats::write_png(path, *picture)
                                   : formats::write_pgm(path, *picture);
    }
    if (extension == ".yaml" || extension == ".yml") {
        const Position position = map.position.value_or(Position{1, 0, 0, 0});
        return formats::write_occupancy_map(path, {*image, geo_of(position, image->height)});
    }
#endif
#endif
    return {StatusCode::unsupported, path + ": no map is written in a file of this extension"};
}

#if CAIRN_HAS_MESH && CAIRN_HAS_FORMATS && CAIRN_HAS_MORE_FORMATS

/// The arrays of a mesh, with its portals.
mesh::MeshImage image_of(const mesh::Mesh& mesh) {
    mesh::MeshImage out;
    out.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
        const auto corners = mesh.corners(p);
        out.corners.insert(out.corners.end(), corners.begin(), corners.end());
        out.first_corner.push_back(static_cast<std::uint32_t>(out.corners.size()));
        out.areas.push_back(mesh.area(p));
    }
    out.portals_given = true;
    for (mesh::Portal portal = 0; portal < mesh.num_portals(); ++portal) {
        const mesh::Link link = 2 * portal;
        if (mesh.polygon_of(link) == mesh::kNone || mesh.part(portal) != 0) continue;
        out.portals.push_back({mesh.polygon_of(link), mesh.polygon_of(mesh::twin(link)),
                               mesh.left(link), mesh.right(link), true, true, mesh.width(portal)});
    }
    return out;
}

#endif

Status save_map(const cairn_map& map, const std::string& path) {
#if CAIRN_HAS_MESH
    if ([[maybe_unused]] const auto* const mesh = std::get_if<mesh::Mesh>(&map.map)) {
#if CAIRN_HAS_FORMATS && CAIRN_HAS_MORE_FORMATS
        if (extension_of(path) == ".mesh" && !mesh->directed())
            return formats::write_polyanya(path, image_of(*mesh));
#endif
        return {StatusCode::unsupported,
                path + ": a mesh without one-way portals is written as .mesh"};
    }
#endif
    return save_grid(map, path);
}

/// Writes what all kinds of maps know, and what this one knows.
template <class Map>
void describe_map(const Map& map, cairn_map_info& out) {
    if constexpr (requires { map.terrain(0); }) {
        out.width = map.width();
        out.height = map.height();
        const auto& options = map.options();
        out.neighbours =
            static_cast<std::int32_t>(options.rules.neighbourhood == grid::Neighbourhood::four);
        out.corner = static_cast<std::int32_t>(options.rules.corner);
        out.straight = options.costs.straight;
        out.diagonal = options.costs.diagonal;
    }
    if constexpr (requires { map.fingerprint(); }) {
        out.fingerprint = map.fingerprint();
        out.bytes = map.bytes();
    }
    if constexpr (requires { map.free_cells(); }) out.free_cells = map.free_cells();
    if constexpr (requires { map.options().max_size; }) {
        out.kind = CAIRN_KIND_AGENTS;
        out.max_size = map.options().max_size;
        out.num_capabilities = static_cast<std::uint32_t>(map.options().capabilities.size());
    }
    if constexpr (requires { map.num_polygons(); }) {
        out.kind = CAIRN_KIND_MESH;
        out.num_polygons = map.num_polygons();
        out.num_portals = map.num_portals();
        out.num_vertices = map.vertices().size();
        for (std::uint32_t p = 0; p < map.num_polygons(); ++p)
            out.num_corners += map.corners(p).size();
        out.units_per_length = map.units_per_length();
    }
}

}  // namespace

#if CAIRN_HAS_HAA

std::vector<haa::Capability> capabilities_of(std::span<const std::uint8_t> costs) {
    std::vector<haa::Capability> out(costs.size() / haa::kMaxTerrains);
    for (std::size_t i = 0; i < costs.size(); ++i) {
        if (costs[i] == 0) continue;
        haa::Capability& capability = out[i / haa::kMaxTerrains];
        const std::size_t terrain = i % haa::kMaxTerrains;
        capability.terrains = static_cast<haa::TerrainSet>(capability.terrains | 1U << terrain);
        capability.weight[terrain] = costs[i];
    }
    return out;
}

#endif

Result<TerrainImage> image_of(const AnyMap& map) {
    return std::visit(
        [](const auto& own) -> Result<TerrainImage> {
            using Own = std::remove_cvref_t<decltype(own)>;
            if constexpr (std::same_as<Own, TerrainImage>) {
                return own;
            } else if constexpr (requires { own.terrain(0); }) {
                TerrainImage out{own.width(), own.height(), {}};
                out.terrain.resize(own.size());
                for (grid::Cell cell = 0; cell < own.size(); ++cell)
                    out.terrain[cell] = own.terrain(cell);
                return out;
            } else {
                return fail(StatusCode::unsupported, "a mesh has no cells");
            }
        },
        map);
}

Result<grid::Map> grid_of(const cairn_map& map) {
    if (const auto* const own = std::get_if<grid::Map>(&map.map)) return *own;
    return fail(StatusCode::unsupported, "the map is no grid");
}

}  // namespace cairn::c

using namespace cairn::c;  // NOLINT(google-build-using-namespace): the functions are global
using cairn::Result;
using cairn::Status;
using cairn::StatusCode;

cairn_status cairn_map_create(int32_t width, int32_t height, const uint8_t* bytes,
                              ptrdiff_t row_stride, const cairn_map_options* options,
                              cairn_map** map) {
    return make(
        map,
        [&]() -> Result<cairn_map> {
            constexpr int kMost = cairn::grid::Map::kMaxSide;
            if (width < 1 || height < 1 || width > kMost || height > kMost)
                return cairn::fail(StatusCode::bad_option, "a map's sides must be 1 to 32768");
            const auto columns = static_cast<std::size_t>(width);
            const std::size_t cells = columns * static_cast<std::size_t>(height);
            const ptrdiff_t stride = row_stride == 0 ? width : row_stride;
            const MapGiven given(options);
            if (stride == width) return map_of(width, height, {bytes, cells}, given);
            std::vector<std::uint8_t> packed(cells);
            for (int32_t y = 0; y < height; ++y)
                std::memcpy(&packed[static_cast<std::size_t>(y) * columns], bytes + y * stride,
                            columns);
            return map_of(width, height, packed, given);
        },
        bytes);
}

cairn_status cairn_map_load(const char* path, const cairn_map_options* options, cairn_map** map) {
    return make(
        map, [&] { return load_map(path, MapGiven(options)); }, path);
}

cairn_status cairn_map_parse(const void* bytes, size_t num_bytes, const cairn_map_options* options,
                             cairn_map** map) {
    return make(
        map,
        [&] {
            return parse_map({static_cast<const char*>(bytes), num_bytes}, MapGiven(options));
        },
        bytes);
}

cairn_status cairn_map_save(const cairn_map* map, const char* path) {
    return call([&] { return save_map(*map, path); }, map, path);
}

void cairn_map_free(cairn_map* map) { delete map; }

cairn_status cairn_map_with_agents(const cairn_map* grid, const cairn_agents* agents,
                                   cairn_map** map) {
    return make(
        map,
        [&]() -> Result<cairn_map> {
            const Given<cairn_agents> given(agents);
            if (!given.valid()) return tl::unexpected(wrong_size());
#if CAIRN_HAS_HAA
            const auto own = grid_of(*grid);
            if (!own) return tl::unexpected(own.error());
            const auto image = image_of(grid->map);
            cairn::haa::AnnotationOptions out;
            if (given->key != nullptr) {
                std::copy_n(given->key, out.key.terrain.size(), out.key.terrain.begin());
            } else if (given->key_numbers != 0) {
                out.key = cairn::haa::TerrainKey::literal();
            }
            if (given->max_size != 0) out.max_size = given->max_size;
            if (given->centred != 0) out.anchor = cairn::haa::Anchor::centred;
            out.rules = own->options().rules;
            out.costs = own->options().costs;
            if (given->capabilities != nullptr) {
                if (given->num_capabilities > 16)
                    return cairn::fail(StatusCode::bad_option, "more than 16 capabilities");
                out.capabilities = capabilities_of(
                    {given->capabilities, std::size_t{16} * given->num_capabilities});
            }
            return cairn::haa::AnnotatedMap::create(*image, out).map([&](auto annotated) {
                return cairn_map{std::move(annotated), grid->position};
            });
#else
            return tl::unexpected(not_built("haa"));
#endif
        },
        grid);
}

cairn_status cairn_map_get(const cairn_map* map, cairn_map_info* info) {
    return call(
        [&]() -> Status {
            cairn_map_info out{};
            std::visit([&](const auto& own) { describe_map(own, out); }, map->map);
            if (map->position) {
                out.resolution = map->position->resolution;
                out.origin_x = map->position->x;
                out.origin_y = map->position->y;
                out.yaw = map->position->yaw;
            }
            return give(out, info);
        },
        map, info);
}

cairn_status cairn_map_copy_bytes(const cairn_map* map, uint8_t* bytes, ptrdiff_t row_stride) {
    return call(
        [&]() -> Status {
            const auto image = image_of(map->map);
            if (!image) return image.error();
            const ptrdiff_t stride = row_stride == 0 ? image->width : row_stride;
            const auto columns = static_cast<std::size_t>(image->width);
            for (int32_t y = 0; y < image->height; ++y)
                std::memcpy(bytes + y * stride,
                            &image->terrain[static_cast<std::size_t>(y) * columns], columns);
            return {};
        },
        map, bytes);
}

#if CAIRN_HAS_FORMATS && CAIRN_HAS_MORE_FORMATS

/// Calls use(geo) with the map's position.
template <class Use>
static Status with_position(const cairn_map& map, const Use& use) {
    if (!map.position) return {StatusCode::unsupported, "the map has no position in the world"};
    const int height = std::visit(
        [](const auto& own) {
            if constexpr (requires { own.terrain(0); }) return own.height();
            return 0;
        },
        map.map);
    use(geo_of(*map.position, height));
    return {};
}

#else

template <class Use>
static Status with_position(const cairn_map& /*map*/, const Use& /*use*/) {
    return not_built("more_formats");
}

#endif

cairn_status cairn_map_to_cell(const cairn_map* map, double x, double y, int32_t cell[2]) {
    return call(
        [&] {
            return with_position(*map, [&](const auto& geo) {
                const cairn::grid::Point at = geo.to_cell({x, y});
                cell[0] = at.x;
                cell[1] = at.y;
            });
        },
        map, cell);
}

cairn_status cairn_map_to_world(const cairn_map* map, int32_t column, int32_t row,
                                double point[2]) {
    return call(
        [&] {
            return with_position(*map, [&](const auto& geo) {
                const auto at = geo.to_world({column, row});
                point[0] = at.x;
                point[1] = at.y;
            });
        },
        map, point);
}

cairn_status cairn_map_measure(const cairn_map* map, const uint32_t* cells, size_t num_cells,
                               uint32_t* cost, double* length) {
    return call(
        [&]() -> Status {
            const auto* const own = std::get_if<cairn::grid::Map>(&map->map);
            if (own == nullptr) return {StatusCode::unsupported, "the map is no grid"};
            if (num_cells > 0 && cells == nullptr) return null_argument();
            const std::span path(cells, num_cells);
            for (const uint32_t cell : path) {
                if (cell >= own->size())
                    return {StatusCode::bad_option,
                            "cell " + std::to_string(cell) + " is not on the map"};
            }
            const cairn::Cost sum = path_cost(*own, path);
            if (cost != nullptr) *cost = sum;
            if (length != nullptr) *length = sum == CAIRN_INFINITY ? 0 : path_length(*own, path);
            return {};
        },
        map);
}
