#pragma once
// The lines of scenario files: fields between tabs or blanks.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "text.hpp"

namespace cairn::formats {

inline constexpr std::size_t kMaxScenarioBytes = std::size_t{1} << 30;

/// The fields of a line of MovingAI's scenarios, which Polyanya's follow.
inline constexpr std::array<const char*, 9> kScenarioFields{
    "bucket",  "map name", "map width", "map height",    "start x",
    "start y", "goal x",   "goal y",    "optimal length"};

/// Splits `line` at single tabs if it has any, else at blanks. Errors: corrupt_file unless there
/// are exactly as many fields as there is room for.
template <std::size_t N>
[[nodiscard]] Status split_fields(const LineReader& lines, std::string_view line,
                                  std::array<std::string_view, N>& fields) {
    const std::size_t length = line.size();
    const bool tabs = line.find('\t') != std::string_view::npos;
    std::size_t count = 0;
    while (!line.empty()) {
        std::string_view field;
        if (tabs) {
            const std::size_t end = line.find('\t');
            field = line.substr(0, end);
            line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
        } else {
            field = next_word(line);
            if (field.empty()) break;
        }
        if (count < N) fields[count] = field;
        ++count;
    }
    if (count == N) return {};
    return lines.error_at(length, fmt::format("{} fields where {} are needed", count, N));
}

/// Reads the first line of MovingAI scenarios and of formats derived from them.
[[nodiscard]] inline Status read_scenario_version(LineReader& lines) {
    if (!lines.next())
        return lines.error_at(0, "the file is empty; a scenario begins with 'version 1'");
    std::string_view rest = lines.line();
    const std::string_view keyword = next_word(rest);
    const std::string_view version = next_word(rest);
    if (keyword != "version" || !next_word(rest).empty())
        return lines.error_at(0, "a scenario begins with 'version 1'");
    if (version == "1" || version == "1.0") return {};
    return lines.error_at(
        version, fmt::format("scenario version {}: only 1 and 1.0 are known", excerpt(version)),
        StatusCode::wrong_version);
}

/// A field that is a whole number in low..high.
struct IntegerField {
    std::size_t index;
    std::int32_t* value;
    std::int32_t low;
    std::int32_t high;
};

[[nodiscard]] inline Status parse_integers(const LineReader& lines,
                                           std::span<const std::string_view> fields,
                                           std::span<const char* const> names,
                                           std::span<const IntegerField> integers) {
    for (const IntegerField& field : integers) {
        const std::string_view word = fields[field.index];
        const auto value = parse_number<std::int32_t>(word, field.low, field.high);
        if (!value) {
            return lines.error_at(
                word, fmt::format("{} {}: needs a number from {} to {}", names[field.index],
                                  excerpt(word), field.low, field.high));
        }
        *field.value = *value;
    }
    return {};
}

/// Checks the map's name of a line. Errors: corrupt_file if it could not be written and read again.
[[nodiscard]] inline Status check_map_name(const LineReader& lines, std::string_view name) {
    bool valid = !name.empty() && !is_blank(name.front()) && !is_blank(name.back());
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        valid = valid && byte >= 0x20 && byte != 0x7f;
    }
    if (valid) return {};
    return lines.error_at(name, fmt::format("map name {} is not a file name", excerpt(name)));
}

}  // namespace cairn::formats
