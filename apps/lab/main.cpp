// The program cairn-lab: benchmarks and the experiments of papers.

#include "command.hpp"
#include "lab.hpp"

namespace cairn::app {
namespace {

constexpr Program kLab{
    "cairn-lab",
    "Measures Cairn's planners on maps and meshes, and repeats the experiments of papers. Figures "
    "are written as CSV; tools/lab_tables.py makes tables of it, tools/lab_plots.py plots.",
    "Exit codes: 0 done; 2 bad command line; 3 bad input file; 4 reading or writing failed; 5 an\n"
    "answer is wrong; 130 Ctrl-C (the rows measured until then are written).",
    [](CLI::App& app, Context& context, std::span<char* const> /*arguments*/) {
        for (auto* add : {add_bench, add_mesh_bench, add_reproduce}) add(app, context);
    }};

}  // namespace
}  // namespace cairn::app

int main(int argc, char** argv) { return cairn::app::run_program(cairn::app::kLab, argc, argv); }
