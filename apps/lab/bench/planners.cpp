#include "bench/planners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/agents.hpp"
#include "cairn/planners.hpp"
#include "jps_plus/jps_plus.hpp"

namespace cairn::app {
namespace {

using List = std::vector<Setting>;

List operator+(List a, const List& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

const List kNoTables{{"move_tables", "false"}};
const List kNoLabels{{"labels", "false"}};
const List kCost{{"detail", "cost"}, {"smoothing", "none"}};
const List kAbstract{{"detail", "abstract"}, {"smoothing", "none"}};
const List kPath{{"smoothing", "none"}};
const List kBand{{"smoothing", "band"}};
const List kCorridor{{"smoothing", "corridor"}};
/// The paper's abstract path, without trying straight lines first. The next two set its engine.
const List kPaper = kAbstract + List{{"try_direct_line", "false"}};
const List kPaperAstar = kPaper + List{{"engine", "astar"}};
const List kPaperLevels = kPaper + List{{"engine", "levels"}};

List levels(std::string_view number) { return List{{"levels", number}} + kNoLabels; }
/// The paper's subgoal graphs, which keep edges that no taut path needs.
List paper_levels(std::string_view number) { return levels(number) + List{{"prune", "false"}}; }

std::vector<PlannerSpec> make_specs() {
    const List by_astar{{"engine", "astar"}};
    const List by_levels{{"engine", "levels"}};
    const List by_climbing{{"engine", "climb"}};
    return {
        {"astar", "plain A*: binary heap, octile heuristic", "astar", {}, {}},
        {"buckets", "fastest A* on the bare grid", "astar", {}, {{"open", "buckets"}}},
        {"hpa-cost", "cost of the abstract path", "hpa", {}, kCost},
        {"hpa-abstract", "abstract path", "hpa", {}, kAbstract},
        {"hpa-path", "every cell, not smoothed", "hpa", {}, kPath},
        {"hpa", "every cell, smoothed", "hpa", {}, {}},
        {"hpa-climb", "as hpa, by climbing in the labels' closure", "hpa", {}, by_climbing},
        {"hpa-band", "every cell, exact search in a band around the path", "hpa", {}, kBand},
        {"hpa-corridor", "every cell, exact search in a corridor", "hpa", {}, kCorridor},
        {"hpa-corridor-2",
         "the same with two rings of clusters",
         "hpa",
         {},
         kCorridor + List{{"corridor_ring", "2"}}},
        {"hpa-astar", "abstract path by A* on level 1", "hpa", levels("1"), kPaperAstar},
        {"hpa-levels-2", "abstract path by 2 levels", "hpa", levels("2"), kPaperLevels},
        {"hpa-levels-3", "abstract path by 3 levels", "hpa", levels("3"), kPaperLevels},
        {"hpa-sparse", "as hpa-astar, sparse connections of S (section 5)", "hpa", levels("1"),
         kPaperAstar + List{{"connect", "sparse"}}},
        {"hpa-towards", "as hpa-astar, S connected towards G (section 5)", "hpa", levels("1"),
         kPaperAstar + List{{"connect", "towards-goal"}}},
        {"hpa-small", "every cell, smoothed; no move tables", "hpa", kNoTables, {}},
        {"hpa-smallest",
         "every cell, smoothed; neither tables nor labels",
         "hpa",
         kNoTables + kNoLabels,
         {}},
        {"jps", "jump point search: exact, no preprocessing", "jps", {}, {}},
        {"jps+", "the same on jump distances computed in advance", "jps+", {}, {}},
        {"jps+bb",
         "the same with goal bounding, which takes long to prepare",
         "jps+",
         {{"goal_bounds", "true"}},
         {}},
        {"ssg", "the paper's simple subgoal graph", "subgoal", paper_levels("1"), by_levels},
        {"ssg-tiles", "the same in the form that edits repair", "subgoal", paper_levels("1"),
         by_astar},
        {"tsg", "the paper's two-level subgoal graph", "subgoal", paper_levels("2"), by_levels},
        {"nlevel", "as many levels as possible", "subgoal", paper_levels("0"), by_levels},
        {"taut", "simple subgoal graph, taut edges only", "subgoal", levels("1"), by_levels},
        {"taut-nlevel", "as many levels, taut edges only", "subgoal", levels("0"), by_levels},
        {"labels-cost", "cost by cut labels over taut edges", "subgoal", {}, {{"detail", "cost"}}},
        {"labels", "every cell by cut labels over taut edges", "subgoal", {}, {}},
        {"climb-cost",
         "cost by climbing in the labels' closure",
         "subgoal",
         {},
         by_climbing + List{{"detail", "cost"}}},
        {"climb", "every cell by climbing in the labels' closure", "subgoal", {}, by_climbing},
        {"aa", "annotated A*: A* on the map of an agent's places", "astar", {}, {}, true},
        {"haa-cost", "HAA*, cost of the abstract path", "haa", {}, kCost, true},
        {"haa-abstract", "HAA*, abstract path", "haa", {}, kAbstract, true},
        {"haa-path", "HAA*, every cell, not smoothed", "haa", {}, kPath, true},
        {"haa", "HAA*, every cell, smoothed", "haa", {}, {}, true},
        {"haa-plain",
         "the same; views without tables and labels",
         "haa",
         kNoTables + kNoLabels,
         {},
         true},
    };
}

/// The index options that a user may change. The others define the planners of the list.
constexpr std::array<std::string_view, 9> kShape{"cluster_size",  "branching", "transitions",
                                                 "wide_entrance", "diagonals", "label_bytes",
                                                 "abstraction",   "shift",     "reach"};

/// A spec with those of the given options that a user may change. Specs for agents set no levels,
/// so users may.
PlannerSpec shaped(PlannerSpec spec, Settings given) {
    for (const Setting& setting : given) {
        const bool changeable =
            std::find(kShape.begin(), kShape.end(), setting.name) != kShape.end() ||
            (spec.for_agents && setting.name == "levels");
        if (changeable && find_field(spec.info().options, setting.name) != nullptr)
            spec.options.push_back(setting);
    }
    return spec;
}

/// Whether the planners are those for agents.
Result<bool> for_agents(std::span<const std::string> names, const AgentFlags& agents) {
    std::string with;
    std::string without;
    for (const std::string& name : names) {
        const auto spec = find_spec(name);
        (spec && spec->for_agents ? with : without) = name;
    }
    if (with.empty()) {
        Status status =
            agents.refuse_given("is an option of HAA*: leave it out, or add --planners haa");
        if (!status.ok()) return tl::unexpected(std::move(status));
        return false;
    }
    if (!without.empty()) {
        return fail(
            StatusCode::bad_option,
            fmt::format("--planners: {} is for agents, {} is not: run them apart", with, without));
    }
    return true;
}

}  // namespace

const PlannerInfo& PlannerSpec::info() const noexcept {
    static constexpr PlannerInfo kJpsPlus{
        .name = jps_plus::Planner::kName, .summary = {}, .exact = true, .options = {}, .query = {}};
    return is<jps_plus::Planner>() ? kJpsPlus : *find_planner(planner, Space::grid);
}

const std::vector<PlannerSpec>& planner_specs() {
    static const std::vector<PlannerSpec> specs = make_specs();
    return specs;
}

std::optional<PlannerSpec> find_spec(std::string_view name) {
    for (const PlannerSpec& spec : planner_specs()) {
        if (spec.name == name) return spec;
    }
    return std::nullopt;
}

Result<std::vector<PlannerSpec>> bench_planners(std::span<const std::string> names,
                                                const IndexFlags& index, const AgentFlags& agents) {
    const auto of_agents = for_agents(names, agents);
    if (!of_agents) return tl::unexpected(of_agents.error());
    // Only options of HPA* may be given, or of HAA* with planners for agents.
    if (*of_agents) {
        if (const auto checked = index.options<haa::Planner>(); !checked)
            return tl::unexpected(checked.error());
    } else if (const auto checked = index.options<hpa::Planner>(); !checked) {
        return tl::unexpected(checked.error());
    }
    const auto given = index.fields.settings();
    std::vector<PlannerSpec> specs{*find_spec(*of_agents ? "aa" : "astar")};
    const auto add = [&](const PlannerSpec& spec) {
        const bool known = std::any_of(specs.begin(), specs.end(),
                                       [&](const auto& s) { return s.name == spec.name; });
        if (!known) specs.push_back(shaped(spec, given));
    };
    for (const std::string& name : names) {
        if (name == "subgoal") {
            for (const PlannerSpec& spec : planner_specs()) {
                if (spec.is<subgoal::Planner>()) add(spec);
            }
            continue;
        }
        const auto spec = find_spec(name);
        if (!spec) {
            return fail(StatusCode::bad_option,
                        fmt::format("--planners: there is no '{}'; 'cairn-lab bench --list' shows "
                                    "what there is",
                                    name));
        }
        add(*spec);
    }
    return specs;
}

}  // namespace cairn::app
