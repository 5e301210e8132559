#pragma once
// Reads files of tiles from front to back, and words their errors.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/tile_set.hpp"
#include "cairn/status.hpp"

namespace cairn::detour {

/// The bytes of a file that are still to be read, and the file's name for messages.
struct SetReader {
    std::string_view unread;
    std::string_view name;

    /// Reads a value; false, and nothing read, if the file ends before it.
    template <class T>
    bool take(T& value) {
        if (unread.size() < sizeof(T)) return false;
        std::memcpy(&value, unread.data(), sizeof(T));
        unread.remove_prefix(sizeof(T));
        return true;
    }
    /// The next bytes, as many as a tile's header says, in `bytes`. Errors: corrupt_file.
    Status take_bytes(std::int32_t size, std::string_view& bytes) {
        if (size < 0 || static_cast<std::size_t>(size) > unread.size()) {
            return {StatusCode::corrupt_file,
                    fmt::format("{} bytes, but {} are left", size, unread.size())};
        }
        bytes = unread.substr(0, static_cast<std::size_t>(size));
        unread.remove_prefix(bytes.size());
        return {};
    }
    /// An error of the file.
    [[nodiscard]] Status refuse(const Status& error) const {
        return {error.code, fmt::format("{}: {}", name, error.message)};
    }
    [[nodiscard]] Status refuse(StatusCode code, std::string_view message) const {
        return {code, fmt::format("{}: {}", name, message)};
    }
    /// An error of a tile, by its number in the file.
    [[nodiscard]] Status refuse_tile(int tile, const Status& error) const {
        return {error.code, fmt::format("{}: tile {}: {}", name, tile, error.message)};
    }

    /// Calls next() for each of the tiles. Nothing may come after them. Errors: those of next(),
    /// with the number of the tile; corrupt_file.
    template <class Next>
    Status for_each_tile(int tiles, Next&& next) {
        for (int tile = 0; tile < tiles; ++tile) {
            if (const Status s = next(); !s.ok()) return refuse_tile(tile, s);
        }
        if (unread.empty()) return {};
        return refuse(StatusCode::corrupt_file,
                      fmt::format("{} bytes after the last tile", unread.size()));
    }
};

/// The mesh of a tile cache's set, 'TSET': see parse_tile_set. Throws bad_alloc.
[[nodiscard]] Result<NavMesh> parse_tile_cache(SetReader file, const TileCacheOptions& options);

}  // namespace cairn::detour
