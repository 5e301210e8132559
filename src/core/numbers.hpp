#pragma once
// Numbers in text, read alike by every C++ library and in every locale.

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>
#include <version>

namespace cairn {

/// Whether `text` is a decimal number: an optional minus, digits with or without a point, and an
/// optional exponent. Thread-safe.
[[nodiscard]] bool is_decimal(std::string_view text) noexcept;

/// Whether a decimal number is 0, not only so near to it that a library reads it as 0.
[[nodiscard]] bool is_zero(std::string_view decimal) noexcept;

/// The nearest Real, float or double, to the decimal number that all of `text` is. std::nullopt if
/// it is none, too large, or too near to 0. Takes about a microsecond. Thread-safe.
template <std::floating_point Real>
[[nodiscard]] std::optional<Real> read_decimal(std::string_view text);

/// The number that all of `text` is: an integer as std::from_chars reads it, or a float or double
/// as read_decimal does, and faster. std::nullopt if it is none or does not fit T. Thread-safe.
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
        if constexpr (std::floating_point<T>) {
            if (!is_decimal(text)) return std::nullopt;
        }
        T value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
        if constexpr (std::floating_point<T>) {
            if (value == 0 && !is_zero(text)) return std::nullopt;
        }
        return value;
    }
}

}  // namespace cairn
