#pragma once
// The subcommand `build` of one process, or of several that build one index together.

#include <functional>

#include "cairn/work_folder.hpp"
#include "command.hpp"

namespace cairn::app {

/// This process and its team. Process 0 saves the index and reports.
struct BuildTeam {
    /// `meet` may be called again after a failure, which it then returns at once.
    Teammate teammate;
    /// The threads of this process, unless the command line tells them. All processes call it.
    std::function<int()> threads;

    [[nodiscard]] bool alone() const noexcept { return !teammate.meet; }
    [[nodiscard]] bool first() const noexcept { return teammate.rank == 0; }
    /// The first failure of any process; of one process alone, its own.
    [[nodiscard]] Status agree(Status own) const {
        return alone() ? std::move(own) : teammate.meet(std::move(own));
    }
};

/// Adds `build` for the processes of a team.
void add_team_build(CLI::App& app, Context& context, const BuildTeam& team);

}  // namespace cairn::app
