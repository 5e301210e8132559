#pragma once
// The planner of grids that a subcommand uses, with its options, ready for queries.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "cairn/any.hpp"
#include "cairn/haa/index.hpp"
#include "cairn/planners.hpp"
#include "command.hpp"
#include "options/fields.hpp"
#include "options/grid.hpp"
#include "options/haa.hpp"

namespace cairn::app {

/// An agent of a HAA* index.
struct Mover {
    haa::Index index;
    haa::Agent agent;
};

/// A planner of a grid with a query, and the working memory of one thread.
struct GridPlanner {
    AnyIndex index;
    AnyQuery query;
    grid::Map map;               ///< the map of paths; for an agent the map of its anchors
    std::optional<Mover> mover;  ///< std::nullopt for planners without agents
    AnySearcher searcher{0};  ///< caches no endpoints, so that no query gains from the one before
    AnyAnswer answer;         ///< the last one

    StatusCode ask(grid::Point start, grid::Point goal) {
        return searcher.find(index, query, start, goal, answer);
    }
    /// Runs another query, so that the endpoints of the last one are no longer known.
    void forget_endpoints();
};

/// Makes a planner of this type. `cached_endpoints` as Searcher's. Errors: out_of_memory.
template <class P>
[[nodiscard]] Result<GridPlanner> grid_planner(const typename P::Index& index,
                                               const typename P::Query& query, const grid::Map& map,
                                               std::size_t cached_endpoints = 0) {
    auto any = AnyIndex::of<P>(index);
    if (!any) return tl::unexpected(std::move(any.error()));
    auto asked = AnyQuery::of<P>(query);
    if (!asked) return tl::unexpected(std::move(asked.error()));
    return GridPlanner{
        std::move(*any), std::move(*asked), map, {}, AnySearcher(cached_endpoints), {}};
}
/// Makes a planner that moves an agent, query.agent. Errors: as haa::Index::view.
[[nodiscard]] Result<GridPlanner> agent_planner(const haa::Index& index, const haa::Query& query);

/// Calls use(index) with the own index of a grid planner that has one.
template <class Use>
[[nodiscard]] auto visit_index(const AnyIndex& index, const Use& use) {
    if (const auto* own = index.as<hpa::Planner>()) return use(*own);
    if (const auto* own = index.as<subgoal::Planner>()) return use(*own);
    return use(*index.as<haa::Planner>());
}

/// The option --planner, the group "Index" and "Agents of HAA*".
struct PlannerFlags {
    std::string name = "hpa";
    IndexFlags index;
    HaaFlags haa;

    /// `bare`: planners without an index can be chosen too.
    void add_to(CLI::App& command, bool bare);

    /// The planner of --index FILE if that is given, else of --planner. Errors: bad_option (the two
    /// contradict each other); those of cairn::inspect.
    [[nodiscard]] Result<const PlannerInfo*> used() const;

    /// Reads a map as the planner used needs it. Errors: bad_option (an option of another planner);
    /// those of the readers.
    [[nodiscard]] Result<AnyMap> load(const std::filesystem::path& file, const MapFlags& map) const;
    /// Builds the index of a map from `load`, with a progress bar and until Ctrl-C. Errors: those
    /// of the build; bad_option (an option of another planner).
    [[nodiscard]] Result<AnyIndex> build(Context& context, const AnyMap& map) const;
    /// Loads the index from --index FILE, else builds it.
    [[nodiscard]] Result<AnyIndex> load_or_build(Context& context, const AnyMap& map) const;
    /// The planner, ready for queries on the edited map.
    [[nodiscard]] Result<GridPlanner> open(Context& context, const AnyMap& map,
                                           std::span<const grid::TerrainEdit> edits,
                                           const QueryFlags& query) const;

private:
    CLI::Option* choice_ = nullptr;
};

}  // namespace cairn::app
