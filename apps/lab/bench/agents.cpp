#include "bench/agents.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "bench/measurement.hpp"
#include "cairn/grid/generate.hpp"
#include "checks/grid.hpp"
#include "inputs.hpp"

namespace cairn::app {
namespace {

using haa::AnnotatedMap;

/// Measures planner specs one after another, each with a planner for every agent class.
class AgentMeasurement {
public:
    AgentMeasurement(const AnnotatedMap& map, const AgentProblems& problems,
                     const MeasureOptions& options)
        : map_(&map), problems_(&problems), options_(&options) {}

    /// Measures one spec and adds its runs. `optima`: the costs of the baseline; empty for the
    /// baseline itself.
    Status run(const PlannerSpec& spec, std::span<const Cost> optima, AgentBench& bench) {
        PlannerRun run;
        run.planner = spec.name;
        agents_.assign(problems_->agents.size(), {});
        Status made = spec.is<haa::Planner>() ? make(spec, run) : make_aa(spec, run);
        if (!made.ok()) return made;
        const auto planner_of = [this](std::size_t i) -> GridPlanner& {
            return planners_[problems_->owner(i)];
        };
        const auto legal = [this](std::size_t i, std::span<const grid::Cell> cells) {
            const Footprint footprint(*map_, problems_->agents[problems_->owner(i)]);
            return std::all_of(cells.begin(), cells.end(), [&](grid::Cell cell) {
                return footprint.fits(problems_->maps.front().point(cell));
            });
        };
        Status measured = measure_queries(planner_of, problems_->queries,
                                          {spec.exact(), optima, legal}, *options_, run);
        if (!measured.ok()) return measured;
        split(run);
        bench.agents.insert(bench.agents.end(), agents_.begin(), agents_.end());
        bench.runs.push_back(std::move(run));
        return {};
    }

private:
    Status make_aa(const PlannerSpec& spec, PlannerRun& run) {
        planners_.clear();
        for (const grid::Map& map : problems_->maps) {
            auto planner =
                grid_planner<grid::AstarPlanner>(map, spec.query_of<grid::AstarPlanner>(), map);
            if (!planner) return std::move(planner.error());
            planners_.push_back(std::move(*planner));
        }
        run.index_bytes = map_->bytes();
        return {};
    }

    Status make(const PlannerSpec& spec, PlannerRun& run) {
        haa::Options wanted = spec.options_of<haa::Planner>();
        wanted.view_bytes = std::numeric_limits<std::uint64_t>::max();  // all are measured
        auto index = indexes_.get(*map_, wanted, *options_, run.build_seconds);
        if (!index) return std::move(index.error());
        const haa::IndexStatistics built = index->statistics().value();
        run.index_bytes = built.graph_bytes + built.map_bytes;
        planners_.clear();
        for (std::size_t i = 0; i < agents_.size(); ++i) {
            const haa::Agent agent = problems_->agents[i];
            const Prepared view = prepared(*index, agent);
            if (!view.status.ok()) return view.status;
            agents_[i].prepare_seconds = view.seconds;
            agents_[i].view_bytes = view.bytes;
            haa::Query query = spec.query_of<haa::Planner>();
            query.agent = agent;
            auto planner = agent_planner(*index, query);
            if (!planner) return std::move(planner.error());
            planners_.push_back(std::move(*planner));
        }
        return {};
    }

    /// A view that has been made, and what it took.
    struct Prepared {
        bool tables = false;
        haa::Agent agent;
        Status status;
        double seconds = 0;
        std::size_t bytes = 0;
    };

    /// Makes an agent's view, unless a planner on the same index has already made it.
    Prepared prepared(const haa::Index& index, haa::Agent agent) {
        const bool tables = index.options().move_tables;
        for (const Prepared& p : prepared_) {
            if (p.tables == tables && p.agent == agent) return p;
        }
        Prepared out{tables, agent, {}, 0, 0};
        const std::size_t before = index.statistics().value().view_bytes;
        const double start = now();
        const auto labelled = index.with_labels({&agent, 1}, options_->control());
        if (!labelled) out.status = labelled.error();
        out.seconds = now() - start;
        out.bytes = index.statistics().value().view_bytes - before;
        prepared_.push_back(out);
        return out;
    }

