#pragma once
// The parts of a HAA* index. All but the views are immutable once the index is shared.

#include <cstdint>
#include <memory>
#include <vector>

#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/options.hpp"
#include "haa/views.hpp"
#include "hpa/partition.hpp"
#include "overlay/record_store.hpp"

namespace cairn::haa {

struct Snapshot {
    std::uint64_t id = 0;
    Options options;
    AnnotatedMap map;
    hpa::Partition partition;                  // of Options::levels levels
    RecordStore clusters;                      // per 1-cluster; see haa/annotated_cluster.hpp
    std::vector<std::uint8_t> choosing_order;  // of the agent classes: see haa/entrances.hpp
    std::shared_ptr<Views> views;              // thread-safe; shared by all copies of the index
};

/// The snapshot of a map without its clusters. O(map).
[[nodiscard]] Snapshot start_snapshot(const AnnotatedMap& map, const Options& options);

}  // namespace cairn::haa
