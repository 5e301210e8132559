#include "cairn/formats/haa_scenario.hpp"

#include <array>

#include "cairn/file.hpp"
#include "cairn/grid/map.hpp"
#include "scenario_fields.hpp"

namespace cairn::formats {
namespace {

constexpr std::int32_t kLastCell = grid::Map::kMaxSide - 1;
constexpr std::int32_t kMaxSize = 255;
constexpr std::size_t kHaaFields = 8;
constexpr std::array<const char*, kHaaFields> kHaaFieldNames{
    "map name", "start x", "start y", "goal x", "goal y", "capability", "agent size", "distance"};

// How the author's program writes a set of terrains.
struct Code {
    std::int32_t number;
    haa::TerrainSet terrains;
};
constexpr std::array<Code, 3> kCodes{{{4, haa::terrain_set({haa::kGround})},
                                      {64, haa::terrain_set({haa::kTrees})},
                                      {68, haa::terrain_set({haa::kGround, haa::kTrees})}}};

Status parse_terrains(const LineReader& lines, std::string_view word, haa::TerrainSet& terrains) {
    const auto number = parse_number<std::int32_t>(word);
    for (const Code& code : kCodes) {
        if (number != code.number) continue;
        terrains = code.terrains;
        return {};
    }
    return lines.error_at(
        word, fmt::format("capability {}: 4 (ground), 64 (trees) and 68 (both) are known",
                          excerpt(word)));
}

std::int32_t code_of(haa::TerrainSet terrains) {
    for (const Code& code : kCodes) {
        if (code.terrains == terrains) return code.number;
    }
    return 0;  // no reader takes it
}

Status parse_problem(const LineReader& lines, HaaProblem& problem) {
    std::array<std::string_view, kHaaFields> fields;
    if (Status s = split_fields(lines, trim_right(lines.line()), fields); !s.ok()) return s;
    if (Status s = check_map_name(lines, fields[0]); !s.ok()) return s;
    problem.map = fields[0];
    const std::array<IntegerField, 5> integers{{{1, &problem.start.x, 0, kLastCell},
                                                {2, &problem.start.y, 0, kLastCell},
                                                {3, &problem.goal.x, 0, kLastCell},
                                                {4, &problem.goal.y, 0, kLastCell},
                                                {6, &problem.size, 1, kMaxSize}}};
    if (Status s = parse_integers(lines, fields, kHaaFieldNames, integers); !s.ok()) return s;
    if (Status s = parse_terrains(lines, fields[5], problem.terrains); !s.ok()) return s;
    const auto distance = parse_number<double>(fields[7], 0.0);
    if (!distance) {
        return lines.error_at(fields[7], fmt::format("distance {}: needs a number, not negative",
                                                     excerpt(fields[7])));
    }
    problem.distance = *distance;
    return {};
}

Status read_version(LineReader& lines) {
    if (!lines.next()) return lines.error_at(0, "the file is empty; a HAA* scenario begins with 2");
    std::string_view rest = lines.line();
    const std::string_view version = next_word(rest);
    if (!parse_number<std::int32_t>(version) || !next_word(rest).empty())
        return lines.error_at(0, "a HAA* scenario begins with a line that says 2");
    if (version == "2") return {};
    return lines.error_at(
        version, fmt::format("HAA* scenario version {}: only 2 is known", excerpt(version)),
        StatusCode::wrong_version);
}

}  // namespace

Result<HaaScenario> parse_haa_scenario(std::string_view text, std::string_view name) {
    LineReader lines(text, name);
    if (Status s = read_version(lines); !s.ok()) return tl::unexpected(std::move(s));
    HaaScenario scenario;
    while (lines.next()) {
        if (trim_right(lines.line()).empty()) continue;
        HaaProblem problem;
        if (Status s = parse_problem(lines, problem); !s.ok()) return tl::unexpected(std::move(s));
        scenario.problems.push_back(std::move(problem));
    }
    return scenario;
}

Result<HaaScenario> load_haa_scenario(const std::string& path) {
    const auto text = read_file(path, kMaxScenarioBytes);
    if (!text) return tl::unexpected(text.error());
    return parse_haa_scenario(*text, path);
}

Result<std::string> format_haa_scenario(const HaaScenario& scenario) {
    std::string text = "2\n";
    std::size_t number = 0;
    for (const HaaProblem& p : scenario.problems) {
        ++number;
        const std::size_t begin = text.size();
        fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", p.map,
                       p.start.x, p.start.y, p.goal.x, p.goal.y, code_of(p.terrains), p.size,
                       p.distance);
        // Whatever the reader accepts may be written.
        LineReader line(std::string_view(text).substr(begin), "");
        HaaProblem copy;
        if (!line.next() || !parse_problem(line, copy).ok() || copy != p) {
            return fail(StatusCode::bad_option,
                        fmt::format("problem {} (map {}) cannot be written to a HAA* scenario: a "
                                    "number is out of range, the terrains are not ground, trees or "
                                    "both, or the map name is not a file name",
                                    number, excerpt(p.map)));
        }
    }
    return text;
}

Status write_haa_scenario(const std::string& path, const HaaScenario& scenario) {
    const auto text = format_haa_scenario(scenario);
    if (!text) return {text.error().code, fmt::format("{}: {}", path, text.error().message)};
    return write_file_atomically(path, *text);
}

}  // namespace cairn::formats
