// cairn-mpi build: builds an index by many processes.

#include "build.hpp"

#include "commands.hpp"

namespace cairn::mpi {
namespace {

/// Meetings of all processes, until one of them fails: then all leave.
class Meetings {
public:
    explicit Meetings(Processes& processes) : processes_(processes) {}

    Status meet(const Status& own) {
        if (!failure_.ok()) return failure_;
        processes_.begin();
        failure_ = processes_.agree(own);
        return failure_;
    }

private:
    Processes& processes_;
    Status failure_;
};

}  // namespace

void add_build(CLI::App& app, app::Context& context, Processes& processes) {
    const auto meetings = std::make_shared<Meetings>(processes);
    app::BuildTeam team;
    team.teammate = {processes.rank(), processes.count(),
                     [meetings](const Status& own) { return meetings->meet(own); }};
    team.threads = [&processes] { return processes.threads(); };
    app::add_team_build(app, context, team);
}

}  // namespace cairn::mpi
