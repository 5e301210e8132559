#pragma once
// `cairn navmesh VERB`: navigation meshes and HNA*. Each verb is a file of its own.

#include "command.hpp"

namespace cairn::app {

/// The group of subcommands.
void add_navmesh(CLI::App& app, Context& context);

// The verbs, each added to the group.
void add_navmesh_convert(CLI::App& group, Context& context);
void add_navmesh_build(CLI::App& group, Context& context);
void add_navmesh_path(CLI::App& group, Context& context);
void add_navmesh_inspect(CLI::App& group, Context& context);
void add_navmesh_verify(CLI::App& group, Context& context);
void add_navmesh_render(CLI::App& group, Context& context);
void add_navmesh_bench(CLI::App& group, Context& context);

}  // namespace cairn::app
