#pragma once
// The member functions of cairn::Searcher, which call the run of a planner. One source file of each
// planner includes this header and instantiates them.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "cairn/searcher.hpp"
#include "core/guarded.hpp"
#include "core/memory.hpp"
#include "core/trace_recorder.hpp"

namespace cairn {

/// RunOf<P>::Type answers one query after another for P. It is a QueryState with
///
///   Type() or Type(size_t cached_endpoints)
///   void begin(const Index&, const Query&, Answer&)
///   bool advance(uint64_t budget)                        true while unfinished
///   void abandon()                                       ends a query without an answer
///   void record(TraceRecorder*)                          as QueryState::record
///   size_t memory()                                      bytes held now, without the index
///   StatusCode check_start(const Index&, const Query&)   ok, or why the start is refused; only if
///                                                        there is no `costs`
///
/// and, where they are faster than begin and advance,
///
///   StatusCode find(const Index&, const Query&, Answer&)
///   StatusCode costs(const Index&, const Query&, span<const Place>, span<Cost>)
///
/// and, instead of record,
///
///   void trace(const Index&, const Query&, Answer&, SearchTrace&)
///
/// The source file that instantiates Searcher<P> specialises RunOf<P>. Three functions are found by
/// argument-dependent lookup, and must not throw: reset(Answer&, const Query&, const Index&)
/// empties an answer; in_range(const Query&) says whether all members are in the ranges that
/// Query::fields() names, at a few comparisons. list_path(const Index&, const Query&, const
/// Answer&, vector<TracePoint>&), which may throw bad_alloc, appends the places of a path.
template <class P>
struct RunOf;

template <class P>
struct Searcher<P>::Run {
    using Type = typename RunOf<P>::Type;

    explicit Run(std::size_t cached_endpoints) : planner_run(make(cached_endpoints)) {}

    StatusCode find(const Index& index, const Query& query, Answer& answer) {
        if (!in_range(query)) return refuse(index, query, answer);
        if constexpr (requires { planner_run.find(index, query, answer); }) {
            return planner_run.find(index, query, answer);
        } else {
            planner_run.begin(index, query, answer);
            while (planner_run.advance(std::numeric_limits<std::uint64_t>::max())) {
            }
            return answer.status;
        }
    }

    [[gnu::cold]] StatusCode trace(const Index& index, const Query& query, Answer& answer,
                                   SearchTrace& trace) {
        TraceRecorder recorder(trace);  // empties it
        if (!in_range(query)) return refuse(index, query, answer);
        if constexpr (requires { planner_run.trace(index, query, answer, trace); }) {
            planner_run.trace(index, query, answer, trace);
        } else {
            planner_run.record(&recorder);
            find(index, query, answer);
            recorder.finish(answer.status == StatusCode::ok, answer.cost);
        }
        if (answer.status == StatusCode::ok) list_path(index, query, answer, trace.path);
        return answer.status;
    }

    StatusCode begin(const Index& index, const Query& query, Answer& answer) {
        if (!in_range(query)) return refuse(index, query, answer);
        planner_run.begin(index, query, answer);
        return planner_run.searching() ? StatusCode::ok : answer.status;
    }

    bool advance(std::uint64_t budget, Deadline until) {
        if (until == Deadline{}) return planner_run.advance(budget);
        constexpr std::uint64_t kSlice = 512;  // nodes between two looks at the clock
        while (budget > 0 && !until.passed()) {
            if (!planner_run.advance(std::min(budget, kSlice))) return false;
            budget -= std::min(budget, kSlice);
        }
        return planner_run.searching();
    }

    StatusCode costs(const Index& index, const Query& model, std::span<const Place> goals,
                     std::span<Cost> costs) {
        if (!in_range(model)) return StatusCode::bad_option;
        if (goals.size() != costs.size()) return StatusCode::unsupported;
        if constexpr (requires { planner_run.costs(index, model, goals, costs); }) {
            return planner_run.costs(index, model, goals, costs);
        } else {
            if (const StatusCode status = planner_run.check_start(index, model);
                status != StatusCode::ok)
                return status;
            Query query = model;
            query.detail = P::Detail::cost;
            std::fill(costs.begin(), costs.end(), kInfinity);
            for (std::size_t i = 0; i < goals.size(); ++i) {
                query.goal = goals[i];
                const StatusCode status = find(index, query, goal_answer);
                if (status != StatusCode::ok && !concerns_goal(status)) return status;
                costs[i] = goal_answer.cost;
            }
            return StatusCode::ok;
        }
    }

