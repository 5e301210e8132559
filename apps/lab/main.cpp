// The program cairn-lab: benchmarks and the experiments of papers.

#include "command.hpp"
#include "lab.hpp"

namespace cairn::app {
namespace {

Program the_program() {
    return {"cairn-lab",
            "Measures Cairn's planners on maps and meshes, and repeats the experiments of papers. "
            "Figures are written as CSV; tools/lab_tables.py makes tables of it, "
            "tools/lab_plots.py plots.",
            "Ctrl-C ends a measurement: the rows measured until then are written.",
            [](CLI::App& app, Context& context) {
                for (auto* add : {add_bench, add_mesh_bench, add_detour_bench, add_detour_changes,
                                  add_clearance, add_stores, add_rts, add_recast_sweep, add_mosaic,
                                  add_reproduce, add_gpu})
                    add(app, context);
            },
            nullptr};
}

}  // namespace
}  // namespace cairn::app

int main(int argc, char** argv) {
    return cairn::app::run_program(cairn::app::the_program(), argc, argv);
}
