#pragma once
// What the scenario formats (MovingAI, Polyanya, HAA*) share: a line with the version, then one
// problem in each line, with fields between tabs or blanks.

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

/// The fields of a problem's line, in order, in scenarios of MovingAI and of Polyanya.
inline constexpr std::array<const char*, 9> kScenarioFields{
    "bucket",  "map name", "map width", "map height",    "start x",
    "start y", "goal x",   "goal y",    "optimal length"};

/// Splits the current line at single tabs if it has any, else at blanks. Errors: corrupt_file
/// unless it has exactly N fields.
template <std::size_t N>
[[nodiscard]] Status split_fields(const LineReader& lines,
                                  std::array<std::string_view, N>& fields) {
    std::string_view line = trim_right(lines.line());
    const std::size_t end_column = line.size();
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
        }
        if (count < N) fields[count] = field;
        ++count;
    }
    if (count == N) return {};
    return lines.error_at(end_column, fmt::format("{} fields where {} are needed", count, N));
}

/// Reads the version in the first line of a scenario of MovingAI or Polyanya.
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

/// Where to store the field of number `index`, a whole number in low..high.
struct IntegerField {
    std::size_t index;  ///< among the fields of the line
    std::int32_t* value;
    std::int32_t low;
    std::int32_t high;
};

/// Stores the whole numbers of a line. `fields` are the line's fields, `names` those for messages.
/// Errors: corrupt_file.
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

/// Stores the field `word`, a number >= 0, in `length`. Errors: corrupt_file.
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

/// Stores a line's map name in `map`. Errors: corrupt_file if the name is empty, has control
/// characters, or begins or ends with a blank: it could not be written and read back.
[[nodiscard]] inline Status parse_map_name(const LineReader& lines, std::string_view name,
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

/// The problems of a text. `read_version` reads the first line, `parse` one problem.
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

/// Appends the lines of problems to `text`, the line of the version. line_of(problem) writes one;
/// reads_back(line, problem) says whether the reader accepts that line as an equal problem. Errors:
/// bad_option, with `refusal` at the message's end, for a problem that does not read back.
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
