#pragma once
// Queries with one start and several goals, by way of a planner's queries for one.

#include <algorithm>
#include <cstddef>
#include <span>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/status.hpp"

namespace cairn::grid {

/// `find(query, answer)` for each goal, with `query.start` = start and only the cost asked for.
template <class Query, class Answer, class Find>
StatusCode costs_to_goals(const Map& map, Point start, std::span<const Point> goals,
                          std::span<Cost> costs, Answer& answer, Find&& find) {
    if (goals.size() != costs.size()) return StatusCode::unsupported;
    if (!map.contains(start)) return StatusCode::start_outside;
    if (!map.passable(map.cell(start))) return StatusCode::start_blocked;
    Query query;
    query.start = start;
    query.detail = decltype(query.detail)::cost;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        query.goal = goals[i];
        find(query, answer);
        costs[i] = answer.cost;
    }
    return StatusCode::ok;
}

/// The goal of least cost, the first of equals, into `nearest`, and its answer. Without any,
/// `reset(answer, query)` and no_path or over_cost_limit; a status that does not concern a single
/// goal ends the call.
template <class Query, class Answer, class Find, class Reset>
StatusCode find_nearest_goal(Query query, std::span<const Point> goals, Answer& answer,
                             std::size_t& nearest, Find&& find, Reset&& reset) {
    const auto concerns_goal = [](StatusCode status) {  // so that another one may do better
        return status == StatusCode::no_path || status == StatusCode::over_cost_limit ||
               status == StatusCode::goal_outside || status == StatusCode::goal_blocked;
    };
    const auto detail = query.detail;
    const auto limits = query.limits;
    bool found = false;
    bool too_dear = false;
    query.nearest_reachable = false;
    query.detail = decltype(query.detail)::cost;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        query.goal = goals[i];
        const StatusCode status = find(query, answer);
        if (status == StatusCode::ok) {
            found = true;
            nearest = i;
            // Only nearer goals are of interest from here on.
            query.limits.max_cost = std::max<Cost>(answer.cost, 1) - 1;
            if (answer.cost == 0) break;
        } else if (!concerns_goal(status)) {
            return status;
        }
        too_dear = too_dear || status == StatusCode::over_cost_limit;
    }
    query.limits = limits;
    query.detail = detail;
    if (!found) {
        reset(answer, query);
        return answer.status = too_dear ? StatusCode::over_cost_limit : StatusCode::no_path;
    }
    query.goal = goals[nearest];
    return find(query, answer);
}

}  // namespace cairn::grid
