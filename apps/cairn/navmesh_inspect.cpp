// cairn navmesh inspect: what a mesh and its index are made of.

#include <CLI/CLI.hpp>
#include "command.hpp"
#include "navmesh.hpp"
#include "navmesh_options.hpp"
#include "navmesh_report.hpp"

namespace cairn::app {
namespace {

struct NavmeshInspect {
    std::string file;
    bool mesh_only = false;
    HnaFlags index;

    Outcome run(Context& context) const;
    void report(Context& context, const mesh::Mesh& mesh, const hna::Index* built) const;
};

void NavmeshInspect::report(Context& context, const mesh::Mesh& mesh,
                            const hna::Index* built) const {
    if (context.json) {
        Json out{{"mesh", mesh_json(mesh)}};
        if (built != nullptr) out.update(index_json(*built));
        say(out);
        return;
    }
    say("{}: {}\n", file, mesh_text(mesh));
    if (const std::string areas = area_table(mesh); !areas.empty()) say("\n{}", areas);
    if (built == nullptr) return;
    say("index: {}\n\n{}", options_text(built->options()), index_text(*built));
}

Outcome NavmeshInspect::run(Context& context) const {
    if (mesh_only && is_mesh_file(file)) {
        const auto loaded = index.mesh.load(context, file);
        if (!loaded) return tl::unexpected(loaded.error());
        report(context, *loaded, nullptr);
        return kDone;
    }
    const auto opened = index.load_or_build(context, file);
    if (!opened) return tl::unexpected(opened.error());
    report(context, opened->mesh(), mesh_only ? nullptr : &*opened);
    return kDone;
}

}  // namespace

void add_navmesh_inspect(CLI::App& group, Context& context) {
    auto options = std::make_shared<NavmeshInspect>();
    CLI::App* command = add_command(
        group, context, "inspect",
        "Show what a mesh and its index are made of: polygons, components and areas; clusters, "
        "inter-edges and intra-edges of each level; and where the bytes go. Takes an index file, "
        "or a mesh, whose index is then built in memory.",
        "  cairn navmesh inspect arena.mesh\n"
        "  cairn navmesh inspect dungeon.bin --levels 2 --mu 10 --json\n"
        "  cairn navmesh inspect dungeon.obj --mesh-only --cell-size 0.2");
    command->add_option("file", options->file, "Mesh or index file")->required();
    options->index.add_to(*command);
    command->add_flag("--mesh-only", options->mesh_only, "Only the mesh")->group("Output");
    on_run(command, context, options);
}

}  // namespace cairn::app
