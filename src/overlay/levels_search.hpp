#pragma once
// The search step on an overlay: from connected endpoints to an abstract path, level by level.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cairn/search_statistics.hpp"
#include "cairn/search_trace.hpp"
#include "core/memory.hpp"
#include "overlay/endpoint.hpp"
#include "overlay/level_search.hpp"

namespace cairn {

/// A resumable search. One per thread.
///
/// A path either stays inside the cluster of level l + 1 that holds start and goal, or leaves it by
/// its border nodes, which are nodes of level l + 1. So each level is searched inside the cluster
/// of the next level that both share, and the last level everywhere. Levels where they share none
/// are skipped.
template <BaseGraph Base>
class LevelsSearch {
public:
    struct Task {
        /// Endpoints connected to level 1. The search connects them to the levels that it gets to.
        Endpoint<Base>* start = nullptr;
        Endpoint<Base>* goal = nullptr;
        int last_level = 1;                  ///< highest level; 1: A* on the graph of level 1
        Cost bound = kInfinity;              ///< only paths cheaper than this are wanted
        SearchStatistics* connect_effort{};  ///< the effort of connecting is added to this
    };

    /// Prepares a search; `advance` runs it. The overlay and the endpoints must outlive it.
    template <class Observer = NoObserver>
    void begin(const Overlay<Base>& overlay, const Task& task, const Observer& observer = {});

    /// Expands up to `budget` more entries (see LevelSearch). False once the search has ended.
    template <class Observer = NoObserver>
    bool advance(std::uint64_t budget, const Observer& observer = {});

    /// Ends the search early. Then path() leads to the goal if a path was found, perhaps not the
    /// cheapest; otherwise to the open node nearest the goal.
    void stop();

    /// Before the end: no path costs less; 0 if that is not known.
    [[nodiscard]] Cost lower_bound() const noexcept {
        return level_ == task_.last_level ? search_.lower_bound() : 0;
    }
    /// After the end: the cost of the best path; the bound if none is below it.
    [[nodiscard]] Cost cost() const noexcept { return best_; }
    [[nodiscard]] bool found() const noexcept { return found_; }
    /// The effort so far, without connecting.
    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return statistics_; }
    /// The level whose nodes path() holds.
    [[nodiscard]] int path_level() const noexcept { return path_level_; }
    /// The base nodes of the path's abstract nodes, without start and goal.
    [[nodiscard]] const std::vector<std::uint32_t>& path() const noexcept { return path_; }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(path_, search_); }

private:
    template <class Observer>
    void begin_level(const Observer& observer);
    void take_level();

    const Overlay<Base>* overlay_ = nullptr;
    Task task_;
    int level_ = 1;
    Cost best_ = kInfinity;
    bool found_ = false;
    int path_level_ = 0;
    std::vector<std::uint32_t> path_;
    SearchStatistics statistics_;
    SearchStatistics lower_levels_;  // the effort on the levels that are finished
    LevelSearch<Base> search_;
};

template <BaseGraph Base>
template <class Observer>
void LevelsSearch<Base>::begin(const Overlay<Base>& overlay, const Task& task,
                               const Observer& observer) {
    overlay_ = &overlay;
    task_ = task;
    best_ = task.bound;
    found_ = false;
    path_level_ = 0;
    path_.clear();
    statistics_ = lower_levels_ = {};
    level_ = std::clamp(overlay.parting_level(task.start->clusters[0], task.goal->clusters[0]), 1,
                        task.last_level);
    begin_level(observer);
}

template <BaseGraph Base>
template <class Observer>
void LevelsSearch<Base>::begin_level(const Observer& observer) {
    Endpoint<Base>& start = *task_.start;
    Endpoint<Base>& goal = *task_.goal;
    connect_to_level(*overlay_, level_, start, search_, *task_.connect_effort, observer);
    connect_to_level(*overlay_, level_, goal, search_, *task_.connect_effort,
                     observer.from(TraceEvent::kGoal));
    typename LevelSearch<Base>::Task task;
    task.level = level_;
    task.start = start.terminal(level_);
    task.goal = goal.terminal(level_);
    if (level_ < task_.last_level) {
        task.confine = overlay_->base.parent(level_ + 1, task.start.cluster);
    }
    task.goal_place = goal.place;
    task.bound = best_;
    search_.begin(*overlay_, task, observer);
}

template <BaseGraph Base>
template <class Observer>
bool LevelsSearch<Base>::advance(std::uint64_t budget, const Observer& observer) {
    using State = typename LevelSearch<Base>::State;
    while (true) {
        const std::uint64_t before = search_.statistics().expanded;
        const State state = search_.advance(budget, observer);
        budget -= search_.statistics().expanded - before;
        statistics_ = lower_levels_;
        statistics_ += search_.statistics();
        if (state == State::running) return true;
        lower_levels_ = statistics_;
        if (state == State::found) {
            take_level();
            observer.on(level_).met(search_.last_entry(), best_);
        }
        if (level_ == task_.last_level) return false;
        ++level_;
        begin_level(observer);
    }
}

template <BaseGraph Base>
void LevelsSearch<Base>::take_level() {
    best_ = search_.cost();
    found_ = true;
    path_level_ = level_;
    path_.clear();
    search_.append_path(path_);
}

template <BaseGraph Base>
void LevelsSearch<Base>::stop() {
    if (search_.found()) return take_level();
    if (found_) return;
    path_level_ = level_;
    path_.clear();
    search_.append_partial_path(path_);
}

}  // namespace cairn