    StatusCode costs(const Index& index, const Query& model, std::span<const Place> starts,
                     std::span<const Place> goals, std::span<Cost> costs) {
        if (!in_range(model)) return StatusCode::bad_option;
        if (starts.size() * goals.size() != costs.size()) return StatusCode::unsupported;
        std::fill(costs.begin(), costs.end(), kInfinity);
        Query query = model;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            query.start = starts[i];
            const StatusCode status =
                this->costs(index, query, goals, costs.subspan(i * goals.size(), goals.size()));
            if (status == StatusCode::ok) continue;
            std::fill_n(costs.begin() + static_cast<std::ptrdiff_t>(i * goals.size()), goals.size(),
                        kInfinity);
            if (status != StatusCode::start_outside && status != StatusCode::start_blocked)
                return status;
        }
        return StatusCode::ok;
    }

    StatusCode find_nearest(const Index& index, const Query& model, std::span<const Place> goals,
                            std::span<GoalCost> nearest, std::size_t& count) {
        count = 0;
        if (!in_range(model)) return StatusCode::bad_option;
        if constexpr (requires { planner_run.costs(index, model, goals, std::span<Cost>()); }) {
            goal_costs.resize(goals.size());
            const StatusCode status = planner_run.costs(index, model, goals, goal_costs);
            if (status != StatusCode::ok) return status;
            for (std::size_t i = 0; i < goals.size(); ++i)
                insert({i, goal_costs[i]}, nearest, count);
            return StatusCode::ok;
        } else {
            if (const StatusCode status = planner_run.check_start(index, model);
                status != StatusCode::ok)
                return status;
            Query query = model;
            query.detail = P::Detail::cost;
            for (std::size_t i = 0; i < goals.size() && !nearest.empty(); ++i) {
                if (count == nearest.size()) {
                    // Later goals must be nearer than the farthest kept.
                    if (nearest.back().cost == 0) break;
                    query.limits.max_cost =
                        std::min<Cost>(model.limits.max_cost, nearest.back().cost - 1);
                }
                query.goal = goals[i];
                const StatusCode status = find(index, query, goal_answer);
                if (status != StatusCode::ok && !concerns_goal(status)) return status;
                insert({i, goal_answer.cost}, nearest, count);
            }
            return StatusCode::ok;
        }
    }

    StatusCode find_nearest(const Index& index, Query query, std::span<const Place> goals,
                            Answer& answer, std::size_t& nearest) {
        if (!in_range(query)) return refuse(index, query, answer);
        const auto detail = query.detail;
        const SearchLimits limits = query.limits;
        bool found = false;
        StatusCode failure = StatusCode::no_path;
        if constexpr (requires { query.nearest_reachable; }) query.nearest_reachable = false;
        query.detail = P::Detail::cost;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            query.goal = goals[i];
            const StatusCode status = find(index, query, answer);
            if (status == StatusCode::ok) {
                found = true;
                nearest = i;
                // The first of equally near goals wins: later ones must be nearer.
                query.limits.max_cost = std::max<Cost>(answer.cost, 1) - 1;
                if (answer.cost == 0) break;
            } else if (!concerns_goal(status)) {
                return status;
            }
            // Not both of these: one comes with a limit of the caller, the other without.
            if (status == StatusCode::over_cost_limit || status == StatusCode::cost_too_large)
                failure = status;
        }
        query.limits = limits;
        query.detail = detail;
        if (!found) {
            reset(answer, query, index);
            return answer.status = failure;
        }
        query.goal = goals[nearest];
        return find(index, query, answer);
    }

    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(planner_run, goal_costs) + memory_of_lists(goal_answer);
    }

    Type planner_run;

private:
    static Type make(std::size_t cached_endpoints) {
        if constexpr (std::is_constructible_v<Type, std::size_t>) {
            return Type(cached_endpoints);
        } else {
            return Type();
        }
    }
    StatusCode refuse(const Index& index, const Query& query, Answer& answer) noexcept {
        planner_run.abandon();
        reset(answer, query, index);
        return answer.status = StatusCode::bad_option;
    }
    /// Whether the error is due to this goal, so that another goal may be reached.
    [[nodiscard]] static bool concerns_goal(StatusCode status) noexcept {
        return status == StatusCode::no_path || status == StatusCode::over_cost_limit ||
               status == StatusCode::cost_too_large || status == StatusCode::goal_outside ||
               status == StatusCode::goal_blocked;
    }

    /// Inserts a goal by its cost behind those of equal cost; drops the last if there is no room.
    static void insert(const GoalCost& goal, std::span<GoalCost> nearest, std::size_t& count) {
        if (goal.cost == kInfinity) return;
        const auto end = nearest.begin() + static_cast<std::ptrdiff_t>(count);
        const auto at =
            std::upper_bound(nearest.begin(), end, goal,
                             [](const GoalCost& a, const GoalCost& b) { return a.cost < b.cost; });
        if (at == nearest.end()) return;
        if (count < nearest.size()) ++count;
        std::move_backward(at, nearest.begin() + static_cast<std::ptrdiff_t>(count) - 1,
                           nearest.begin() + static_cast<std::ptrdiff_t>(count));
        *at = goal;
    }

    Answer goal_answer;            ///< to one goal of `costs`
    std::vector<Cost> goal_costs;  ///< of find_nearest, where one search finds all
};

