#include "options/planner.hpp"

#include <fmt/format.h>

#include "cairn/index_file.hpp"
#include "options/common.hpp"

namespace cairn::app {
namespace {

// No grid's planner loads an HNA* index: HPA* will say so.
PlannerKind planner_of(std::string_view kind) {
    if (kind == "subgoal") return PlannerKind::subgoal;
    return kind == "haa" ? PlannerKind::haa : PlannerKind::hpa;
}

const char* word(PlannerKind indexed) {
    return indexed == PlannerKind::hpa ? "hpa" : indexed == PlannerKind::haa ? "haa" : "subgoal";
}

template <class Index>
Result<AnyIndex> any(Result<Index> index) {
    if (!index) return tl::unexpected(std::move(index.error()));
    return AnyIndex(std::move(*index));
}

Result<AnyIndex> edited_index(const AnyIndex& index, const AnyMap& map,
                              std::span<const grid::TerrainEdit> edits) {
    const auto* terrain = std::get_if<AgentTerrain>(&map);
    return terrain ? edited(index, read_by(terrain->key, edits)) : edited(index, edits);
}

}  // namespace

void PlannerFlags::add_to(CLI::App& command, bool bare) {
    Names<PlannerKind> names{
        {"hpa", PlannerKind::hpa}, {"subgoal", PlannerKind::subgoal}, {"haa", PlannerKind::haa}};
    std::string help =
        "hpa: near-optimal, any map; subgoal: exact, maps of one terrain; haa: near-optimal, "
        "agents of several sizes and terrains";
    if (bare) {
        names.insert(names.end(), {{"astar", PlannerKind::astar},
                                   {"buckets", PlannerKind::buckets},
                                   {"jps", PlannerKind::jps}});
        help +=
            "; without an index: plain A*, A* with buckets, jump point search (maps of one "
            "terrain)";
    }
    choice_ = add_choice<PlannerKind>(command, "--planner", kind, names, help)->group("Planner");
    index.add_to(command);
    subgoal.add_to(command);
    haa.add_to(command);
    command.get_option("--levels")
        ->description(
            "HPA*, HAA*: abstract levels, 1 to 8. Subgoal graphs: 1 the simple subgoal graph, 2 a "
            "two-level one, 0 as many as there can be. More never change a cost");
}

Status PlannerFlags::check_given() const {
    if (kind != PlannerKind::subgoal) {
        Status status =
            refuse_given(subgoal.own(),
                         "is an option of subgoal graphs: leave it out, or add --planner subgoal");
        if (!status.ok()) return status;
    }
    if (!has_index()) return index.none("is an option of an index, and this --planner has none");
    if (kind == PlannerKind::haa) return index.only_clustered();
    return kind == PlannerKind::hpa ? Status{} : index.only_shared();
}

Status PlannerFlags::check_given_with_file() const {
    Status status = index.none(kWithFile);
    if (status.ok()) status = refuse_given(subgoal.own(), kWithFile);
    if (status.ok()) status = haa.none_of_an_index(kWithFile);
    return status;
}

Result<PlannerKind> PlannerFlags::used() const {
    if (index.file.empty() || !has_index()) return kind;
    const auto found = inspect(index.file);
    if (!found) return tl::unexpected(found.error());
    const PlannerKind of_file = planner_of(found->kind);
    if (choice_->count() == 0 || of_file == kind) return of_file;
    return fail(StatusCode::bad_option,
                fmt::format("--planner {} with --index: {} is an index of the other planner {}; "
                            "leave --planner out",
                            word(kind), index.file, word(of_file)));
}

Result<AnyMap> PlannerFlags::load(const std::filesystem::path& file, const MapFlags& map) const {
    const auto planner = used();
    if (!planner) return tl::unexpected(planner.error());
    if (*planner != PlannerKind::haa) {
        Status status = haa.none("is an option of HAA*: leave it out, or add --planner haa");
        if (!status.ok()) return tl::unexpected(std::move(status));
        auto loaded = map.load(file);
        if (!loaded) return tl::unexpected(std::move(loaded.error()));
        return AnyMap(std::move(*loaded));
    }
    if (!index.file.empty()) {
        if (Status status = map.none(kWithFile); !status.ok())
            return tl::unexpected(std::move(status));
    }
    auto loaded = haa.load(file, map);
    if (!loaded) return tl::unexpected(std::move(loaded.error()));
    return AnyMap(std::move(*loaded));
}

Result<AnyIndex> PlannerFlags::build(Context& context, const AnyMap& map) const {
    if (Status status = check_given(); !status.ok()) return tl::unexpected(std::move(status));
    if (const auto* terrain = std::get_if<AgentTerrain>(&map))
        return any(haa.build(context, *terrain, index));
    const auto& grid_map = std::get<grid::Map>(map);
    if (kind == PlannerKind::subgoal) return any(subgoal.build(context, grid_map, index));
    return any(index.build(context, grid_map));
}

Result<AnyIndex> PlannerFlags::load_or_build(Context& context, const AnyMap& map) const {
    if (index.file.empty()) return build(context, map);
    if (Status status = check_given_with_file(); !status.ok())
        return tl::unexpected(std::move(status));
    return load_any_index(index.file, map);
}

Result<std::unique_ptr<AnyPlanner>> PlannerFlags::open(Context& context, const AnyMap& map,
                                                       std::span<const grid::TerrainEdit> edits,
                                                       const QueryFlags& query) const {
    const auto edit_error = [](const Status& error) {
        return fail(error.code, "--edit: " + with_advice(error).message);
    };
    if (!has_index()) {
        if (Status status = check_given(); !status.ok()) return tl::unexpected(std::move(status));
        if (!index.file.empty())
            return fail(StatusCode::bad_option, "--index: this --planner has no index");
        const auto edited_map = std::get<grid::Map>(map).edited(edits);
        if (!edited_map) return edit_error(edited_map.error());
        return open_bare(*edited_map, query);
    }
    auto opened = load_or_build(context, map);
    if (!opened) return tl::unexpected(std::move(opened.error()));
    if (!edits.empty()) {
        opened = edited_index(*opened, map, edits);
        if (!opened) return edit_error(opened.error());
    }
    if (const auto* agents = std::get_if<haa::Index>(&*opened))
        return open_haa(context, *agents, query);
    const hpa::Query asked = query.between(std::get<grid::Map>(map), {}, {});
    if (const auto* hpa_index = std::get_if<hpa::Index>(&*opened))
        return make_planner(*hpa_index, asked);
    if (Status status = query.only_shared(); !status.ok()) return tl::unexpected(std::move(status));
    return make_planner(std::get<subgoal::Index>(*opened), subgoal_query(asked));
}

Result<std::unique_ptr<AnyPlanner>> PlannerFlags::open_haa(Context& context,
                                                           const haa::Index& built,
                                                           const QueryFlags& query) const {
    const auto agent = haa.agent(built.map());
    if (!agent) return tl::unexpected(agent.error());
    if (Status status = haa.prepare(context, built, *agent, index.threads); !status.ok())
        return tl::unexpected(std::move(status));
    const auto view = built.view(*agent);
    if (!view) return tl::unexpected(view.error());
    const hpa::Query asked = query.between(view->map(), {}, {});
    return make_planner(built, haa::query_of(asked, *agent));
}

Result<std::unique_ptr<AnyPlanner>> PlannerFlags::open_bare(const grid::Map& map,
                                                            const QueryFlags& query) const {
    Status status = query.only_shared();
    if (status.ok()) status = query.none_of_an_index();
    if (!status.ok()) return tl::unexpected(std::move(status));
    const bool cost_only = query.query.detail < hpa::Detail::abstract_path;
    const SearchLimits limits = query.limits(map);
    if (kind != PlannerKind::jps) {
        const auto open =
            kind == PlannerKind::buckets ? grid::OpenList::buckets : grid::OpenList::heap;
        return make_planner(map, {.open = open, .cost_only = cost_only}, limits);
    }
    const auto bits = grid::JpsMap::create(map);
    if (!bits) return tl::unexpected(with_advice(bits.error()));
    return make_planner(*bits, {.cost_only = cost_only}, limits);
}

}  // namespace cairn::app
