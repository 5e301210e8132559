#pragma once
// Makes 1-clusters: abstract nodes, inter-edges, intra-edges, and move tables.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cairn/hpa/options.hpp"
#include "grid/local_search.hpp"
#include "hpa/entrances.hpp"
#include "hpa/grid_base.hpp"

namespace cairn::hpa {

/// A 1-cluster.
struct FirstLevelCluster {
    std::vector<std::uint32_t> record;  ///< overlay/cluster_view.hpp
    std::vector<std::uint32_t> tables;  ///< hpa/move_table.hpp; empty if the index has none
};

/// What all moves inside a cluster cost now, as a multiple of what they cost before: `now` /
/// `before`, terrain weights.
struct CostScale {
    std::uint32_t before = 1;
    std::uint32_t now = 1;
    friend bool operator==(const CostScale&, const CostScale&) = default;
};

/// The scale from the costs of one map to those of another inside `area`, if there is one for all
/// free cells. The maps must have the same moves. O(area).
[[nodiscard]] std::optional<CostScale> cost_scale(const grid::Map& before, const grid::Map& now,
                                                  const grid::Rect& area);

/// Use one per thread.
class ClusterBuilder {
public:
    ClusterBuilder(const GridBase& base, const Options& options)
        : base_(&base), options_(&options), finder_(base.map, base.partition, options) {}

    /// A 1-cluster with the nodes of its entrances (HPA* paper, section 3.1). Takes one search
    /// inside the cluster for each node, not for each pair.
    [[nodiscard]] FirstLevelCluster level_one(std::uint32_t cluster);
    /// A 1-cluster with the nodes and inter-edges of a record of the same cluster.
    [[nodiscard]] FirstLevelCluster with_nodes_of(std::uint32_t cluster, const ClusterView& view);
    /// The record of a 1-cluster with these nodes and inter-edges whose costs have scaled. Needs
    /// costs that fit: see Snapshot::inside_costs_fit.
    [[nodiscard]] std::vector<std::uint32_t> scaled_record(const ClusterView& view,
                                                           const CostScale& scale);
    /// The move tables of a 1-cluster whose record exists already. One search for each node, too.
    [[nodiscard]] std::vector<std::uint32_t> tables(std::uint32_t cluster, const ClusterView& view);

private:
    void take_nodes(const ClusterView& view);
    [[nodiscard]] FirstLevelCluster with_costs(std::uint32_t cluster);
    void append_table(std::vector<std::uint32_t>& tables, std::uint32_t node) const;

    const GridBase* base_;
    const Options* options_;
    EntranceFinder finder_;
    grid::LocalSearch local_;
    std::vector<std::uint32_t> bases_;  // the parts of the record being built
    std::vector<std::uint32_t> infos_;
    std::vector<Cost> costs_;
};

}  // namespace cairn::hpa
