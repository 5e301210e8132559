// cairn navmesh convert: meshes between their formats.

#include <algorithm>
#include <CLI/CLI.hpp>

#include "cairn/formats/polyanya.hpp"
#include "command.hpp"
#include "navmesh.hpp"
#include "navmesh_image.hpp"
#include "navmesh_options.hpp"
#include "navmesh_report.hpp"
#include "terrain_file.hpp"

namespace cairn::app {
namespace {

struct NavmeshConvert {
    std::string input;
    std::string output;
    bool flat = false;
    NavmeshFlags mesh;

    Outcome run(Context& context) const;
    [[nodiscard]] Status write(Context& context, const mesh::Mesh& loaded) const;
    [[nodiscard]] Status write_polyanya(const mesh::Mesh& loaded) const;
};

/// What .mesh has no place for.
Status check_plain(const mesh::Mesh& mesh, const std::string& file) {
    const auto first_with = [&](const char* what, const char* advice, auto&& holds) -> Status {
        for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
            if (!holds(p)) continue;
            return {StatusCode::unsupported,
                    fmt::format("{}: polygon {} {}, which .mesh files have no place for{}", file, p,
                                what, advice)};
        }
        return {};
    };
    const char* const flat = ": add --flat to leave it out";
    if (mesh.directed()) {
        return {StatusCode::unsupported,
                file + ": some portals are one way, which .mesh files have no place for"};
    }
    Status status =
        first_with("is a connection", flat, [&](mesh::Polygon p) { return mesh.is_connection(p); });
    if (!status.ok()) return status;
    status = first_with("has an area", flat, [&](mesh::Polygon p) { return mesh.area(p) != 0; });
    if (!status.ok()) return status;
    return first_with("has heights", flat, [&](mesh::Polygon p) {
        const auto corners = mesh.corners(p);
        return std::any_of(corners.begin(), corners.end(),
                           [&](std::uint32_t v) { return mesh.vertices()[v].y != 0; });
    });
}

Status NavmeshConvert::write_polyanya(const mesh::Mesh& loaded) const {
    if (!flat) {
        if (Status status = check_plain(loaded, input); !status.ok()) return status;
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

Status NavmeshConvert::write(Context& context, const mesh::Mesh& loaded) const {
    const std::string to = extension_of(output);
    if (to == ".mesh") return write_polyanya(loaded);
    if (to == ".bin" && is_tile_source(input)) {
        if (!flat) return mesh.recast.write_tiles(context, input, output);
        return {StatusCode::bad_option, "--flat is for .mesh files: .bin files have heights"};
    }
    return {
        StatusCode::unsupported,
        to == ".bin"
            ? fmt::format("{}: tile sets are made of .obj geometry, or of another .bin", input)
            : fmt::format("{}: meshes are written as .mesh (Polyanya) or .bin (Detour)", output)};
}

Outcome NavmeshConvert::run(Context& context) const {
    const auto loaded = mesh.load(context, input);
    if (!loaded) return tl::unexpected(loaded.error());
    if (Status written = write(context, *loaded); !written.ok()) return tl::unexpected(written);
    if (context.json) {
        Json out{{"input", input}, {"output", output}};
        out.update(mesh_json(*loaded));
        say(out);
    } else {
        say("{}: {}\nwritten to {}\n", input, mesh_text(*loaded), output);
    }
    return kDone;
}

}  // namespace

void add_navmesh_convert(CLI::App& group, Context& context) {
    auto options = std::make_shared<NavmeshConvert>();
    CLI::App* command = add_command(
        group, context, "convert",
        "Convert a mesh. Every format is read: .mesh, .bin, .obj (through Recast) and grid maps; "
        ".mesh is written from all, .bin from .obj and .bin. The extensions say which.",
        "  cairn navmesh convert dungeon.obj dungeon.bin --tile-size 48\n"
        "  cairn navmesh convert arena.map arena.mesh\n"
        "  cairn navmesh convert dungeon.bin dungeon.mesh --flat");
    command->add_option("input", options->input, "Mesh, geometry or map to read")->required();
    command->add_option("output", options->output, "Mesh to write")->required();
    options->mesh.add_to(*command);
    command
        ->add_flag("--flat", options->flat,
                   "Leave out what .mesh has no place for: heights, areas and connections")
        ->group("Output");
    on_run(command, context, options);
}

}  // namespace cairn::app
