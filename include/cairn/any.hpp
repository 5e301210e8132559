#pragma once
// Planners chosen at run time, by name: what command lines, language bindings and tools are written
// over. A program that knows its planner uses that planner's own Index and Searcher, which say more
// and cost less to compile.
//
//     const auto index = AnyIndex::build("hpa", *map, std::array{Setting{"levels", "2"}});
//     const auto query = index->query(std::array{Setting{"smoothing", "none"}});
//     AnySearcher searcher;   // one per thread
//     AnyAnswer answer;
//     if (searcher.find(*index, *query, start, goal, answer) == StatusCode::ok)
//     use(answer.cells());
//
// What a planner's own answer has beyond AnyAnswer's is there too: `answer.as<hpa::Planner>()`, by
// cairn/planners.hpp.

#include <array>
#include <cstddef>
#include <cstdint>
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
#include "cairn/parts.hpp"
#include "cairn/search_statistics.hpp"
#include "cairn/status.hpp"

#if CAIRN_HAS_HAA
#include "cairn/haa/annotated_map.hpp"
#endif
#if CAIRN_HAS_MESH
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/mesh.hpp"
#endif

namespace cairn {

enum class Space : std::uint8_t { grid, mesh };

/// A planner of this build.
struct PlannerInfo {
    std::string_view name;  ///< "hpa"; a name may stand once for each space
    Space space = Space::grid;
    std::string_view summary;        ///< one line for people
    bool exact = false;              ///< every path is of least cost
    bool has_index = false;          ///< it keeps an index that can be saved
    bool has_labels = false;         ///< that index can have cut labels
    std::span<const Field> options;  ///< what `AnyIndex::build` takes
    std::span<const Field> query;    ///< what `AnyIndex::query` takes
};

/// All planners of this build, those with an index first. Thread-safe.
[[nodiscard]] std::span<const PlannerInfo> planners() noexcept;
/// Null if there is none of that name. Thread-safe.
[[nodiscard]] const PlannerInfo* find_planner(std::string_view name, Space space) noexcept;

/// What an index is built of. Of haa that is an AnnotatedMap; a TerrainImage is enough to load one.
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

/// Where a path begins or ends: a cell of a grid, or a place on a mesh.
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

namespace detail {

struct IndexHolder;
struct QueryHolder;
struct AnswerHolder;
struct SearcherHolder;

}  // namespace detail

/// A query of one planner without start and goal, parsed once and used for any number of requests.
/// An immutable value; copies are cheap.
class AnyQuery {
public:
    [[nodiscard]] const PlannerInfo& planner() const noexcept;
    /// Null for another planner's. Defined for the planners of AllPlanners.
    template <class P>
    [[nodiscard]] const typename P::Query* as() const noexcept;
    /// The query of a planner as it is; its start and goal do not matter.
    template <class P>
    [[nodiscard]] static Result<AnyQuery> of(const typename P::Query& query) noexcept;

private:
    friend class AnyIndex;
    friend class AnySearcher;
    explicit AnyQuery(std::shared_ptr<const detail::QueryHolder> held) noexcept;
    std::shared_ptr<const detail::QueryHolder> held_;
};

/// The index of any planner: of one that keeps none, the map. An immutable value that threads
/// share; copies are cheap. All const members may be called from any number of threads.
class AnyIndex {
public:
    /// Builds the index of the grid or mesh planner of that name. Errors: unsupported (no such
    /// planner in this build, or the map is of another kind); bad_option (a setting); those of the
    /// planner's own build; out_of_memory. Complexity: the planner's own.
    [[nodiscard]] static Result<AnyIndex> build(std::string_view planner, const AnyMap& map,
                                                Settings options = {},
                                                const BuildControl& control = {}) noexcept;
    /// The index of a planner, as one of any. Errors: out_of_memory.
    template <class P>
    [[nodiscard]] static Result<AnyIndex> of(const typename P::Index& index) noexcept;

    /// Loads an index file of any planner. `map` is needed where the file does not hold its map
    /// (hpa, subgoal), else it is a check. Errors: unsupported (the file's planner or index files
    /// are not in this build; there is no map; it is of another kind); as cairn::load.
    [[nodiscard]] static Result<AnyIndex> load(const std::string& file,
                                               const AnyMap* map = nullptr) noexcept;
    /// Saves it. Errors: unsupported (it keeps no index); as cairn::save.
    [[nodiscard]] Status save(const std::string& file) const noexcept;

