// cairn navmesh build: an index file from a mesh.

#include <CLI/CLI.hpp>
#include <filesystem>

#include "cairn/index_file.hpp"
#include "command.hpp"
#include "navmesh.hpp"
#include "navmesh_options.hpp"
#include "navmesh_report.hpp"
#include "terrain_file.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

struct NavmeshBuild {
    std::string file;
    std::string output;
    std::string save_mesh;
    HnaFlags index;

    Outcome run(Context& context) const;
};

Outcome NavmeshBuild::run(Context& context) const {
    std::filesystem::path to = output;
    if (output.empty()) to = std::filesystem::path(file).replace_extension(".crhn");
    const auto loaded = index.mesh.load(context, file);
    if (!loaded) return tl::unexpected(loaded.error());
    if (!save_mesh.empty()) {
        if (extension_of(file) != ".obj" || extension_of(save_mesh) != ".bin")
            return fail(StatusCode::bad_option, "--save-mesh writes the mesh of an .obj as a .bin");
        Status saved = index.mesh.recast.write_tiles(context, file, save_mesh);
        if (!saved.ok()) return tl::unexpected(std::move(saved));
    }
    const double begin = now();
    const auto built = index.build(context, *loaded);
    if (!built) return tl::unexpected(built.error());
    const double seconds = now() - begin;
    if (Status saved = cairn::save(*built, to); !saved.ok()) return tl::unexpected(saved);

    std::error_code ignored;
    const auto file_bytes = std::filesystem::file_size(to, ignored);
    if (context.json) {
        Json out{{"file", to.string()},
                 {"file_bytes", ignored ? 0 : file_bytes},
                 {"build_seconds", seconds},
                 {"mesh", mesh_json(*loaded)}};
        out.update(index_json(*built));
        say(out);
        return kDone;
    }
    say("{}: {}\n\n{}\n", file, mesh_text(*loaded), index_text(*built));
    say("built in {} ({} thousand polygons a second), {} written to {}\n", duration(seconds),
        significant(loaded->num_polygons() / seconds / 1e3),
        byte_size(static_cast<double>(ignored ? 0 : file_bytes)), to.string());
    return kDone;
}

}  // namespace

void add_navmesh_build(CLI::App& group, Context& context) {
    auto options = std::make_shared<NavmeshBuild>();
    CLI::App* command = add_command(
        group, context, "build",
        "Build the HNA* index of a mesh and save it, with the mesh in it. All verbs take the file "
        "in place of the mesh. Ctrl-C stops the build and leaves an old file as it was.",
        "  cairn navmesh build arena.mesh                     writes arena.crhn\n"
        "  cairn navmesh build dungeon.obj dungeon.crhn --levels 2 --mu 10\n"
        "  cairn navmesh build level.bin level.crhn --scoring centres --pccp centres "
        "--area-cost 1=2.5");
    command->add_option("file", options->file, "Mesh, geometry or map")->required();
    command
        ->add_option("output,-o,--output", options->output,
                     "Index file to write (default: the mesh's name with .crhn)")
        ->type_name("FILE")
        ->group("Output");
    options->index.add_to(*command);
    command
        ->add_option("--save-mesh", options->save_mesh,
                     "Also write the mesh that Recast makes of an .obj, as a .bin")
        ->type_name("FILE")
        ->group("Output");
    on_run(command, context, options);
}

}  // namespace cairn::app
