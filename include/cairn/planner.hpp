#pragma once
// The concept of a planner. With it, searchers, batches, index files, programs and tests are
// written once for all planners.
//
// A planner is a struct such as hpa::Planner, which holds only names and is never constructed. Each
// planner has
//
//   kName      its name on the command line and in index files, such as "hpa"
//   kSummary   what it is for, in a few words
//   kExact     whether every path is of least cost
//   Map        what an index is built over: grid::Map, haa::AnnotatedMap or mesh::Mesh
//   Options    how an index is built
//   Index      what queries read: an immutable value that threads share. For a planner without an
//              index it is the map
//   Place      the type of start and goal: grid::Point or mesh::Place
//   Query      an aggregate with the members start, goal, detail and limits
//   Answer     the result, with the members status and cost (no cost for Detail::reachable)
//   Detail     how much an answer holds; it has the values cost and path
//   Request    what differs between the queries of a batch: start, goal, and for haa the agent
//   Paths      the result of a batch
//   Edit       a change of the map: grid::TerrainEdit or mesh::PolygonEdit
//   Step       what the paths of a batch are lists of: grid::Cell or mesh::Polygon
//   build(map, options, control)    builds the index: see Index::build
//
// An operation with the same meaning for several planners has the same name on all their indexes:
// build, edited, with_labels, has_labels, labels_status, reachable, statistics, memory. The
// concepts below tell which planners have which operations.

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/field.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// The options of a planner without options.
struct NoOptions {
    [[nodiscard]] static std::span<const Field> fields() noexcept { return {}; }
    friend bool operator==(const NoOptions&, const NoOptions&) = default;
};

template <class P>
concept Planner = requires(const typename P::Map& map, const typename P::Options& options,
                           const BuildControl& control, typename P::Query& query,
                           const typename P::Answer& answer, const typename P::Request& request) {
    typename P::Index;
    typename P::Paths;
    { P::kName } -> std::convertible_to<std::string_view>;
    { P::kSummary } -> std::convertible_to<std::string_view>;
    { P::kExact } -> std::convertible_to<bool>;
    { P::build(map, options, control) } -> std::same_as<Result<typename P::Index>>;
    P::Detail::cost;
    P::Detail::path;
    { query.start } -> std::same_as<typename P::Place&>;
    { query.goal } -> std::same_as<typename P::Place&>;
    { query.detail } -> std::same_as<typename P::Detail&>;
    { query.limits } -> std::same_as<SearchLimits&>;
    { answer.status } -> std::same_as<const StatusCode&>;
    { answer.cost } -> std::same_as<const Cost&>;
    { request.start } -> std::same_as<const typename P::Place&>;
    { request.goal } -> std::same_as<const typename P::Place&>;
};

/// A planner with an index of its own, which has options, statistics and a snapshot_id.
template <class P>
concept IndexedPlanner = Planner<P> && !std::same_as<typename P::Options, NoOptions> &&
                         requires(const typename P::Index& index) {
    { index.options() } -> std::same_as<const typename P::Options&>;
    { index.snapshot_id() } -> std::same_as<std::uint64_t>;
    { index.memory() } -> std::same_as<std::size_t>;
    index.statistics();
};

/// A planner whose index can be edited: `edited` returns that of the changed map.
template <class P>
concept EditablePlanner = Planner<P> &&
    requires(const typename P::Index& index, std::span<const typename P::Edit> edits) {
    typename P::Step;
    { index.edited(edits) } -> std::same_as<Result<typename P::Index>>;
};

/// A planner whose index can have cut labels; after an edit `with_labels` builds them again. Not
/// haa, where each view has labels of its own.
template <class P>
concept LabelledPlanner = IndexedPlanner<P> &&
    requires(const typename P::Index& index, const BuildControl& control) {
    { index.with_labels(control) } -> std::same_as<Result<typename P::Index>>;
    { index.has_labels() } -> std::same_as<bool>;
    { index.labels_status() } -> std::same_as<const Status&>;
};

/// Copies the start and goal of a request, and its agent if it has one, to a query. O(1).
template <class Request, class Query>
constexpr void assign(const Request& request, Query& query) noexcept {
    query.start = request.start;
    query.goal = request.goal;
    if constexpr (requires { query.agent = request.agent; }) query.agent = request.agent;
}

}  // namespace cairn
