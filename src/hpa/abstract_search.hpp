#pragma once
// The search step: from the connections of S and G to an abstract path, by one of the engines.

#include <cstdint>
#include <vector>

#include "cairn/hpa/query.hpp"
#include "core/labels/label_finder.hpp"
#include "core/memory.hpp"
#include "core/trace_recorder.hpp"
#include "grid/climb_bounds.hpp"
#include "hpa/connect.hpp"
#include "hpa/snapshot.hpp"
#include "overlay/levels_search.hpp"

namespace cairn::hpa {

/// Runs in slices. Use one per thread.
class AbstractSearch {
public:
    /// Begins a search between two endpoints connected to level 1, for a path that costs less than
    /// `bound`. Connects them to higher levels where the engine needs that, and adds the effort to
    /// `connect_effort`. The engine must not be `automatic`. `trace`: where to record the search;
    /// may be null.
    void begin(const Snapshot& snapshot, Engine engine, Endpoint& start, Endpoint& goal, Cost bound,
               SearchStatistics& connect_effort, TraceRecorder* trace);

    /// Expands up to `budget` nodes more. False once the search has ended.
    bool advance(std::uint64_t budget);

    /// Ends the search early. Then found() tells whether path() leads to the goal; if not, it leads
    /// to the open node nearest the goal.
    void stop() {
        if (!by_labels_) levels_.stop();
    }

    /// After the end: the cost of the cheapest path, or the bound if no path costs less.
    [[nodiscard]] Cost cost() const noexcept { return by_labels_ ? best_ : levels_.cost(); }
    [[nodiscard]] bool found() const noexcept { return by_labels_ ? found_ : levels_.found(); }
    /// The effort of the search so far; labels and climbing expand nothing.
    [[nodiscard]] SearchStatistics statistics() const noexcept {
        return by_labels_ ? SearchStatistics{} : levels_.statistics();
    }
    [[nodiscard]] int path_level() const noexcept { return by_labels_ ? 1 : levels_.path_level(); }
    /// The nodes of the path found, on path_level() and without S and G. Valid until begin(). With
    /// labels the first call computes it.
    [[nodiscard]] const std::vector<grid::Cell>& path();

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(levels_, path_, from_, to_, label_nodes_, label_scratch_);
    }

private:
    void search_labels(Cost bound);
    void list_connectors(const Endpoint& end, std::vector<Connector>& connectors) const;

    /// For the search by labels.
    [[nodiscard]] LabelFinder finder() noexcept {
        return {labels_->labels, climbs_, label_scratch_};
    }
    [[nodiscard]] grid::ClimbBounds<LevelOneNodes> bounds() const noexcept {
        return {snapshot_->overlay.base.map, labels_->nodes, start_, goal_};
    }

    const Snapshot* snapshot_ = nullptr;
    TraceRecorder* trace_ = nullptr;
    bool by_labels_ = false;  // or by climbing
    LevelsSearch<GridBase> levels_;

    // These serve the search by labels.
    const LabelEngine* labels_ = nullptr;
    bool climbs_ = false;
    Cost best_ = kInfinity;
    bool found_ = false;
    bool path_pending_ = false;  // whether path_ is still to be computed
    std::vector<grid::Cell> path_;
    grid::Point start_;
    grid::Point goal_;
    std::vector<Connector> from_;
    std::vector<Connector> to_;
    std::vector<std::uint32_t> label_nodes_;  // of the path
    CutLabels::Scratch label_scratch_;
};

}  // namespace cairn::hpa
