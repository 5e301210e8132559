#pragma once
// Makes 1-clusters: abstract nodes, inter-edges, intra-edges, and move tables.

#include <cstdint>
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

/// Use one per thread.
class ClusterBuilder {
public:
    ClusterBuilder(const GridBase& base, const Options& options)
        : base_(&base), options_(&options), finder_(base.map, base.partition, options) {}

    /// A 1-cluster with the nodes of its entrances (HPA* paper, section 3.1). Takes one search
    /// inside the cluster for each node, not for each pair.
    [[nodiscard]] FirstLevelCluster level_one(std::uint32_t cluster);
    /// The move tables of a 1-cluster whose record exists already. One search for each node, too.
    [[nodiscard]] std::vector<std::uint32_t> tables(std::uint32_t cluster, const ClusterView& view);

private:
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
