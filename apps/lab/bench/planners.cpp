#include "bench/planners.hpp"

#include "bench/agents.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace cairn::app {

namespace {

using hpa::Detail;
using hpa::Engine;
using hpa::Smoothing;

PlannerSpec grid_planner(std::string name, std::string what, grid::OpenList open) {
    PlannerSpec spec;
    spec.name = std::move(name);
    spec.what = std::move(what);
    spec.kind = PlannerSpec::Kind::grid;
    spec.open = open;
    return spec;
}

PlannerSpec hpa_planner(std::string name, std::string what, Detail detail, Smoothing smoothing) {
    PlannerSpec spec;
    spec.name = std::move(name);
    spec.what = std::move(what);
    spec.query.detail = detail;
    spec.query.smoothing = smoothing;
    return spec;
}

// The abstract path by the paper's engines, straight lines not tried first, without labels.
PlannerSpec level_planner(std::string name, std::string what, Engine engine, int levels) {
    PlannerSpec spec =
        hpa_planner(std::move(name), std::move(what), Detail::abstract_path, Smoothing::none);
    spec.index.levels = levels;
    spec.index.labels = false;
    spec.query.engine = engine;
    spec.query.try_direct_line = false;
    return spec;
}

PlannerSpec jps_planner() {
    PlannerSpec spec;
    spec.name = "jps";
    spec.what = "jump point search: exact, no preprocessing";
    spec.kind = PlannerSpec::Kind::jps;
    return spec;
}

PlannerSpec subgoal_planner(std::string name, std::string what, const subgoal::Options& index,
                            subgoal::Engine engine,
                            subgoal::Detail detail = subgoal::Detail::path) {
    PlannerSpec spec;
    spec.name = std::move(name);
    spec.what = std::move(what);
    spec.kind = PlannerSpec::Kind::subgoal;
    spec.subgoal_index = index;
    spec.subgoal_query.engine = engine;
    spec.subgoal_query.detail = detail;
    return spec;
}

/// Subgoal graphs, the paper's first: every one exact.
void add_subgoal_planners(std::vector<PlannerSpec>& specs) {
    using subgoal::Engine;
    const auto with = [](bool prune, std::uint32_t levels, bool labels) {
        subgoal::Options options;
        options.prune = prune;
        options.levels = levels;
        options.labels = labels;
        return options;
    };
    const subgoal::Options usual;
    specs.push_back(subgoal_planner("ssg", "the paper's simple subgoal graph, A*",
                                    with(false, 1, false), Engine::astar));
    specs.push_back(subgoal_planner("tsg", "the paper's two-level subgoal graph",
                                    with(false, 2, false), Engine::levels));
    specs.push_back(subgoal_planner("nlevel", "as many levels as there can be",
                                    with(false, 0, false), Engine::levels));
    specs.push_back(subgoal_planner("taut", "simple subgoal graph, taut edges alone",
                                    with(true, 1, false), Engine::levels));
    specs.push_back(subgoal_planner("taut-nlevel", "as many levels, taut edges alone",
                                    with(true, 0, false), Engine::levels));
    specs.push_back(subgoal_planner("labels-cost", "cost by cut labels over taut edges", usual,
                                    Engine::automatic, subgoal::Detail::cost));
    specs.push_back(subgoal_planner("labels", "every cell by cut labels over taut edges", usual,
                                    Engine::automatic));
}

/// Planners for agents: views, with all that makes HPA* fast or without.
void add_agent_planners(std::vector<PlannerSpec>& specs) {
    specs.push_back(grid_planner("aa", "annotated A*: A* on the map of an agent's places",
                                 grid::OpenList::heap));
    specs.back().kind = PlannerSpec::Kind::aa;
    const auto add = [&](std::string name, std::string what, Detail detail, Smoothing smoothing) {
        specs.push_back(hpa_planner(std::move(name), std::move(what), detail, smoothing));
        specs.back().kind = PlannerSpec::Kind::haa;
    };
    add("haa-cost", "HAA*, cost of the abstract path", Detail::cost, Smoothing::none);
    add("haa-abstract", "HAA*, abstract path", Detail::abstract_path, Smoothing::none);
    add("haa-path", "HAA*, every cell, not smoothed", Detail::path, Smoothing::none);
    add("haa", "HAA*, every cell, smoothed", Detail::path, Smoothing::straight_lines);
    add("haa-plain", "the same; views without tables and labels", Detail::path,
        Smoothing::straight_lines);
    specs.back().haa_index.move_tables = specs.back().haa_index.labels = false;
}

std::vector<PlannerSpec> make_specs() {
    std::vector<PlannerSpec> specs{
        grid_planner("astar", "plain A*: binary heap, octile heuristic", grid::OpenList::heap),
        grid_planner("buckets", "fastest A* on the bare grid", grid::OpenList::buckets),
        hpa_planner("hpa-cost", "cost of the abstract path", Detail::cost, Smoothing::none),
        hpa_planner("hpa-abstract", "abstract path", Detail::abstract_path, Smoothing::none),
        hpa_planner("hpa-path", "every cell, not smoothed", Detail::path, Smoothing::none),
        hpa_planner("hpa", "every cell, smoothed", Detail::path, Smoothing::straight_lines),
        hpa_planner("hpa-corridor", "every cell, exact search in a corridor", Detail::path,
                    Smoothing::corridor),
        hpa_planner("hpa-corridor-2", "the same with two rings of clusters", Detail::path,
                    Smoothing::corridor),
        level_planner("hpa-astar", "abstract path by A* on level 1", Engine::astar, 1),
        level_planner("hpa-levels-2", "abstract path by 2 levels", Engine::levels, 2),
        level_planner("hpa-levels-3", "abstract path by 3 levels", Engine::levels, 3),
        level_planner("hpa-sparse", "as hpa-astar, sparse connections of S (section 5)",
                      Engine::astar, 1),
        level_planner("hpa-towards", "as hpa-astar, S connected towards G (section 5)",
                      Engine::astar, 1),
        hpa_planner("hpa-small", "every cell, smoothed; no move tables", Detail::path,
                    Smoothing::straight_lines),
        hpa_planner("hpa-smallest", "every cell, smoothed; neither tables nor labels", Detail::path,
                    Smoothing::straight_lines),
    };
    for (PlannerSpec& spec : specs) {
        if (spec.name == "hpa-sparse") spec.query.connect = hpa::ConnectRule::sparse;
        if (spec.name == "hpa-corridor-2") spec.query.corridor_ring = 2;
        if (spec.name == "hpa-towards") spec.query.connect = hpa::ConnectRule::towards_goal;
        if (spec.name == "hpa-small" || spec.name == "hpa-smallest") {
            spec.index.move_tables = false;
        }
        if (spec.name == "hpa-smallest") spec.index.labels = false;
    }
    specs.push_back(jps_planner());
    add_subgoal_planners(specs);
    add_agent_planners(specs);
    return specs;
}

}  // namespace

