#pragma once
// Holds single clusters of an index file against the map.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "hpa/entrances.hpp"
#include "hpa/snapshot.hpp"
#include "index_file/cluster_inside.hpp"

namespace cairn::index_file {

/// For each node of a cluster the part of it, a set of cells that its inside connects, in which the
/// node lies, and the number of cells there.
struct NodeParts {
    std::span<std::uint32_t> part;
    std::span<std::uint32_t> cells;
};

/// Whether a record has the size that its number of nodes asks for, and costs that are the same in
/// both directions.
[[nodiscard]] bool well_shaped(RecordStore::Record record) noexcept;

/// Whether intra-edges are finite exactly inside parts, at least the map's distance bound there and
/// at most what a walk over the whole part could cost.
[[nodiscard]] bool costs_plausible(const grid::Map& map, const ClusterView& view,
                                   const NodeParts& parts);

/// Checks 1-clusters. Each thread has its own.
class FirstLevelCheck {
public:
    explicit FirstLevelCheck(const hpa::Snapshot& snapshot)
        : snapshot_(&snapshot),
          finder_(snapshot.overlay.base.map, snapshot.overlay.base.partition, snapshot.options) {}

    /// What is wrong with a well shaped cluster and its move tables; empty if nothing. Fills in
    /// `parts`, which are numbered in the order of their first nodes.
    [[nodiscard]] std::string_view fault(std::uint32_t cluster, const NodeParts& parts);

private:
    [[nodiscard]] bool has_nodes_of_map(std::uint32_t cluster, const ClusterView& view);
    void find_parts(const ClusterView& view, const NodeParts& parts);
    [[nodiscard]] std::string_view table_fault(std::uint32_t cluster, const ClusterView& view);

    const hpa::Snapshot* snapshot_;
    hpa::EntranceFinder finder_;
    ClusterInside inside_;
};

}  // namespace cairn::index_file
