#pragma once
// Numbers in text, read alike by every C++ library and in every locale.

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>
#include <version>

namespace cairn {

/// The nearest Real, float or double, to the decimal number that all of `text` is: an optional
/// minus, digits with or without a point, and an optional exponent. std::nullopt if it is none, or
/// too large. Takes about a microsecond. Thread-safe.
template <std::floating_point Real>
[[nodiscard]] std::optional<Real> read_decimal(std::string_view text);

/// The number that all of `text` is, as std::from_chars reads it: an integer, float or double.
/// std::nullopt if it is none or does not fit T. Thread-safe.
template <class T>
[[nodiscard]] std::optional<T> read_number(std::string_view text) {
#ifdef __cpp_lib_to_chars
    constexpr bool kReadsReals = true;
#else
    constexpr bool kReadsReals = false;  // such as libc++ 19
#endif
    if constexpr (std::floating_point<T> && !kReadsReals) {
        return read_decimal<T>(text);
    } else {
        T value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
        return value;
    }
}

}  // namespace cairn
