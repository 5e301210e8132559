#pragma once
// Everything a HAA* index consists of. Immutable once it is shared, but for the views it keeps.

#include <cstdint>
#include <memory>

#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/options.hpp"
#include "haa/annotated_cluster.hpp"
#include "haa/views.hpp"
#include "overlay/partition.hpp"
#include "overlay/record_store.hpp"

namespace cairn::haa {

struct Snapshot {
    std::uint64_t id = 0;
    Options options;
    AnnotatedMap map;
    Partition partition;   // of Options::levels levels
    RecordStore clusters;  // AnnotatedCluster records
    std::shared_ptr<const Serving> serving;
    std::shared_ptr<Views> views;  // locks itself
};

}  // namespace cairn::haa
