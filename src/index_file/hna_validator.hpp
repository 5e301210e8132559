#pragma once
// Checks the parts of an HNA* index file against its mesh, so that on an accepted file no query and
// no edit reads out of bounds, runs forever or overflows a cost.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "hna/cluster_search.hpp"
#include "hna/snapshot.hpp"
#include "overlay/levels.hpp"

namespace cairn::index_file {

/// Checks the records and rows of clusters. Use one per thread.
///
/// No search is needed. If no cost exceeds that of a step plus the cost from there, none is above
/// the least cost. If each cost equals that of its next step plus the cost from there, and
/// following next steps ends, none is below the least cost.
class HnaClusterCheck {
public:
    /// Needs the snapshot's options, mesh, partition and rows, the records of the level to check,
    /// and valid records with slot bits of all levels below.
    explicit HnaClusterCheck(const hna::Snapshot& snapshot)
        : snapshot_(&snapshot), builder_(snapshot.overlay) {}

    /// The fault of a cluster; empty if there is none. Its record and rows then equal those that a
    /// build gives, except for the choice among paths of equal cost.
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
    // Of the current cluster.
    int level_ = 0;
    std::uint32_t cluster_ = 0;
    std::vector<mesh::Polygon> polygons_;
    std::vector<mesh::Link> borders_;    // ascending
    std::vector<mesh::Portal> portals_;  // those of the borders, then the others, ascending
    std::vector<Cost> costs_;            // of the current rows
    std::vector<std::uint32_t> places_;  // of a polygon's portals
    std::vector<Cell> still_;            // cells whose next step costs nothing
    std::vector<std::uint32_t> chain_;   // by place
};

/// The fault of a level of a snapshot; empty if there is none. Its number of levels and its rows
/// must fit its options, the levels below must be without fault, and there must be as many records
/// and rows as clusters. Inter-edges, intra-edges and rows of an accepted level are right: see
/// HnaClusterCheck. O(rows * steps from a portal) on all cores; without rows, as long as building
/// the level.
[[nodiscard]] std::string level_fault(const hna::Snapshot& snapshot, int level);

/// The fault of labels whose arrays CutLabels::from_arrays has accepted; empty if there is none.
/// Needs an overlay without fault, and the graph of its level 1. Accepted labels have hops, and
/// every edge that a hop can take is an intra-edge of level 1. O(labels).
[[nodiscard]] std::string_view label_fault(const hna::Overlay& overlay, const hna::Hng& hng,
                                           const CutLabelArrays& arrays);

}  // namespace cairn::index_file
