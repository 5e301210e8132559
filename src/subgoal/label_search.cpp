#include "subgoal/label_search.hpp"

#include <algorithm>

#include "subgoal/engines.hpp"

namespace cairn::subgoal {

void LabelSearch::measure(const grid::Map& map, const End& end, grid::Point other, Side& side) {
    side.bound.clear();
    side.best = 0;
    for (std::size_t i = 0; i < end.taut.size(); ++i) {
        side.bound.push_back(end.taut[i].cost + map.distance_bound(end.taut_place[i], other));
        if (side.bound[i] < side.bound[side.best]) side.best = i;
    }
}

void LabelSearch::keep(const End& end, Cost below, Side& side) {
    side.kept.clear();
    for (std::size_t i = 0; i < end.taut.size(); ++i) {
        if (i == side.best || side.bound[i] < below) side.kept.push_back(end.taut[i]);
    }
}

// Ends that are far apart are asked for at once. If they are near, the way by the most promising
// connector of each costs one label query and says which others can do better.
Cost LabelSearch::run(const Snapshot& snapshot, const End& start, const End& goal,
                      std::vector<std::uint32_t>* nodes) {
    if (nodes != nullptr) nodes->clear();
    if (start.taut.empty() || goal.taut.empty()) return kInfinity;
    const CutLabels& labels = snapshot.engines->labels;
    const auto quick = nodes != nullptr ? labels.quick_path(start.taut, goal.taut, scratch_, *nodes)
                                        : labels.quick_distance(start.taut, goal.taut, scratch_);
    if (quick) return *quick;
    measure(snapshot.map, start, snapshot.map.point(goal.cell), start_);
    measure(snapshot.map, goal, snapshot.map.point(start.cell), goal_);
    const Connector& from = start.taut[start_.best];
    const Connector& to = goal.taut[goal_.best];
    // Pruned edges may part them though others are connected: then all are kept.
    const auto cost = static_cast<Cost>(std::min<std::uint64_t>(
        std::uint64_t{from.cost} + labels.distance(from.node, to.node) + to.cost, kInfinity));
    keep(start, cost, start_);
    keep(goal, cost, goal_);
    if (nodes != nullptr) return labels.find_path(start_.kept, goal_.kept, scratch_, *nodes);
    if (start_.kept.size() == 1 && goal_.kept.size() == 1) return cost;
    return labels.distance(start_.kept, goal_.kept, scratch_);
}

}  // namespace cairn::subgoal
