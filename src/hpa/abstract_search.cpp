#include "hpa/abstract_search.hpp"

namespace cairn::hpa {

void AbstractSearch::begin(const Snapshot& snapshot, Engine engine, Endpoint& start, Endpoint& goal,
                           Cost bound, SearchStatistics& connect_effort) {
    climbs_ = engine == Engine::climb;
    by_labels_ = climbs_ || engine == Engine::cut_labels;
    if (by_labels_) {
        labels_ = snapshot.labels.get();
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
    levels_.begin(snapshot.overlay, task);
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
    const Cost cost = finder().distance(from_, to_);
    found_ = path_pending_ = cost < bound;
    best_ = found_ ? cost : bound;
}

const std::vector<grid::Cell>& AbstractSearch::path() {
    if (!by_labels_) return levels_.path();
    if (path_pending_) {
        static_cast<void>(finder().find_path(from_, to_, label_nodes_));
        for (const std::uint32_t node : label_nodes_) path_.push_back(labels_->nodes.cell(node));
        path_pending_ = false;
    }
    return path_;
}

}  // namespace cairn::hpa
