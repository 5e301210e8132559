#include "hpa/snapshot.hpp"

#include <xxhash.h>

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

}  // namespace cairn::hpa
