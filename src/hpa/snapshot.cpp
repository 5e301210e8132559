#include "hpa/snapshot.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>

namespace cairn::hpa {

std::uint64_t fresh_snapshot_id(const grid::Map& map, const Options& options) {
    const std::array<std::int64_t, 7> shape{
        options.cluster_size,  options.levels,
        options.branching,     static_cast<int>(options.transitions),
        options.wide_entrance, static_cast<int>(options.diagonals),
        options.move_tables};
    const std::uint64_t id = XXH3_64bits_withSeed(shape.data(), sizeof shape, map.fingerprint());
    return id == 0 ? 1 : id;
}

Status check_keys(const Overlay& overlay, int level) {
    constexpr int kMaxKeyBits = 28;
    if (overlay.key_count(level) <= std::size_t{1} << kMaxKeyBits) return {};
    return {StatusCode::too_large, fmt::format("level {} has {} clusters of up to {} nodes, more "
                                               "than 2^{} in all: choose larger clusters",
                                               level, overlay.partition.clusters(level),
                                               1U << overlay.bits(level), kMaxKeyBits)};
}

Status add_slot_bits(Overlay& overlay) {
    const RecordStore& store = overlay.levels[overlay.slot_bits.size()];
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < store.size(); ++i) {
        most = std::max(most, ClusterView(store[i]).count());
    }
    overlay.slot_bits.push_back(bits_for_slots(most));
    return check_keys(overlay, static_cast<int>(overlay.slot_bits.size()));
}

}  // namespace cairn::hpa
