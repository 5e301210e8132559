#include "cairn/field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/guarded.hpp"
#include "core/numbers.hpp"

namespace cairn {
namespace {

constexpr double kMaxExact = 9007199254740992.0;  // 2^53: from here on every double is whole

std::optional<double> parse_bytes(std::string_view text) {
    constexpr std::string_view kUnits = "kMG";
    double unit = 1;
    if (!text.empty() && kUnits.find(text.back()) != std::string_view::npos) {
        unit = std::ldexp(1.0, 10 * static_cast<int>(kUnits.find(text.back()) + 1));
        text.remove_suffix(1);
    }
    const auto value = read_decimal<double>(text);
    if (!value) return std::nullopt;
    return *value * unit;
}

std::optional<double> parse_flag(std::string_view text) {
    if (text == "true" || text == "on" || text == "1") return 1;
    if (text == "false" || text == "off" || text == "0") return 0;
    return std::nullopt;
}

std::optional<double> parse_unchecked(const Field& field, std::string_view text) {
    switch (field.type) {
        case FieldType::flag:
            return parse_flag(text);
        case FieldType::integer:
        case FieldType::number:
            return read_decimal<double>(text);
        case FieldType::bytes:
            return parse_bytes(text);
        case FieldType::choice:
            break;
    }
    for (const Choice& choice : field.choices) {
        if (choice.name == text) return choice.value;
    }
    return std::nullopt;
}

bool in_range(const Field& field, double value) {
    switch (field.type) {
        case FieldType::choice:
            return std::any_of(field.choices.begin(), field.choices.end(),
                               [&](const Choice& choice) { return choice.value == value; });
        case FieldType::number:
            break;
        case FieldType::flag:
        case FieldType::integer:
        case FieldType::bytes:
            if (value < kMaxExact && value != std::floor(value)) return false;
            break;
    }
    return value >= field.least && value <= field.most;  // false for NaN
}

std::string number_text(double value) {
    return std::abs(value) < kMaxExact && value == std::floor(value)
               ? fmt::format("{}", static_cast<std::int64_t>(value))
               : fmt::format("{}", value);
}

Status out_of_range(const Field& field, std::string_view value) {
    return {StatusCode::bad_option,
            fmt::format("{} {}: must be {}", field.name, value, range_text(field))};
}

/// The least number of letters to insert, remove, replace or swap with their neighbour that turns
/// one word into the other (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> older;  // the row before `last`
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = a[i - 1] == b[j - 1];
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], older[j - 2] + 1);
        }
        older = std::exchange(last, row);
    }
    return last.back();
}

}  // namespace

const Field* find_field(std::span<const Field> fields, std::string_view name) noexcept {
    for (const Field& field : fields) {
        if (field.name == name) return &field;
    }
    return nullptr;
}

std::string text(const Field& field, double value) {
    if (field.type == FieldType::flag && (value == 0 || value == 1))
        return value == 0 ? "false" : "true";
    if (field.type == FieldType::choice) {
        for (const Choice& choice : field.choices) {
            if (choice.value == value) return std::string(choice.name);
        }
    }
    if (field.type == FieldType::bytes && value >= 1024 && value < kMaxExact) {
        constexpr std::array<const char*, 3> kUnits{"k", "M", "G"};
        std::size_t unit = 0;
        double units = value / 1024;
        if (units != std::floor(units)) return number_text(value);
        for (; unit < 2 && units >= 1024 && units / 1024 == std::floor(units / 1024); ++unit)
            units /= 1024;
        return number_text(units) + kUnits[unit];
    }
    return number_text(value);
}

std::string range_text(const Field& field) {
    switch (field.type) {
        case FieldType::flag:
            return "true or false";
        case FieldType::choice: {
            std::string out;
            for (std::size_t i = 0; i < field.choices.size(); ++i) {
                if (i > 0) out += i + 1 < field.choices.size() ? ", " : " or ";
                out += field.choices[i].name;
            }
            return out;
        }
        case FieldType::integer:
        case FieldType::number:
        case FieldType::bytes:
            break;
    }
    const double no_limit = std::ldexp(1.0, 31) - 1;  // the end of an integer type, or beyond
    if (field.most >= no_limit) return "at least " + number_text(field.least);
    return number_text(field.least) + " to " + number_text(field.most);
}

Result<double> parse(const Field& field, std::string_view text) noexcept try {
    const auto value = parse_unchecked(field, text);
    if (value && in_range(field, *value)) return *value;
    Status status = out_of_range(field, text.empty() ? std::string_view("''") : text);
    std::vector<std::string_view> words;
    for (const Choice& choice : field.choices) words.push_back(choice.name);
    status.message += suggestion(text, words);
    return tl::unexpected(std::move(status));
} catch (...) {
    return out_of_memory();
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
    constexpr std::size_t kLongest = 64;  // of a word that someone could have meant
    if (word.size() > kLongest) return "";
    std::string_view nearest;
    std::size_t least = word.size() / 3 + 1;
    for (const std::string_view other : known) {
        // A word that was begun is near its end, however long that is.
        const bool begun = word.size() > 2 && other.starts_with(word);
        const std::size_t distance = begun ? 1 : edit_distance(word, other);
        const bool another = 2 * distance >= std::max(word.size(), other.size());
        if (another || distance > least || (distance == least && !nearest.empty())) continue;
        nearest = other;
        least = distance;
    }
    return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

namespace detail {

Status check_fields(std::span<const Field> fields, const void* object) noexcept try {
    for (const Field& field : fields) {
        const double value = field.get(object);
        if (!in_range(field, value)) return out_of_range(field, number_text(value));
    }
    return {};
} catch (...) {
    return out_of_memory();
}

Status apply_settings(Settings settings, std::span<const Field> fields, void* object) noexcept try {
    for (const Setting& setting : settings) {
        const Field* const field = find_field(fields, setting.name);
        if (field == nullptr) {
            std::vector<std::string_view> names;
            for (const Field& known : fields) names.push_back(known.name);
            return {StatusCode::bad_option,
                    fmt::format("there is no option '{}' here: there are {}{}", setting.name,
                                names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                                suggestion(setting.name, names))};
        }
        const auto value = parse(*field, setting.value);
        if (!value) return value.error();
        field->set(object, *value);
    }
    return {};
} catch (...) {
    return out_of_memory();
}

}  // namespace detail
}  // namespace cairn
