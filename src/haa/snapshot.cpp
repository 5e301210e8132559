#include "haa/snapshot.hpp"

#include <xxhash.h>

#include <array>

namespace cairn::haa {
namespace {

// Never 0.
std::uint64_t fresh_snapshot_id(const AnnotatedMap& map, const Options& options) {
    const std::array<std::int64_t, 8> shape{options.cluster_size,
                                            options.levels,
                                            options.branching,
                                            static_cast<int>(options.abstraction),
                                            static_cast<int>(options.transitions),
                                            options.wide_entrance,
                                            options.shift,
                                            options.reach};
    const std::uint64_t id = XXH3_64bits_withSeed(shape.data(), sizeof shape, map.fingerprint());
    return id == 0 ? 1 : id;
}

}  // namespace

Snapshot start_snapshot(const AnnotatedMap& map, const Options& options) {
    Snapshot snapshot;
    snapshot.id = fresh_snapshot_id(map, options);
    snapshot.options = options;
    snapshot.map = map;
    snapshot.partition = hpa::Partition(map.width(), map.height(), options.cluster_size,
                                        options.branching, options.levels);
    snapshot.serving = std::make_shared<const Serving>(map);
    snapshot.views = std::make_shared<Views>(map.classes(), options.view_bytes);
    return snapshot;
}

}  // namespace cairn::haa
