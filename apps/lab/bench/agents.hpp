#pragma once
// Planners for agents, measured side by side: annotated A* and HAA* on the same queries, dealt to
// the agent classes in turn, every answer checked cell by cell.

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

/// Queries, and whose they are.
struct AgentProblems {
    std::vector<haa::Agent> agents;  ///< those that have queries
    std::vector<grid::Map> maps;     ///< of each its class map
    std::vector<Problem> queries;    ///< of each agent in turn
    [[nodiscard]] std::size_t owner(std::size_t query) const { return query % agents.size(); }
    /// The class map of one of `agents`.
    [[nodiscard]] const grid::Map& map_of(haa::Agent agent) const { return maps[number_of(agent)]; }
    /// Where one of `agents` stands among them.
    [[nodiscard]] std::size_t number_of(haa::Agent agent) const {
        return static_cast<std::size_t>(std::ranges::find(agents, agent) - agents.begin());
    }
};
/// Random solvable queries, dealt to all agent classes in turn that can go anywhere. Errors:
/// no_path if none can.
[[nodiscard]] Result<AgentProblems> agent_problems(const haa::AnnotatedMap& map, int queries,
                                                   std::uint64_t seed);

/// One planner on one map for one agent class.
struct AgentRun {
    std::string agent;  ///< as --agent takes it
    std::string planner;
    std::size_t cells = 0;       ///< of the map
    double prepare_seconds = 0;  ///< what the agent's view took, on the given number of threads
    std::size_t view_bytes = 0;
    PlannerRun run;  ///< its queries alone
};

/// What was measured on one map.
struct AgentBench {
    std::size_t cells = 0;
    std::size_t free_cells = 0;  ///< where some agent can stand
    std::size_t problems = 0;
    std::vector<PlannerRun> runs;  ///< of all agents; bytes are those of annotation and abstraction
    std::vector<AgentRun> agents;
};

/// The options of agents' maps and queries.
struct AgentFlags {
    HaaFlags haa;
    int trees = 0;
    std::uint64_t terrain_seed = 1;

    void add_to(CLI::App& command);
    /// Errors: bad_option with `message` if any of these options was given.
    [[nodiscard]] Status none(std::string_view message) const;
    /// The map of a file, with the trees planted. Errors: bad_option; those of the readers.
    [[nodiscard]] Result<haa::AnnotatedMap> load(const std::filesystem::path& file,
                                                 const MapFlags& map) const;

private:
    std::vector<CLI::Option*> own_;
};

/// Runs all planners, each of them for agents, over `queries` random solvable queries. Agent
/// classes that can go nowhere have none. The first planner must be `aa`: its costs are the optima.
/// Errors: no_path (no agent can go anywhere); those of the builds; cancelled.
[[nodiscard]] Result<AgentBench> measure_agents(const haa::AnnotatedMap& map, int queries,
                                                std::uint64_t seed,
                                                std::span<const PlannerSpec> planners,
                                                const MeasureOptions& options);

}  // namespace cairn::app
