#pragma once
// Tile sets as a program writes them whose Detour has references of 64 bits (DT_POLYREF64).

#include <DetourNavMesh.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "detour/tile_layout.hpp"

namespace cairn::detour {

/// Bytes before the first tile's in a set of 32 bits.
inline constexpr std::size_t kSetHeaderBytes = 40;
/// Bytes of a dtLink with a reference of 64 bits.
inline constexpr std::size_t kWideLink = 16;

/// The reference of a tile with the bits of DT_POLYREF64: 16 of salt, 28 of tile, 20 of polygon.
[[nodiscard]] constexpr std::uint64_t wide_ref(std::uint64_t salt, std::uint64_t tile) {
    return salt << 48 | tile << 20;
}

/// A valid set of 32 bits, with references and links of 64 bits instead. `padding`: the bytes
/// between a tile's size and its data; 4, or 0 where processors align 64 bits to 4 bytes.
[[nodiscard]] inline std::string widened(std::string_view set, std::size_t padding = 4) {
    std::string wide(set.substr(0, kSetHeaderBytes));
    std::uint64_t tile = 0;
    for (set.remove_prefix(kSetHeaderBytes); !set.empty(); ++tile) {
        std::int32_t size = 0;
        std::memcpy(&size, set.data() + 4, sizeof(size));
        const std::string_view bytes = set.substr(8, static_cast<std::size_t>(size));
        const auto header = item_at<dtMeshHeader>(bytes, {}, 0);
        const TileLayout narrow(header, 12);
        const TileLayout layout(header, kWideLink);
        const std::uint64_t ref = wide_ref(40'000 + tile, 3 * tile);
        const auto wide_size = static_cast<std::int32_t>(layout.size());
        wide.append(reinterpret_cast<const char*>(&ref), sizeof(ref));
        wide.append(reinterpret_cast<const char*>(&wide_size), sizeof(wide_size));
        wide.append(padding, '\x55');
        wide += bytes.substr(0, narrow.links.begin);
        wide.append(layout.links.end() - layout.links.begin, '\x66');
        wide += bytes.substr(narrow.links.end());
        set.remove_prefix(8 + bytes.size());
    }
    return wide;
}

}  // namespace cairn::detour
