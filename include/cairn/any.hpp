#pragma once
// Planners chosen by name at run time, for command lines, language bindings and tools. A program
// that knows its planner at compile time is better off with that planner's own Index and Searcher,
// which offer more and compile faster.
//
//     const auto index = AnyIndex::build("hpa", *map, std::array{Setting{"levels", "2"}});
//     const auto query = index->query(std::array{Setting{"smoothing", "none"}});
//     AnySearcher searcher;   // one per thread
//     AnyAnswer answer;
//     if (searcher.find(*index, *query, start, goal, answer) == StatusCode::ok)
//         use(answer.details().cells);
//
// The planner's own answer, which can hold more, is `answer.as<hpa::Planner>()`. Include
// cairn/planners.hpp for it. Maps that change are worlds: cairn/any_world.hpp.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/field.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/terrain_image.hpp"
#include "cairn/index_file.hpp"
#include "cairn/parts.hpp"
#include "cairn/search_statistics.hpp"
#include "cairn/search_trace.hpp"
#include "cairn/searcher.hpp"
#include "cairn/status.hpp"

#if CAIRN_HAS_BATCH
#include "cairn/batch/batch.hpp"
#include "cairn/grid/paths.hpp"
#include "cairn/mesh/paths.hpp"
#endif
#if CAIRN_HAS_HAA
#include "cairn/haa/annotated_map.hpp"
#endif
#if CAIRN_HAS_MESH
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/mesh.hpp"
#endif

namespace cairn {

/// What a planner's paths lead over: the cells of a grid, or the polygons of a mesh.
enum class Space : std::uint8_t { grid, mesh };

/// A planner of this build.
struct PlannerInfo {
    std::string_view name;  ///< "hpa"; unique within a space
    Space space = Space::grid;
    std::string_view summary;        ///< one line, for users
    bool exact = false;              ///< every path is of least cost
    bool has_index = false;          ///< its index can be saved
    bool has_labels = false;         ///< its index can have cut labels
    std::span<const Field> options;  ///< what `AnyIndex::build` takes
    std::span<const Field> query;    ///< what `AnyIndex::query` takes
};

/// All planners of this build, in the order of AllPlanners. Thread-safe.
[[nodiscard]] std::span<const PlannerInfo> planners() noexcept;
/// The planner of a name; null if this build has none. Thread-safe.
[[nodiscard]] const PlannerInfo* find_planner(std::string_view name, Space space) noexcept;

/// The map of an index. haa builds from an AnnotatedMap, but its index files are loaded with a
/// TerrainImage or without a map.
using AnyMap = std::variant<grid::Map, grid::TerrainImage
#if CAIRN_HAS_HAA
                            ,
                            haa::AnnotatedMap
#endif
#if CAIRN_HAS_MESH
                            ,
                            mesh::Mesh
#endif
                            >;

/// The planner of this build that suits a map best; null if there is none for it. For agents of
/// several sizes or capabilities, an AnnotatedMap: haa. For a grid::Map: subgoal where subgoal
/// graphs apply, which is exact (eight neighbours, the strict corner rule, one weight), else hpa.
/// For a mesh: hna. If a build lacks these, an exact planner without an index. O(1). Thread-safe.
[[nodiscard]] const PlannerInfo* suitable_planner(const AnyMap& map) noexcept;

/// The start or the goal of a path: a cell of a grid, or a place on a mesh.
using AnyPlace = std::variant<grid::Point
#if CAIRN_HAS_MESH
                              ,
                              mesh::Place
#endif
                              >;

/// Changes of a map or of a mesh.
using AnyEdits = std::variant<std::span<const grid::TerrainEdit>
#if CAIRN_HAS_MESH
                              ,
                              std::span<const mesh::PolygonEdit>
#endif
                              >;

/// What units have to pay on each terrain: as hpa::Index::with_costs and haa::Index::with_costs
/// take it.
using AnyCosts = std::variant<grid::TerrainWeights
#if CAIRN_HAS_HAA
                              ,
                              std::span<const haa::Capability>
#endif
                              >;

namespace detail {

struct IndexHolder;
struct QueryHolder;
struct AnswerHolder;
struct SearcherHolder;
/// What a searcher answers queries on: an index or a world.
struct Searchable;

}  // namespace detail

/// A query of one planner without start and goal, parsed once and used for any number of requests.
/// An immutable value; copies are cheap.
class AnyQuery {
public:
    [[nodiscard]] const PlannerInfo& planner() const noexcept;
    /// The query as planner P's own; null if it is another planner's. Defined for the planners of
    /// AllPlanners. Valid as long as this object or a copy of it.
    template <class P>
    [[nodiscard]] const typename P::Query* as() const noexcept;
    /// This query under other limits, such as a frame's deadline. Errors: out_of_memory. O(1).
    [[nodiscard]] Result<AnyQuery> with_limits(const SearchLimits& limits) const noexcept;
    /// This query with other cells that are walls for it alone, as Query::blocked says. They are
    /// not copied. Errors: unsupported (queries of this planner have no such cells); out_of_memory.
    /// O(1).
    [[nodiscard]] Result<AnyQuery> with_blocked(std::span<const grid::Cell> cells) const noexcept;
    /// Wraps planner P's own query; its start and goal are ignored. Errors: out_of_memory.
    template <class P>
    [[nodiscard]] static Result<AnyQuery> of(const typename P::Query& query) noexcept;

private:
    friend class AnyIndex;
    friend class AnySearcher;
    friend class AnyWorldSearcher;
    explicit AnyQuery(std::shared_ptr<const detail::QueryHolder> held) noexcept;
    std::shared_ptr<const detail::QueryHolder> held_;
};

/// The index of any planner; of a planner without an index, its map. An immutable value that
/// threads share; copies are cheap. All const members may be called from any number of threads.
class AnyIndex {
public:
    /// Builds the index of the planner of that name; "auto" is that of `suitable_planner`. If a
    /// grid planner and a mesh planner have this name, the map decides. Errors: unsupported (no
    /// such planner in this build, or the map is of another kind); bad_option (a setting); those of
    /// the planner's own build; out_of_memory. Time: that of the planner's own build.
    [[nodiscard]] static Result<AnyIndex> build(std::string_view planner, const AnyMap& map,
                                                Settings options = {},
                                                const BuildControl& control = {}) noexcept;
    /// Wraps planner P's own index. Errors: out_of_memory.
    template <class P>
    [[nodiscard]] static Result<AnyIndex> of(const typename P::Index& index) noexcept;

