#pragma once
// Decodes FastLZ, the compression of RecastDemo's tile caches.
//
// The upper three bits of the first byte are the level less 1; its lower five bits begin the first
// run of literals. Then instructions follow each other:
//
//   000LLLLL                        the next L + 1 bytes, as they are
//   MMMOOOOO [length] OOOOOOOO      M + 2 bytes from the output, offset O + 1 back; M is 1 to 7. If
//                                   M is 7, the length grows by the next byte; in level 2 by
//                                   further bytes as long as they are 255
//
// In level 2, an offset O of 8,191 stands for 8,191 plus the next two bytes, the higher first.

#include <cstddef>
#include <span>
#include <string_view>

namespace cairn::detour {

/// The number of bytes decoded into `out`; 0 if they do not fit, or if `compressed` is no block of
/// level 1 or 2. O(bytes of both).
[[nodiscard]] std::size_t decode_fastlz(std::string_view compressed,
                                        std::span<unsigned char> out) noexcept;

}  // namespace cairn::detour
