#include "planner_options.hpp"

#include <fmt/format.h>

namespace cairn::app {

void PlannerFlags::add_to(CLI::App& command, bool bare) {
    Names<PlannerKind> names{{"hpa", PlannerKind::hpa}, {"subgoal", PlannerKind::subgoal}};
    std::string help = "hpa: near-optimal, any map; subgoal: exact, maps of one terrain";
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
    command.get_option("--levels")
        ->description(
            "HPA*: abstract levels, 1 to 8. Subgoal graphs: 1 the simple subgoal graph, 2 a "
            "two-level "
            "one, 0 as many as there can be. More never change a cost");
}

Status PlannerFlags::check_given() const {
    if (kind != PlannerKind::subgoal) {
        Status status =
            refuse_given(subgoal.own(),
                         "is an option of subgoal graphs: leave it out, or add --planner subgoal");
        if (!status.ok()) return status;
    }
    if (!has_index()) return index.none("is an option of an index, and this --planner has none");
    return kind == PlannerKind::hpa ? Status{} : index.only_shared();
}

Result<AnyIndex> PlannerFlags::build(Context& context, const grid::Map& map) const {
    if (Status status = check_given(); !status.ok()) return tl::unexpected(std::move(status));
    if (kind == PlannerKind::subgoal) {
        auto built = subgoal.build(context, map, index);
        if (!built) return tl::unexpected(std::move(built.error()));
        return AnyIndex(std::move(*built));
    }
    auto built = index.build(context, map);
    if (!built) return tl::unexpected(std::move(built.error()));
    return AnyIndex(std::move(*built));
}

Result<AnyIndex> PlannerFlags::load_or_build(Context& context, const grid::Map& map) const {
    if (index.file.empty()) return build(context, map);
    Status status = index.none(kWithFile);
    if (status.ok()) {
        status = refuse_given(subgoal.own(), kWithFile);
    }
    if (!status.ok()) return tl::unexpected(std::move(status));
    auto loaded = load_any_index(index.file, map);
    if (!loaded || choice_->count() == 0) return loaded;
    if ((kind == PlannerKind::subgoal) == std::holds_alternative<subgoal::Index>(*loaded))
        return loaded;
    return fail(StatusCode::bad_option,
                fmt::format("--planner with --index: {} is an index of the other planner; leave "
                            "--planner out",
                            index.file));
}

Result<std::unique_ptr<AnyPlanner>> PlannerFlags::open(Context& context, const grid::Map& map,
                                                       std::span<const grid::TerrainEdit> edits,
                                                       const QueryFlags& query) const {
    const auto edit_error = [](const Status& error) {
        return fail(error.code, "--edit: " + with_advice(error).message);
    };
    if (!has_index()) {
        if (Status status = check_given(); !status.ok()) return tl::unexpected(std::move(status));
        if (!index.file.empty())
            return fail(StatusCode::bad_option, "--index: this --planner has no index");
        const auto edited_map = map.edited(edits);
        if (!edited_map) return edit_error(edited_map.error());
        return open_bare(*edited_map, query);
    }
    auto opened = load_or_build(context, map);
    if (!opened) return tl::unexpected(std::move(opened.error()));
    if (!edits.empty()) {
        opened = edited(*opened, edits);
        if (!opened) return edit_error(opened.error());
    }
    const hpa::Query asked = query.between(map, {}, {});
    if (const auto* hpa_index = std::get_if<hpa::Index>(&*opened))
        return make_planner(*hpa_index, asked);
    if (Status status = query.only_shared(); !status.ok()) return tl::unexpected(std::move(status));
    return make_planner(std::get<subgoal::Index>(*opened), subgoal_query(asked));
}

Result<std::unique_ptr<AnyPlanner>> PlannerFlags::open_bare(const grid::Map& map,
                                                            const QueryFlags& query) const {
    Status status = query.only_shared();
    if (status.ok()) status = query.none_of_an_index();
    if (!status.ok()) return tl::unexpected(std::move(status));
    const bool cost_only = query.query.detail < hpa::Detail::abstract_path;
    if (kind != PlannerKind::jps) {
        const auto open =
            kind == PlannerKind::buckets ? grid::OpenList::buckets : grid::OpenList::heap;
        return make_planner(map, {.open = open, .cost_only = cost_only}, query.limits(map));
    }
    const auto bits = grid::JpsMap::create(map);
    if (!bits) return tl::unexpected(with_advice(bits.error()));
    return make_planner(*bits, {.cost_only = cost_only}, query.limits(map));
}

}  // namespace cairn::app
