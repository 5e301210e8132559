#pragma once
// The colours of all pictures. Hues of different roles can be told apart with any colour vision.

#include <array>
#include <cstddef>
#include <cstdint>

#include "cairn/render/drawing.hpp"

namespace cairn::render::palette {

inline constexpr Colour free_cell{0xfb, 0xfa, 0xf6};
inline constexpr Colour middling_terrain{0xe9, 0xd3, 0xa2};
inline constexpr Colour costly_terrain{0xb4, 0x7f, 0x4b};
inline constexpr Colour obstacle{0x4a, 0x50, 0x5c};
inline constexpr Colour trees{0x7c, 0x98, 0x74};
inline constexpr Colour water{0x8f, 0xb3, 0xcf};
inline constexpr Colour swamp{0xd8, 0xd0, 0xa6};
inline constexpr Colour open_trees{0xc6, 0xdb, 0xb6};
inline constexpr Colour open_water{0xc3, 0xdd, 0xee};
inline constexpr Colour too_narrow{0xd9, 0x8a, 0x78};
inline constexpr Colour hairline{0x2b, 0x2f, 0x38, 0x12};

inline constexpr Colour ink{0x2b, 0x2f, 0x38};
inline constexpr Colour paper{0xff, 0xff, 0xff};

inline constexpr Colour start{0x1b, 0x7a, 0x52};
inline constexpr Colour goal{0xb8, 0x2e, 0x3c};
inline constexpr Colour corridor{0xf7, 0xec, 0xcd};
inline constexpr Colour abstract_path{0x2b, 0x2f, 0x38};
inline constexpr Colour refined_path{0xf0, 0xb0, 0x45};
inline constexpr Colour smoothed_path{0xc2, 0x2f, 0x52};

/// Direct-h-reachable cells: on the eight rays; in the two areas beside each diagonal ray.
inline constexpr std::array<Colour, 3> area{Colour{0xe6, 0xd3, 0x9c}, Colour{0xf7, 0xec, 0xcd},
                                            Colour{0xdc, 0xea, 0xe3}};
inline constexpr Colour area_line{0x8a, 0x7a, 0x4a, 0xb0};
inline constexpr Colour connector{0x1b, 0x7a, 0x52};

/// Colour `a` with `part` of `whole` replaced by `b`.
[[nodiscard]] constexpr Colour blend(Colour a, Colour b, std::uint32_t part,
                                     std::uint32_t whole) noexcept {
    const auto mix = [&](std::uint8_t from, std::uint8_t to) {
        return static_cast<std::uint8_t>((from * (whole - part) + to * part + whole / 2) / whole);
    };
    return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

/// The colours from pale (`share` 0) to strong (1).
[[nodiscard]] constexpr Colour ramp(double share) noexcept {
    constexpr std::array<Colour, 5> stops{Colour{0x9f, 0xb4, 0xc9}, Colour{0x3f, 0x8f, 0xb5},
                                          Colour{0x3d, 0x55, 0xa0}, Colour{0x86, 0x3a, 0x86},
                                          Colour{0xd4, 0x4a, 0x1e}};
    const double at = share * (stops.size() - 1);
    const auto i = static_cast<std::size_t>(at) < stops.size() - 1 ? static_cast<std::size_t>(at)
                                                                   : stops.size() - 2;
    const double t = at - static_cast<double>(i);
    const auto mix = [t](int a, int b) { return static_cast<std::uint8_t>(a + (b - a) * t + 0.5); };
    return {mix(stops[i].r, stops[i + 1].r), mix(stops[i].g, stops[i + 1].g),
            mix(stops[i].b, stops[i + 1].b)};
}

/// The colour of a level from 1 on: blue, vermilion, purple, green, repeated.
[[nodiscard]] constexpr Colour level(int l) noexcept {
    constexpr std::array<Colour, 4> colours{Colour{0x2b, 0x6c, 0xa8}, Colour{0xd4, 0x5f, 0x1e},
                                            Colour{0x7a, 0x48, 0x9c}, Colour{0x22, 0x89, 0x6b}};
    return colours[static_cast<std::size_t>(l - 1) % colours.size()];
}

/// The colour of a capability: green, vermilion, purple, ochre, pink, teal, repeated.
[[nodiscard]] constexpr Colour capability(std::size_t number) noexcept {
    constexpr std::array<Colour, 6> colours{Colour{0x1d, 0x8a, 0x4e}, Colour{0xd4, 0x5f, 0x1e},
                                            Colour{0x7a, 0x48, 0x9c}, Colour{0xa8, 0x86, 0x0c},
                                            Colour{0xc4, 0x4a, 0x84}, Colour{0x17, 0x8c, 0x94}};
    return colours[number % colours.size()];
}

/// Blue, orange, green, purple, yellow, teal, rose, stone: white lines are visible on them.
inline constexpr std::array<Colour, 8> cluster{Colour{0x93, 0xbb, 0xdb}, Colour{0xf0, 0xb9, 0x85},
                                               Colour{0xa9, 0xce, 0x9b}, Colour{0xd0, 0xab, 0xd6},
                                               Colour{0xe9, 0xd0, 0x7c}, Colour{0x98, 0xcd, 0xc6},
                                               Colour{0xe3, 0xa5, 0xa3}, Colour{0xc2, 0xba, 0xa5}};
inline constexpr Colour unvisited{0xe4, 0xe0, 0xd6};
inline constexpr Colour portal{0xff, 0xff, 0xff};
inline constexpr Colour inter_edge{0xc8, 0x1e, 0x2d};
inline constexpr Colour intra_edge{0x2b, 0x4a, 0x7c, 0x90};
inline constexpr Colour edit{0x12, 0x6f, 0xd6};
inline constexpr Colour connection{0x6a, 0x36, 0x90};

}  // namespace cairn::render::palette
