#pragma once
// Holds the parts of an HNA* index file against its mesh, so that whatever the bytes were, no query
// on them and no edit of them reads out of bounds, runs on forever or overflows a cost.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "hna/cluster_search.hpp"
#include "hna/snapshot.hpp"
#include "overlay/level_builder.hpp"

namespace cairn::index_file {

/// Proves the records and rows of clusters right. Each thread has its own.
///
/// Rows are a certificate of themselves: where no cost is more than that of a step and the cost
/// from there, none is above the least one; where each is that of its own next step, and next steps
/// come to an end, none is below. So no search is needed.
class HnaClusterCheck {
public:
    /// Needs, of a snapshot, options, mesh, partition, rows, and records of the level asked for and
    /// all below, the latter without fault and with their slot bits.
    explicit HnaClusterCheck(const hna::Snapshot& snapshot)
        : snapshot_(&snapshot), builder_(snapshot.overlay) {}

    /// What is wrong with a cluster; empty if nothing: then its record and rows are those of a
    /// build, up to the choice among equally good paths.
    [[nodiscard]] std::string_view fault(int level, std::uint32_t cluster);

private:
    enum class Direction : std::uint8_t { towards, away };

    void find_portals(int level, std::uint32_t cluster);
    [[nodiscard]] std::uint32_t place_of(mesh::Portal portal) const;
    [[nodiscard]] bool record_right(const hna::LevelRows* rows);
    [[nodiscard]] bool centre_rows_right();
    [[nodiscard]] std::string_view rows_fault(RecordStore::Record record, Direction direction);
    [[nodiscard]] bool has_portals(const hna::RowsView& rows) const;
    [[nodiscard]] bool read_costs(const hna::RowsView& rows);
    [[nodiscard]] bool none_too_high(Direction direction);
    [[nodiscard]] bool hops_right(const hna::RowsView& rows, Direction direction);
    [[nodiscard]] bool hop_right(const hna::RowsView& rows, Direction direction,
                                 std::uint32_t place, std::uint32_t border);
    [[nodiscard]] bool chains_end(const hna::RowsView& rows);
    [[nodiscard]] Cost step_cost(Direction direction, mesh::Portal from, mesh::Link link) const;
    [[nodiscard]] bool may_step(Direction direction, mesh::Link entered, mesh::Link left) const;
    [[nodiscard]] std::vector<std::uint32_t> record_from_rows() const;

    struct Cell {
        std::uint32_t border;
        std::uint32_t place;
    };

    const hna::Snapshot* snapshot_;
    LevelBuilder<hna::MeshBase> builder_;
    hna::ClusterSearch search_;
    // Of the cluster at hand.
    int level_ = 0;
    std::uint32_t cluster_ = 0;
    std::vector<mesh::Polygon> polygons_;
    std::vector<mesh::Link> borders_;    // ascending
    std::vector<mesh::Portal> portals_;  // those of the borders, then the others, ascending
    std::vector<Cost> costs_;            // of the rows at hand
    std::vector<std::uint32_t> places_;  // of a polygon's portals
    std::vector<Cell> still_;            // whose next step costs nothing
    std::vector<std::uint32_t> chain_;   // by place
};

/// What is wrong with a level of a snapshot, whose number of levels and rows fit its options and
/// whose levels below are without fault; empty if nothing. Needs as many records and rows as
/// clusters. Afterwards inter-edges, intra-edges and rows are right: see HnaClusterCheck. O(rows *
/// steps from a portal) on all cores; without rows, what building the level takes.
[[nodiscard]] std::string level_fault(const hna::Snapshot& snapshot, int level);

/// What is wrong with labels whose arrays CutLabels::from_arrays has accepted; empty if nothing.
/// Needs an overlay without fault, and the graph of its level 1. Afterwards there are hops, and
/// every edge that a hop can take is an intra-edge of level 1. O(labels).
[[nodiscard]] std::string_view label_fault(const hna::Overlay& overlay, const hna::Hng& hng,
                                           const CutLabelArrays& arrays);

}  // namespace cairn::index_file
