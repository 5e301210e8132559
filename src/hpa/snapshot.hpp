#pragma once
// A snapshot: the parts of an HPA* index. Immutable once it is shared.

#include <cstdint>
#include <memory>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/hpa/options.hpp"
#include "core/labels/planner_labels.hpp"
#include "hpa/grid_base.hpp"
#include "hpa/level_one_graph.hpp"
#include "hpa/move_table.hpp"
#include "overlay/components.hpp"

namespace cairn::hpa {

/// Cut labels over the graph of level 1.
struct LabelEngine {
    LevelOneNodes nodes;  ///< those of the snapshot
    CutLabels labels;     ///< or only their closure
};

struct Snapshot {
    std::uint64_t id = 0;
    Options options;
    Overlay overlay;
    RecordStore tables;  ///< the move tables of each 1-cluster; empty records if there are none
    NodeComponents components;  ///< by paths below kInfinity: see inside_costs_fit
    LevelOneNodes nodes;
    std::shared_ptr<const LabelEngine> labels;  ///< null if there is not even a closure
    Status labels_status;                       ///< ok, or why there are no labels

    [[nodiscard]] bool has_labels() const noexcept {
        return labels != nullptr && labels_status.ok();
    }
    [[nodiscard]] bool has_closure() const noexcept { return labels != nullptr; }

    /// Whether all shortest paths inside 1-clusters cost less than kInfinity. Otherwise cells may
    /// be connected that the components and the connections inside clusters say are not.
    [[nodiscard]] bool inside_costs_fit() const noexcept {
        const auto side = static_cast<std::uint64_t>(overlay.base.partition.side(1));
        return side * side * overlay.base.map.max_move() < kInfinity;
    }
    [[nodiscard]] MoveTables move_tables(std::uint32_t cluster) const noexcept {
        return {tables[cluster], overlay.base.partition.rect(1, cluster)};
    }
};

/// The id of an index built from scratch, a hash of the map's fingerprint and of all options but
/// those of labels. Never 0.
[[nodiscard]] std::uint64_t fresh_snapshot_id(std::uint64_t fingerprint, const Options& options);

/// The id of the index `id` under other weights: a hash. Never 0.
[[nodiscard]] std::uint64_t reweighted_id(std::uint64_t id, const grid::TerrainWeights& weights);

/// Gives a snapshot labels, or only their closure, or neither, with a labels_status that says why.
/// Repairs labels if the snapshot has a closure whose order can be used; else numbers the nodes
/// from scratch and builds labels in a fresh order. Errors: cancelled; out_of_memory.
[[nodiscard]] Status add_labels(Snapshot& snapshot, OrderUse order, const BuildControl& control);

/// Numbers the nodes of a snapshot from scratch and gives it a closure in a fresh order, without
/// labels. Errors: as Closure::build.
[[nodiscard]] Status add_fresh_closure(Snapshot& snapshot, const BuildControl& control);

/// Gives a snapshot, whose nodes are numbered from scratch, what `before` has of labels: labels and
/// their closure, only the closure, or neither; and its labels_status. `before` is a snapshot of
/// the same map under other weights. If it has the `same_nodes`, its order is kept. Errors: as
/// keep_labels, Closure::build.
[[nodiscard]] Status add_labels_as(const Snapshot& before, bool same_nodes, Snapshot& snapshot,
                                   const BuildControl& control);

/// Where the nodes lie, by number; anywhere if they were removed.
[[nodiscard]] std::vector<NodePoint> points_of(const grid::Map& map, const LevelOneNodes& nodes);

/// Numbers the nodes of a snapshot from scratch, those of its closure, too. Labels must be left out
/// before.
void renumber(Snapshot& snapshot);

}  // namespace cairn::hpa
