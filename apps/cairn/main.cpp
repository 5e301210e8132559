#include "cairn/version.hpp"
#include "command.hpp"
#include "options/mesh.hpp"
#if defined(CAIRN_APP_MEMORY)
#include "memory/memory_limit.hpp"
#endif

namespace cairn::app {
namespace {

Program the_program() {
    return {
        "cairn",
        "Pathfinding on grid maps: near-optimal with HPA*, exact with subgoal graphs, for agents "
        "of several sizes with HAA*; on navigation meshes with HNA*. The input decides: maps are "
        ".map, .png, .pgm, .npy, Nav2 .yaml and Tiled .tmj and .tmx files; meshes are Polyanya's "
        ".mesh, Detour's .bin tile sets, .obj geometry that Recast turns into a mesh, and index "
        "files of meshes (.crhn).",
        "A map or a mesh is enough to begin with:\n"
        "  cairn generate rooms arena.map\n"
        "  cairn path arena.map 1,3 42,17\n"
        "  cairn path level.obj 5,0,5 40,0,42\n"
        "\n"
        "A subcommand's options depend on its input: 'cairn path --help' shows those of maps,\n"
        "'cairn path level.obj --help' those of meshes. With '--planner hna' a map becomes a\n"
        "mesh of rectangles.",
        [](CLI::App& app, Context& context) {
#if defined(CAIRN_APP_MEMORY)
            context.limit_memory = limit_memory;
#endif
            for (auto* add : {add_path, add_build, add_edit, add_inspect, add_verify, add_render,
                              add_generate, add_convert, add_crowd})
                add(app, context);
        },
        names_mesh};
}

}  // namespace
}  // namespace cairn::app

int main(int argc, char** argv) {
    return cairn::app::run_program(cairn::app::the_program(), argc, argv);
}
