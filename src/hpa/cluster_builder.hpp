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

/// A 1-cluster: its record (overlay/cluster_view.hpp), and its move tables (hpa/move_table.hpp) or
/// nothing.
struct FirstLevelCluster {
    std::vector<std::uint32_t> record;
    std::vector<std::uint32_t> tables;
};

/// Not for several threads at once: each has its own.
class ClusterBuilder {
public:
    ClusterBuilder(const GridBase& base, const Options& options)
        : base_(&base), options_(&options), finder_(base.map, base.partition, options) {}

    /// A 1-cluster with the nodes that its entrances get (section 3.1). One bounded search per
    /// node, not per pair.
    [[nodiscard]] FirstLevelCluster level_one(std::uint32_t cluster);
    /// The move tables of a 1-cluster whose record there is already. One search per node, too.
    [[nodiscard]] std::vector<std::uint32_t> tables(std::uint32_t cluster, const ClusterView& view);

private:
    void append_table(std::vector<std::uint32_t>& tables, std::uint32_t node) const;

    const GridBase* base_;
    const Options* options_;
    EntranceFinder finder_;
    grid::LocalSearch local_;
    std::vector<std::uint32_t> bases_;  // the record in the making
    std::vector<std::uint32_t> infos_;
    std::vector<Cost> costs_;
};

}  // namespace cairn::hpa
