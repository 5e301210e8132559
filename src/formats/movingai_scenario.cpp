#include <array>
#include <cmath>
#include <span>

#include "cairn/file.hpp"
#include "cairn/formats/movingai.hpp"
#include "scenario_fields.hpp"

namespace cairn::formats {
namespace {

using Fields = std::array<std::string_view, kScenarioFields.size()>;

Status parse_problem(const LineReader& lines, ScenarioProblem& problem) {
    const std::string_view line = trim_right(lines.line());
    Fields fields;
    if (Status s = split_fields(lines, line, fields); !s.ok()) return s;
    const std::array<IntegerField, 7> integers{
        {{0, &problem.bucket, 0, std::numeric_limits<std::int32_t>::max()},
         {2, &problem.map_width, 0, grid::Map::kMaxSide},
         {3, &problem.map_height, 0, grid::Map::kMaxSide},
         {4, &problem.start.x, 0, grid::Map::kMaxSide - 1},
         {5, &problem.start.y, 0, grid::Map::kMaxSide - 1},
         {6, &problem.goal.x, 0, grid::Map::kMaxSide - 1},
         {7, &problem.goal.y, 0, grid::Map::kMaxSide - 1}}};
    if (Status s = parse_integers(lines, fields, kScenarioFields, integers); !s.ok()) return s;
    if (Status s = check_map_name(lines, fields[1]); !s.ok()) return s;
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

}  // namespace

Result<Scenario> parse_scenario(std::string_view text, std::string_view name) {
    LineReader lines(text, name);
    if (Status s = read_scenario_version(lines); !s.ok()) return tl::unexpected(std::move(s));
    Scenario scenario;
    while (lines.next()) {
        if (trim_right(lines.line()).empty()) continue;
        ScenarioProblem problem;
        if (Status s = parse_problem(lines, problem); !s.ok()) return tl::unexpected(std::move(s));
        scenario.problems.push_back(std::move(problem));
    }
    return scenario;
}

Result<Scenario> load_scenario(const std::string& path) {
    const auto text = read_file(path, kMaxScenarioBytes);
    if (!text) return tl::unexpected(text.error());
    return parse_scenario(*text, path);
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
        // Whatever the reader accepts may be written.
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

Status write_scenario(const std::string& path, const Scenario& scenario) {
    const auto text = format_scenario(scenario);
    if (!text) return {text.error().code, fmt::format("{}: {}", path, text.error().message)};
    return write_file_atomically(path, *text);
}

}  // namespace cairn::formats
