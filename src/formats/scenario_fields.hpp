#pragma once
// The lines of scenario files: fields between tabs or blanks.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
[[nodiscard]] Status split_fields(const LineReader& lines,
                                  std::array<std::string_view, N>& fields) {
    std::string_view line = trim_right(lines.line());
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

[[nodiscard]] inline Status parse_length(const LineReader& lines, std::string_view word,
                                         std::string_view name, double& length) {
    const auto value = parse_number<double>(word, 0.0);
    if (!value) {
        return lines.error_at(
            word, fmt::format("{} {}: needs a number, not negative", name, excerpt(word)));
    }
    length = *value;
    return {};
}

/// Takes the map's name of a line. Errors: corrupt_file if it could not be written and read again.
[[nodiscard]] inline Status take_map_name(const LineReader& lines, std::string_view name,
                                          std::string& map) {
    bool valid = !name.empty() && !is_blank(name.front()) && !is_blank(name.back());
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        valid = valid && byte >= 0x20 && byte != 0x7f;
    }
    if (!valid)
        return lines.error_at(name, fmt::format("map name {} is not a file name", excerpt(name)));
    map = name;
    return {};
}

/// The problems of a text, one in each line below the version; `parse` reads one.
template <class Problem>
[[nodiscard]] Result<std::vector<Problem>> parse_problems(
    std::string_view text, std::string_view name, Status (*read_version)(LineReader&),
    Status (*parse)(const LineReader&, Problem&)) {
    LineReader lines(text, name);
    if (Status s = read_version(lines); !s.ok()) return tl::unexpected(std::move(s));
    std::vector<Problem> problems;
    while (lines.next()) {
        if (trim_right(lines.line()).empty()) continue;
        if (Status s = parse(lines, problems.emplace_back()); !s.ok())
            return tl::unexpected(std::move(s));
    }
    return problems;
}

/// The text of problems below the line of the version. line_of(problem) writes one, and
/// reads_back(line, problem) says whether a reader would take it for the same: whatever the reader
/// accepts may be written. Otherwise the error is bad_option, with `refusal`.
template <class Problem, class LineOf, class ReadsBack>
[[nodiscard]] Result<std::string> format_problems(std::string text,
                                                  const std::vector<Problem>& problems,
                                                  LineOf&& line_of, ReadsBack&& reads_back,
                                                  std::string_view refusal) {
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const std::string line = line_of(problems[i]);
        LineReader lines(line, "");
        if (!lines.next() || !reads_back(lines, problems[i])) {
            return fail(StatusCode::bad_option,
                        fmt::format("problem {} (map {}) cannot be written to {}", i + 1,
                                    excerpt(problems[i].map), refusal));
        }
        text += line;
    }
    return text;
}

}  // namespace cairn::formats
