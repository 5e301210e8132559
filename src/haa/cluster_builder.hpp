#pragma once
// Makes the annotated record of one cluster: nodes, inter-edges, intra-edges.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/options.hpp"
#include "grid/local_search.hpp"
#include "haa/annotated_cluster.hpp"
#include "haa/entrances.hpp"
#include "hpa/partition.hpp"

namespace cairn::haa {

/// Not for several threads at once: each has its own. The map, partition and options must outlive
/// it.
class ClusterBuilder {
public:
    ClusterBuilder(const AnnotatedMap& map, const hpa::Partition& partition, const Options& options,
                   const Serving& serving);

    /// The record of a cluster. Agent classes that see the same inside share their searches.
    [[nodiscard]] std::vector<std::uint32_t> record(std::uint32_t cluster);

private:
    void group_classes(const grid::Rect& rect);
    void search(const grid::Rect& rect, std::span<const AnnotatedNode> nodes);
    void collect_edges(std::size_t pairs);
    [[nodiscard]] bool dominated(std::uint8_t agent_class, std::size_t pair) const noexcept;

    const AnnotatedMap* map_;
    const hpa::Partition* partition_;
    const Options* options_;
    const Serving* serving_;
    EntranceFinder finder_;
    grid::LocalSearch local_;

    // Classes that see the same inside.
    struct Group {
        std::vector<std::uint8_t> weights;
        std::vector<Cost> costs;  // of pairs of nodes
    };
    std::vector<Group> groups_;
    std::size_t group_count_ = 0;
    std::vector<std::uint32_t> group_of_;  // per class
    std::vector<std::uint32_t> places_;    // per node: its cell in the cluster
    std::vector<std::uint32_t> standing_;  // the nodes that a group can stand on
    std::vector<std::uint8_t> edges_of_pair_;
    std::vector<AnnotatedEdge> edges_;
};

}  // namespace cairn::haa