    /// Loads an index file of any planner. `map` is needed if the file does not hold its map (hpa,
    /// subgoal); otherwise a map that is given is compared with the file's. Errors: unsupported
    /// (this build lacks the file's planner or index files; the map is missing or of another kind);
    /// those of cairn::load.
    [[nodiscard]] static Result<AnyIndex> load(const std::string& file, const AnyMap* map = nullptr,
                                               const LoadOptions& options = {}) noexcept;
    /// Saves the index. Errors: unsupported (the planner has no index); those of cairn::save.
    [[nodiscard]] Status save(const std::string& file,
                              const SaveOptions& options = {}) const noexcept;

    [[nodiscard]] const PlannerInfo& planner() const noexcept;
    /// The map of the index; for haa its AnnotatedMap. O(1).
    [[nodiscard]] AnyMap map() const;
    /// The size of the index in bytes, as Index::memory; 0 for planners without an index. O(index).
    [[nodiscard]] std::size_t memory() const;

    /// The index after edits, as Index::edited. Errors: those of Index::edited; unsupported (the
    /// edits are of another space); out_of_memory.
    [[nodiscard]] Result<AnyIndex> edited(const AnyEdits& edits) const noexcept;
    /// The index with the labels and other parts that its options ask for and an edit left out, as
    /// Index::with_labels; for haa, those of all agent classes that have a view. Returns the same
    /// index if nothing is missing or the planner has no labels. Errors: those of
    /// Index::with_labels; out_of_memory.
    [[nodiscard]] Result<AnyIndex> with_labels(const BuildControl& control = {}) const noexcept;
    /// The index of the same map for units with other terrain costs, as hpa::Index::with_costs and
    /// haa::Index::with_costs; for astar on grids, grid::Map::with_weights. Errors: those of these
    /// functions; unsupported (another planner, or costs of another kind: build an index of the map
    /// under these costs); out_of_memory.
    [[nodiscard]] Result<AnyIndex> with_costs(const AnyCosts& costs,
                                              const BuildControl& control = {}) const noexcept;
    /// As Index::has_labels; false if the planner has no labels.
    [[nodiscard]] bool has_labels() const;
    /// As Index::has_closure; false if the planner has no labels.
    [[nodiscard]] bool has_closure() const;

