#include "cairn/mesh/astar.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/memory.hpp"
#include "core/nearest_open.hpp"
#include "core/open_heap.hpp"
#include "core/search_run.hpp"
#include "mesh/endpoints.hpp"
#include "mesh/mesh_data.hpp"
#include "mesh/trace_points.hpp"

namespace cairn::mesh {
namespace {

// The usable goals of a search, sorted by polygon. Its bound is the least cost to the box around
// all anchors, which is consistent; for a single goal it equals Mesh::bound.
class GoalSet {
public:
    struct Goal {
        Polygon polygon = kNone;
        std::uint32_t index = 0;  // in the caller's list
        Point anchor;
    };

    // Takes the usable ones of `goals`. False if there are none.
    bool assign(const Mesh& mesh, std::span<const Place> goals) {
        goals_.clear();
        for (std::size_t i = 0; i < goals.size(); ++i) {
            if (!usable(mesh, goals[i])) continue;
            goals_.push_back({goals[i].polygon, static_cast<std::uint32_t>(i),
                              mesh.anchor(goals[i].polygon, goals[i].point)});
        }
        const auto before = [](const Goal& a, const Goal& b) {
            return a.polygon != b.polygon ? a.polygon < b.polygon : a.index < b.index;
        };
        std::sort(goals_.begin(), goals_.end(), before);
        if (first_.size() < mesh.num_polygons()) first_.resize(mesh.num_polygons());
        for (std::size_t i = goals_.size(); i-- > 0;)
            first_[goals_[i].polygon] = static_cast<std::uint32_t>(i);
        enclose();
        return !goals_.empty();
    }

    [[nodiscard]] std::span<const Goal> all() const noexcept { return goals_; }

    // The goals in a polygon. Checks its entry in first_, which may be an earlier search's.
    [[nodiscard]] std::span<const Goal> in(Polygon polygon) const noexcept {
        const std::size_t first = first_[polygon];
        std::size_t last = first;
        while (last < goals_.size() && goals_[last].polygon == polygon) ++last;
        return {goals_.data() + std::min(first, goals_.size()), last - first};
    }

    [[nodiscard]] Cost bound(const MeshData& mesh, Link link) const noexcept {
        if (mesh.options.scoring != Scoring::polygon_centres)
            return mesh.least_cost(distance_to_box(mesh.midpoint(link)));
        const Point& centre = mesh.topology->centres[mesh.polygon_of(link)];
        return (*mesh.halves)[link] + mesh.least_cost(distance_to_box(centre));
    }

    // Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(goals_, first_); }

private:
    void enclose() noexcept {
        if (goals_.empty()) return;
        low_ = high_ = goals_.front().anchor;
        for (const Goal& goal : goals_) {
            const Point& p = goal.anchor;
            low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
            high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y), std::max(high_.z, p.z)};
        }
    }

    [[nodiscard]] double distance_to_box(const Point& p) const noexcept {
        const Vector below = low_ - p;
        const Vector above = p - high_;
        return length({std::max({0.0, below.x, above.x}), std::max({0.0, below.y, above.y}),
                       std::max({0.0, below.z, above.z})});
    }

    std::vector<Goal> goals_;
    std::vector<std::uint32_t> first_;  // per polygon: its first goal in goals_, if it has one
    Point low_;                         // corners of the box around all anchors
    Point high_;
};

// A* over portals. Nodes are numbers: first the portals, then the goals. A goal is settled when it
// is expanded.
//
// A portal needs one label, not one for each of its polygons. Proof: let it be reached from polygon
// A at cost g and from polygon B at g' >= g. Only paths into A could use g'. But the path of cost g
// came through A, and costs no more than g plus the cost from the portal to any other portal of A.
//
// `Observer`: see core/search_observer.hpp.
template <class Observer>
class PortalSearch {
public:
    [[no_unique_address]] Observer observer;
    GoalSet goals;                // set before the search begins
    std::vector<Cost> distances;  // by Goal::index; kInfinity until the goal is settled

