#include "hpa/query_run.hpp"

#include <algorithm>
#include <new>

#include "cairn/grid/line.hpp"
#include "core/searcher.hpp"
#include "core/slices.hpp"
#include "grid/endpoints.hpp"

namespace cairn::hpa {

using grid::Cell;
using grid::kNoCell;

void empty(Answer& answer, grid::Point goal, std::uint64_t snapshot_id) noexcept {
    answer.status = StatusCode::no_path;
    answer.cost = kInfinity;
    answer.abstract_cost = kInfinity;
    answer.lower_bound = 0;
    answer.goal = goal;
    answer.engine = Engine::automatic;
    answer.direct_line = false;
    answer.detour = false;
    answer.abstract_level = 0;
    answer.abstract_nodes.clear();
    answer.cells.clear();
    answer.snapshot_id = snapshot_id;
    answer.statistics = {};
}

// Locates start and goal, answers trivial queries, connects, and begins the search.
void QueryRun::begin(const Index& index, const Query& query, Answer& answer) {
    set_query(index, query, answer);
    inside_cost_ = kInfinity;
    detouring_ = Detour::none;
    wanted_ = query_.detail;
    if (!query_.blocked.empty()) query_.detail = Detail::path;  // to see whether it is free
    if (!locate()) return;
    if (trace_ != nullptr) grid::record_ends(index.map(), query_.start, query_.goal, *trace_);
    if (try_trivial()) return go_around();
    if (!connect()) return;
    start_ = &rule_.apply(snapshot(), query_, engine(), *start_);
    begin_search();
}

std::uint64_t QueryRun::expanded() const noexcept {
    const QueryStatistics& s = answer_->statistics;
    return s.connect.expanded + s.search.expanded +
           (detouring_ == Detour::none ? search_.statistics() : detour_.statistics()).expanded;
}

bool QueryRun::advance_search(std::uint64_t budget) {
    if (detouring_ == Detour::none) return search_.advance(budget);
    const Outcome outcome = detour_.expand(budget);
    around_ = outcome == Outcome::found;
    return outcome == Outcome::running;
}

bool QueryRun::advance(std::uint64_t budget) {
    constexpr std::uint64_t kSlice = 256;  // expansions between two checks of the cancel flag
    return advance_in_slices(*this, query_.limits, budget, kSlice);
}

void QueryRun::finish(StatusCode status) {
    searching_ = false;
    answer_->status = status;
    if (status != StatusCode::ok) answer_->cost = answer_->abstract_cost = kInfinity;
}

void QueryRun::stop(StatusCode status) {
    answer_->statistics.search +=
        detouring_ == Detour::none ? search_.statistics() : detour_.statistics();
    finish(status);
    if (detouring_ == Detour::map)
        answer_->lower_bound = std::max(answer_->lower_bound, detour_.lower_bound());
    if (!query_.limits.partial_path) return answer_->cells.clear();
    take_partial_path();
}

bool QueryRun::locate() {
    const grid::Map& map = snapshot().overlay.base.map;
    const auto refuse = [this](StatusCode status) {
        finish(status);
        return false;
    };
    if ((query_.engine == Engine::cut_labels && !index_->has_labels()) ||
        (query_.engine == Engine::climb && !index_->has_closure())) {
        return refuse(StatusCode::unsupported);
    }
    StatusCode status = grid::check_start(map, query_.start);
    if (status != StatusCode::ok) return refuse(status);

    if (query_.nearest_reachable) {
        connect_start();
        status = move_goal_within_reach();
    }
    if (status == StatusCode::ok) status = grid::check_goal(map, query_.goal);
    if (status == StatusCode::ok && query_.start != query_.goal &&
        std::ranges::binary_search(query_.blocked, map.cell(query_.goal)))
        status = StatusCode::goal_blocked;
    return status == StatusCode::ok || refuse(status);
}

void QueryRun::connect_start() {
    const Cell start = snapshot().overlay.base.map.cell(query_.start);
    start_ = &endpoints_.get(snapshot().id, start);
    connect_.to_first_level(snapshot(), start, *start_, answer_->statistics.connect);
}

StatusCode QueryRun::move_goal_within_reach() {
    const SearchLimits& limits = query_.limits;
    const grid::Map& map = snapshot().overlay.base.map;
    const bool by_flood = !snapshot().inside_costs_fit();
    if (by_flood) flood_.from(map, start_->cell);
    const auto check = [&] {
        if (answer_->statistics.connect.expanded > limits.max_expanded) {
            return StatusCode::budget_exhausted;
        }
        return ended_by(limits);
    };
    const auto reached = [&](Cell cell) { return by_flood ? flood_.reached(cell) : reaches(cell); };
    const StatusCode status = grid::move_goal_within_reach(map, query_.goal, reached, check);
    answer_->goal = query_.goal;
    return status;
}

// Whether a path leads from the start to `cell`.
bool QueryRun::reaches(Cell cell) {
    const Snapshot& s = snapshot();
    if (!s.overlay.base.map.passable(cell)) return false;
    const std::uint32_t cluster = s.overlay.cluster_of(1, cell);
    grid::SearchStatistics& effort = answer_->statistics.connect;
    if (cluster == start_->clusters[0] &&
        connect_.inside_cost(s, start_->cell, cell, effort) < kInfinity) {
        return true;
    }
    const std::uint32_t component = Connect::component(s, *start_);
    if (component == kNoComponent || !Connect::has_component(s, cluster, component)) return false;
    connect_.to_first_level(s, cell, candidate_, effort);
    return Connect::component(s, candidate_) == component;
}

// A path of one cell, or the straight line where it is free and therefore optimal.
bool QueryRun::try_trivial() {
    const grid::Map& map = snapshot().overlay.base.map;
    const bool same = query_.start == query_.goal;
    if (query_.detail == Detail::reachable) return false;
    if (!same && (!query_.try_direct_line || !map.uniform())) return false;
    const grid::Line line = grid::free_line(map, query_.start, query_.goal);
    if (line.shape == grid::LineShape::none) return false;
    answer_->cost = answer_->lower_bound = line.cost;
    answer_->direct_line = true;
    if (line.cost >= bound()) {
        finish(too_costly(query_.limits));
        return true;
    }
    if (query_.detail >= Detail::abstract_path) {
        answer_->abstract_nodes.push_back(map.cell(query_.start));
        if (!same) answer_->abstract_nodes.push_back(map.cell(query_.goal));
    }
    if (query_.detail == Detail::path) {
        answer_->cells.push_back(map.cell(query_.start));
        grid::append_line(map, query_.start, query_.goal, line.shape, answer_->cells);
    }
    finish(StatusCode::ok);
    return true;
}

bool QueryRun::connect() {
    const Snapshot& s = snapshot();
    const Cell goal = s.overlay.base.map.cell(query_.goal);
    if (!query_.nearest_reachable) connect_start();
    goal_ = &endpoints_.get(s.id, goal, start_);
    connect_.to_first_level(s, goal, *goal_, answer_->statistics.connect);
    if (start_->clusters[0] == goal_->clusters[0]) {
        inside_cost_ = connect_.inside_cost(s, start_->cell, goal, answer_->statistics.connect);
    }
    const std::uint32_t component = Connect::component(s, *start_);
    const bool connected = component != kNoComponent && component == Connect::component(s, *goal_);
    if (!connected && inside_cost_ == kInfinity) {
        if (s.inside_costs_fit() || !flood_.connects(s.overlay.base.map, start_->cell, goal)) {
            finish(StatusCode::no_path);
            return false;
        }
        if (query_.detail != Detail::reachable) {
            finish(too_costly(query_.limits));
            return false;
        }
    }
    if (query_.detail == Detail::reachable) {
        finish(StatusCode::ok);
        return false;
    }
    answer_->lower_bound = s.overlay.base.map.distance_bound(query_.start, query_.goal);
    return true;
}

Engine QueryRun::engine() const noexcept {
    if (query_.engine != Engine::automatic) return query_.engine;
    if (trace_ != nullptr) return Engine::levels;  // labels expand nothing
    if (index_->has_labels()) return Engine::cut_labels;
    return index_->has_closure() ? Engine::climb : Engine::levels;
}

void QueryRun::begin_search() {
    answer_->engine = engine();
    search_.begin(snapshot(), answer_->engine, *start_, *goal_, std::min(bound(), inside_cost_),
                  answer_->statistics.connect, trace_);
    searching_ = true;
}

// The search looked only for paths cheaper than the path inside the cluster. If it found none, the
// path inside is the answer. If there is no path inside either, the search may run again with all
// connections of the start.
void QueryRun::finish_search() {
    if (detouring_ != Detour::none) return finish_detour();
    take_result();
    if (!searching_) go_around();
}

void QueryRun::take_result() {
    answer_->statistics.search += search_.statistics();
    const bool inside =
        !search_.found() && inside_cost_ < kInfinity && inside_cost_ <= query_.limits.max_cost;
    if (!search_.found() && !inside) {
        Endpoint* const all = rule_.lift();
        if (all == nullptr) return finish(too_costly(query_.limits));
        start_ = all;
        return begin_search();
    }
    answer_->cost = answer_->abstract_cost = inside ? inside_cost_ : search_.cost();
    if (query_.detail < Detail::abstract_path) return finish(StatusCode::ok);
    // Labels from a forged file may promise a path that does not exist.
    if (!inside && search_.path().empty()) return finish(StatusCode::corrupt_file);
    finish(StatusCode::ok);

    list_abstract_nodes(inside, /*to_goal=*/true);
    if (query_.detail != Detail::path) return;
    refine(/*to_goal=*/true);
    if (query_.smoothing >= Smoothing::band) search_around();
}

// `inside`: whether the path is the one inside the cluster. `to_goal`: whether it leads to G.
void QueryRun::list_abstract_nodes(bool inside, bool to_goal) {
    answer_->abstract_level = inside ? 1 : search_.path_level();
    answer_->abstract_nodes.push_back(start_->cell);
    if (!inside) {
        const auto& path = search_.path();
        answer_->abstract_nodes.insert(answer_->abstract_nodes.end(), path.begin(), path.end());
    }
    if (to_goal) answer_->abstract_nodes.push_back(goal_->cell);
}

// After an early stop: the path to the goal if one is known, otherwise the way towards it.
void QueryRun::take_partial_path() {
    if (detouring_ != Detour::none) {
        if (wanted_ < Detail::path) return answer_->cells.clear();
        detour_.take_partial_path(around_cells_);
        // Stretches begin where the answer has come to.
        if (!answer_->cells.empty()) answer_->cells.pop_back();
        answer_->cells.insert(answer_->cells.end(), around_cells_.begin(), around_cells_.end());
    } else if (!query_.blocked.empty()) {
        // The path that is sought does not know the blocked cells.
        if (wanted_ == Detail::path)
            answer_->cells.push_back(snapshot().overlay.base.map.cell(query_.start));
    } else if (query_.detail >= Detail::abstract_path) {
        search_.stop();
        const bool inside = !search_.found() && inside_cost_ < kInfinity;
        const bool to_goal = inside || search_.found();
        if (search_.found() && search_.path().empty()) return finish(StatusCode::corrupt_file);
        list_abstract_nodes(inside, to_goal);
        if (query_.detail == Detail::path) refine(to_goal);
        answer_->cost = kInfinity;  // smoothing has set it
    }
}

void QueryRun::refine(bool to_goal) {
    nodes_.assign(answer_->abstract_nodes.begin() + 1,
                  answer_->abstract_nodes.end() - (to_goal ? 1 : 0));
    refine_.levels().to_first_level(snapshot().overlay, answer_->abstract_level, *start_, *goal_,
                                    to_goal, nodes_, answer_->statistics.refine);
    refine_cells(to_goal);
    if (query_.smoothing != Smoothing::none) smooth();
}

void QueryRun::refine_cells(bool to_goal) {
    auto& cells = answer_->cells;
    auto& effort = answer_->statistics.refine;
    const auto to_cells = [&](Leg leg) {
        Refine::to_cells(snapshot(), leg, *start_, *goal_, connect_.inside(), cells, effort);
    };
    cells.push_back(start_->cell);
    Cell from = kNoCell;
    for (const Cell node : nodes_) {
        to_cells({from, node});
        from = node;
    }
    if (to_goal) to_cells({from, kNoCell});
}

void QueryRun::smooth() {
    const StatusCode status = grid::smooth(snapshot().overlay.base.map, answer_->cells,
                                           answer_->cost, smoother_, smoothed_);
    if (status != StatusCode::ok) throw std::bad_alloc();  // no other error is possible
    // Copied, not swapped, so that each buffer keeps its capacity.
    answer_->cells.assign(smoothed_.begin(), smoothed_.end());
}

// Lays the corridor: the clusters that a path passes, and rings around them.
void QueryRun::lay_corridor(std::span<const Cell> cells, int rings) {
    const Overlay& overlay = snapshot().overlay;
    const grid::Map& map = overlay.base.map;
    corridor_.reset(map.width(), map.height(), overlay.base.partition.side(1));
    for (const Cell cell : cells) corridor_.add(map.point(cell));
    for (const Cell node : nodes_) corridor_.add(map.point(node));
    corridor_.widen(rings);
}

// Searches exactly around the path.
void QueryRun::search_around() {
    if (query_.smoothing == Smoothing::corridor) {
        lay_corridor(answer_->cells, query_.corridor_ring);
        return search_corridor(corridor_);
    }
    constexpr int kBlock = 5;  // measured (docs/hpa-star.md)
    const grid::Map& map = snapshot().overlay.base.map;
    band_.reset(map.width(), map.height(), kBlock);
    for (const Cell cell : answer_->cells) band_.add(map.point(cell));
    band_.widen(1);
    search_corridor(band_);
}

void QueryRun::search_corridor(const grid::Corridor& corridor) {
    const grid::Map& map = snapshot().overlay.base.map;
    SearchLimits limits = query_.limits;
    limits.max_cost = kInfinity;
    const QueryStatistics& effort = answer_->statistics;
    limits.max_expanded -=
        std::min(limits.max_expanded,
                 effort.connect.expanded + effort.search.expanded + effort.refine.expanded);
    const StatusCode status = corridor_search_.find_path(map, corridor, query_.start, query_.goal,
                                                         answer_->cost, corridor_path_, limits);
    answer_->statistics.refine += corridor_path_.statistics;
    answer_->lower_bound =
        std::max(answer_->lower_bound, std::min(corridor_path_.lower_bound, answer_->cost));
    if (status != StatusCode::ok || corridor_path_.cost >= answer_->cost) return;
    answer_->cost = corridor_path_.cost;
    answer_->cells.assign(corridor_path_.cells.begin(), corridor_path_.cells.end());
}

// Looks whether the path leads past the blocked cells, and begins to search a detour if not.
void QueryRun::go_around() {
    if (query_.blocked.empty() || answer_->status != StatusCode::ok) return;
    const grid::Map& map = snapshot().overlay.base.map;
    detour_.blocked.block(map, query_.blocked, map.cell(query_.start));
    if (detour_.blocked.first_forbidden(answer_->cells) == answer_->cells.size()) {
        if (wanted_ < Detail::path) answer_->cells.clear();
        if (wanted_ < Detail::abstract_path) answer_->abstract_nodes.clear();
        if (wanted_ == Detail::reachable) answer_->cost = answer_->abstract_cost = kInfinity;
        return;
    }
    if (answer_->direct_line) nodes_.clear();
    path_.assign(answer_->cells.begin(), answer_->cells.end());
    stretch_end_ = 0;
    answer_->cost = answer_->abstract_cost = kInfinity;
    answer_->direct_line = false;
    answer_->abstract_nodes.clear();
    answer_->cells.clear();
    answer_->detour = true;
    detouring_ = Detour::stretches;
    searching_ = true;
    begin_next_stretch();
}

// Follows path_ to shortly before the next step that is not free, and begins a search from there to
// where the path is free again for some steps. If all of the rest is free, the answer is complete.
void QueryRun::begin_next_stretch() {
    // Measured (docs/changing-maps.md): with a smaller margin paths get worse, with a higher limit
    // too, since a stretch may lead back to a path that is no longer a good one.
    constexpr std::size_t kMargin = 16;  // steps
    constexpr std::uint64_t kMoves = 6;
    const grid::Map& map = snapshot().overlay.base.map;
    const std::span<const Cell> path(path_);
    auto& cells = answer_->cells;
    const auto follow_to = [&](std::size_t end) {
        const auto steps = path.first(end + 1).subspan(stretch_end_ + (cells.empty() ? 0 : 1));
        cells.insert(cells.end(), steps.begin(), steps.end());
    };
    std::size_t forbidden = detour_.blocked.first_forbidden(path, stretch_end_);
    if (forbidden == path.size()) {
        follow_to(path.size() - 1);
        return finish_around(grid::path_cost(map, cells));
    }
    const std::size_t begin = std::max(stretch_end_, forbidden - std::min(forbidden, kMargin));
    follow_to(begin);
    std::size_t free = 0;  // the first cell of the steps that are free
    do {
        free = forbidden + 1;
        forbidden = detour_.blocked.first_forbidden(path, free);
    } while (forbidden < path.size() && forbidden < free + kMargin);
    stretch_end_ = std::min(free + kMargin, path.size() - 1);
    // At most a quarter more and six moves: if it takes more, the other searches see more of the
    // map.
    const Cost cost = grid::path_cost(map, path.subspan(begin, stretch_end_ - begin + 1));
    const std::uint64_t most = std::uint64_t{cost} + cost / 4 + kMoves * map.max_move();
    detour_.blocked.confine(nullptr);
    detour_.begin(map, map.point(path[begin]), map.point(path[stretch_end_]),
                  static_cast<Cost>(std::min<std::uint64_t>(most, kInfinity)));
}

void QueryRun::finish_stretch() {
    if (!around_) {
        answer_->cells.clear();
        lay_corridor(path_, /*rings=*/0);
        return begin_detour(Detour::clusters);
    }
    detour_.take_path(around_cells_);
    answer_->cells.insert(answer_->cells.end(), around_cells_.begin() + 1, around_cells_.end());
    begin_next_stretch();
}

void QueryRun::begin_detour(Detour where) {
    constexpr int kRings = 2;
    detouring_ = where;
    if (where == Detour::rings) corridor_.widen(kRings);
    detour_.blocked.confine(where == Detour::map ? nullptr : &corridor_);
    detour_.begin(snapshot().overlay.base.map, query_.start, query_.goal, query_.limits.max_cost);
    searching_ = true;
}

void QueryRun::finish_detour() {
    answer_->statistics.search += detour_.statistics();
    if (detouring_ == Detour::stretches) return finish_stretch();
    if (!around_ && detouring_ == Detour::clusters) return begin_detour(Detour::rings);
    if (!around_ && detouring_ == Detour::rings) return begin_detour(Detour::map);
    // A bounded search that finds nothing cannot tell whether there is a longer path.
    if (!around_) return finish(detour_.pruned() ? too_costly(query_.limits) : StatusCode::no_path);
    if (detouring_ == Detour::map && wanted_ != Detail::reachable)
        answer_->lower_bound = detour_.cost();
    if (wanted_ == Detail::path) detour_.take_path(answer_->cells);
    finish_around(detour_.cost());
}

void QueryRun::finish_around(Cost cost) {
    if (cost > query_.limits.max_cost || cost >= kInfinity) {  // of stretches
        around_ = false;
        return finish_stretch();
    }
    finish(StatusCode::ok);
    if (wanted_ < Detail::path) answer_->cells.clear();
    if (wanted_ != Detail::reachable) answer_->cost = cost;
}

}  // namespace cairn::hpa

namespace cairn {

template <>
struct RunOf<hpa::Planner> {
    using Type = hpa::QueryRun;
};

}  // namespace cairn

template class cairn::Searcher<cairn::hpa::Planner>;
