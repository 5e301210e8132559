#pragma once
// Makes the annotated record of one cluster (haa/annotated_cluster.hpp): its nodes with their
// inter-edges, and the intra-edges that the abstraction keeps.

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

/// Use one per thread. All arguments of the constructor must outlive it.
class ClusterBuilder {
public:
    ClusterBuilder(const AnnotatedMap& map, const hpa::Partition& partition, const Options& options,
                   std::span<const std::uint8_t> choosing_order);

    /// The record of a cluster. Runs one search inside it for each group of agent classes that have
    /// equal weights there, and each node of one of them. For each class O(n^3) more, where n is
    /// its number of nodes.
    [[nodiscard]] std::vector<std::uint32_t> record(std::uint32_t cluster);
    /// The record of a cluster with the nodes and inter-edges of `before`, its record on a map on
    /// which the same agents can stand at the same anchors.
    [[nodiscard]] std::vector<std::uint32_t> record_with_costs(
        std::uint32_t cluster, std::span<const std::uint32_t> before);

private:
    [[nodiscard]] std::vector<std::uint32_t> record_of(const grid::Rect& rect,
                                                       std::span<const AnnotatedNode> nodes);
    void group_classes(const grid::Rect& rect);
    void search(const grid::Rect& rect, std::span<const AnnotatedNode> nodes);
    void list_nodes(std::span<const AnnotatedNode> nodes);
    void collect_edges();
    void add_edges(std::uint32_t a, std::uint32_t b);
    [[nodiscard]] bool has_stop(std::uint32_t agent_class, std::uint32_t a,
                                std::uint32_t b) const noexcept;

    const AnnotatedMap* map_;
    const hpa::Partition* partition_;
    const Options* options_;
    EntranceFinder finder_;
    grid::LocalSearch local_;

    // Agent classes with equal weights inside the cluster, and therefore equal costs.
    struct Group {
        std::vector<std::uint8_t> weights;  // per cell of the cluster, row by row
        std::vector<Cost> costs;            // nodes x nodes; kInfinity without a path
    };
    std::vector<Group> groups_;
    std::size_t group_count_ = 0;          // the used ones of groups_, whose memory is kept
    std::vector<std::uint32_t> group_of_;  // per agent class
    std::vector<std::uint32_t> places_;    // per node: the index of its cell in Group::weights
    std::vector<ClassSet> classes_;        // per node
    std::vector<std::vector<std::uint32_t>> slots_;  // per agent class: its nodes
    std::vector<std::uint32_t> sources_;             // the nodes of the classes of a group
    std::vector<AnnotatedEdge> edges_;
};

}  // namespace cairn::haa