    /// A query of this planner with these settings. Errors: bad_option (as apply_settings);
    /// out_of_memory.
    [[nodiscard]] Result<AnyQuery> query(Settings settings = {}) const noexcept;

    /// The index as planner P's own; null if it is another planner's. Defined for the planners of
    /// AllPlanners. Valid as long as this object or a copy of it.
    template <class P>
    [[nodiscard]] const typename P::Index* as() const noexcept;

private:
    friend class AnySearcher;
    explicit AnyIndex(std::shared_ptr<const detail::IndexHolder> held) noexcept;
    std::shared_ptr<const detail::IndexHolder> held_;
};

/// The effort of one step of a query: "connect", "search" or "refine".
struct StepEffort {
    std::string_view step;
    SearchStatistics effort;
};

/// The parts of an answer that planners have in common. Spans are valid until their AnyAnswer is
/// used for another query.
struct AnswerDetails {
    /// No path costs less.
    Cost lower_bound = 0;
    /// The place that the path leads to: the goal, or with nearest_reachable the place that stands
    /// in for it.
    AnyPlace goal;
    /// The engine that answered, as the query's field "engine" names it; "line" if the straight
    /// line is free, "none" if no search was needed. For planners without engines, the planner's
    /// name.
    std::string_view engine = "none";
    /// Every cell of a path on a grid, if requested.
    std::span<const grid::Cell> cells;
    /// The abstract nodes or subgoals of a path on a grid, if requested.
    std::span<const grid::Cell> nodes;
#if CAIRN_HAS_MESH
    /// The corridor and the waypoints of a path on a mesh, if requested.
    std::span<const mesh::Polygon> polygons;
    std::span<const mesh::Waypoint> waypoints;
#endif
    /// The effort of each step that the planner counts; unused entries have no name.
    std::array<StepEffort, 3> effort;

    /// Nodes expanded in all steps.
    [[nodiscard]] std::uint64_t expanded() const noexcept {
        std::uint64_t sum = 0;
        for (const StepEffort& step : effort) sum += step.effort.expanded;
        return sum;
    }
};

/// The answer to a query. Reuse one object for many queries: its memory is kept.
class AnyAnswer {
public:
    AnyAnswer() noexcept;
    ~AnyAnswer();
    AnyAnswer(AnyAnswer&& other) noexcept;
    AnyAnswer& operator=(AnyAnswer&& other) noexcept;
    AnyAnswer(const AnyAnswer&) = delete;
    AnyAnswer& operator=(const AnyAnswer&) = delete;

    [[nodiscard]] StatusCode status() const noexcept { return status_; }
    /// kInfinity if the status is not ok, or if only reachability was requested.
    [[nodiscard]] Cost cost() const noexcept { return cost_; }
    /// The parts that planners have in common. O(1).
    [[nodiscard]] AnswerDetails details() const noexcept;

