#pragma once
// Makes the annotated record of one cluster: nodes, inter-edges, intra-edges.

#include <cstdint>
#include <vector>

#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/options.hpp"
#include "grid/local_search.hpp"
#include "haa/annotated_cluster.hpp"
#include "haa/class_window.hpp"
#include "haa/entrances.hpp"
#include "overlay/partition.hpp"

namespace cairn::haa {

/// Not for several threads at once: each has its own. The map, partition and options must outlive
/// it.
class ClusterBuilder {
public:
    ClusterBuilder(const AnnotatedMap& map, const Partition& partition, const Options& options,
                   const Serving& serving);

    /// The record of a cluster. Agent classes that see the same inside share their searches.
    [[nodiscard]] std::vector<std::uint32_t> record(std::uint32_t cluster);

private:
    const AnnotatedMap* map_;
    const Partition* partition_;
    const Options* options_;
    const Serving* serving_;
    EntranceFinder finder_;
    grid::LocalSearch local_;
};

}  // namespace cairn::haa
