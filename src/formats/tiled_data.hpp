#pragma once
// The tile data of Tiled's layers, as it is encoded in files.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cairn/status.hpp"

namespace cairn::formats {

/// Decodes the numbers of `count` tiles. `encoding`: csv or base64; `compression` of base64: none
/// (or empty), zlib, gzip or zstd. Memory grows with what is unpacked, and by up to 32 MiB for
/// zstd. Unpacking ends behind `count` tiles. Messages name no file. Errors: corrupt_file,
/// unsupported, too_large (a zstd window above 32 MiB).
[[nodiscard]] Result<std::vector<std::uint32_t>> decode_tiles(std::string_view text,
                                                              std::string_view encoding,
                                                              std::string_view compression,
                                                              std::size_t count);

}  // namespace cairn::formats
