#include "hpa/abstract_search.hpp"

#include <algorithm>

namespace cairn::hpa {
void AbstractSearch::begin(const Snapshot& snapshot, Engine engine, End& start, End& goal,
                           Cost bound, Connect& connect, grid::SearchStatistics& connect_effort) {
    snapshot_ = &snapshot;
    connect_effort_ = &connect_effort;
    statistics_ = lower_levels_ = {};
    connect_ = &connect;
    start_ = &start;
    goal_ = &goal;
    engine_ = engine;
    best_ = bound;
    found_ = false;
    labels_path_pending_ = false;
    path_.clear();
    if (engine == Engine::cut_labels) return search_labels();

    // A path either stays inside the cluster of level + 1 that holds both ends, or leaves it by its
    // border nodes, which the next level connects. So each level is searched inside the shared
    // cluster above it, the last one everywhere.
    last_level_ = engine == Engine::astar ? 1 : snapshot.overlay.partition.levels();
    level_ = std::clamp(snapshot.overlay.border_level(start.cell, goal.cell), 1, last_level_);
    begin_level();
}

void AbstractSearch::begin_level() {
    const Overlay& overlay = snapshot_->overlay;
    connect_->to_level(*snapshot_, level_, *start_, *connect_effort_);
    connect_->to_level(*snapshot_, level_, *goal_, *connect_effort_);
    LevelSearch::Task task;
    task.level = level_;
    task.confine = level_ < last_level_ ? overlay.cluster_of(level_ + 1, start_->cell) : kNoCluster;
    task.start = start_->terminal(level_);
    task.goal = goal_->terminal(level_);
    task.goal_point = overlay.map.point(goal_->cell);
    task.bound = best_;
    search_.begin(overlay, task);
}

bool AbstractSearch::advance(std::uint64_t budget) {
    if (engine_ == Engine::cut_labels) return false;
    while (true) {
        const std::uint64_t before = search_.statistics().expanded;
        const LevelSearch::State state = search_.advance(budget);
        budget -= search_.statistics().expanded - before;
        statistics_ = lower_levels_;
        statistics_ += search_.statistics();
        if (state == LevelSearch::State::running) return true;
        lower_levels_ = statistics_;
        if (state == LevelSearch::State::found) {
            best_ = search_.cost();
            found_ = true;
            path_level_ = level_;
            path_.clear();
            search_.append_path(path_);
        }
        if (level_ == last_level_) return false;
        ++level_;
        begin_level();
    }
}

void AbstractSearch::list_connectors(const End& end, std::vector<Connector>& connectors) const {
    connectors.clear();
    const std::uint32_t first = snapshot_->labels->first_node[end.clusters[0]];
    for (std::uint32_t slot = 0; slot < end.costs[0].size(); ++slot) {
        if (end.costs[0][slot] < kInfinity)
            connectors.push_back({first + slot, end.costs[0][slot]});
    }
}

void AbstractSearch::search_labels() {
    list_connectors(*start_, from_);
    list_connectors(*goal_, to_);
    const Cost cost = snapshot_->labels->labels.distance(from_, to_, label_scratch_);
    if (cost >= best_) return;
    best_ = cost;
    found_ = true;
    path_level_ = 1;
    labels_path_pending_ = true;
}

const std::vector<grid::Cell>& AbstractSearch::path() {
    if (labels_path_pending_) {
        const LabelEngine& engine = *snapshot_->labels;
        static_cast<void>(engine.labels.find_path(from_, to_, label_scratch_, label_nodes_));
        for (const std::uint32_t node : label_nodes_) path_.push_back(engine.cells[node]);
        labels_path_pending_ = false;
    }
    return path_;
}

}  // namespace cairn::hpa
