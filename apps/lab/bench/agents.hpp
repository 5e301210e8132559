#pragma once
// cairn-lab bench for agents of several sizes: annotated A* (AA*) and HAA* on the same queries,
// which are assigned to the agent classes in turn. Every path is checked cell by cell.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "bench/planners.hpp"
#include "command.hpp"
#include "options/haa.hpp"

namespace cairn::app {

/// Queries and their agents.
struct AgentProblems {
    std::vector<haa::Agent> agents;  ///< the agent classes that have queries
    std::vector<grid::Map> maps;     ///< the class map of each of `agents`
    std::vector<Problem> queries;    ///< query i belongs to agents[owner(i)]
    /// The index in `agents` of the class that a query belongs to.
    [[nodiscard]] std::size_t owner(std::size_t query) const { return query % agents.size(); }
    /// The class map of one of `agents`.
    [[nodiscard]] const grid::Map& map_of(haa::Agent agent) const { return maps[number_of(agent)]; }
    /// The index of one of `agents`.
    [[nodiscard]] std::size_t number_of(haa::Agent agent) const {
        return static_cast<std::size_t>(std::ranges::find(agents, agent) - agents.begin());
    }
};
/// Random solvable queries, assigned in turn to all agent classes that can move. Errors: no_path if
/// none can.
[[nodiscard]] Result<AgentProblems> agent_problems(const haa::AnnotatedMap& map, int queries,
                                                   std::uint64_t seed);

/// One planner on one map for one agent class.
struct AgentRun {
    std::string agent;  ///< as --agent takes it
    std::string planner;
    double prepare_seconds = 0;  ///< to make the class's view, on the given number of threads
    std::size_t view_bytes = 0;
    PlannerRun run;  ///< of the queries of this class
};

/// The measurements of one map.
struct AgentBench {
    std::vector<PlannerRun> runs;  ///< a planner on all queries; bytes without the views
    std::vector<AgentRun> agents;  ///< by planner, then by agent class
};

/// Options of agents' maps and queries.
struct AgentFlags {
    HaaFlags haa;
    int trees = 0;  ///< percent of the ground to turn into trees
    std::uint64_t terrain_seed = 1;

    void add_to(CLI::App& command);
    /// Errors: bad_option with `message` if any of these options was given.
    [[nodiscard]] Status refuse_given(std::string_view message) const;
    /// The map of a file, with the trees planted. Errors: bad_option; those of the readers.
    [[nodiscard]] Result<haa::AnnotatedMap> load(const std::filesystem::path& file,
                                                 const MapFlags& map) const;

private:
    std::vector<CLI::Option*> own_;
};

/// Runs all planners, which must be for agents, over `queries` random solvable queries. Agent
/// classes that cannot move get no queries. The first planner must be `aa`: its costs are the
/// optima. Errors: no_path (no agent can go anywhere); those of the builds; cancelled.
[[nodiscard]] Result<AgentBench> measure_agents(const haa::AnnotatedMap& map, int queries,
                                                std::uint64_t seed,
                                                std::span<const PlannerSpec> planners,
                                                const MeasureOptions& options);

}  // namespace cairn::app
