#include "navmesh.hpp"

#include <CLI/CLI.hpp>

namespace cairn::app {

void add_navmesh(CLI::App& app, Context& context) {
    CLI::App* group = app.add_subcommand(
        "navmesh",
        "Navigation meshes: convert, index, ask, check and draw them with HNA*. Meshes are "
        "Polyanya's .mesh, Detour's .bin tile sets, .obj geometry that Recast turns into a mesh, "
        "and grid maps, whose free cells become rectangles. Every verb takes any of them, and "
        "index files too.");
    group->footer(
        "Examples:\n"
        "  cairn navmesh path arena.mesh --from 5,0,5 --to 40,0,42\n"
        "  cairn navmesh build dungeon.obj dungeon.crhn\n"
        "  cairn navmesh VERB --help");
    group->require_subcommand(1);
    add_navmesh_convert(*group, context);
    add_navmesh_build(*group, context);
    add_navmesh_path(*group, context);
    add_navmesh_inspect(*group, context);
    add_navmesh_verify(*group, context);
    add_navmesh_render(*group, context);
    add_navmesh_bench(*group, context);
}

}  // namespace cairn::app
