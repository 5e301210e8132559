#pragma once
// Numbers, lists and tables as text, and text as numbers.

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cairn::app {

/// 1234567 -> "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t value);
/// Three digits and a unit: "512 B", "1.25 MB" (a million bytes).
[[nodiscard]] std::string byte_size(double bytes);
/// Three digits and a unit: "3.14 us", "27.0 ms", "1.50 s".
[[nodiscard]] std::string duration(double seconds);
/// `value` with `digits` significant digits, never in exponent form.
[[nodiscard]] std::string significant(double value, int digits = 3);

/// Words separated by blanks, wrapped at 100 columns. All lines begin in column `indent`; the
/// caller writes the indentation of the first.
[[nodiscard]] std::string wrapped(const std::vector<std::string>& words, std::size_t indent);

/// Reads a number. std::nullopt unless all of `text` is one that fits Number.
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
    Number value{};
    const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || at != text.data() + text.size()) return std::nullopt;
    return value;
}

/// The parts of a text between separators; n separators give n + 1 parts, some perhaps empty.
[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);

/// Reads N finite numbers separated by commas; else std::nullopt.
template <class Number, std::size_t N>
[[nodiscard]] std::optional<std::array<Number, N>> parse_numbers(std::string_view text) {
    const std::vector<std::string> parts = split(text, ',');
    if (parts.size() != N) return std::nullopt;
    std::array<Number, N> out{};
    for (std::size_t i = 0; i < N; ++i) {
        const auto value = parse_number<Number>(parts[i]);
        if (!value || !std::isfinite(static_cast<double>(*value))) return std::nullopt;
        out[i] = *value;
    }
    return out;
}

/// `make(item)` for each item of a list, in order.
template <class List, class Make>
[[nodiscard]] auto mapped(const List& list, const Make& make) {
    std::vector<std::decay_t<decltype(make(*std::begin(list)))>> out;
    out.reserve(std::size(list));
    for (const auto& item : list) out.push_back(make(item));
    return out;
}

/// Labels and values in two columns: `add` them, then print `text()`.
class Facts {
public:
    void add(std::string label, std::string value) {
        rows_.emplace_back(std::move(label), std::move(value));
    }
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::pair<std::string, std::string>> rows_;
};

/// A table with a header. The first column is left-aligned, the others right-aligned.
class Table {
public:
    explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace cairn::app
