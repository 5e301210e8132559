// cairn convert: writes a map or a mesh in another format.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "cairn/formats/polyanya.hpp"
#include "cairn/formats/raster.hpp"
#include "cairn/formats/tiled.hpp"
#include "cairn/mesh/mesh_image.hpp"
#include "cairn/parts.hpp"
#include "command.hpp"
#include "files.hpp"
#include "options/grid.hpp"
#include "options/mesh.hpp"
#include "report/index.hpp"

namespace cairn::app {
namespace {

/// What is read and written.
struct ConvertFiles {
    std::string input;
    std::string output;
    FormatFlag format;
};

void add_ends(CLI::App& command, Context& context, ConvertFiles& files, const std::string& kind,
              const std::vector<std::string>& formats) {
    reads_file(command.add_option("input", files.input, kind + " to read; - is standard input")
                   ->required(),
               context);
    writes_file(command
                    .add_option("output", files.output,
                                kind + " to write; - is standard output, with --format")
                    ->required(),
                context);
    files.format.add_to(command, formats);
}

struct Convert : ConvertFiles {
    formats::PictureLimits limits;
    bool unknown_is_free = false;
    std::optional<double> resolution;
    std::vector<double> origin;

    Outcome run(Context& context) const {
        std::optional<grid::Point> tile;  // of Tiled, at the cell (0, 0)
        auto map = read(tile);
        if (!map) return tl::unexpected(map.error());
        if (resolution) map->geo.resolution = *resolution;
        if (!origin.empty()) map->geo.origin = {origin[0], origin[1]};
        if (Status written =
                write_terrain(output, format.extension(output, ""), map->terrain, map->geo);
            !written.ok())
            return tl::unexpected(written);
        const auto& [width, height, terrain] = map->terrain;
        Json out{{"input", input}, {"output", output}, {"width", width}, {"height", height}};
        std::string text =
            fmt::format("{}: {} x {} cells, written to {}\n", input, width, height, output);
        if (tile) out["tile"] = {tile->x, tile->y};
        if (tile && *tile != grid::Point{})
            text += fmt::format("the cell 0,0 is the tile {},{}\n", tile->x, tile->y);
        say(context, out, text);
        return kDone;
    }
    [[nodiscard]] Result<formats::OccupancyMap> read(
        [[maybe_unused]] std::optional<grid::Point>& tile) const {
        const std::string extension = extension_of(input);
#if CAIRN_HAS_TILED
        if ((extension == ".tmj" || extension == ".tmx") && input != kStandardInput) {
            return formats::load_tiled(input, limits).map([&](formats::TiledMap map) {
                tile = map.origin;
                return formats::OccupancyMap{std::move(map.terrain), {}};
            });
        }
#endif
        if (extension == ".yaml" || extension == ".yml")
            return formats::load_occupancy_map(input, {unknown_is_free, limits});
        return formats::load_terrain(input, limits).map([](grid::TerrainImage image) {
            return formats::OccupancyMap{std::move(image), {}};
        });
    }
};

using mesh::MeshImage;
using mesh::Point;

/// The numbers of vertices, by position.
class Vertices {
public:
    explicit Vertices(std::vector<Point>& all) : all_(&all) {
        for (std::uint32_t v = 0; v < all.size(); ++v) number_.try_emplace(key(all[v]), v);
    }
    /// Adds the vertex if there is none at this position.
    std::uint32_t number_of(const Point& point) {
        const auto [entry, added] =
            number_.try_emplace(key(point), static_cast<std::uint32_t>(all_->size()));
        if (added) all_->push_back(point);
        return entry->second;
    }

private:
    static std::tuple<float, float, float> key(const Point& p) { return {p.x, p.y, p.z}; }

