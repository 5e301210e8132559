#include <array>
#include <cmath>
#include <span>

#include "cairn/io/file.hpp"
#include "cairn/io/movingai.hpp"
#include "text.hpp"

namespace cairn::io {
namespace {

constexpr std::size_t kMaxScenarioBytes = std::size_t{1} << 30;
constexpr std::int32_t kMaxSide = grid::Map::kMaxSide;
constexpr std::size_t kFields = 9;
using Fields = std::array<std::string_view, kFields>;
constexpr std::array<const char*, kFields> kFieldNames{"bucket",     "map name", "map width",
                                                       "map height", "start x",  "start y",
                                                       "goal x",     "goal y",   "optimal length"};

/// Splits at single tabs if the line has any, else at blanks; returns how many fields there are.
std::size_t split(std::string_view line, Fields& fields) {
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
        if (count < kFields) fields[count] = field;
        ++count;
    }
    return count;
}

bool valid_name(std::string_view name) {
    if (name.empty() || is_blank(name.front()) || is_blank(name.back())) return false;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) return false;
    }
    return true;
}

struct IntegerField {
    std::size_t index;
    std::int32_t* value;
    std::int32_t low;
    std::int32_t high;
};

Status parse_problem(const LineReader& lines, ScenarioProblem& problem) {
    const std::string_view line = trim_right(lines.line());
    Fields fields;
    if (const std::size_t count = split(line, fields); count != kFields) {
        return lines.error_at(line.size(),
                              fmt::format("{} fields where {} are needed", count, kFields));
    }
    const std::array<IntegerField, 7> integers{
        {{0, &problem.bucket, 0, std::numeric_limits<std::int32_t>::max()},
         {2, &problem.map_width, 0, kMaxSide},
         {3, &problem.map_height, 0, kMaxSide},
         {4, &problem.start.x, 0, kMaxSide - 1},
         {5, &problem.start.y, 0, kMaxSide - 1},
         {6, &problem.goal.x, 0, kMaxSide - 1},
         {7, &problem.goal.y, 0, kMaxSide - 1}}};
    for (const IntegerField& field : integers) {
        const std::string_view word = fields[field.index];
        const auto value = parse_number<std::int32_t>(word, field.low, field.high);
        if (!value) {
            return lines.error_at(
                word, fmt::format("{} {}: needs a number from {} to {}", kFieldNames[field.index],
                                  excerpt(word), field.low, field.high));
        }
        *field.value = *value;
    }
    if (!valid_name(fields[1])) {
        return lines.error_at(fields[1],
                              fmt::format("map name {} is not a file name", excerpt(fields[1])));
    }
    problem.map = fields[1];
    const auto length = parse_number<double>(fields[8], 0.0);
    if (!length) {
        return lines.error_at(
            fields[8],
            fmt::format("optimal length {}: needs a number, not negative", excerpt(fields[8])));
    }
    problem.optimal_length = *length;
    return {};
}

Status read_version(LineReader& lines) {
    if (!lines.next())
        return lines.error_at(0, "the file is empty; a scenario begins with 'version 1'");
    std::string_view rest = lines.line();
    const std::string_view keyword = next_word(rest);
    const std::string_view version = next_word(rest);
    if (keyword != "version" || !next_word(rest).empty()) {
        return lines.error_at(0, "a scenario begins with 'version 1'");
    }
    if (version != "1" && version != "1.0") {
        return lines.error_at(
            version, fmt::format("scenario version {}: only 1 and 1.0 are known", excerpt(version)),
            StatusCode::wrong_version);
    }
    return {};
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view text, std::string_view name) {
    LineReader lines(text, name);
    if (Status s = read_version(lines); !s.ok()) return tl::unexpected(std::move(s));
    Scenario scenario;
    while (lines.next()) {
        if (trim_right(lines.line()).empty()) continue;
        ScenarioProblem problem;
        if (Status s = parse_problem(lines, problem); !s.ok()) return tl::unexpected(std::move(s));
        scenario.problems.push_back(std::move(problem));
    }
    return scenario;
}

Result<Scenario> load_scenario(const std::filesystem::path& path) {
    const auto text = read_file(path, kMaxScenarioBytes);
    if (!text) return tl::unexpected(text.error());
    return parse_scenario(*text, path.string());
}

Result<std::string> format_scenario(const Scenario& scenario) {
    std::string text = "version 1\n";
    std::size_t number = 0;
    for (const ScenarioProblem& p : scenario.problems) {
        ++number;
        const std::size_t begin = text.size();
        fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.8f}\n",
                       p.bucket, p.map, p.map_width, p.map_height, p.start.x, p.start.y, p.goal.x,
                       p.goal.y, p.optimal_length);
        // The reader's own rules decide what may be written.
        LineReader line(std::string_view(text).substr(begin), "");
        ScenarioProblem copy;
        if (!line.next() || !parse_problem(line, copy).ok() || copy.map != p.map) {
            return fail(
                StatusCode::bad_option,
                fmt::format(
                    "problem {} (map {}) cannot be written to a scenario: a number is out of range "
                    "or the map name is not a file name",
                    number, excerpt(p.map)));
        }
    }
    return text;
}

Status write_scenario(const std::filesystem::path& path, const Scenario& scenario) {
    const auto text = format_scenario(scenario);
    if (!text)
        return {text.error().code, fmt::format("{}: {}", path.string(), text.error().message)};
    return write_file_atomically(path, *text);
}

}  // namespace cairn::io
