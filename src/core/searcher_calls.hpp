#pragma once
// The calls of the planners' Searchers, by way of what answers one query.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "cairn/cost.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// The public headers say what each call does. A Run is a QueryState with
///
///   void begin(const Index&, const Query&, Answer&)
///   bool advance(uint64_t budget)                               true while unfinished
///   static StatusCode check_start(const Index&, const Query&)   ok, or what is wrong with it
template <class Run>
class SearcherCalls : public Run {
public:
    using Run::Run;
    using typename Run::Answer;
    using typename Run::Index;
    using typename Run::Query;
    using Point = decltype(Query::start);

    StatusCode find(const Index& index, const Query& query, Answer& answer) {
        this->begin(index, query, answer);
        while (this->advance(std::numeric_limits<std::uint64_t>::max())) {
        }
        return answer.status;
    }

    /// `query` says from where, and whatever else is not as always.
    StatusCode costs(const Index& index, Query query, std::span<const Point> goals,
                     std::span<Cost> costs) {
        if (goals.size() != costs.size()) return StatusCode::unsupported;
        if (const StatusCode status = Run::check_start(index, query); status != StatusCode::ok) {
            return status;
        }
        query.detail = decltype(query.detail)::cost;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            query.goal = goals[i];
            find(index, query, side_answer_);
            costs[i] = side_answer_.cost;
        }
        return StatusCode::ok;
    }

    StatusCode find_nearest(const Index& index, Query query, std::span<const Point> goals,
                            Answer& answer, std::size_t& nearest) {
        const auto detail = query.detail;
        const auto limits = query.limits;
        bool found = false;
        bool too_dear = false;
        query.nearest_reachable = false;
        query.detail = decltype(query.detail)::cost;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            query.goal = goals[i];
            const StatusCode status = find(index, query, answer);
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
            reset(answer, query, index);
            return answer.status = too_dear ? StatusCode::over_cost_limit : StatusCode::no_path;
        }
        query.goal = goals[nearest];
        return find(index, query, answer);
    }

private:
    /// Whether another goal may do better.
    [[nodiscard]] static bool concerns_goal(StatusCode status) noexcept {
        return status == StatusCode::no_path || status == StatusCode::over_cost_limit ||
               status == StatusCode::goal_outside || status == StatusCode::goal_blocked;
    }

    Answer side_answer_;
};

}  // namespace cairn
