#pragma once
// Makes the record of one cluster: abstract nodes, inter-edges, intra-edges, and the move tables of
// a 1-cluster.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/hpa/options.hpp"
#include "grid/local_search.hpp"
#include "hpa/entrances.hpp"
#include "overlay/level_search.hpp"
#include "overlay/overlay.hpp"

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
    /// `overlay` holds the map, the partition and, when a level above 1 is asked for, the level
    /// below it.
    ClusterBuilder(const Overlay& overlay, const Options& options)
        : overlay_(&overlay),
          options_(&options),
          finder_(overlay.map, overlay.partition, options) {}

    /// A 1-cluster with the nodes that its entrances get. One bounded search per node (CHECKLIST
    /// A1.6, D22's lesson).
    [[nodiscard]] FirstLevelCluster level_one(std::uint32_t cluster);
    /// The move tables of a 1-cluster whose record there is already. One search per node, too.
    [[nodiscard]] std::vector<std::uint32_t> tables(std::uint32_t cluster, const ClusterView& view);

    /// The record of an l-cluster, l > 1, from the records of level l - 1 (section 3.4).
    [[nodiscard]] std::vector<std::uint32_t> level(int level, std::uint32_t cluster);

private:
    struct BorderChild {
        grid::Cell cell;
        std::uint32_t child;
        std::uint32_t slot;
        std::uint32_t crossings;
    };
    void find_border_children(int level, std::uint32_t cluster);
    void append_table(std::vector<std::uint32_t>& tables, std::uint32_t node) const;
    void begin_record(std::size_t nodes);
    void add_node(grid::Cell base, std::uint32_t info);

    const Overlay* overlay_;
    const Options* options_;
    EntranceFinder finder_;
    grid::LocalSearch local_;
    LevelSearch search_;
    std::vector<BorderChild> border_;
    std::vector<Cost> start_costs_;
    std::vector<std::uint32_t> bases_;  // the record in the making
    std::vector<std::uint32_t> infos_;
    std::vector<Cost> costs_;
};

}  // namespace cairn::hpa
