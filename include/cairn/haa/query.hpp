#pragma once
// Queries of HAA*: those of HPA*, with an agent. Answers have the type of HPA* answers.

#include "cairn/control.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/haa/agent.hpp"
#include "cairn/hpa/query.hpp"

namespace cairn {
struct Field;
}

namespace cairn::haa {

using Detail = hpa::Detail;
using Engine = hpa::Engine;

/// hpa::Query and an agent. The other members are those of hpa::Query. Start and goal are anchors;
/// start_blocked and goal_blocked mean that the agent cannot stand there.
struct Query {
    grid::Point start{};
    grid::Point goal{};
    Agent agent{};
    Detail detail = Detail::path;
    hpa::Smoothing smoothing = hpa::Smoothing::straight_lines;
    Engine engine = Engine::automatic;
    hpa::ConnectRule connect = hpa::ConnectRule::all;
    bool try_direct_line = true;
    bool nearest_reachable = false;
    int corridor_ring = 1;
    std::span<const grid::Cell> blocked{};  ///< anchors
    SearchLimits limits{};

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
};

namespace detail {

/// Copies the members that both kinds of query have.
template <class From, class To>
[[nodiscard]] To query_as(const From& from, To to) noexcept {
    to.start = from.start;
    to.goal = from.goal;
    to.detail = from.detail;
    to.smoothing = from.smoothing;
    to.engine = from.engine;
    to.connect = from.connect;
    to.try_direct_line = from.try_direct_line;
    to.nearest_reachable = from.nearest_reachable;
    to.corridor_ring = from.corridor_ring;
    to.blocked = from.blocked;
    to.limits = from.limits;
    return to;
}

}  // namespace detail

/// The HPA* query that answers `query` on the view of its agent. O(1).
[[nodiscard]] inline hpa::Query view_query(const Query& query) noexcept {
    return detail::query_as(query, hpa::Query{});
}

/// The query for an agent with the members of an HPA* query. O(1).
[[nodiscard]] inline Query query_of(const hpa::Query& query, Agent agent) noexcept {
    return detail::query_as(query, Query{.agent = agent});
}

/// Cells are anchors. snapshot_id is that of the agent's view, as hpa::LazyPath needs it; 0 if
/// there is no view.
using Answer = hpa::Answer;

}  // namespace cairn::haa