    // Begins a search to the nearest goal, or to all. `num_goals`: the length of the caller's list.
    void begin(const Mesh& mesh, const Place& start, std::size_t num_goals, bool to_all,
               Cost max_cost);
    [[nodiscard]] Outcome expand(std::uint64_t budget);

    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return statistics_; }
    void forget_effort() noexcept {
        statistics_ = {};
        pruned_ = false;
    }
    [[nodiscard]] StatusCode failure(const SearchLimits& /*limits*/) const noexcept {
        return pruned_ ? StatusCode::over_cost_limit : StatusCode::no_path;
    }

    // The last goal settled, as Goal::index; its cost; the links of its path.
    [[nodiscard]] std::uint32_t reached() const noexcept { return reached_; }
    [[nodiscard]] Cost cost() const noexcept { return distances[reached_]; }
    void append_path(std::vector<Link>& links) const {
        append_path_to(mesh_.num_portals() + static_cast<std::uint32_t>(settled_goal_), links);
    }
    // The portal before that goal; TraceEvent::kStart if there is none.
    [[nodiscard]] std::uint32_t last_portal() const noexcept {
        const Link last = labels_[mesh_.num_portals() + settled_goal_].parent;
        return last == kNone ? TraceEvent::kStart : portal_of(last);
    }
    [[nodiscard]] Cost lower_bound() const noexcept { return open_.least_f(); }
    void append_partial_path(std::vector<Link>& links) const;
    [[nodiscard]] static std::vector<Link>& list_of(Path& path) noexcept { return path.links; }
    // Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(goals, distances, labels_, open_.entries());
    }

private:
    struct Label {
        std::uint32_t stamp = 0;  // that of the search + the side of `at`, see reach
        Cost g = 0;
        Cost h = 0;
        Link parent = kNone;  // the link reached before this one; kNone after the start
    };

    void reserve();
    void expand_start(const Place& start);
    // In all of these, `at` is a link whose portal a path has crossed into the link's polygon, and
    // `goal` is a place in GoalSet::all.
    void expand_link(Link at);
    void meet_goals(Polygon polygon, Link at, Cost g);
    void reach_goal(std::size_t goal, Cost g, Link parent);
    void reach(Link at, Cost g, Link parent);
    void push(std::uint32_t node, Cost f, Cost g);
    void append_path_to(std::uint32_t node, std::vector<Link>& links) const;
    // True if the search is over.
    [[nodiscard]] bool settle(std::size_t goal);

    Mesh mesh_;  // kept alive
    std::vector<Label> labels_;
    OpenHeap open_;
    SearchStatistics statistics_;
    Polygon start_ = kNone;
    Cost max_cost_ = 0;
    Cost best_ = kInfinity;         // of the paths to goals found; only cheaper ones are continued
    std::uint32_t stamp_ = 0;       // even, a new one for each search
    std::uint32_t reached_ = 0;     // the last goal settled, as Goal::index
    std::size_t settled_goal_ = 0;  // and as a place in GoalSet::all
    std::size_t remaining_ = 0;     // goals not settled yet
    bool to_all_ = false;
    bool pruned_ = false;  // whether a path was left out because it costs more than max_cost
};

template <class Observer>
void PortalSearch<Observer>::reserve() {
    const std::size_t nodes = std::size_t{mesh_.num_portals()} + goals.all().size();
    if (labels_.size() < nodes) labels_.resize(nodes);
    stamp_ += 2;
    if (stamp_ != 0) return;
    labels_.assign(labels_.size(), Label{});
    stamp_ = 2;
}

template <class Observer>
void PortalSearch<Observer>::begin(const Mesh& mesh, const Place& start, std::size_t num_goals,
                                   bool to_all, Cost max_cost) {
    mesh_ = mesh;
    reserve();
    distances.assign(num_goals, kInfinity);
    open_.clear();
    statistics_ = {};
    start_ = start.polygon;
    max_cost_ = std::min(max_cost, kInfinity - 1);
    best_ = kInfinity;
    remaining_ = goals.all().size();
    to_all_ = to_all;
    pruned_ = false;
    expand_start(start);
}

template <class Observer>
void PortalSearch<Observer>::expand_start(const Place& start) {
    const MeshData& mesh = mesh_.data();
    const Point anchor = mesh.anchor(start.polygon, start.point);
    const auto goals_here = goals.in(start.polygon);
    for (const GoalSet::Goal& goal : goals_here) {
        reach_goal(static_cast<std::size_t>(&goal - goals.all().data()),
                   mesh.direct_cost(start.polygon, anchor, goal.anchor), kNone);
    }
    if (!goals_here.empty() && !to_all_ && goals.all().size() == 1) return;
    const auto links = mesh.links(start.polygon);
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        if (mesh.open[links[i]] == 0) continue;
        reach(twin(links[i]), mesh.end_cost(start.polygon, anchor, i), kNone);
    }
}

template <class Observer>
Outcome PortalSearch<Observer>::expand(std::uint64_t budget) {
    const std::uint32_t portals = mesh_.num_portals();
    std::uint32_t node = 0;
    while (budget > 0) {
        if (!open_.pop(node)) return Outcome::exhausted;
        const Label& label = labels_[node];
        if (open_.least_f() != label.g + label.h) continue;  // an outdated entry
        if (node >= portals) {
            if (settle(node - portals)) return Outcome::found;
            continue;
        }
        ++statistics_.expanded;
        statistics_.open_sum += open_.size();
        --budget;
        observer.expanded(node, label.g, open_.least_f());
        expand_link(2 * node + (label.stamp & 1));
    }
    return Outcome::running;
}

