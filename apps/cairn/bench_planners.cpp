#include "bench_planners.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::app {
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
