// The steps of a query, in their order. S and G are its start and goal.

#include "subgoal/query_run.hpp"

#include <algorithm>

#include "core/searcher.hpp"
#include "core/slices.hpp"
#include "grid/endpoints.hpp"
#include "grid/flood.hpp"

namespace cairn::subgoal {

using grid::Cell;

void reset(Answer& answer, const Query& query, const Index& index) noexcept {
    answer.status = StatusCode::no_path;
    answer.cost = kInfinity;
    answer.lower_bound = 0;
    answer.goal = query.goal;
    answer.engine = Engine::automatic;
    answer.h_reachable = false;
    answer.detour = false;
    answer.subgoals.clear();
    answer.cells.clear();
    answer.snapshot_id = index.snapshot_id();
    answer.statistics = {};
}

void QueryRun::begin(const Index& index, const Query& query, Answer& answer) {
    set_query(index, query, answer);
    detouring_ = false;
    wanted_ = query_.detail;
    if (!query_.blocked.empty()) query_.detail = Detail::path;  // to see whether it is free
    if (!locate()) return;
    if (trace_ != nullptr) grid::record_ends(index.map(), query_.start, query_.goal, *trace_);
    if (try_line()) return go_around();
    connect();
    begin_search();
}

bool QueryRun::advance(std::uint64_t budget) {
    constexpr std::uint64_t kSlice = 256;  // nodes between two checks of the cancel flag
    return advance_in_slices(*this, query_.limits, budget, kSlice);
}

void QueryRun::finish(StatusCode status) {
    if (searching_) answer_->statistics.search = effort();
    searching_ = false;
    answer_->status = status;
    answer_->lower_bound = status == StatusCode::ok ? answer_->cost : 0;
    if (status == StatusCode::ok) return;
    answer_->cost = kInfinity;
    answer_->subgoals.clear();
    answer_->cells.clear();
}

Engine QueryRun::engine() const noexcept {
    if (query_.engine != Engine::automatic) return query_.engine;
    if (trace_ == nullptr) {  // a trace is of a search: labels expand nothing
        if (index_->has_labels()) return Engine::cut_labels;
        if (index_->has_closure()) return Engine::climb;
    }
    return index_->complete() ? Engine::levels : Engine::astar;
}

bool QueryRun::locate() {
    const grid::Map& map = snapshot().map;
    const auto refuse = [this](StatusCode status) {
        finish(status);
        return false;
    };
    engine_ = engine();
    const bool available = engine_ == Engine::astar ||
                           (engine_ == Engine::levels && index_->complete()) ||
                           (engine_ == Engine::cut_labels && index_->has_labels()) ||
                           (engine_ == Engine::climb && index_->has_closure());
    if (!available) return refuse(StatusCode::unsupported);
    StatusCode status = grid::check_start(map, query_.start);
    if (status == StatusCode::ok && query_.nearest_reachable) status = move_goal_within_reach();
    if (status == StatusCode::ok) status = grid::check_goal(map, query_.goal);
    if (status == StatusCode::ok && query_.start != query_.goal &&
        std::ranges::binary_search(query_.blocked, map.cell(query_.goal)))
        status = StatusCode::goal_blocked;
    return status == StatusCode::ok || refuse(status);
}

StatusCode QueryRun::move_goal_within_reach() {
    const grid::Map& map = snapshot().map;
    reachability_.start_from(snapshot(), map.cell(query_.start));
    const StatusCode status = grid::move_goal_within_reach(
        map, query_.goal, [this](Cell cell) { return reachability_.reaches(snapshot(), cell); },
        [this] { return ended_by(query_.limits); });
    answer_->goal = query_.goal;
    return status;
}

// Answers with a path of octile length. append(cells) appends its cells, without the start.
template <class Append>
void QueryRun::finish_h_reachable(Append&& append) {
    const grid::Map& map = snapshot().map;
    const Cost cost = map.distance_bound(query_.start, query_.goal);
    if (cost >= bound()) return finish(too_costly(query_.limits));
    answer_->h_reachable = true;
    answer_->cost = cost;
    finish(StatusCode::ok);
    if (query_.detail >= Detail::subgoals) {
        answer_->subgoals.push_back(map.cell(query_.start));
        answer_->subgoals.push_back(map.cell(query_.goal));
    }
    if (query_.detail == Detail::path) {
        answer_->cells.push_back(map.cell(query_.start));
        append(answer_->cells);
    }
}

// A free path with at most one turn is the answer (section 15.3.2).
bool QueryRun::try_line() {
    const Snapshot& s = snapshot();
    const grid::LineShape line = s.diagonals.free_line(s.map, s.bits, query_.start, query_.goal);
    if (line == grid::LineShape::none) return false;
    finish_h_reachable([&](std::vector<Cell>& cells) {
        grid::append_line(s.map, query_.start, query_.goal, line, cells);
    });
    return true;
}

void QueryRun::connect() {
    const Snapshot& s = snapshot();
    const Cell start = s.map.cell(query_.start);
    const Cell goal = s.map.cell(query_.goal);
    const Connections kind = engine_ == Engine::astar ? Connections::all : Connections::taut;
    Endpoint& from = endpoints_.get(s.connectors_id(), start);
    subgoal::connect(s, start, kind, from);
    Endpoint& to = endpoints_.get(s.connectors_id(), goal, &from);
    subgoal::connect(s, goal, kind, to);
    start_ = &from;
    goal_ = &to;
    answer_->statistics.start_connectors = static_cast<std::uint32_t>(from.connectors.size());
    answer_->statistics.goal_connectors = static_cast<std::uint32_t>(to.connectors.size());
}

namespace {

// The names of the nodes of the engine `levels` in a trace.
auto level_names(const Snapshot& s) {
    return [&s](std::uint32_t node) { return grid::trace_node(s.map, s.nodes.cell(node)); };
}

}  // namespace

void QueryRun::begin_search() {
    answer_->engine = engine_;
    searching_ = true;
    if (engine_ == Engine::astar) {
        graph_search_.begin(snapshot(), query_.goal, start_->connectors, goal_->connectors, bound(),
                            trace_);
    } else if (engine_ == Engine::levels) {
        with_observer(trace_, 1, level_names(snapshot()), [this](const auto& observer) {
            level_search_.begin(engines().levels, start_->connectors, goal_->connectors, bound(),
                                heuristic(), observer);
        });
    }
}

const grid::SearchStatistics& QueryRun::effort() const noexcept {
    static constexpr grid::SearchStatistics kNone;
    if (detouring_) return detour_.search.statistics();
    if (engine_ == Engine::astar) return graph_search_.statistics();
    return engine_ == Engine::levels ? level_search_.statistics() : kNone;
}

bool QueryRun::advance_search(std::uint64_t budget) {
    if (detouring_) return detour_.advance(budget);
    if (engine_ == Engine::astar) return graph_search_.advance(budget);
    if (engine_ != Engine::levels) return false;
    return with_observer(trace_, 1, level_names(snapshot()), [&](const auto& observer) {
        return level_search_.advance(budget, heuristic(), observer);
    });
}

void QueryRun::finish_search() {
    if (detouring_) return finish_detour();
    take_result();
    if (answer_->status == StatusCode::ok) go_around();
}

void QueryRun::take_result() {
    Cost cost = kInfinity;
    const bool with_path = query_.detail >= Detail::subgoals;
    if (engine_ == Engine::astar) {
        cost = graph_search_.cost();
    } else if (engine_ == Engine::levels) {
        cost = level_search_.cost();
        if (with_path) level_search_.path(nodes_);
    } else {
        cost =
            label_search_.run(snapshot(), engine_, *start_, *goal_, with_path ? &nodes_ : nullptr);
    }
    if (trace_ != nullptr && cost < kInfinity && !by_labels()) record_end(cost);
    const Cost octile = snapshot().map.distance_bound(query_.start, query_.goal);
    const bool pruned = engine_ != Engine::astar && snapshot().options.prune;
    if (pruned && cost > octile) {
        // Pruning may have removed all paths of octile length. Then there is a line with two turns.
        const auto line = two_turn_line(snapshot().map, snapshot().bits, snapshot().diagonals,
                                        query_.start, query_.goal);
        if (line) {
            if (trace_ != nullptr) trace_->met(0, TraceEvent::kStart, octile);
            return finish_h_reachable([&](std::vector<Cell>& cells) {
                for (const grid::Run run : *line)
                    grid::append_run(snapshot().map, cells.back(), run, cells);
            });
        }
    }
    if (cost >= bound()) return finish(why_no_path(cost));
    finish_path(cost);
}

void QueryRun::record_end(Cost cost) {
    const Snapshot& s = snapshot();
    const Cell last = engine_ == Engine::astar ? s.map.cell(s.bits.point(graph_search_.meeting()))
                                               : s.nodes.cell(level_search_.meeting());
    trace_->met(1, last, cost);
}

// The status if the search found no path below the bound; `cost` as the search gave it.
StatusCode QueryRun::why_no_path(Cost cost) {
    // A bounded search that finds nothing cannot tell whether there is a longer path.
    const bool unbounded = by_labels() || bound() == kInfinity;
    return grid::why_no_path(snapshot().map, query_.limits, cost < kInfinity || !unbounded, [this] {
        reachability_.start_from(snapshot(), start_->cell);
        return reachability_.reaches(snapshot(), goal_->cell);
    });
}

void QueryRun::finish_path(Cost cost) {
    const grid::Map& map = snapshot().map;
    answer_->cost = cost;
    answer_->h_reachable = cost == map.distance_bound(query_.start, query_.goal);
    finish(StatusCode::ok);
    if (query_.detail < Detail::subgoals) return;
    // Labels from a forged file may give the cost of a path that does not exist.
    if (engine_ != Engine::astar && nodes_.empty()) return finish(StatusCode::corrupt_file);
    list_subgoals(/*to_goal=*/true);
    if (query_.detail == Detail::path) refine(/*to_goal=*/true);
}

// `to_goal`: whether the path leads to G; else it ends at its last subgoal, if it has one.
void QueryRun::list_subgoals(bool to_goal) {
    const grid::Map& map = snapshot().map;
    auto& path = answer_->subgoals;
    path.push_back(map.cell(query_.start));
    if (engine_ == Engine::astar) {
        graph_search_.append_path(path);
    } else {
        for (const std::uint32_t node : nodes_) path.push_back(snapshot().nodes.cell(node));
    }
    if (to_goal) path.push_back(map.cell(query_.goal));
}

// Ends the search before it knows the cheapest path.
void QueryRun::stop(StatusCode status) {
    const Snapshot& s = snapshot();
    Cost proved = s.map.distance_bound(query_.start, query_.goal);
    if (detouring_) {
        proved = detour_.search.lower_bound();
    } else if (engine_ == Engine::astar) {
        proved = graph_search_.lower_bound();
    } else if (engine_ == Engine::levels && !s.options.prune) {  // see take_result
        proved = level_search_.lower_bound();
    }
    finish(status);
    answer_->lower_bound = proved;
    if (query_.limits.partial_path && wanted_ >= Detail::subgoals) take_partial_path();
}

// The path that the search has found by now, or that to the open node nearest the goal.
void QueryRun::take_partial_path() {
    if (detouring_) {
        detour_.search.append_partial_nodes(answer_->subgoals);
        if (wanted_ == Detail::path) detour_.search.append_partial_path(answer_->cells);
        return;
    }
    nodes_.clear();
    if (by_labels() || !query_.blocked.empty()) {
        // There is no search, or one that does not know the blocked cells.
        answer_->subgoals.push_back(start_->cell);
        if (wanted_ == Detail::path) answer_->cells.push_back(start_->cell);
        return;
    }
    bool to_goal = false;
    if (engine_ == Engine::astar) {
        graph_search_.stop();
        to_goal = graph_search_.to_goal();
        answer_->cost = graph_search_.cost();
    } else {
        level_search_.stop();
        to_goal = level_search_.to_goal();
        answer_->cost = level_search_.cost();
        level_search_.path(nodes_);
    }
    list_subgoals(to_goal);
    if (query_.detail == Detail::path) refine(to_goal);
    answer_->cost = kInfinity;  // refining compares it with the lines
}

// Sets stops_ to S, the path's subgoals with the turns between them that are known, and G if the
// path leads there. True if every part between two stops is then free diagonally first, and the
// last one, to G, in either order.
bool QueryRun::find_stops(bool to_goal) {
    const Snapshot& s = snapshot();
    stops_.assign(1, query_.start);
    bool free = s.options.edges == Edges::direct;  // their moves are free in any order
    if (engine_ == Engine::astar) {
        const std::size_t end = answer_->subgoals.size() - (to_goal ? 1 : 0);
        for (std::size_t i = 1; i < end; ++i) stops_.push_back(s.map.point(answer_->subgoals[i]));
    } else if (by_labels()) {
        for (const std::uint32_t node : nodes_) stops_.push_back(s.nodes.point(node));
    } else if (!nodes_.empty()) {
        const Engines& e = engines();
        stops_.push_back(s.nodes.point(nodes_.front()));
        free = true;
        for (std::size_t i = 1; i < nodes_.size(); ++i)
            free &= e.turns.append(s.map, e.levels, s.nodes, {nodes_[i - 1], nodes_[i]}, stops_);
    }
    if (to_goal) stops_.push_back(query_.goal);
    return free && to_goal;
}

// From the path's subgoals to its cells (section 15.4.2).
void QueryRun::refine(bool to_goal) {
    const bool done = find_stops(to_goal)
                          ? follow_lines(snapshot().map, stops_, answer_->cost, answer_->cells)
                          : refine_.run(snapshot(), stops_, answer_->cells);
    if (!done) finish(StatusCode::corrupt_file);
}

// Looks whether the path leads past the blocked cells, and begins to search a detour if not.
void QueryRun::go_around() {
    if (query_.blocked.empty() || answer_->status != StatusCode::ok) return;
    const Snapshot& s = snapshot();
    detour_.blocked.block(s.bits.obstacles(), s.id, query_.blocked, s.map.cell(query_.start));
    if (detour_.blocked.allows(answer_->cells)) {
        if (wanted_ < Detail::path) answer_->cells.clear();
        if (wanted_ < Detail::subgoals) answer_->subgoals.clear();
        return;
    }
    answer_->cost = kInfinity;
    answer_->lower_bound = 0;
    answer_->h_reachable = false;
    answer_->subgoals.clear();
    answer_->cells.clear();
    answer_->detour = true;
    detour_.begin(s.map, query_);
    detouring_ = true;
    searching_ = true;
}

void QueryRun::finish_detour() {
    // A bounded search that finds nothing cannot tell whether there is a longer path.
    if (!detour_.found)
        return finish(detour_.search.pruned() ? too_costly(query_.limits) : StatusCode::no_path);
    answer_->cost = detour_.search.cost();
    answer_->h_reachable =
        answer_->cost == snapshot().map.distance_bound(query_.start, query_.goal);
    finish(StatusCode::ok);
    if (wanted_ >= Detail::subgoals) detour_.search.append_nodes(answer_->subgoals);
    if (wanted_ == Detail::path) detour_.search.append_path(answer_->cells);
}

}  // namespace cairn::subgoal

namespace cairn {

template <>
struct RunOf<subgoal::Planner> {
    using Type = subgoal::QueryRun;
};

}  // namespace cairn

template class cairn::Searcher<cairn::subgoal::Planner>;
