#pragma once
// The parts of an HPA* index. Immutable once it is shared.

#include <cstdint>
#include <memory>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/hpa/options.hpp"
#include "hpa/grid_base.hpp"
#include "hpa/move_table.hpp"
#include "overlay/components.hpp"

namespace cairn::hpa {

/// Cut labels over the nodes of level 1, numbered cluster by cluster.
struct LabelEngine {
    std::vector<std::uint32_t>
        first_node;                 // per cluster, and one more: the number of its first node
    std::vector<grid::Cell> cells;  // per node
    CutLabels labels;

    [[nodiscard]] std::size_t bytes() const {
        return labels.statistics().bytes() + cells.size() * sizeof(grid::Cell) +
               first_node.size() * sizeof(std::uint32_t);
    }
};

struct Snapshot {
    std::uint64_t id = 0;
    Options options;
    Overlay overlay;
    RecordStore tables;  // per 1-cluster; empty records if there are no move tables
    NodeComponents components;
    std::shared_ptr<const LabelEngine> labels;
    /// While `labels` is null after an edit: those of the last snapshot that had any, for their
    /// order.
    std::shared_ptr<const LabelEngine> earlier_labels;
    Status labels_status;

    [[nodiscard]] MoveTables move_tables(std::uint32_t cluster) const noexcept {
        return {tables[cluster], overlay.base.partition.rect(1, cluster)};
    }
};

/// The id of an index built afresh. Never 0. O(map).
[[nodiscard]] std::uint64_t fresh_snapshot_id(const grid::Map& map, const Options& options);

/// The numbering of the nodes of level 1, without labels yet. O(nodes).
[[nodiscard]] LabelEngine number_label_nodes(const Overlay& overlay);

/// Gives a snapshot labels, or, where they would be too large, a labels_status that says so. They
/// take over the order of its earlier labels, if there are any and they are not worn out. Errors:
/// cancelled.
[[nodiscard]] Status add_labels(Snapshot& snapshot, const BuildControl& control);

}  // namespace cairn::hpa
