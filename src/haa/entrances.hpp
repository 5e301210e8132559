#pragma once
// Entrances between clusters for every agent class, and the transitions chosen on them ("Clusters
// and Entrances").

#include <cstdint>
#include <vector>

#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/options.hpp"
#include "haa/annotated_cluster.hpp"
#include "haa/class_window.hpp"
#include "overlay/partition.hpp"

namespace cairn::haa {

/// Finds the abstract nodes of clusters. Reuse one for many clusters; not for several threads at
/// once.
///
/// Entrances are the maximal runs of tiles of a border that an agent class can cross (CHECKLIST
/// B14). Classes choose their transitions in turn, the largest agents of the least capable first;
/// a later one moves its choice by up to Options::shift tiles within its entrance to coincide with
/// one made already. For one class the choice is HPA*'s for its rules. Diagonal moves over a
/// border that nothing replaces are transitions too, as in HPA* (DiagonalCrossings::needed).
class EntranceFinder {
public:
    EntranceFinder(const AnnotatedMap& map, const Partition& partition, const Options& options);

    /// The nodes of `cluster` by ascending cell, valid until the next call. Both clusters of a
    /// border find the same transitions on it, whichever is asked first.
    [[nodiscard]] const std::vector<AnnotatedNode>& nodes(std::uint32_t cluster);

private:
    const AnnotatedMap* map_;
    const Partition* partition_;
    const Options* options_;
    std::vector<AnnotatedNode> nodes_;
};

}  // namespace cairn::haa
