#pragma once
// The subcommands of cairn-mpi.

#include "command.hpp"
#include "processes.hpp"

namespace cairn::mpi {

/// `processes` must outlive the command.
void add_batch(CLI::App& app, app::Context& context, Processes& processes);
void add_build(CLI::App& app, app::Context& context, Processes& processes);

}  // namespace cairn::mpi