    /// Copies the times, errors and expanded nodes of a run to the runs of the agent classes.
    /// Copies none if a query found no path: then a figure's position is not the number of its
    /// query.
    void split(const PlannerRun& run) {
        for (std::size_t i = 0; i < agents_.size(); ++i) {
            agents_[i].agent = agent_text(*map_, problems_->agents[i]);
            agents_[i].planner = run.planner;
        }
        if (run.seconds.size() != problems_->queries.size()) return;
        for (std::size_t i = 0; i < run.seconds.size(); ++i) {
            PlannerRun& own = agents_[problems_->owner(i)].run;
            own.seconds.push_back(run.seconds[i]);
            own.error.push_back(run.error[i]);
            own.expanded.push_back(run.expanded[i]);
        }
    }

    const AnnotatedMap* map_;
    const AgentProblems* problems_;
    const MeasureOptions* options_;
    IndexCache<haa::Planner> indexes_;
    std::vector<Prepared> prepared_;
    std::vector<GridPlanner> planners_;  // by agent class, of the present spec
    std::vector<AgentRun> agents_;       // by agent class, of the present spec
};

}  // namespace

void AgentFlags::add_to(CLI::App& command) {
    haa.add_to(command);
    own_ = {
        command
            .add_option("--trees", trees,
                        "HAA*: turn this percentage of the ground, chosen at random, into trees, 0 "
                        "to 100")
            ->type_name("PERCENT"),
        command.add_option("--terrain-seed", terrain_seed, "Seed of the trees")
            ->capture_default_str(),
    };
    for (CLI::Option* option : own_) option->group("Input");
}

Status AgentFlags::refuse_given(std::string_view message) const {
    Status status = haa.refuse_given(message);
    return status.ok() ? app::refuse_given(own_, message) : status;
}

Result<AnnotatedMap> AgentFlags::load(const std::filesystem::path& file,
                                      const MapFlags& map) const {
    auto terrain = haa.load(file, map);
    if (!terrain) return tl::unexpected(std::move(terrain.error()));
    if (trees != 0) {
        if (terrain->key == haa::TerrainKey::literal()) {
            return fail(StatusCode::bad_option,
                        "--trees: pictures with a palette have their own trees; leave it out");
        }
        Status planted = grid::plant_trees(terrain->image, trees, terrain_seed);
        if (!planted.ok()) return fail(planted.code, "--trees: " + planted.message);
    }
    return haa.annotate(*terrain);
}

Result<AgentProblems> agent_problems(const AnnotatedMap& map, int queries, std::uint64_t seed) {
    AgentProblems out;
    for (std::uint32_t number = 0; number < map.classes(); ++number) {
        auto class_map = map.class_map(map.agent(number));
        if (!class_map) return tl::unexpected(std::move(class_map.error()));
        if (!random_problems(*class_map, 0, seed)) continue;  // these agents cannot move
        out.agents.push_back(map.agent(number));
        out.maps.push_back(std::move(*class_map));
    }
    const std::size_t agents = out.agents.size();
    if (agents == 0) return fail(StatusCode::no_path, "no agent can go anywhere on this map");
    const auto count = static_cast<std::size_t>(queries);
    out.queries.resize(count);
    for (std::size_t a = 0; a < std::min(agents, count); ++a) {
        const auto share = static_cast<int>((count - a + agents - 1) / agents);
        const auto own = random_problems(out.maps[a], share, seed + map.class_of(out.agents[a]));
        if (!own) return tl::unexpected(own.error());
        for (std::size_t i = 0; i < own->size(); ++i) out.queries[i * agents + a] = (*own)[i];
    }
    return out;
}

Result<AgentBench> measure_agents(const AnnotatedMap& map, int queries, std::uint64_t seed,
                                  std::span<const PlannerSpec> planners,
                                  const MeasureOptions& options) {
    const auto problems = agent_problems(map, queries, seed);
    if (!problems) return tl::unexpected(problems.error());
    AgentBench bench;
    AgentMeasurement measurement(map, *problems, options);
    for (const PlannerSpec& spec : planners) {
        const std::vector<Cost> optima =
            bench.runs.empty() ? std::vector<Cost>{} : bench.runs.front().cost;
        if (Status s = measurement.run(spec, optima, bench); !s.ok())
            return tl::unexpected(std::move(s));
    }
    return bench;
}

}  // namespace cairn::app
