#include "core/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <locale>
#include <new>
#include <sstream>
#include <string>
#include <type_traits>

namespace cairn {
namespace {

/// Skips digits; returns whether there were any.
bool skip_digits(std::string_view& text) {
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count > 0;
}

bool skip(std::string_view& text, std::string_view one_of) {
    if (text.empty() || one_of.find(text.front()) == std::string_view::npos) return false;
    text.remove_prefix(1);
    return true;
}

}  // namespace

bool is_decimal(std::string_view text) noexcept {
    skip(text, "-");
    bool digits = skip_digits(text);
    if (skip(text, ".")) digits = skip_digits(text) || digits;
    if (!digits) return false;
    if (!skip(text, "eE")) return text.empty();
    skip(text, "+-");
    return skip_digits(text) && text.empty();
}

bool is_zero(std::string_view decimal) noexcept {
    const std::size_t exponent = std::min(decimal.find_first_of("eE"), decimal.size());
    return decimal.substr(0, exponent).find_first_of("123456789") == std::string_view::npos;
}

template <std::floating_point Real>
std::optional<Real> read_decimal(std::string_view text) {
    if (!is_decimal(text)) return std::nullopt;
    Real value = 0;
#if defined(__wasm__)  // whose only locale is the classic one, and where streams take much space
    const std::string copy(text);
    if constexpr (std::is_same_v<Real, float>) {
        value = std::strtof(copy.c_str(), nullptr);
    } else {
        value = std::strtod(copy.c_str(), nullptr);
    }
    if (!std::isfinite(value)) return std::nullopt;  // too large
#else
    std::istringstream stream{std::string(text)};
    stream.imbue(std::locale::classic());
    stream >> value;
    if (stream.bad()) throw std::bad_alloc();  // which streams turn into this bit
    if (stream.fail()) return std::nullopt;    // too large, or too small
#endif
    if (value == 0 && !is_zero(text)) return std::nullopt;
    return value;
}

template std::optional<float> read_decimal<float>(std::string_view text);
template std::optional<double> read_decimal<double>(std::string_view text);

}  // namespace cairn