    [[nodiscard]] const PlannerInfo& planner() const noexcept;
    /// Of haa the AnnotatedMap. O(1).
    [[nodiscard]] AnyMap map() const;
    /// Bytes; of planners that keep no index 0.
    [[nodiscard]] std::size_t memory() const noexcept;

    /// After a change, as Index::edited. Errors: those of that; unsupported (edits of another
    /// space).
    [[nodiscard]] Result<AnyIndex> edited(const AnyEdits& edits) const noexcept;
    /// With labels, and whatever else its options ask for that an edit dropped, as
    /// Index::with_labels; of haa for all agent classes. An index whose options ask for no more is
    /// returned as it is, and so is that of a planner without labels. Errors: as
    /// Index::with_labels.
    [[nodiscard]] Result<AnyIndex> with_labels(const BuildControl& control = {}) const noexcept;
    [[nodiscard]] bool has_labels() const noexcept;

    /// A query of this planner. Errors: bad_option; out_of_memory.
    [[nodiscard]] Result<AnyQuery> query(Settings settings = {}) const noexcept;

    /// The planner's own index; null for another planner's. Defined for the planners of
    /// AllPlanners.
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

/// What all planners can say about an answer. Spans are good until the AnyAnswer that they come
/// from is used for another query.
struct AnswerDetails {
    /// No path costs less.
    Cost lower_bound = 0;
    /// Where the path leads: the goal, or the nearest place that can be reached.
    AnyPlace goal;
    /// The engine that answered, in the word of the field "engine"; "line" where a straight line
    /// did, "none" where there was no need for a search. Of a planner without engines its name.
    std::string_view engine = "none";
    /// Every cell of a path on a grid, if asked for.
    std::span<const grid::Cell> cells;
    /// On grids the abstract nodes or subgoals of the path, if asked for.
    std::span<const grid::Cell> nodes;
#if CAIRN_HAS_MESH
    /// Of a path on a mesh, if asked for.
    std::span<const mesh::Polygon> polygons;
    std::span<const mesh::Waypoint> waypoints;
#endif
    /// The steps that the planner counts; nameless ones are none.
    std::array<StepEffort, 3> effort;

    /// Nodes expanded in all steps.
    [[nodiscard]] std::uint64_t expanded() const noexcept {
        std::uint64_t sum = 0;
        for (const StepEffort& step : effort) sum += step.effort.expanded;
        return sum;
    }
};

/// What came back. Reuse one object for many queries: its memory is kept.
class AnyAnswer {
public:
    AnyAnswer() noexcept;
    ~AnyAnswer();
    AnyAnswer(AnyAnswer&& other) noexcept;
    AnyAnswer& operator=(AnyAnswer&& other) noexcept;
    AnyAnswer(const AnyAnswer&) = delete;
    AnyAnswer& operator=(const AnyAnswer&) = delete;

    [[nodiscard]] StatusCode status() const noexcept { return status_; }
    /// kInfinity unless ok, and where only reachability was asked for.
    [[nodiscard]] Cost cost() const noexcept { return cost_; }
    /// O(1).
    [[nodiscard]] AnswerDetails details() const noexcept;

    /// The planner's own answer; null for another planner's. Defined for the planners of
    /// AllPlanners.
    template <class P>
    [[nodiscard]] const typename P::Answer* as() const noexcept;

private:
    friend class AnySearcher;
    StatusCode status_ = StatusCode::no_path;
    Cost cost_ = kInfinity;
    std::unique_ptr<detail::AnswerHolder> held_;
};

/// The working memory of queries: one per thread, for indexes of any planner. What it keeps is for
/// the planner that it was last used with. A query costs one virtual call more than the planner's
/// own Searcher. Calls, statuses and allocations are those of cairn::Searcher; beside them
/// unsupported (index, query and places are not of one planner).
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
    /// As Searcher::costs.
    StatusCode costs(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                     std::span<const AnyPlace> goals, std::span<Cost> costs) noexcept;
    /// As Searcher::find_nearest.
    StatusCode find_nearest(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                            std::span<const AnyPlace> goals, AnyAnswer& answer,
                            std::size_t& nearest) noexcept;

private:
    /// The searcher of the index's planner; null where the arguments are of several planners.
    [[nodiscard]] detail::SearcherHolder* searcher_of(const AnyIndex& index, const AnyQuery& query,
                                                      AnyAnswer* answer);
    /// Takes over the status of a query; an answer that none was found for says nothing else.
    static StatusCode finish(AnyAnswer& answer, StatusCode status) noexcept;

    std::unique_ptr<detail::SearcherHolder> held_;
    std::size_t cached_endpoints_;
};

}  // namespace cairn
