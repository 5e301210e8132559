#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::app {
namespace {

struct Unit {
    double factor;
    const char* name;
};

/// Writes a value in the largest of `units`, which ascend, that gives 1 or more.
template <std::size_t N>
std::string in_units(double value, const std::array<Unit, N>& units) {
    constexpr double kRoundsToOne = 0.9995;  // with three digits
    const Unit* best = &units.front();
    for (const Unit& unit : units) {
        if (value >= unit.factor * kRoundsToOne) best = &unit;
    }
    return fmt::format("{} {}", significant(value / best->factor), best->name);
}

}  // namespace

std::string grouped(std::uint64_t value) {
    std::string text = fmt::format("{}", value);
    for (std::size_t i = text.size(); i > 3;) {
        i -= 3;
        text.insert(i, ",");
    }
    return text;
}

std::string byte_size(double bytes) {
    if (bytes < 1000) return fmt::format("{:.0f} B", bytes);
    static constexpr std::array<Unit, 3> units{{{1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}}};
    return in_units(bytes, units);
}

std::string duration(double seconds) {
    static constexpr std::array<Unit, 4> units{
        {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}}};
    return in_units(seconds, units);
}

std::string significant(double value, int digits) {
    if (value == 0 || !std::isfinite(value)) return fmt::format("{:.0f}", value);
    const int before = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    return fmt::format("{:.{}f}", value, std::clamp(digits - before, 0, 12));
}

std::string wrapped(const std::vector<std::string>& words, std::size_t indent) {
    constexpr std::size_t kLineWidth = 100;
    std::string out;
    std::size_t column = indent;
    for (const std::string& word : words) {
        if (column + word.size() + 1 > kLineWidth) {
            out += '\n' + std::string(indent, ' ');
            column = indent;
        } else if (!out.empty()) {
            out += ' ';
            ++column;
        }
        out += word;
        column += word.size();
    }
    return out;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

std::string Facts::text() const {
    std::size_t width = 0;
    for (const auto& [label, value] : rows_) width = std::max(width, label.size());
    std::string out;
    for (const auto& [label, value] : rows_)
        out += fmt::format("{:<{}}  {}\n", label, width, value);
    return out;
}

std::string Table::text() const {
    std::vector<std::size_t> width;
    for (const auto& row : rows_) {
        width.resize(std::max(width.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
    }
    std::string out;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += i == 0 ? fmt::format("{:<{}}", row[i], width[i])
                           : fmt::format("  {:>{}}", row[i], width[i]);
        }
        out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return out;
}

}  // namespace cairn::app