const std::vector<PlannerSpec>& planner_specs() {
    static const std::vector<PlannerSpec> specs = make_specs();
    return specs;
}

std::optional<PlannerSpec> find_planner(std::string_view name) {
    for (const PlannerSpec& spec : planner_specs()) {
        if (spec.name == name) return spec;
    }
    return std::nullopt;
}

namespace {

// Shape options of the index apply to every planner; what a planner is by its name stays.
PlannerSpec shaped(PlannerSpec spec, const hpa::Options& shape) {
    spec.index.cluster_size = shape.cluster_size;
    spec.index.branching = shape.branching;
    spec.index.transitions = shape.transitions;
    spec.index.wide_entrance = shape.wide_entrance;
    spec.index.diagonals = shape.diagonals;
    spec.index.label_bytes = shape.label_bytes;
    spec.subgoal_index.label_bytes = shape.label_bytes;
    return spec;
}

PlannerSpec shaped(PlannerSpec spec, haa::Options shape) {
    shape.move_tables = spec.haa_index.move_tables;
    shape.labels = spec.haa_index.labels;
    spec.haa_index = shape;
    return spec;
}

Result<PlannerSpec> named(const std::string& name) {
    const auto spec = find_planner(name);
    if (spec) return *spec;
    return fail(
        StatusCode::bad_option,
        fmt::format("--planners: there is no '{}'; 'cairn bench --list' shows what there is",
                    name));
}

/// Whether the planners are those for agents.
Result<bool> for_agents(std::span<const std::string> names, const IndexFlags& index,
                        const AgentFlags& agents) {
    std::string with;
    std::string without;
    for (const std::string& name : names) {
        const auto spec = find_planner(name);
        (spec && spec->for_agents() ? with : without) = name;
    }
    if (with.empty()) {
        Status status = agents.none("is an option of HAA*: leave it out, or add --planners haa");
        if (!status.ok()) return tl::unexpected(std::move(status));
        return false;
    }
    if (!without.empty()) {
        return fail(
            StatusCode::bad_option,
            fmt::format("--planners: {} is for agents, {} is not: run them apart", with, without));
    }
    if (Status status = index.only_clustered(); !status.ok())
        return tl::unexpected(std::move(status));
    return true;
}

}  // namespace

Result<std::vector<PlannerSpec>> bench_planners(std::span<const std::string> names,
                                                const IndexFlags& index, const AgentFlags& agents) {
    const auto of_agents = for_agents(names, index, agents);
    if (!of_agents) return tl::unexpected(of_agents.error());
    const auto agent_shape = agents.haa.checked(index);
    if (*of_agents && !agent_shape) return tl::unexpected(agent_shape.error());
    const auto shape = *of_agents ? Result<hpa::Options>(hpa::Options{}) : index.checked();
    if (!shape) return tl::unexpected(shape.error());
    std::vector<PlannerSpec> specs{*find_planner(*of_agents ? "aa" : "astar")};
    const auto add = [&](const PlannerSpec& spec) {
        const bool known = std::any_of(specs.begin(), specs.end(),
                                       [&](const auto& s) { return s.name == spec.name; });
        if (known) return;
        specs.push_back(*of_agents ? shaped(spec, *agent_shape) : shaped(spec, *shape));
    };
    for (const std::string& name : names) {
        if (name == "subgoal") {
            for (const PlannerSpec& spec : planner_specs()) {
                if (spec.kind == PlannerSpec::Kind::subgoal) add(spec);
            }
            continue;
        }
        const auto spec = named(name);
        if (!spec) return tl::unexpected(spec.error());
        add(*spec);
    }
    return specs;
}

}  // namespace cairn::app
