#pragma once
// The option --planner of the subcommands for maps: the chosen planner with its index and a query,
// ready to find paths.

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "cairn/any.hpp"
#include "cairn/haa/index.hpp"
#include "cairn/index_file.hpp"
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

/// An index of a grid with a query, and the working memory of one thread.
struct GridPlanner {
    AnyIndex index;
    AnyQuery query;              ///< the options; start and goal are given to `find`
    grid::Map map;               ///< the map of paths; for an agent the map of its anchors
    std::optional<Mover> mover;  ///< std::nullopt for planners without agents
    AnySearcher searcher{0};     ///< caches the fewest endpoints, so that queries are timed alike
    AnyAnswer answer;            ///< of the last query

    StatusCode find(grid::Point start, grid::Point goal) {
        return searcher.find(index, query, start, goal, answer);
    }
    /// Runs two queries between free cells near the corners of the map. Their four endpoints push
    /// those of earlier queries out of a cache of the least size.
    void forget_endpoints();
};

/// Makes a planner of type P. `cached_endpoints`: as Searcher's. Errors: out_of_memory.
template <class P>
[[nodiscard]] Result<GridPlanner> grid_planner(const typename P::Index& index,
                                               const typename P::Query& query, const grid::Map& map,
                                               std::size_t cached_endpoints = 0) {
    auto any_index = AnyIndex::of<P>(index);
    if (!any_index) return tl::unexpected(std::move(any_index.error()));
    auto any_query = AnyQuery::of<P>(query);
    if (!any_query) return tl::unexpected(std::move(any_query.error()));
    return GridPlanner{
        std::move(*any_index), std::move(*any_query), map, {}, AnySearcher(cached_endpoints), {}};
}
/// Makes a planner of HAA* for query.agent. Errors: as haa::Index::view.
[[nodiscard]] Result<GridPlanner> agent_planner(const haa::Index& index, const haa::Query& query);

/// Calls `use` with the hpa::Index, subgoal::Index or haa::Index inside. Needs an index of one of
/// these planners.
template <class Use>
[[nodiscard]] auto visit_index(const AnyIndex& index, const Use& use) {
    if (const auto* own = index.as<hpa::Planner>()) return use(*own);
    if (const auto* own = index.as<subgoal::Planner>()) return use(*own);
    return use(*index.as<haa::Planner>());
}

/// Calls use.operator()<P>() for the planner of an index file of a map: hpa, subgoal or haa.
/// Errors: unsupported (another planner's); those of inspect and of `use`.
template <class Use>
[[nodiscard]] auto with_planner_of(const std::string& file, const Use& use)
    -> decltype(use.template operator()<hpa::Planner>()) {
    const auto info = inspect(file);
    if (!info) return tl::unexpected(info.error());
    if (info->kind == hpa::Planner::kName) return use.template operator()<hpa::Planner>();
    if (info->kind == subgoal::Planner::kName) return use.template operator()<subgoal::Planner>();
    if (info->kind == haa::Planner::kName) return use.template operator()<haa::Planner>();
    return fail(
        StatusCode::unsupported,
        fmt::format("{}: an index of the planner '{}', which is not for maps", file, info->kind));
}

/// The index of a file that holds its map, with the edits of the log beside it. Errors: those of
/// with_planner_of and IndexStore::open.
[[nodiscard]] Result<AnyIndex> load_with_edits(const std::string& file, FileChecks checks);

/// The option --planner and the groups "Index" and "Agents of HAA*".
struct PlannerFlags {
    std::string name = "auto";  ///< auto: what suits the map and the options given
    IndexFlags index;
    HaaFlags haa;
    std::optional<AnyIndex> taken;  ///< the index that `take` has loaded

    /// `bare`: planners without an index, such as astar, can be chosen too.
    void add_to(CLI::App& command, bool bare);

    /// If `file`, which stands where a map is expected, is an index file: loads it, with the map
    /// that it holds and the edits of the log beside it. Then `load` returns this map and
    /// load_or_build this index. Errors: bad_option (--index is given, too); those of
    /// load_with_edits.
    [[nodiscard]] Status take(const std::string& file);

    /// The planner of --index FILE if that is given, else of --planner. Null: auto, and the map
    /// decides between the planners of a grid::Map. Errors: bad_option (file and --planner
    /// contradict each other); those of cairn::inspect.
    [[nodiscard]] Result<const PlannerInfo*> used() const;

    /// Reads the kind of map that the planner needs. With --index a map of HAA* is only an image:
    /// the index file holds the rest. Errors: bad_option (an option of another planner); those of
    /// the readers.
    [[nodiscard]] Result<AnyMap> load(const std::filesystem::path& file, const MapFlags& map) const;
    /// What counts for the choice of a planner besides the map and the index options.
    struct Use {
        const QueryFlags* query = nullptr;
        std::span<const grid::TerrainEdit> edits{};  ///< that the map will get
    };
    /// Builds the index of a map from `load`, with a progress bar and until Ctrl-C. Errors: those
    /// of the build; bad_option (an option of another planner).
    [[nodiscard]] Result<AnyIndex> build(Context& context, const AnyMap& map, const Use& use) const;
    [[nodiscard]] Result<AnyIndex> build(Context& context, const AnyMap& map) const {
        return build(context, map, Use{});
    }
    /// Loads the index from --index FILE if that is given, else builds it.
    [[nodiscard]] Result<AnyIndex> load_or_build(Context& context, const AnyMap& map,
                                                 const Use& use) const;
    [[nodiscard]] Result<AnyIndex> load_or_build(Context& context, const AnyMap& map) const {
        return load_or_build(context, map, Use{});
    }
    /// The planner, ready for queries on the edited map. Errors: those of load_or_build and of
    /// edits; bad_option (--index with a planner that has none; options of the query or the agent).
    [[nodiscard]] Result<GridPlanner> open(Context& context, const AnyMap& map,
                                           std::span<const grid::TerrainEdit> edits,
                                           const QueryFlags& query) const;
    /// The planner of an index of a grid, ready for queries. Errors: bad_option (options of the
    /// query or the agent); those of haa::Index::with_labels.
    [[nodiscard]] Result<GridPlanner> ready(Context& context, const AnyIndex& opened,
                                            const QueryFlags& query) const;

private:
    [[nodiscard]] bool wants_agents() const;
    [[nodiscard]] const PlannerInfo& planner_for(const AnyMap& map, const Use& use) const;
};

}  // namespace cairn::app
