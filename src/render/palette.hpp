#pragma once
// The colours of all pictures. Hues of different roles can be told apart with any colour vision.

#include <array>
#include <cstddef>

#include "cairn/render/drawing.hpp"

namespace cairn::render::palette {

inline constexpr Colour free_cell{0xfb, 0xfa, 0xf6};
inline constexpr Colour middling_terrain{0xe9, 0xd3, 0xa2};
inline constexpr Colour dear_terrain{0xb4, 0x7f, 0x4b};
inline constexpr Colour obstacle{0x4a, 0x50, 0x5c};
inline constexpr Colour trees{0x7c, 0x98, 0x74};
inline constexpr Colour water{0x8f, 0xb3, 0xcf};
inline constexpr Colour hairline{0x2b, 0x2f, 0x38, 0x12};

inline constexpr Colour ink{0x2b, 0x2f, 0x38};
inline constexpr Colour paper{0xff, 0xff, 0xff};

inline constexpr Colour start{0x1b, 0x7a, 0x52};
inline constexpr Colour goal{0xb8, 0x2e, 0x3c};
inline constexpr Colour corridor{0xf7, 0xec, 0xcd};
inline constexpr Colour abstract_path{0x2b, 0x2f, 0x38};
inline constexpr Colour refined_path{0xf0, 0xb0, 0x45};
inline constexpr Colour smoothed_path{0xc2, 0x2f, 0x52};

/// Blue, vermilion, purple, green; then again.
[[nodiscard]] constexpr Colour level(int l) noexcept {
    constexpr std::array<Colour, 4> colours{Colour{0x2b, 0x6c, 0xa8}, Colour{0xd4, 0x5f, 0x1e},
                                            Colour{0x7a, 0x48, 0x9c}, Colour{0x22, 0x89, 0x6b}};
    return colours[static_cast<std::size_t>(l - 1) % colours.size()];
}

}  // namespace cairn::render::palette