    std::vector<Point>* all_;
    std::map<std::tuple<float, float, float>, std::uint32_t> number_;
};

/// Seen from above, how far along the edge from a to b a point p is: (b - a) * (p - a).
/// std::nullopt unless p is inside the edge.
std::optional<double> along(const Point& a, const Point& b, const Point& p) {
    const double x = double{b.x} - a.x;
    const double z = double{b.z} - a.z;
    const double px = double{p.x} - a.x;
    const double pz = double{p.z} - a.z;
    const double dot = x * px + z * pz;
    const bool inside = x * pz - z * px == 0 && dot > 0 && dot < x * x + z * z;
    return inside ? std::optional(dot) : std::nullopt;
}

/// The polygons, areas and portals of a mesh. Connections, and the marks of one-way portals and of
/// blocked polygons, are left out. O(n).
MeshImage image_of(const mesh::Mesh& mesh) {
    MeshImage out;
    out.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
    out.portals_given = true;
    mesh::Polygon count = 0;  // without connections, which are the last polygons
    while (count < mesh.num_polygons() && !mesh.is_connection(count)) ++count;
    for (mesh::Polygon p = 0; p < count; ++p) {
        const auto corners = mesh.corners(p);
        out.corners.insert(out.corners.end(), corners.begin(), corners.end());
        out.first_corner.push_back(static_cast<std::uint32_t>(out.corners.size()));
        out.areas.push_back(mesh.area(p));
    }
    out.portals.reserve(mesh.num_portals());
    for (mesh::Link link = 0; link < mesh.num_links(); link += 2) {  // one link of each portal
        if (mesh.part(mesh::portal_of(link)) != 0) continue;  // one part of each whole portal
        const mesh::Polygon first = mesh.polygon_of(link);
        const mesh::Polygon second = mesh.polygon_of(mesh::twin(link));
        if (first >= count || second >= count) continue;
        out.portals.push_back({first, second, mesh.left(link), mesh.right(link)});
    }
    return out;
}

/// Adds corners where portals end inside an edge, so that every portal is a whole edge of both
/// polygons. Ends that rounding moved off the edge are not found; grid maps have none. O(n log n)
/// for polygons of bounded size.
void split_edges(MeshImage& image) {
    const std::uint32_t count = image.num_polygons();
    std::vector<std::vector<Point>> ends(count);  // endpoints of portals, by polygon
    for (const mesh::PortalSource& portal : image.portals) {
        for (const mesh::Polygon polygon : {portal.first, portal.second}) {
            ends[polygon].push_back(portal.begin);
            ends[polygon].push_back(portal.end);
        }
    }
    Vertices vertices(image.vertices);
    std::vector<std::uint32_t> corners;
    std::vector<std::uint32_t> first{0};
    first.reserve(count + std::size_t{1});
    std::vector<std::pair<double, std::uint32_t>> inside;  // new corners of an edge, by distance
    for (std::uint32_t p = 0; p < count; ++p) {
        const std::uint32_t begin = image.first_corner[p];
        const std::uint32_t size = image.first_corner[p + 1] - begin;
        for (std::uint32_t i = 0; i < size; ++i) {
            const std::uint32_t corner = image.corners[begin + i];
            const Point a = image.vertices[corner];
            const Point b = image.vertices[image.corners[begin + (i + 1) % size]];
            inside.clear();
            for (const Point& end : ends[p]) {
                if (const auto at = along(a, b, end))
                    inside.emplace_back(*at, vertices.number_of(end));
            }
            std::sort(inside.begin(), inside.end());
            inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
            corners.push_back(vertices.number_of(a));
            for (const auto& [at, vertex] : inside) corners.push_back(vertex);
        }
        first.push_back(static_cast<std::uint32_t>(corners.size()));
    }
    image.corners = std::move(corners);
    image.first_corner = std::move(first);
}

struct MeshConvert : ConvertFiles {
    bool flat = false;
    NavmeshFlags mesh;

