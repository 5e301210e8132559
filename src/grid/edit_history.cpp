#include "grid/edit_history.hpp"

#include <xxhash.h>

#include <array>

namespace cairn::grid {

std::uint64_t edited_id(std::uint64_t id, std::span<const TerrainEdit> edits) {
    for (const auto& [area, terrain] : edits) {
        const std::array<std::int32_t, 5> words{area.x, area.y, area.width, area.height, terrain};
        id = XXH3_64bits_withSeed(words.data(), sizeof words, id);
    }
    return id == 0 ? 1 : id;
}

}  // namespace cairn::grid
