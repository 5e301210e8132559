#include "options/planner.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>
#include <vector>

#include "cairn/grid/nearest.hpp"
#include "cairn/index_file.hpp"
#include "cairn/index_store.hpp"
#include "files.hpp"
#include "options/common.hpp"

namespace cairn::app {

void GridPlanner::forget_endpoints() {
    const grid::Point last{map.width() - 1, map.height() - 1};
    const auto find_near = [&](grid::Point a, grid::Point b) {
        const auto start = nearest_passable(map, a);
        const auto goal = nearest_passable(map, b);
        if (start && goal) find(*start, *goal);
    };
    find_near({0, 0}, last);
    find_near({last.x, 0}, {0, last.y});
}

Result<GridPlanner> agent_planner(const haa::Index& index, const haa::Query& query) {
    const auto view = index.view(query.agent);
    if (!view) return tl::unexpected(view.error());
    auto planner = grid_planner<haa::Planner>(index, query, view->map());
    if (planner) planner->mover = Mover{index, query.agent};
    return planner;
}

void PlannerFlags::add_to(CLI::App& command, bool bare) {
    std::vector<std::string> names{"auto"};
    std::string help =
        "auto: haa with options of agents, else subgoal where it applies, else hpa; also hpa with "
        "an option that subgoal lacks";
    for (const PlannerInfo& planner : planners()) {
        if (planner.space != Space::grid || (!bare && !planner.has_index)) continue;
        names.emplace_back(planner.name);
        help += fmt::format("; {}: {}", planner.name, planner.summary);
    }
    add_word(command, "--planner", name, names, "Planner", help);
    index.add_to(command, Space::grid);
    haa.add_to(command);
}

Result<AnyIndex> load_with_edits(const std::string& file, FileChecks checks) {
    return with_planner_of(file, [&]<class P>() -> Result<AnyIndex> {
        const auto store = IndexStore<typename P::Index>::open(file, {.checks = checks});
        if (!store) return tl::unexpected(store.error());
        return AnyIndex::of<P>(store->index());
    });
}

Status PlannerFlags::take(const std::string& file) {
    if (!is_index_file(file)) return {};
    if (!index.file.empty()) {
        return {StatusCode::bad_option,
                fmt::format("--index: {} is an index file, too; leave one of the two out", file)};
    }
    auto loaded = load_with_edits(file, index.checks);
    if (!loaded) return std::move(loaded.error());
    taken = std::move(*loaded);
    return {};
}

Result<const PlannerInfo*> PlannerFlags::used() const {
    if (taken) return &taken->planner();
    const bool automatic = name == "auto";
    const PlannerInfo* const chosen = find_planner(name, Space::grid);
    if (index.file.empty()) {
        const PlannerInfo* const agents = find_planner(haa::Planner::kName, Space::grid);
        return automatic && wants_agents() ? agents : chosen;
    }
    if (!automatic && !chosen->has_index) return chosen;
    const auto info = inspect(index.file);
    if (!info) return tl::unexpected(info.error());
    // A file of another kind, such as the index of a mesh, is loaded as HPA*'s: that reports it.
    const PlannerInfo* of_file = find_planner(info->kind, Space::grid);
    if (of_file == nullptr) of_file = find_planner("hpa", Space::grid);
    if (automatic || of_file == chosen) return of_file;
    return fail(StatusCode::bad_option,
                fmt::format("--planner {} with --index: {} is an index of the other planner {}; "
                            "leave --planner out",
                            name, index.file, of_file->name));
}

Result<AnyMap> PlannerFlags::load(const std::filesystem::path& file, const MapFlags& map) const {
    if (taken) {
        Status status = map.refuse_given(kWithFile);
        if (status.ok()) status = haa.refuse_index_options(kWithFile);
        if (!status.ok()) return tl::unexpected(std::move(status));
        return taken->map();
    }
    const auto planner = used();
    if (!planner) return tl::unexpected(planner.error());
    if (*planner == nullptr || (*planner)->name != haa::Planner::kName) {
        Status status = haa.refuse_given(
            index.file.empty() ? "is an option of HAA*: leave it out, or add --planner haa"
                               : "is an option of HAA*, and the index is another planner's");
        if (!status.ok()) return tl::unexpected(std::move(status));
        return map.load(file).map([](grid::Map loaded) { return AnyMap(std::move(loaded)); });
    }
    if (!index.file.empty()) {
        Status status = map.refuse_given(kWithFile);
        if (status.ok()) status = haa.refuse_index_options(kWithFile);
        if (!status.ok()) return tl::unexpected(std::move(status));
    }
    auto terrain = haa.load(file, map);
    if (!terrain) return tl::unexpected(std::move(terrain.error()));
    if (!index.file.empty()) return AnyMap(std::move(terrain->image));
    auto annotated = haa.annotate(*terrain);
    if (!annotated) return tl::unexpected(std::move(annotated.error()));
    if (const auto agent = haa.agent(*annotated); !agent) return tl::unexpected(agent.error());
    return AnyMap(std::move(*annotated));
}

// Whether options are given that only HAA* has.
bool PlannerFlags::wants_agents() const {
    if (!haa.refuse_given("").ok()) return true;
    const auto takes = [&](std::string_view planner) {
        return index.fields.check(*find_planner(planner, Space::grid)).ok();
    };
    return takes("haa") && !takes("hpa") && !takes("subgoal");
}

// With auto: the planner that suits the map and the map after the edits, if it has the options
// given, else HPA* if that has them.
const PlannerInfo& PlannerFlags::planner_for(const AnyMap& map, const Use& use) const {
    if (name != "auto") return *find_planner(name, Space::grid);
    const PlannerInfo& suitable = *suitable_planner(map);
    const auto* const own = std::get_if<grid::Map>(&map);
    if (own == nullptr) return suitable;
    const auto takes = [&](const PlannerInfo& planner) {
        return index.fields.check(planner).ok() &&
               (use.query == nullptr || use.query->fields.check(planner).ok());
    };
    const auto edited = own->edited(use.edits);  // bad edits are reported later
    const bool stays = !edited || suitable_planner(*edited) == &suitable;
    const PlannerInfo& other = *find_planner("hpa", Space::grid);
    return takes(suitable) && stays ? suitable : takes(other) ? other : suitable;
}

Result<AnyIndex> PlannerFlags::build(Context& context, const AnyMap& map, const Use& use) const {
    return index.build(context, planner_for(map, use), map);
}

Result<AnyIndex> PlannerFlags::load_or_build(Context& context, const AnyMap& map,
                                             const Use& use) const {
    if (!taken && index.file.empty()) return build(context, map, use);
    if (Status status = index.fields.refuse_given(kWithFile); !status.ok())
        return tl::unexpected(std::move(status));
    if (taken) return *taken;
    return AnyIndex::load(index.file, &map, {.checks = index.checks});
}

Result<GridPlanner> PlannerFlags::open(Context& context, const AnyMap& map,
                                       std::span<const grid::TerrainEdit> edits,
                                       const QueryFlags& query) const {
    if (name != "auto" && !find_planner(name, Space::grid)->has_index && !index.file.empty())
        return fail(StatusCode::bad_option, "--index: this --planner has no index");
    auto opened = load_or_build(context, map, {.query = &query, .edits = edits});
    if (!opened) return tl::unexpected(std::move(opened.error()));
    if (!edits.empty()) {
        const auto* const agents = opened->as<haa::Planner>();
        const auto edits_of_map = agents == nullptr
                                      ? std::vector(edits.begin(), edits.end())
                                      : translated(edits, agents->map().options().key);
        opened = opened->edited(edits_of_map);
        if (!opened) {
            return fail(opened.error().code,
                        "--edit: " + with_advice(std::move(opened.error())).message);
        }
    }
    return ready(context, *opened, query);
}

Result<GridPlanner> PlannerFlags::ready(Context& context, const AnyIndex& opened,
                                        const QueryFlags& query) const {
    if (const auto* const agents = opened.as<haa::Planner>()) {
        const auto agent = haa.agent(agents->map());
        if (!agent) return tl::unexpected(agent.error());
        Status status = haa.prepare(context, *agents, *agent, index.threads);
        if (!status.ok()) return tl::unexpected(std::move(status));
        auto agent_query = query.query<haa::Planner>(agents->map().options().costs.straight);
        if (!agent_query) return tl::unexpected(std::move(agent_query.error()));
        agent_query->agent = *agent;
        return agent_planner(*agents, *agent_query);
    }
    Result<GridPlanner> planner = fail(StatusCode::unsupported);
    AllPlanners::for_each([&]<class P>() {
        if constexpr (std::same_as<typename P::Map, grid::Map>) {
            const auto* const own = opened.as<P>();
            if (own == nullptr) return;
            const grid::Map own_map = std::get<grid::Map>(opened.map());
            auto own_query = query.query<P>(own_map.options().costs.straight);
            planner = own_query ? grid_planner<P>(*own, *own_query, own_map)
                                : Result<GridPlanner>(tl::unexpected(std::move(own_query.error())));
        }
    });
    return planner;
}

}  // namespace cairn::app