    Outcome run(Context& context) const;
    [[nodiscard]] Status write(Context& context, const mesh::Mesh& loaded) const;
    [[nodiscard]] Status write_polyanya(const mesh::Mesh& loaded) const;
};

/// Refuses content that .mesh files cannot hold.
Status check_plain(const mesh::Mesh& mesh, const std::string& file) {
    const auto refuse = [&](const std::string& what, const char* advice) -> Status {
        return {StatusCode::unsupported,
                fmt::format("{}: {}, which .mesh files cannot hold{}", file, what, advice)};
    };
    if (mesh.directed()) return refuse("some portals are one way", "");
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
        const auto corners = mesh.corners(p);
        const char* excess = nullptr;
        if (std::any_of(corners.begin(), corners.end(),
                        [&](std::uint32_t v) { return mesh.vertices()[v].y != 0; }))
            excess = "has heights";
        if (mesh.area(p) != 0) excess = "has an area";
        if (mesh.is_connection(p)) excess = "is a connection";
        if (excess != nullptr)
            return refuse(fmt::format("polygon {} {}", p, excess), ": add --flat to leave it out");
    }
    return {};
}

Status MeshConvert::write_polyanya(const mesh::Mesh& loaded) const {
    if (!flat) {
        if (Status status = check_plain(loaded, input); !status.ok()) return status;
    }
    if (loaded.num_odd() > 0) {
        return {StatusCode::unsupported,
                fmt::format("{}: {} of the polygons are folded, not convex, or have no area, which "
                            ".mesh files cannot hold",
                            input, loaded.num_odd())};
    }
    mesh::MeshImage image = image_of(loaded);
    for (mesh::Point& vertex : image.vertices) vertex.y = 0;
    for (mesh::PortalSource& portal : image.portals) portal.begin.y = portal.end.y = 0;
    image.areas.clear();
    split_edges(image);
    Status written = formats::write_polyanya(output, image);
    if (written.code == StatusCode::unsupported)
        written.message = fmt::format("{}: {}", input, written.message);
    return written;
}

Status MeshConvert::write(Context& context, const mesh::Mesh& loaded) const {
    const std::string extension = format.extension(output, "");
    if (extension == ".mesh") return write_polyanya(loaded);
    if (extension != ".bin") {
        return {StatusCode::unsupported,
                fmt::format("{}: meshes are written as .mesh (Polyanya) or .bin (Detour)", output)};
    }
    if (!is_tile_source(input)) {
        return {StatusCode::unsupported,
                fmt::format("{}: tile sets are made of .obj geometry, or of another .bin", input)};
    }
    if (!flat) return mesh.recast.write_tiles(context, input, output);
    return {StatusCode::bad_option, "--flat is for .mesh files: .bin files have heights"};
}

Outcome MeshConvert::run(Context& context) const {
    const auto loaded = mesh.load(context, input);
    if (!loaded) return tl::unexpected(loaded.error());
    if (Status written = write(context, *loaded); !written.ok()) return tl::unexpected(written);
    Json out{{"input", input}, {"output", output}};
    out.update(mesh_json(*loaded));
    say(context, out, fmt::format("{}: {}\nwritten to {}\n", input, mesh_text(*loaded), output));
    return kDone;
}

void add_grid_convert(CLI::App& app, Context& context) {
    auto options = std::make_shared<Convert>();
    CLI::App* command = add_command(
        app, context, "convert",
        "Convert maps and meshes between their formats. Maps go between MovingAI .map, pictures "
        "(.png, .pgm) and Nav2's .yaml with its picture; Tiled's .tmj and .tmx are read. The "
        "extensions name the formats. In pictures light pixels are free; only .map keeps terrain "
        "weights.",
        "  cairn convert arena.map arena.png\n"
        "  cairn convert floor.yaml floor.map --unknown-is-free\n"
        "  cairn convert level.tmx level.map --layer walls\n"
        "  cairn convert arena.map arena.yaml --resolution 0.05 --origin -10 -10");
    add_ends(*command, context, *options, "Map", kMapFormats);
    add_picture_flags(*command, options->limits, "Map");
    command
        ->add_flag("--unknown-is-free", options->unknown_is_free,
                   "Cells that a .yaml map calls unknown are free")
        ->group("Map");
    command->add_option("--resolution", options->resolution, "Metres a cell, for .yaml")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("METRES")
        ->group("Output");
    command
        ->add_option("--origin", options->origin,
                     "Where the lower-left corner lies in the world, for .yaml")
        ->expected(2)
        ->type_name("X Y")
        ->group("Output");
    on_run(command, context, options);
}

void add_mesh_convert(CLI::App& app, Context& context) {
    auto options = std::make_shared<MeshConvert>();
    CLI::App* command = add_command(
        app, context, "convert",
        "Convert a mesh. Every format is read: .mesh, .bin, .obj (through Recast) and grid maps; "
        ".mesh is written from all of them, .bin from .obj and .bin. The extensions name the "
        "formats.",
        "  cairn convert dungeon.obj dungeon.bin --tile-size 48\n"
        "  cairn convert arena.map arena.mesh\n"
        "  cairn convert dungeon.bin dungeon.mesh --flat");
    add_ends(*command, context, *options, "Mesh", {"mesh", "bin"});
    options->mesh.add_to(*command);
    command
        ->add_flag("--flat", options->flat,
                   "Leave out what .mesh files cannot hold: heights, areas and connections")
        ->group("Output");
    on_run(command, context, options);
}

}  // namespace

void add_convert(CLI::App& app, Context& context) {
    context.mesh ? add_mesh_convert(app, context) : add_grid_convert(app, context);
}

}  // namespace cairn::app