    /// The answer as planner P's own; null if it is another planner's. Defined for the planners of
    /// AllPlanners. Valid until this object is used for another query.
    template <class P>
    [[nodiscard]] const typename P::Answer* as() const noexcept;

private:
    friend class AnySearcher;
    StatusCode status_ = StatusCode::no_path;
    Cost cost_ = kInfinity;
    std::unique_ptr<detail::AnswerHolder> held_;
};

#if CAIRN_HAS_BATCH

/// What differs between the queries of a batch.
struct AnyRequest {
    AnyPlace start;
    AnyPlace goal;
    /// The agent, for haa; without one, that of the query. Other planners ignore it.
    std::optional<haa::Agent> agent = std::nullopt;
};

/// The requests of a batch. Those of a grid or mesh alone are not copied, except for haa, where all
/// have the agent of the query.
using AnyRequests = std::variant<std::span<const AnyRequest>, std::span<const grid::Request>,
                                 std::span<const mesh::Request>>;

namespace detail {

using PathsOfAnySpace = std::variant<grid::Paths, mesh::Paths>;

}  // namespace detail

/// The result of a batch, in the order of its requests. Reuse one object for many batches: its
/// memory is kept as long as they are of the same space. Member functions are O(1); const members
/// may be called from any number of threads. Spans are valid until the object is used for another
/// batch. Arguments must be less than size().
class AnyPaths {
public:
    /// The number of requests.
    [[nodiscard]] std::size_t size() const noexcept { return costs().status.size(); }
    [[nodiscard]] StatusCode status(std::size_t request) const noexcept {
        return costs().status[request];
    }
    /// kInfinity if the status is not ok.
    [[nodiscard]] Cost cost(std::size_t request) const noexcept { return costs().cost[request]; }
    /// Every cell of a path on a grid, or its turning points; empty on meshes.
    [[nodiscard]] std::span<const grid::Cell> cells(std::size_t request) const noexcept {
        const auto* const paths = std::get_if<grid::Paths>(&paths_);
        return paths == nullptr ? std::span<const grid::Cell>() : paths->cells[request];
    }
    /// The corridor of a path on a mesh; empty on grids.
    [[nodiscard]] std::span<const mesh::Polygon> polygons(std::size_t request) const noexcept {
        const auto* const paths = std::get_if<mesh::Paths>(&paths_);
        return paths == nullptr ? std::span<const mesh::Polygon>() : paths->polygons[request];
    }
    /// The string pulled tight in the corridor, if requested; empty on grids.
    [[nodiscard]] std::span<const mesh::Waypoint> waypoints(std::size_t request) const noexcept {
        const auto* const paths = std::get_if<mesh::Paths>(&paths_);
        return paths == nullptr ? std::span<const mesh::Waypoint>() : paths->waypoints[request];
    }

    /// The result as planner P's own, with flat arrays of all requests: grid::Paths or mesh::Paths.
    /// Null if it is of the other space.
    template <class P>
    [[nodiscard]] const typename P::Paths* as() const noexcept {
        return std::get_if<typename P::Paths>(&paths_);
    }

private:
    friend class AnySearcher;
    friend class AnyWorldSearcher;
    [[nodiscard]] const PathCosts& costs() const noexcept {
        if (const auto* const paths = std::get_if<grid::Paths>(&paths_)) return *paths;
        return *std::get_if<mesh::Paths>(&paths_);
    }
    detail::PathsOfAnySpace paths_;
};

#endif

/// Answers queries on indexes of any planner and keeps their working memory. Use one object per
/// thread. Memory and cached endpoints are kept only for the planner of the last call. A call costs
/// one virtual call more than with the planner's own searchers, and one pass over lists of places
/// and requests, which are copied. Statuses and allocations are those of cairn::Searcher and
/// batch::Searcher. The status is also unsupported if index, query and places belong to different
/// planners.
class AnySearcher {
public:
    explicit AnySearcher(std::size_t cached_endpoints = 8) noexcept;
    ~AnySearcher();
    AnySearcher(AnySearcher&& other) noexcept;
    AnySearcher& operator=(AnySearcher&& other) noexcept;
    AnySearcher(const AnySearcher&) = delete;
    AnySearcher& operator=(const AnySearcher&) = delete;

