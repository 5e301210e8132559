// cairn-mpi: work for many processes, on one host or on many.

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "commands.hpp"
#include "options/mesh.hpp"
#include "processes.hpp"

namespace cairn::mpi {
namespace {

app::Program the_program(Processes& processes) {
    return {
        "cairn-mpi",
        "Pathfinding by many processes, which mpirun starts on one host or on many. All processes "
        "get the same command line, and see the same files.",
        "A process that fails ends the run, with its message and exit code.",
        [&processes](CLI::App& app, app::Context& context) {
            add_build(app, context, processes);
            add_batch(app, context, processes);
        },
        app::names_mesh};
}

/// A hash of a command line (FNV-1a). The program's own name does not count.
std::uint64_t hash_of(int argc, char** argv) {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
    for (int i = 1; i < argc; ++i) {
        for (const char* c = argv[i];; ++c) {
            hash = (hash ^ static_cast<std::uint8_t>(*c)) * 0x100'0000'01b3;
            if (*c == '\0') break;
        }
    }
    return hash;
}

int run(int argc, char** argv) {
    Processes processes(argc, argv);
    const std::array<std::uint64_t, 1> own{hash_of(argc, argv)};
    if (!processes.same(own)) {
        if (processes.first())
            fmt::print(stderr, "cairn-mpi: all processes need the same command line\n");
        return app::kUsage;
    }
    // Help is printed by all: only that of process 0 is shown.
    if (!processes.first() && std::freopen("/dev/null", "w", stdout) == nullptr)
        MPI_Abort(MPI_COMM_WORLD, app::kIoError);
    return app::run_program(the_program(processes), argc, argv, [&processes](app::Outcome outcome) {
        return processes.settle(std::move(outcome));
    });
}

}  // namespace
}  // namespace cairn::mpi

int main(int argc, char** argv) { return cairn::mpi::run(argc, argv); }
