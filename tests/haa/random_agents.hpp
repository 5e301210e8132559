#pragma once
// Seeded random terrain, agents and options of every kind, and the cluster records built from them.

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/index.hpp"
#include "cairn/haa/options.hpp"
#include "haa/annotated_cluster.hpp"
#include "hpa/partition.hpp"
#include "support/random_maps.hpp"

namespace cairn::haa::test {

class RandomAgents : public cairn::test::RandomMaps {
public:
    using RandomMaps::RandomMaps;

    /// Ground with patches and noise of trees, swamp and obstacles.
    [[nodiscard]] grid::TerrainImage image(const Size& size);
    /// One to four capabilities over these terrains, weighted or not; sizes of at most `largest`.
    [[nodiscard]] AnnotationOptions agents(int largest);
    /// Any of the four move rules.
    [[nodiscard]] grid::MoveRules rules();
    /// Any valid options of an abstraction.
    [[nodiscard]] Options options();
    /// A random image with sides of at most `longest` cells, and agents(largest).
    [[nodiscard]] AnnotatedMap map(int longest, int largest);
};

/// Makes plain views for some agents of an index, and views with labels for others.
void make_views(RandomAgents& random, const Index& index);

/// The records of all clusters of an abstraction, without the graph of an index.
struct Clusters {
    Clusters(const AnnotatedMap& map, const Options& options);

    [[nodiscard]] AnnotatedCluster cluster(std::uint32_t id) const noexcept {
        return AnnotatedCluster(records[id]);
    }
    [[nodiscard]] std::vector<AnnotatedNode> nodes(std::uint32_t id) const {
        return cluster(id).all_nodes();
    }

    hpa::Partition partition;
    std::vector<std::vector<std::uint32_t>> records;  ///< by number of the cluster on level 1
};

/// The map of rows of MovingAI letters.
[[nodiscard]] AnnotatedMap annotated(std::initializer_list<std::string_view> rows,
                                     const AnnotationOptions& options = {});

}  // namespace cairn::haa::test