    /// As Searcher::find.
    StatusCode find(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                    const AnyPlace& goal, AnyAnswer& answer) noexcept;
    /// As Searcher::trace.
    StatusCode trace(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                     const AnyPlace& goal, AnyAnswer& answer, SearchTrace& trace) noexcept;
    /// As Searcher::begin and Searcher::advance. Until advance returns false, the answer must stay
    /// where it is, be used by no other searcher, and has no meaning.
    StatusCode begin(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                     const AnyPlace& goal, AnyAnswer& answer) noexcept;
    bool advance(std::uint64_t budget = std::numeric_limits<std::uint64_t>::max(),
                 Deadline until = {}) noexcept;
    /// As Searcher::costs.
    StatusCode costs(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                     std::span<const AnyPlace> goals, std::span<Cost> costs) noexcept;
    /// As Searcher::costs of all pairs.
    StatusCode costs(const AnyIndex& index, const AnyQuery& query, std::span<const AnyPlace> starts,
                     std::span<const AnyPlace> goals, std::span<Cost> costs) noexcept;
    /// As Searcher::find_nearest of several goals.
    StatusCode find_nearest(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                            std::span<const AnyPlace> goals, std::span<GoalCost> nearest,
                            std::size_t& count) noexcept;
    /// As Searcher::find_nearest.
    StatusCode find_nearest(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                            std::span<const AnyPlace> goals, AnyAnswer& answer,
                            std::size_t& nearest) noexcept;
#if CAIRN_HAS_BATCH
    /// As batch::Searcher::find_paths. A copy of the requests does not count towards
    /// batch::Options::max_bytes: 16 bytes a request, for haa 24, on meshes 32.
    [[nodiscard]] Status find_paths(const AnyIndex& index, const AnyQuery& query,
                                    const AnyRequests& requests, AnyPaths& paths,
                                    const batch::Options& options = {},
                                    const BuildControl& control = {}) noexcept;
#endif

    /// The working memory held now, in bytes, as Searcher::memory and batch::Searcher::memory of
    /// the planner that it was last used with.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    friend class AnyWorldSearcher;

    // The same calls on an index or on a world; a searcher is used with indexes or with one world.
    StatusCode find_on(const detail::Searchable& on, const AnyQuery& query, const AnyPlace& start,
                       const AnyPlace& goal, AnyAnswer& answer) noexcept;
    StatusCode begin_on(const detail::Searchable& on, const AnyQuery& query, const AnyPlace& start,
                        const AnyPlace& goal, AnyAnswer& answer) noexcept;
    StatusCode costs_on(const detail::Searchable& on, const AnyQuery& query, const AnyPlace& start,
                        std::span<const AnyPlace> goals, std::span<Cost> costs) noexcept;
    StatusCode costs_on(const detail::Searchable& on, const AnyQuery& query,
                        std::span<const AnyPlace> starts, std::span<const AnyPlace> goals,
                        std::span<Cost> costs) noexcept;
    StatusCode find_nearest_on(const detail::Searchable& on, const AnyQuery& query,
                               const AnyPlace& start, std::span<const AnyPlace> goals,
                               std::span<GoalCost> nearest, std::size_t& count) noexcept;
    StatusCode find_nearest_on(const detail::Searchable& on, const AnyQuery& query,
                               const AnyPlace& start, std::span<const AnyPlace> goals,
                               AnyAnswer& answer, std::size_t& nearest) noexcept;
#if CAIRN_HAS_BATCH
    Status find_paths_on(const detail::Searchable& on, const AnyQuery& query,
                         const AnyRequests& requests, AnyPaths& paths,
                         const batch::Options& options, const BuildControl& control) noexcept;
#endif

    /// The searcher of the planner of `on`, with room for its answer; null if the query is of
    /// another planner. Abandons a query in slices.
    [[nodiscard]] detail::SearcherHolder* searcher_of(const detail::Searchable& on,
                                                      const AnyQuery& query, AnyAnswer* answer);
    /// The status of call(searcher); unsupported if the query is of another planner.
    template <class Call>
    StatusCode with_searcher(const detail::Searchable& on, const AnyQuery& query, AnyAnswer* answer,
                             const Call& call) noexcept;
    /// Sets the status and the cost of an answer. If no query was run (unsupported, out_of_memory),
    /// the answer holds nothing else.
    static StatusCode finish(AnyAnswer& answer, StatusCode status) noexcept;

    std::unique_ptr<detail::SearcherHolder> held_;
    AnyAnswer* begun_ = nullptr;  // of the query in slices
    std::size_t cached_endpoints_;
};

}  // namespace cairn
