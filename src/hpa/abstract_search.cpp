#include "hpa/abstract_search.hpp"

#include "grid/trace_points.hpp"

namespace cairn::hpa {

namespace {

// The names of nodes in a trace.
auto names(const Snapshot& snapshot) {
    return
        [&map = snapshot.overlay.base.map](grid::Cell cell) { return grid::trace_node(map, cell); };
}

}  // namespace

void AbstractSearch::begin(const Snapshot& snapshot, Engine engine, Endpoint& start, Endpoint& goal,
                           Cost bound, SearchStatistics& connect_effort, TraceRecorder* trace) {
    snapshot_ = &snapshot;
    trace_ = trace;
    climbs_ = engine == Engine::climb;
    by_labels_ = climbs_ || engine == Engine::cut_labels;
    if (by_labels_) {
        labels_ = snapshot.labels.get();
        start_ = start.place;
        goal_ = goal.place;
        list_connectors(start, from_);
        list_connectors(goal, to_);
        return search_labels(bound);
    }
    LevelsSearch<GridBase>::Task task;
    task.start = &start;
    task.goal = &goal;
    task.last_level = engine == Engine::astar ? 1 : snapshot.overlay.base.levels();
    task.bound = bound;
    task.connect_effort = &connect_effort;
    with_observer(trace_, 1, names(snapshot),
                  [&](const auto& observer) { levels_.begin(snapshot.overlay, task, observer); });
}

bool AbstractSearch::advance(std::uint64_t budget) {
    if (by_labels_) return false;
    return with_observer(trace_, 1, names(*snapshot_),
                         [&](const auto& observer) { return levels_.advance(budget, observer); });
}

void AbstractSearch::list_connectors(const Endpoint& end,
                                     std::vector<Connector>& connectors) const {
    connectors.clear();
    const LevelOneNodes::OfCluster numbers = labels_->nodes.of(end.clusters[0]);
    for (std::uint32_t slot = 0; slot < end.costs[0].size(); ++slot) {
        if (end.costs[0][slot] < kInfinity)
            connectors.push_back({numbers[slot], end.costs[0][slot]});
    }
}

void AbstractSearch::search_labels(Cost bound) {
    path_.clear();
    const Cost cost = finder().distance(from_, to_, bounds(), bound);
    found_ = path_pending_ = cost < bound;
    best_ = found_ ? cost : bound;
}

const std::vector<grid::Cell>& AbstractSearch::path() {
    if (!by_labels_) return levels_.path();
    if (path_pending_) {
        static_cast<void>(finder().find_path_of(best_, from_, to_, bounds(), label_nodes_));
        for (const std::uint32_t node : label_nodes_) path_.push_back(labels_->nodes.cell(node));
        path_pending_ = false;
    }
    return path_;
}

}  // namespace cairn::hpa
