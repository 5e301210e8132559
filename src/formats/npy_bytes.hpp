#pragma once
// The bytes of a .npy file that is written: the header, and numbers after it.

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace cairn::formats {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// The size of a header with up to nine columns and any number of rows.
inline constexpr std::size_t kNpyHeaderBytes = 128;

/// The bytes before the data, for elements by rows. `type`: as NumPy names it, "<i4".
[[nodiscard]] inline std::string npy_header(std::string_view type, std::uint64_t rows,
                                            std::uint64_t columns) {
    constexpr std::size_t kAlignment = 64;
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                   type, rows, columns);
    const std::size_t before = kNpyMagic.size() + 4;
    while ((before + text.size() + 1) % kAlignment != 0) text += ' ';
    text += '\n';
    std::string out(kNpyMagic);
    out += {'\x01', '\x00', static_cast<char>(text.size() & 0xff),
            static_cast<char>(text.size() >> 8)};
    return out + text;
}

/// Appends numbers, each with its least byte first.
template <class Number>
void append_little_endian(std::span<const Number> numbers, std::string& bytes) {
    if constexpr (std::endian::native == std::endian::little) {
        bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
    } else {
        using Bits = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;
        for (const Number number : numbers) {
            auto bits = std::bit_cast<Bits>(number);
            for (std::size_t i = 0; i < sizeof bits; ++i, bits >>= 8)
                bytes += static_cast<char>(bits & 0xff);
        }
    }
}

}  // namespace cairn::formats
