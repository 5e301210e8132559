#pragma once
// Numbers and tables as text.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::app {

/// 1234567 -> "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t value);
/// Three digits and a unit: "512 B", "1.25 MB" (powers of 1000).
[[nodiscard]] std::string byte_size(double bytes);
/// Three digits and a unit: "3.14 us", "27.0 ms", "1.50 s".
[[nodiscard]] std::string duration(double seconds);
/// `value` with `digits` significant digits, never in exponent form.
[[nodiscard]] std::string significant(double value, int digits = 3);

/// Words separated by blanks, wrapped at 100 columns. All lines begin in column `indent`; the
/// caller writes the indentation of the first.
[[nodiscard]] std::string wrapped(const std::vector<std::string>& words, std::size_t indent);

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

/// A table. All columns but the first are right-aligned.
class Table {
public:
    explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace cairn::app
