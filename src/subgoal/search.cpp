#include "subgoal/search.hpp"

#include <algorithm>

#include "core/labels/label_finder.hpp"
#include "grid/climb_bounds.hpp"
#include "grid/trace_points.hpp"
#include "subgoal/engines.hpp"

namespace cairn::subgoal {

using grid::Point;

namespace {

// The names of subgoals in a trace.
auto subgoal_names(const Snapshot& snapshot) {
    return [&snapshot](std::uint32_t node) {
        const Point p = snapshot.bits.point(node);
        return TraceNode{snapshot.map.cell(p), grid::trace_point(p)};
    };
}

}  // namespace

void GraphSearch::begin(const Snapshot& snapshot, Point goal, std::span<const Connector> from,
                        std::span<const Connector> to, Cost bound, TraceRecorder* trace) {
    snapshot_ = &snapshot;
    trace_ = trace;
    goal_ = goal;
    clear(snapshot.bits.count(), bound);
    for (const auto& [node, cost] : to) {
        Node& n = touch(node);
        n.to_goal = std::min(n.to_goal, cost);
    }
    with_observer(trace_, 1, subgoal_names(snapshot), [&](const auto& observer) {
        for (const auto& [node, cost] : from)
            offer(node, snapshot.bits.point(node), cost, kNone, observer);
    });
}

bool GraphSearch::advance(std::uint64_t budget) {
    const grid::Map& map = snapshot_->map;
    return with_observer(trace_, 1, subgoal_names(*snapshot_), [&](const auto& observer) {
        const auto expand = [&](std::uint32_t u, Cost g, Cost) {
            const Point p = map.point(nodes_[u].note.cell);
            for (const grid::Cell cell : snapshot_->graph.neighbours(p.x, p.y)) {
                const Point q = map.point(cell);
                const Cost there = g + map.distance_bound(p, q);
                if (there < best_) offer(snapshot_->bits.number(q.x, q.y), q, there, u, observer);
            }
        };
        return expand_up_to(budget, expand, observer);
    });
}

template <class Observer>
void GraphSearch::offer(std::uint32_t node, Point p, Cost g, std::uint32_t parent,
                        const Observer& observer) {
    const grid::Map& map = snapshot_->map;
    Node* const n = reach(
        node, g, parent, [&] { return map.distance_bound(p, goal_); }, observer);
    if (n != nullptr) n->note.cell = map.cell(p);
}

void GraphSearch::append_path(std::vector<grid::Cell>& out) const {
    append_to_meeting(out, [this](std::uint32_t node) { return nodes_[node].note.cell; });
}

void LabelSearch::find_bounds(const grid::Map& map, const Endpoint& end, grid::Point other,
                              Side& side) {
    side.bound.clear();
    side.best = 0;
    for (std::size_t i = 0; i < end.connectors.size(); ++i) {
        side.bound.push_back(end.connectors[i].cost + map.distance_bound(end.places[i], other));
        if (side.bound[i] < side.bound[side.best]) side.best = i;
    }
}

void LabelSearch::keep_within(Cost cost, const Endpoint& end, Side& side) {
    side.kept.clear();
    for (std::size_t i = 0; i < end.connectors.size(); ++i) {
        if (i == side.best || side.bound[i] <= cost) side.kept.push_back(end.connectors[i]);
    }
}

Cost LabelSearch::run(const Snapshot& snapshot, Engine engine, const Endpoint& start,
                      const Endpoint& goal, std::vector<std::uint32_t>* nodes) {
    if (nodes != nullptr) nodes->clear();
    if (start.connectors.empty() || goal.connectors.empty()) return kInfinity;
    const CutLabels& labels = snapshot.labels;
    if (engine == Engine::cut_labels && labels.piece() == 0)
        return by_labels(snapshot, start, goal, nodes);
    const LabelFinder finder(labels, engine == Engine::climb, scratch_);
    const grid::Map& map = snapshot.map;
    const grid::ClimbBounds bounds(map, snapshot.nodes, map.point(start.cell),
                                   map.point(goal.cell));
    if (nodes == nullptr) return finder.distance(start.connectors, goal.connectors, bounds);
    return finder.find_path(start.connectors, goal.connectors, bounds, *nodes);
}

// If start and goal are far apart, one query has all connectors. If they are near, the path by the
// best pair of connectors is evaluated first. Its cost tells which others may be on a shortest
// path. All these are kept, so that climbing, with all connectors, finds the same of several such
// paths.
Cost LabelSearch::by_labels(const Snapshot& snapshot, const Endpoint& start, const Endpoint& goal,
                            std::vector<std::uint32_t>* nodes) {
    const CutLabels& labels = snapshot.labels;
    const auto quick = nodes != nullptr
                           ? labels.quick_path(start.connectors, goal.connectors, scratch_, *nodes)
                           : labels.quick_distance(start.connectors, goal.connectors, scratch_);
    if (quick) return *quick;
    find_bounds(snapshot.map, start, snapshot.map.point(goal.cell), start_);
    find_bounds(snapshot.map, goal, snapshot.map.point(start.cell), goal_);
    const Connector& from = start.connectors[start_.best];
    const Connector& to = goal.connectors[goal_.best];
    // Pruning may have disconnected this pair. Then the cost is kInfinity, and all are kept.
    const auto cost = static_cast<Cost>(std::min<std::uint64_t>(
        std::uint64_t{from.cost} + labels.distance(from.node, to.node) + to.cost, kInfinity));
    keep_within(cost, start, start_);
    keep_within(cost, goal, goal_);
    if (nodes != nullptr) return labels.find_path(start_.kept, goal_.kept, scratch_, *nodes);
    if (start_.kept.size() == 1 && goal_.kept.size() == 1) return cost;
    return labels.distance(start_.kept, goal_.kept, scratch_);
}

}  // namespace cairn::subgoal
