#include "hna/query_run.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/mesh/path.hpp"
#include "core/labels/label_finder.hpp"
#include "core/searcher.hpp"
#include "core/slices.hpp"
#include "hna/locate.hpp"

namespace cairn::hna {

using mesh::Place;

void reset(Answer& answer, const Query& query, const Index& index) noexcept {
    answer.status = StatusCode::no_path;
    answer.cost = kInfinity;
    answer.lower_bound = 0;
    answer.start = query.start;
    answer.goal = query.goal;
    answer.goal_moved = false;
    answer.engine = Engine::automatic;
    answer.searched_level = 0;
    answer.abstract_level = 0;
    answer.abstract_nodes.clear();
    answer.links.clear();
    answer.polygons.clear();
    answer.waypoints.clear();
    answer.length = 0;
    answer.snapshot_id = index.snapshot_id();
    answer.statistics = {};
}

void QueryRun::begin(const Index& index, const Query& query, Answer& answer) {
    // Another snapshot needs other connections, even one of the same id: its partition may differ.
    if (!index_ || &index_->snapshot() != &index.snapshot())
        start_.connected = goal_.connected = false;
    set_query(index, query, answer);
    searching_hng_ = false;
    inside_cost_ = best_ = kInfinity;
    to_goal_ = true;
    if (!check_options() || !locate()) return;
    if (trace_ != nullptr)
        mesh::record_ends(index_->mesh(), answer_->start, answer_->goal, *trace_);
    if (try_trivial()) return;
    connect();
    begin_search();
}

std::uint64_t QueryRun::expanded() const noexcept {
    const QueryStatistics& s = answer_->statistics;
    std::uint64_t under_way = 0;
    if (searching_hng_) under_way = hng_search_.statistics().expanded;
    return s.connect.expanded + s.search.expanded + under_way;
}

bool QueryRun::advance(std::uint64_t budget) {
    constexpr std::uint64_t kSlice = 256;
    return advance_in_slices(*this, query_.limits, budget, kSlice);
}

void QueryRun::finish(StatusCode status) {
    searching_ = false;
    answer_->status = status;
    if (status != StatusCode::ok) answer_->cost = kInfinity;
    answer_->lower_bound =
        status == StatusCode::ok && query_.detail > Detail::reachable ? answer_->cost : 0;
}

// Ends the search before it knows the cheapest path.
void QueryRun::stop(StatusCode status) {
    const mesh::MeshData& mesh = snapshot().mesh();
    const auto anchor = [&](const Place& place) { return mesh.anchor(place.polygon, place.point); };
    Cost proved = mesh.least_cost(mesh::distance(anchor(answer_->start), anchor(answer_->goal)));
    if (searching_hng_) {
        answer_->statistics.search += hng_search_.statistics();
        proved = std::max(proved, hng_search_.lower_bound());
    }
    finish(status);
    answer_->lower_bound = std::min(proved, best_);
    if (query_.limits.partial_path && query_.detail >= Detail::abstract_path) take_partial_path();
    searching_hng_ = false;
}

Engine QueryRun::engine() const noexcept {
    if (query_.engine != Engine::automatic) return query_.engine;
    if (trace_ != nullptr) return Engine::astar;  // labels expand nothing
    if (index_->has_labels()) return Engine::cut_labels;
    return index_->has_closure() ? Engine::climb : Engine::astar;
}

TopConnection QueryRun::top_connection() const noexcept {
    const Snapshot& s = snapshot();
    if (query_.connect == ConnectBy::search) return TopConnection::search;
    if (query_.connect == ConnectBy::portals) return TopConnection::rows;
    if (s.centre_rows.size() > 0) return TopConnection::centres;
    return s.rows_of(s.top()) == nullptr ? TopConnection::search : TopConnection::rows;
}

// Whether a search inside a cluster of the top level takes longer than A* on level 1. Measured: it
// does if the mesh has fewer than kClusters such clusters.
bool QueryRun::costly_to_connect() const noexcept {
    constexpr double kClusters = 50;
    const Snapshot& s = snapshot();
    const double polygons_of_cluster = std::pow(s.options.mu, s.top());
    return s.top() > 1 && kClusters * polygons_of_cluster > s.mesh().num_polygons();
}

// Whether A* searches the HNG of the top level, to which S and G are then connected as
// top_connection() says; else it searches that of level 1.
bool QueryRun::searches_top() const noexcept {
    if (engine() != Engine::astar) return false;
    const Snapshot& s = snapshot();
    const int top = s.top();
    if (query_.search_level != SearchLevel::automatic)
        return query_.search_level == SearchLevel::top || top == 1;
    // Where start and goal share a top cluster, they are near, and a search on level 1 is small.
    const bool apart = s.partition().cluster(top, answer_->start.polygon) !=
                       s.partition().cluster(top, answer_->goal.polygon);
    return apart && (top_connection() != TopConnection::search || !costly_to_connect());
}

bool QueryRun::check_options() {
    const bool by_rows =
        query_.connect == ConnectBy::tables || query_.connect == ConnectBy::portals;
    // Level 1 always has rows.
    const bool needs_top_rows =
        by_rows && engine() == Engine::astar && query_.search_level != SearchLevel::first;
    const bool missing = (query_.engine == Engine::cut_labels && !index_->has_labels()) ||
                         (query_.engine == Engine::climb && !index_->has_closure()) ||
                         (needs_top_rows && snapshot().rows_of(snapshot().top()) == nullptr);
    if (missing) finish(StatusCode::unsupported);
    return !missing;
}

StatusCode QueryRun::check_start(const Index& index, const Query& query) noexcept {
    Place place = query.start;
    return locate_start(index.snapshot(), query.reach, place);
}

bool QueryRun::locate() {
    const Snapshot& s = snapshot();
    const auto refuse = [this](StatusCode status) {
        finish(status);
        return false;
    };
    StatusCode status = locate_start(s, query_.reach, answer_->start);
    if (status != StatusCode::ok) return refuse(status);
    const mesh::Polygon start = answer_->start.polygon;
    status = locate_goal(s, query_.reach, start, answer_->goal);
    if (status != StatusCode::ok && query_.nearest_reachable) {
        answer_->goal.point = query_.goal.point;  // locating may have moved it
        if (!move_to_reachable(s, start, answer_->goal)) return refuse(status);
        answer_->goal_moved = true;
        status = StatusCode::ok;
    }
    if (status != StatusCode::ok) return refuse(status);
    if (query_.detail == Detail::reachable) return refuse(StatusCode::ok);
    return true;
}

// A path inside one polygon is a straight line.
bool QueryRun::try_trivial() {
    const Place& start = answer_->start;
    const Place& goal = answer_->goal;
    if (start.polygon != goal.polygon) return false;
    const mesh::MeshData& mesh = snapshot().mesh();
    answer_->cost = mesh.direct_cost(start.polygon, mesh.anchor(start.polygon, start.point),
                                     mesh.anchor(goal.polygon, goal.point));
    if (answer_->cost > query_.limits.max_cost) {
        finish(StatusCode::over_cost_limit);
        return true;
    }
    finish(StatusCode::ok);
    if (query_.detail >= Detail::corridor) answer_->polygons.push_back(start.polygon);
    if (query_.detail == Detail::path) pull();
    return true;
}

void QueryRun::connect() {
    const Snapshot& s = snapshot();
    connect_to_first_level(s, answer_->start, false, start_);
    same_goal_ = goal_.connected && goal_.place == answer_->goal;
    if (!same_goal_) path_tree_.clear();
    connect_to_first_level(s, answer_->goal, true, goal_);
    search_inside(searches_top() ? s.top() : 1);
}

// If a cluster of the level holds start and goal, searches for the path inside it.
void QueryRun::search_inside(int level) {
    const MeshBase& base = snapshot().overlay.base;
    const std::uint32_t cluster = base.partition->cluster(level, answer_->start.polygon);
    if (cluster != base.partition->cluster(level, answer_->goal.polygon)) return;
    inside_.begin(base, base.area(level, cluster), ClusterSearch::Direction::towards);
    inside_.add_end(goal_.place);
    inside_.run(bound());
    answer_->statistics.connect += inside_.statistics();
    inside_cost_ = search_cost(start_, inside_);
    if (inside_cost_ >= bound()) inside_cost_ = kInfinity;
}

void QueryRun::begin_search() {
    answer_->engine = engine();
    searching_ = true;
    best_ = std::min(bound(), inside_cost_);
    level_ = 0;
    if (answer_->engine == Engine::cut_labels || answer_->engine == Engine::climb)
        return search_labels();
    if (!searches_top()) {
        list_first_level();
        return begin_hng_search(snapshot().first_hng, start_.levels.clusters[0]);
    }
    const TopConnection connection = top_connection();
    connect_to_top(snapshot(), connection, start_, connect_search_, answer_->statistics.connect);
    connect_to_top(snapshot(), connection, goal_, connect_search_, answer_->statistics.connect);
    snapshot().top_hng().list(start_.top_cluster, start_.top_costs, from_);
    snapshot().top_hng().list(goal_.top_cluster, goal_.top_costs, to_);
    begin_hng_search(snapshot().top_hng(), start_.top_cluster);
}

void QueryRun::list_first_level() {
    const Hng& hng = snapshot().first_hng;
    hng.list(start_.levels.clusters[0], start_.levels.costs[0], from_);
    hng.list(goal_.levels.clusters[0], goal_.levels.costs[0], to_);
}

void QueryRun::search_labels() {
    const CutLabels& labels = snapshot().labels->labels;
    answer_->searched_level = 1;
    list_first_level();
    Cost cost = kInfinity;
    if (shares_paths()) {
        meeting_ = labels.find_meeting(from_, to_, label_scratch_);
        cost = meeting_.cost;
        if (cost >= best_ || !find_label_path(labels)) return;
    } else {
        const LabelFinder finder(labels, answer_->engine == Engine::climb, label_scratch_);
        cost = query_.detail == Detail::cost ? finder.distance(from_, to_)
                                             : finder.find_path(from_, to_, path_);
        if (cost >= best_) return;
    }
    best_ = cost;
    level_ = 1;
    path_hng_ = &snapshot().first_hng;
}

bool QueryRun::shares_paths() const noexcept {
    if (!same_goal_ || answer_->engine != Engine::cut_labels || query_.detail == Detail::cost)
        return false;
    const CutLabels& labels = snapshot().labels->labels;
    return labels.has_hops() && labels.piece() == 0;
}

bool QueryRun::find_label_path(const CutLabels& labels) {
    return path_tree_.find_path(labels, meeting_, from_[meeting_.start].node, path_) ||
           labels.find_path(meeting_, from_, to_, label_scratch_, path_);
}

void QueryRun::begin_hng_search(const Hng& hng, std::uint32_t start_cluster) {
    hng_search_.begin({snapshot().overlay, hng}, snapshot().mesh(),
                      {start_cluster, from_, to_, goal_.levels.place.point, best_}, trace_);
    searched_hng_ = &hng;
    answer_->searched_level = hng.level();
    searching_hng_ = true;
}

bool QueryRun::advance_search(std::uint64_t budget) {
    return searching_hng_ && hng_search_.advance(budget);
}

bool QueryRun::take_found() {
    if (!searching_hng_ || hng_search_.cost() >= best_) return false;
    best_ = hng_search_.cost();
    level_ = answer_->searched_level;
    hng_search_.find_path(path_);
    hng_search_.record_end();
    path_hng_ = searched_hng_;
    return true;
}

void QueryRun::finish_search() {
    if (searching_hng_) answer_->statistics.search += hng_search_.statistics();
    take_found();
    searching_hng_ = false;
    if (level_ == 0 && inside_cost_ == kInfinity) return finish(StatusCode::over_cost_limit);
    answer_->cost = level_ == 0 ? inside_cost_ : best_;
    finish(StatusCode::ok);
    write_path();
}

// After an early stop: the path to the goal if one is known, else that to the open node nearest it.
void QueryRun::take_partial_path() {
    if (take_found() || level_ != 0 || inside_cost_ < kInfinity) return write_path();
    to_goal_ = false;
    path_.clear();  // labels do not search
    if (searching_hng_) {
        end_cluster_ = hng_search_.stop_at_nearest();
        path_hng_ = searched_hng_;
        hng_search_.find_path(path_);
    }
    level_ = path_.empty() ? 0 : answer_->searched_level;
    write_path();
}

void QueryRun::write_path() {
    if (query_.detail < Detail::abstract_path) return;
    // Labels of a forged file may give the cost of a path that does not exist.
    if (level_ != 0 && (!find_steps() || steps_.empty())) return finish(StatusCode::corrupt_file);
    if (query_.detail >= Detail::corridor) refine();
}

namespace {

// The steps of a path of a level. Its nodes are an exit, the exit's twin, the next exit, and so on.
void steps_from_nodes(const Overlay& overlay, int level, std::span<const mesh::Link> nodes,
                      std::vector<Step>& steps) {
    steps.clear();
    for (std::size_t i = 0; i + 1 < nodes.size(); i += 2) {
        const mesh::Link exit = nodes[i];
        const mesh::Link entry = nodes[i + 1];
        const std::uint32_t left = overlay.cluster_of(level, exit);
        const std::uint32_t entered = overlay.cluster_of(level, entry);
        steps.push_back({exit, overlay.cluster(level, left).find(exit), entered,
                         overlay.cluster(level, entered).find(entry)});
    }
}

}  // namespace

// Finds the inter-edges that the path of the search crosses.
bool QueryRun::find_steps() {
    const Snapshot& s = snapshot();
    const auto cluster = [&](const Endpoint& end) {
        return s.partition().cluster(level_, end.place.polygon);
    };
    steps_.clear();
    if (to_goal_) end_cluster_ = cluster(goal_);
    if (!for_each_step(HngGraph(s.overlay, *path_hng_), path_, cluster(start_), end_cluster_,
                       [this](const Step& step) { steps_.push_back(step); }))
        return false;
    answer_->abstract_level = level_;
    for (const Step& step : steps_) {
        answer_->abstract_nodes.push_back(step.exit);
        answer_->abstract_nodes.push_back(mesh::twin(step.exit));
    }
    return true;
}

// Refines the path down to level 1, which always has rows, if its level has none.
void QueryRun::refine_to_rows() {
    const Snapshot& s = snapshot();
    if (s.rows_of(level_) != nullptr) return;
    SearchStatistics& effort = answer_->statistics.refine;
    connect_to_level(s.overlay, level_, start_.levels, climb_, effort);
    connect_to_level(s.overlay, level_, goal_.levels, climb_, effort);
    path_.assign(answer_->abstract_nodes.begin(), answer_->abstract_nodes.end());
    level_refine_.to_first_level(s.overlay, level_, start_.levels, goal_.levels, to_goal_, path_,
                                 effort);
    level_ = 1;
    steps_from_nodes(s.overlay, level_, path_, steps_);
}

void QueryRun::refine() {
    if (level_ == 0) {
        if (to_goal_) unpack_search(snapshot(), start_, inside_, answer_->links);
    } else {
        refine_to_rows();
        unpack();
    }
    const mesh::Mesh& mesh = index_->mesh();
    if (shortens()) {
        answer_->cost = shorten_
                            .run(mesh, answer_->start, answer_->goal, query_.limits.max_cost,
                                 answer_->links, funnel_)
                            .value_or(answer_->cost);
    }
    mesh::polygons(mesh, answer_->start.polygon, answer_->links, answer_->polygons);
    if (!to_goal_) {
        answer_->goal = answer_->start;
        if (const auto& links = answer_->links; !links.empty())
            answer_->goal = {answer_->polygons.back(), mesh.midpoint(links.back())};
    }
    if (query_.detail == Detail::path) pull();
}

void QueryRun::unpack() {
    std::vector<mesh::Link>& links = answer_->links;
    const bool shares = shares_paths();
    const std::size_t known = shares ? path_tree_.known_steps(steps_) : 0;
    if (!to_goal_) {
        unpack_.run_to_exit(snapshot(), level_, start_, steps_, links);
    } else if (known == 0) {
        unpack_.run(snapshot(), level_, start_, steps_, goal_, links);
    } else {
        const auto up_to_known = std::span(steps_).first(steps_.size() - known + 1);
        unpack_.run_to_exit(snapshot(), level_, start_, up_to_known, links);
        path_tree_.append_known(known, unpack_.links_at(), links);
    }
    if (shares && !path_tree_.knows_all())
        path_tree_.add(snapshot().labels->labels, meeting_, path_, steps_, unpack_.links_at(),
                       links);
}

void QueryRun::pull() {
    const Answer& found = *answer_;
    if (shortens() && query_.crossings == mesh::Crossings::corners && !found.links.empty()) {
        answer_->waypoints.assign(shorten_.string().begin(), shorten_.string().end());
    } else {
        funnel_.pull(index_->mesh(), found.start.point, found.goal.point, found.links,
                     answer_->waypoints, query_.crossings);
    }
    answer_->length = mesh::length(answer_->waypoints);
}

}  // namespace cairn::hna

namespace cairn {

template <>
struct RunOf<hna::Planner> {
    using Type = hna::QueryRun;
};

}  // namespace cairn

template class cairn::Searcher<cairn::hna::Planner>;