template <class P>
Searcher<P>::Searcher(std::size_t cached_endpoints) noexcept
    : cached_endpoints_(cached_endpoints) {}
template <class P>
Searcher<P>::~Searcher() = default;
template <class P>
Searcher<P>::Searcher(Searcher&& other) noexcept = default;
template <class P>
Searcher<P>& Searcher<P>::operator=(Searcher&& other) noexcept = default;

template <class P>
typename Searcher<P>::Run& Searcher<P>::run() {
    if (run_ == nullptr) run_ = std::make_unique<Run>(cached_endpoints_);
    return *run_;
}

/// The run for the costs of pairs, which caches so many endpoints, or as many as it may.
template <class P>
typename Searcher<P>::Run& Searcher<P>::run_for_pairs(std::size_t endpoints) {
    constexpr std::size_t kLeast = 64;
    constexpr std::size_t kMost = 4096;
    const std::size_t wanted = std::bit_ceil(std::clamp(endpoints, kLeast, kMost));
    if (pairs_run_ == nullptr || pairs_endpoints_ < wanted) {
        pairs_run_.reset();
        pairs_run_ = std::make_unique<Run>(wanted);
        pairs_endpoints_ = wanted;
    }
    return *pairs_run_;
}

template <class P>
std::size_t Searcher<P>::memory() const noexcept {
    return memory_of(run_, pairs_run_);
}

template <class P>
StatusCode Searcher<P>::find(const Index& index, const Query& query, Answer& answer) noexcept {
    const StatusCode status = guarded([&] { return run().find(index, query, answer); });
    if (status != StatusCode::out_of_memory) return status;
    run_.reset();  // its state may be half changed
    reset(answer, query, index);
    return answer.status = status;
}

template <class P>
StatusCode Searcher<P>::trace(const Index& index, const Query& query, Answer& answer,
                              SearchTrace& trace) noexcept {
    const StatusCode status = guarded([&] {
        constexpr std::size_t kEndpoints = 2;
        return std::make_unique<Run>(kEndpoints)->trace(index, query, answer, trace);
    });
    if (status != StatusCode::out_of_memory) return status;
    reset(answer, query, index);
    return answer.status = status;
}

template <class P>
StatusCode Searcher<P>::begin(const Index& index, const Query& query, Answer& answer) noexcept {
    const StatusCode status = guarded([&] { return run().begin(index, query, answer); });
    if (status != StatusCode::out_of_memory) return status;
    run_.reset();
    reset(answer, query, index);
    return answer.status = status;
}

template <class P>
bool Searcher<P>::advance(std::uint64_t budget, Deadline until) noexcept {
    if (run_ == nullptr) return false;
    bool unfinished = false;
    const StatusCode status = guarded([&] {
        unfinished = run_->advance(budget, until);
        return StatusCode::ok;
    });
    if (status == StatusCode::ok) return unfinished;
    run_->planner_run.fail(status);
    run_.reset();
    return false;
}

template <class P>
StatusCode Searcher<P>::costs(const Index& index, const Query& model, std::span<const Place> goals,
                              std::span<Cost> costs) noexcept {
    const StatusCode status = guarded([&] { return run().costs(index, model, goals, costs); });
    if (status == StatusCode::out_of_memory) run_.reset();
    return status;
}

template <class P>
StatusCode Searcher<P>::costs(const Index& index, const Query& model, std::span<const Place> starts,
                              std::span<const Place> goals, std::span<Cost> costs) noexcept {
    const StatusCode status = guarded([&] {
        return run_for_pairs(starts.size() + goals.size())
            .costs(index, model, starts, goals, costs);
    });
    if (status == StatusCode::out_of_memory) pairs_run_.reset();
    return status;
}

template <class P>
StatusCode Searcher<P>::find_nearest(const Index& index, const Query& model,
                                     std::span<const Place> goals, std::span<GoalCost> nearest,
                                     std::size_t& count) noexcept {
    const StatusCode status =
        guarded([&] { return run().find_nearest(index, model, goals, nearest, count); });
    if (status == StatusCode::out_of_memory) run_.reset();
    if (status != StatusCode::ok) count = 0;
    return status;
}

template <class P>
StatusCode Searcher<P>::find_nearest(const Index& index, const Query& model,
                                     std::span<const Place> goals, Answer& answer,
                                     std::size_t& nearest) noexcept {
    const StatusCode status =
        guarded([&] { return run().find_nearest(index, model, goals, answer, nearest); });
    if (status != StatusCode::out_of_memory) return status;
    run_.reset();
    reset(answer, model, index);
    return answer.status = status;
}

}  // namespace cairn