template <class Observer>
void PortalSearch<Observer>::expand_link(Link at) {
    const MeshData& mesh = mesh_.data();
    const Cost g = labels_[portal_of(at)].g;
    const Polygon polygon = mesh.polygon_of(at);
    meet_goals(polygon, at, g);
    const auto links = mesh.links(polygon);
    const auto count = static_cast<std::uint32_t>(links.size());
    const std::uint32_t place = mesh.place(at);
    // The costs of this polygon are a lower triangle: those to earlier links are a row, those to
    // later links a column, in which the entry of link i + 1 lies i entries after that of link i.
    const Cost* costs = mesh.inside_costs->data() + mesh.topology->first_cost[polygon];
    const Cost* const row = costs + MeshData::row(place);
    for (std::uint32_t i = 0; i < place; ++i) {
        if (mesh.open[links[i]] != 0) reach(twin(links[i]), g + row[i], at);
    }
    costs += MeshData::row(place + 1) + place;
    for (std::uint32_t i = place + 1; i < count; costs += i, ++i) {
        if (mesh.open[links[i]] != 0) reach(twin(links[i]), g + *costs, at);
    }
}

template <class Observer>
inline void PortalSearch<Observer>::reach(Link at, Cost g, Link parent) {
    Label& label = labels_[portal_of(at)];
    const std::uint32_t stamp = stamp_ | (at & 1);
    const bool known = (label.stamp | 1) == (stamp | 1);
    if (known && g >= label.g) return;
    if (label.stamp != stamp) label.h = goals.bound(mesh_.data(), at);
    label.stamp = stamp;
    label.g = g;
    label.parent = parent;
    push(portal_of(at), g + label.h, g);
}

template <class Observer>
void PortalSearch<Observer>::meet_goals(Polygon polygon, Link at, Cost g) {
    if (polygon == start_) return;  // expand_start has reached these goals by straight lines
    const MeshData& mesh = mesh_.data();
    for (const GoalSet::Goal& goal : goals.in(polygon)) {
        const auto index = static_cast<std::size_t>(&goal - goals.all().data());
        reach_goal(index, g + mesh.end_cost(polygon, goal.anchor, mesh.place(at)), at);
    }
}

template <class Observer>
void PortalSearch<Observer>::reach_goal(std::size_t goal, Cost g, Link parent) {
    const std::size_t node = mesh_.num_portals() + goal;
    Label& label = labels_[node];
    if (label.stamp == stamp_ && g >= label.g) return;
    label = {stamp_, g, 0, parent};
    push(static_cast<std::uint32_t>(node), g, g);
    if (!to_all_) best_ = std::min(best_, g);
}

template <class Observer>
void PortalSearch<Observer>::push(std::uint32_t node, Cost f, Cost g) {
    if (f >= best_) return;
    if (f > max_cost_) {
        pruned_ = true;
        return;
    }
    open_.push(node, f, g);
    ++statistics_.generated;
    if (const Link parent = labels_[node].parent; parent == kNone) {
        observer.generated(node, g, f);
    } else {
        observer.generated(node, portal_of(parent), g, f);
    }
}

template <class Observer>
bool PortalSearch<Observer>::settle(std::size_t goal) {
    const GoalSet::Goal& settled = goals.all()[goal];
    settled_goal_ = goal;
    reached_ = settled.index;
    distances[reached_] = labels_[mesh_.num_portals() + goal].g;
    return --remaining_ == 0 || !to_all_;
}

template <class Observer>
void PortalSearch<Observer>::append_partial_path(std::vector<Link>& links) const {
    NearestOpen nearest;
    open_.for_each([&](std::uint32_t node, Cost f) {
        const Label& label = labels_[node];
        if (f == label.g + label.h) nearest.offer(node, label.h, label.g);  // not outdated
    });
    if (nearest.node() != NearestOpen::kNone) append_path_to(nearest.node(), links);
}

template <class Observer>
void PortalSearch<Observer>::append_path_to(std::uint32_t node, std::vector<Link>& links) const {
    const std::size_t before = links.size();
    const Label& label = labels_[node];
    Link at = node < mesh_.num_portals() ? 2 * node + (label.stamp & 1) : label.parent;
    for (; at != kNone; at = labels_[portal_of(at)].parent) links.push_back(twin(at));
    std::reverse(links.begin() + static_cast<std::ptrdiff_t>(before), links.end());
}

constexpr std::uint64_t kSlice = 512;
constexpr std::uint64_t kNoBudget = std::numeric_limits<std::uint64_t>::max();

}  // namespace

namespace {

// The names of nodes in a trace.
struct NodeNames {
    const Mesh* mesh = nullptr;
    TracePoint goal;
    TraceNode operator()(std::uint32_t node) const {
        if (node < mesh->num_portals()) return trace_node(*mesh, node);
        return {TraceEvent::kGoal, goal};
    }
};

// The search of an Astar, or one that records.
template <class Observer>
struct PortalRun : SearchRun<PortalSearch<Observer>> {
    void begin(const Mesh& mesh, const Place& start, const Place& goal, const AstarOptions& options,
               const SearchLimits& limits) {
        const StatusCode code = check_endpoints(mesh, start, goal);
        if (code != StatusCode::ok) return this->refuse(code);
        this->search.goals.assign(mesh, {&goal, 1});
        this->search.begin(mesh, start, 1, false, limits.max_cost);
        this->start(limits, options.cost_only);
    }
};

}  // namespace

struct Astar::State : PortalRun<NoObserver> {};

Astar::Astar() : state_(std::make_unique<State>()) {}
Astar::~Astar() = default;
Astar::Astar(Astar&&) noexcept = default;
Astar& Astar::operator=(Astar&&) noexcept = default;

std::size_t Astar::memory() const noexcept { return memory_of(state_); }

void Astar::begin(const Mesh& mesh, const Place& start, const Place& goal,
                  const AstarOptions& options, const SearchLimits& limits) {
    state_->begin(mesh, start, goal, options, limits);
}

Progress Astar::advance(std::uint64_t max_expansions) {
    return state_->advance(max_expansions, kSlice) ? Progress::running : Progress::finished;
}

StatusCode Astar::take(Path& out) { return state_->take(out); }

StatusCode Astar::find_path(const Mesh& mesh, const Place& start, const Place& goal, Path& out,
                            const AstarOptions& options, const SearchLimits& limits) {
    begin(mesh, start, goal, options, limits);
    advance(kNoBudget);
    return take(out);
}

[[gnu::cold]] StatusCode Astar::trace_path(const Mesh& mesh, const Place& start, const Place& goal,
                                           Path& out, SearchTrace& trace,
                                           const AstarOptions& options,
                                           const SearchLimits& limits) {
    TraceRecorder recorder(trace);
    PortalRun<TraceObserver<NodeNames>> run;
    if (check_endpoints(mesh, start, goal) == StatusCode::ok) {
        record_ends(mesh, start, goal, recorder);
        const TracePoint end = trace_point(mesh.anchor(goal.polygon, goal.point));
        run.search.observer = {recorder, 0, {&mesh, end}};
    }
    run.begin(mesh, start, goal, options, limits);
    run.advance(kNoBudget, kSlice);
    if (run.take(out) == StatusCode::ok) {
        const auto last = run.search.last_portal();
        recorder.met(0, last, out.cost);
    }
    recorder.finish(out.status == StatusCode::ok, out.cost);
    return out.status;
}

StatusCode Astar::find_nearest(const Mesh& mesh, const Place& start, std::span<const Place> goals,
                               Path& out, std::size_t& reached, const AstarOptions& options,
                               const SearchLimits& limits) {
    State& s = *state_;
    reached = goals.size();
    if (const StatusCode code = check_start(mesh, start); code != StatusCode::ok) {
        s.refuse(code);
    } else if (!s.search.goals.assign(mesh, goals)) {
        s.refuse(StatusCode::goal_blocked);
    } else {
        s.search.begin(mesh, start, goals.size(), false, limits.max_cost);
        s.start(limits, options.cost_only);
        advance(kNoBudget);
        if (s.status() == StatusCode::ok) reached = s.search.reached();
    }
    return take(out);
}

StatusCode Astar::distances(const Mesh& mesh, const Place& start, std::span<const Place> goals,
                            std::span<Cost> out, const SearchLimits& limits) {
    State& s = *state_;
    s.refuse(StatusCode::ok);
    if (out.size() != goals.size()) return StatusCode::bad_option;
    std::fill(out.begin(), out.end(), kInfinity);
    if (const StatusCode code = check_start(mesh, start); code != StatusCode::ok) {
        s.refuse(code);
        return code;
    }
    if (!s.search.goals.assign(mesh, goals)) return StatusCode::ok;
    s.search.begin(mesh, start, goals.size(), true, limits.max_cost);
    s.start(limits, true);
    advance(kNoBudget);
    std::copy(s.search.distances.begin(), s.search.distances.end(), out.begin());
    return s.status() == StatusCode::no_path ? StatusCode::ok : s.status();
}

const SearchStatistics& Astar::statistics() const noexcept { return state_->search.statistics(); }

}  // namespace cairn::mesh
